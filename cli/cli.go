// Package cli is continuo on the command line: the tree of commands, their help, completion and manual. The commands
// are in the packages below, by purpose; cli/host starts their programs, cli/out prints.
//
// A command is a function of Env (where and when it runs, what it can ask) and Output (what it prints to), so two
// can run in one process and none needs a terminal to be tested. Four rules hold for all of them:
//
//   - Foreign text is cleaned before it is printed, and JSON escapes what a terminal would act on.
//   - In a terminal a command prints for a person; elsewhere one row a line, tab-separated, nothing cut, and
//     headings, sums and hints go to stderr.
//   - An error says what happened and what to do, on stderr; its exit code is one of the Exit constants.
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
	"github.com/continuo-tui/continuo/tui"
)

// Program is one run of continuo: everything that it takes from the outside.
type Program struct {
	Args    []string // without the name of the program
	Env     []string // "KEY=value", as os.Environ gives it; of two with one key the last wins
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
	Dir     string           // current directory; "" asks the system
	Version string           // set at release; "" takes it from the build
	Now     func() time.Time // nil is the real clock
}

// Run does what the arguments say and returns the exit code. It ends early when ctx does, and on SIGINT, SIGTERM
// and SIGHUP: then the code is 128 and the number of the signal. A panic in this goroutine does not leave it.
func Run(ctx context.Context, p Program) (code int) {
	env := newEnv(p)
	o := out.New(p.Stdin, p.Stdout, p.Stderr, env.Host.Getenv)
	if code, done := hooks.RunHook(ctx, env, o, p.Args); done {
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
	return caught.ExitCode(execute(ctx, env, o, p.Args), out.ExitBug)
}

// execute runs one command line and prints its error.
func execute(ctx context.Context, env *place.Env, o *out.Output, args []string) int {
	root := newRootCmd(env, o)
	root.SetArgs(append([]string{}, args...)) // never nil: cobra would take os.Args instead
	err := root.ExecuteContext(ctx)
	switch {
	case errors.Is(o.Out.Failed, syscall.EPIPE):
		return out.ExitDone // whoever was reading has seen enough
	case err == nil && o.Out.Failed != nil:
		err = &out.Failure{What: "The output could not be written: " + out.Reason(o.Out.Failed) + ". Make room, then run it again."}
	case err == nil:
		return out.ExitDone
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		err = &out.Failure{What: "Stopped before it was done. Nothing was changed."}
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
		e.Dir, _ = os.Getwd() // without one, the scope is every project
	}
	e.Home = e.Host.Getenv("HOME")
	if e.Home == "" {
		e.Home = e.Host.Getenv("USERPROFILE")
	}
	e.Settings = sync.OnceValues(func() (*place.Config, error) { return place.ReadConfigFile(e) })
	return e
}
