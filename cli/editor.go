package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/tui"
)

// openEditor prepares the editor of the person on a file, at a line where it can be told one; line 0 is none. A path from
// a transcript is foreign: it becomes absolute (a relative one is below the current directory), so that no program
// takes it for an option, and one argument, never seen by a shell. Only what is a regular file now is opened.
func openEditor(ctx context.Context, env *Env, o *Output, file string, line int) (tui.Takeover, error) {
	if file == "" {
		return nil, &failure{what: "There is no file to open here. Choose a call that names one."}
	}
	file = env.abs(file)
	if err := probeFile(ctx, env, file); err != nil {
		return nil, err
	}
	argv, err := env.host.Editor(file, line)
	if err != nil {
		return nil, editorFailure(err)
	}
	// It ends when the person ends it, not when this program is told to stop.
	return &takeover{env: env, o: o, program: host.Foreground{Argv: argv, Environ: env.host.Environ}}, nil
}

// editorFailure says why there is no editor.
func editorFailure(err error) *failure {
	e, ok := errors.AsType[*host.EditorError](err)
	switch {
	case !ok:
		return &failure{what: "There is no editor. Set VISUAL or EDITOR to one."}
	case errors.Is(err, host.ErrQuotes):
		return &failure{what: "The value of " + e.Variable + " ends inside quotes. Set it right, then open the file again.", cause: err}
	}
	return &failure{what: "The editor " + quoted(e.Program) + " of " + e.Variable + " cannot be found. Install it, or set " + e.Variable + " to another.", cause: err}
}

// probeFile checks that a path is a regular file, for at most probeTimeout: it may be on a dead mount.
func probeFile(ctx context.Context, env *Env, path string) error {
	type answer struct {
		info os.FileInfo
		err  error
	}
	found := make(chan answer, 1)
	go func() {
		info, err := os.Stat(path)
		found <- answer{info, err}
	}()
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	var a answer
	select {
	case <-ctx.Done():
		return &failure{what: "The file " + env.tilde(path) + " does not answer. Mount its disk, then open it.", cause: ctx.Err()}
	case a = <-found:
	}
	switch {
	case errors.Is(a.err, fs.ErrNotExist):
		return &failure{what: "The file " + env.tilde(path) + " is gone.", cause: a.err}
	case a.err != nil:
		return &failure{what: "The file " + env.tilde(path) + " cannot be opened: " + reason(a.err) + ".", cause: a.err}
	case a.info.IsDir():
		return &failure{what: env.tilde(path) + " is a folder. Only files are opened."}
	case !a.info.Mode().IsRegular():
		return &failure{what: fmt.Sprintf("%s is no regular file. Only those are opened.", env.tilde(path))}
	}
	return nil
}
