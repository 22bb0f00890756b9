package host

import (
	"slices"
	"strings"
)

// inherited returns the variables that a client passes to its child processes. A client that inherits them behaves
// like a part of another client and writes no transcript (anthropics/claude-code#73848).
func inherited() []string {
	return []string{"CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_ENTRYPOINT"}
}

// Claude returns a client to run in the folder dir. Each element of argv is passed as one argument, without a shell.
// config is CLAUDE_CONFIG_DIR=DIR, or the bare name to unset the variable.
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

// ClaudeInTmux returns the environment changes for Claude Code when Tmux.Start starts it. config has the form that
// Claude takes.
func (h Host) ClaudeInTmux(config string) []string {
	return append([]string{"PATH=" + h.Getenv("PATH"), config}, inherited()...)
}
