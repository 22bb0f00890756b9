// Package cli is the command line of continuo: the tree of commands, their help, completion and manual. The packages
// below it have the commands.
//
// A command is a function of an Env (directories, clock, programs) and an Output (the streams). So two commands can run
// in one process, and tests need no terminal. Four rules apply to all commands:
//
//   - Untrusted text is cleaned before printing. JSON escapes control characters.
//   - On a terminal, a command prints for a person. Elsewhere it prints one row per line, tab-separated and uncut;
//     headings, totals and hints go to stderr.
//   - An error says what happened and what to do, on stderr. Its exit code is one of the Exit constants.
//   - A panic becomes a report file and ExitBug.
package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"github.com/continuo-tui/continuo/cli/hooks"
	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions/index"
	"github.com/continuo-tui/continuo/tui"
)

// Program is one run of continuo, with everything that the run depends on.
type Program struct {
	Args    []string // without the program name
	Env     []string // "KEY=value"; of two values, the last counts
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
	Dir     string           // current directory; "" means that of the process
	Version string           // "" means the version in the build information
	Now     func() time.Time // nil means the real clock
}

// Run executes the arguments and returns the exit code. It ends early if ctx ends, or on SIGINT, SIGTERM or SIGHUP.
// After a signal, the code is 128 plus the number of the signal. A panic in this goroutine is recovered.
func Run(ctx context.Context, p Program) (code int) {
	env := newEnv(p)
	o := out.New(p.Stdin, p.Stdout, p.Stderr, env.Host.Getenv)
	if code, done := hooks.Run(ctx, env, o, p.Args); done {
		return code
	}
	defer func() {
		if v := recover(); v != nil {
			code = o.Fail(place.WritePanic(env, v, debug.Stack()))
		}
	}()
	ctx, caught, stop := host.CatchSignals(ctx)
	defer stop()
	env.Signals = caught
	env.Index = index.Open(env.IndexDir())
	defer env.Index.Close()
	return caught.ExitCode(execute(ctx, env, o, p.Args), out.ExitBug)
}

// execute runs one command line, and prints its error.
func execute(ctx context.Context, env *place.Env, o *out.Output, args []string) int {
	root := newRootCmd(env, o)
	root.SetArgs(append([]string{}, args...)) // with nil, cobra would use os.Args
	err := root.ExecuteContext(ctx)
	switch {
	case errors.Is(o.Out.Failed, syscall.EPIPE):
		return out.ExitDone // the reader of a pipe has exited
	case err == nil && o.Out.Failed != nil:
		err = &out.Failure{What: "The output could not be written: " + out.Reason(o.Out.Failed) + ". Fix this, then run the command again."}
	case err == nil:
		return out.ExitDone
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		err = &out.Failure{What: "Interrupted. Nothing was changed."}
	}
	return o.Fail(err)
}

func newEnv(p Program) *place.Env {
	e := &place.Env{
		Host: host.Host{Environ: p.Env}, Dir: p.Dir, Now: p.Now,
		Args: p.Args, Version: p.Version, Open: place.OpenCatalog, Browse: tui.Run, Signals: &host.Signals{},
	}
	if e.Now == nil {
		e.Now = time.Now
	}
	if e.Dir == "" {
		e.Dir, _ = os.Getwd() // without a directory, all projects are searched
	}
	e.Home = e.Host.Getenv("HOME")
	if e.Home == "" {
		e.Home = e.Host.Getenv("USERPROFILE")
	}
	e.Index = index.Open("") // has no files; Run opens the cache on disk
	e.Settings = sync.OnceValues(func() (*place.Config, error) { return place.ReadConfigFile(e) })
	return e
}
