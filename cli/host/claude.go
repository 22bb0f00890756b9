package host

import (
	"slices"
	"strings"
)

// inherited are variables that a client leaves to what it starts. With them a client takes itself for a part of
// another one, and keeps no transcript (anthropics/claude-code#73848).
func inherited() []string {
	return []string{"CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_ENTRYPOINT"}
}

// Claude is a client in a folder. It gets one argument per value, never through a shell, and config: CLAUDE_CONFIG_DIR
// with its value, or without one where it is to be unset.
func (h Host) Claude(argv []string, dir, config string) Foreground {
	unset := append(inherited(), "CLAUDE_CONFIG_DIR")
	environ := slices.DeleteFunc(slices.Clone(h.Environ), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(unset, name)
	})
	environ = append(environ, "PWD="+dir)
	if strings.Contains(config, "=") {
		environ = append(environ, config)
	}
	return Foreground{Argv: argv, Dir: dir, Environ: environ}
}

// ClaudeInTmux is what differs in the environment of a client that tmux starts, for Tmux.Start; config is that of Claude.
func (h Host) ClaudeInTmux(config string) []string {
	return append([]string{"PATH=" + h.Getenv("PATH"), config}, inherited()...)
}
