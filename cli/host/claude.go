package host

import (
	"slices"
	"strings"
)

// inherited returns the names of variables that a client passes on to its child processes. A client that inherits
// them behaves like a part of the other client, and writes no transcript (anthropics/claude-code#73848).
func inherited() []string {
	return []string{"CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_ENTRYPOINT"}
}

// Claude returns a client that runs in the folder dir. Each element of argv is passed as one argument, without a
// shell. config is CLAUDE_CONFIG_DIR=DIR. If it is only the name, the variable is unset.
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

// ClaudeInTmux returns how the environment must change when Tmux.Start starts Claude Code. config has the same
// form as for Claude.
func (h Host) ClaudeInTmux(config string) []string {
	return append([]string{"PATH=" + h.Getenv("PATH"), config}, inherited()...)
}
