package host

import (
	"slices"
	"strings"
)

// inherited returns the names of variables that Claude Code sets for its child processes. A second client that inherits
// them behaves like a child of the first one, and writes no transcript (anthropics/claude-code#73848).
func inherited() []string {
	return []string{"CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_ENTRYPOINT"}
}

// Claude returns Claude Code as a Foreground that runs in the folder dir. Each element of argv is passed as one
// argument, without a shell. config is "CLAUDE_CONFIG_DIR=DIR", or "CLAUDE_CONFIG_DIR", which unsets the variable.
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

// ClaudeInTmux returns the argument env of Tmux.Start for Claude Code. config has the same form as for Claude.
func (h Host) ClaudeInTmux(config string) []string {
	return append([]string{"PATH=" + h.Getenv("PATH"), config}, inherited()...)
}
