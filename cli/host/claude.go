package host

import (
	"slices"
	"strings"
)

// inherited returns variables that Claude Code sets for child processes. A client that inherits them writes no
// transcript (anthropics/claude-code#73848).
func inherited() []string {
	return []string{"CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_ENTRYPOINT"}
}

// Claude returns a Foreground that runs Claude Code in dir, without a shell. config is "CLAUDE_CONFIG_DIR=DIR".
// Without "=DIR", the variable is unset.
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

// ClaudeInTmux returns the argument env of Tmux.Start. For config, see Claude.
func (h Host) ClaudeInTmux(config string) []string {
	return append([]string{"PATH=" + h.Getenv("PATH"), config}, inherited()...)
}
