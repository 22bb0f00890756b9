package cli

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// writePanic writes what happened to a file and returns the failure that names it. The report has the arguments
// and the stack, never the environment. The stack of a panic that another goroutine passed on is that of its own.
func writePanic(env *Env, v any, stack []byte) *out.Failure {
	if p, ok := v.(*sessions.PanicError); ok {
		v, stack = p.Value, p.Stack
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nargs: %q\n\npanic: %s\n\n%s", versionLine(env), env.args, transcript.Clean(fmt.Sprint(v)), stack)
	f := &out.Failure{Code: out.ExitBug, What: "continuo has a bug and had to stop."}
	path, err := writeReport(env, b.String())
	if err == nil {
		f.What += " A report is in " + env.tilde(path) + "."
		f.Hints = []string{"read it before you send it to anyone: it may name files and sessions of yours"}
	} else {
		f.What += " The report could not be written, so here it is."
		f.Facts = strings.Split(strings.ReplaceAll(b.String(), "\t", "  "), "\n")
	}
	return f
}

// writeReport puts a report into $XDG_STATE_HOME/continuo, else ~/.local/state/continuo, else the directory for
// temporary files. Only its owner can read it.
func writeReport(env *Env, text string) (string, error) {
	var dirs []string
	if dir := env.stateDir(); dir != "" {
		dirs = append(dirs, dir)
	}
	var last error
	for _, dir := range append(dirs, os.TempDir()) {
		name := "continuo-panic-" + rand.Text() + ".txt"
		if last = replaceFile(filepath.Join(dir, name), []byte(text), 0o600, 0o700); last == nil {
			return filepath.Join(dir, name), nil
		}
	}
	return "", fmt.Errorf("write report: %w", last)
}
