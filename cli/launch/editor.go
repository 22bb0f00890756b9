package launch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/tui"
)

// OpenEditor prepares the user's editor for a regular file. A known editor starts at line, if that isn't 0. A relative
// path starts at the current directory. The editor gets an absolute path, which can't be an option, and no shell is
// used.
func OpenEditor(ctx context.Context, env *place.Env, o *out.Output, file string, line int) (tui.Takeover, error) {
	if file == "" {
		return nil, &out.Failure{What: "The selection names no file. Select a tool call that names a file."}
	}
	file = env.Abs(file)
	if err := probeFile(ctx, env, file); err != nil {
		return nil, err
	}
	argv, err := env.Host.Editor(file, line)
	if err != nil {
		return nil, editorFailure(err)
	}
	// The editor outlives a cancelled continuo.
	return &Takeover{env: env, o: o, Program: host.Foreground{Argv: argv, Environ: env.Host.Environ}}, nil
}

// editorFailure returns the message for a missing editor.
func editorFailure(err error) *out.Failure {
	e, ok := errors.AsType[*host.EditorError](err)
	switch {
	case !ok:
		return &out.Failure{What: "No editor was found. Set VISUAL or EDITOR to an editor."}
	case errors.Is(err, host.ErrQuotes):
		return &out.Failure{What: "The value of " + e.Variable + " ends inside quotes. Fix it, then open the file again.", Cause: err}
	}
	return &out.Failure{What: "The editor " + out.Quoted(e.Program) + " of " + e.Variable + " cannot be found. Install it, or set " + e.Variable + " to another.", Cause: err}
}

// probeFile checks that a path is a regular file. It gives up after probeTimeout, because a mount may be dead.
func probeFile(ctx context.Context, env *place.Env, path string) error {
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
		return &out.Failure{What: "The file " + env.Tilde(path) + " does not answer. Mount its disk, then open it.", Cause: ctx.Err()}
	case a = <-found:
	}
	switch {
	case errors.Is(a.err, fs.ErrNotExist):
		return &out.Failure{What: "The file " + env.Tilde(path) + " is gone.", Cause: a.err}
	case a.err != nil:
		return &out.Failure{What: "The file " + env.Tilde(path) + " cannot be opened: " + out.Reason(a.err) + ".", Cause: a.err}
	case a.info.IsDir():
		return &out.Failure{What: env.Tilde(path) + " is a folder. Only regular files can be opened."}
	case !a.info.Mode().IsRegular():
		return &out.Failure{What: fmt.Sprintf("%s isn't a regular file. Only regular files can be opened.", env.Tilde(path))}
	}
	return nil
}
