// Package cli is continuo on the command line: one file per command, whose programs are started by
// cli/host.
//
// A command gets everything from the outside through deps (streams, environment, clock, catalogue), so two
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

	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/tui"
)

// The exit codes of every command.
const (
	ExitDone   = 0  // done
	ExitNo     = 1  // the answer is no: no hit, gate rejected, findings
	ExitFailed = 2  // it could not be done, usage included
	ExitNone   = 3  // no such session, backup or task
	ExitBug    = 70 // a bug: the report file is named on stderr
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
	d := newDeps(p)
	if code, done := d.hook(ctx, p.Args); done {
		return code
	}
	defer func() {
		if v := recover(); v != nil {
			f := d.panicked(v, debug.Stack())
			d.err.print(f.text(d.err.styles, d.err.cells()))
			code = f.exitCode()
		}
	}()
	ctx, caught, stop := host.CatchSignals(ctx)
	defer stop()
	d.signals = caught
	return caught.ExitCode(d.execute(ctx, p.Args), ExitBug)
}

// execute runs one command line and prints its error.
func (d *deps) execute(ctx context.Context, args []string) int {
	root := newRootCmd(d)
	root.SetArgs(append([]string{}, args...)) // never nil: cobra would take os.Args instead
	err := root.ExecuteContext(ctx)
	switch {
	case errors.Is(d.out.failed, syscall.EPIPE):
		return ExitDone // whoever was reading has seen enough
	case err == nil && d.out.failed != nil:
		err = &failure{what: "The output could not be written: " + reason(d.out.failed) + ". Make room, then run it again."}
	case err == nil:
		return ExitDone
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		err = &failure{what: "Stopped before it was done. Nothing was changed."}
	}
	f := asFailure(err)
	d.err.print(f.text(d.err.styles, d.err.cells()))
	return f.exitCode()
}

// deps is what commands take from the outside.
type deps struct {
	env
	streams
	args     []string // of this run, for the report of a bug
	version  string
	open     opener
	browse   browser
	signals  *host.Signals
	madeUp   bool                    // the sessions are those of the demo
	settings func() (*config, error) // see config
	dirs     []string                // Claude config directories of this run, once they are known
}

// env is where and when a command runs.
type env struct {
	host host.Host // its variables, and the programs that it can start
	dir  string    // current directory, "" when it is gone
	home string    // "" unknown
	now  func() time.Time
}

// streams are what a command reads and writes.
type streams struct {
	stdin    io.Reader
	typing   bool // stdin is a terminal
	out, err *output
}

func newDeps(p Program) *deps {
	d := &deps{
		env:     env{host: host.Host{Environ: p.Env}, dir: p.Dir, now: p.Now},
		streams: streams{stdin: p.Stdin, typing: isTerminal(p.Stdin)},
		args:    p.Args, version: p.Version, open: openCatalog, browse: tui.Run, signals: &host.Signals{},
	}
	if d.now == nil {
		d.now = time.Now
	}
	if d.dir == "" {
		d.dir, _ = os.Getwd() // without one, the scope is every project
	}
	d.home = d.host.Getenv("HOME")
	if d.home == "" {
		d.home = d.host.Getenv("USERPROFILE")
	}
	d.settings = sync.OnceValues(d.readConfig)
	d.out = newOutput(p.Stdout, d.host.Getenv)
	d.err = newOutput(p.Stderr, d.host.Getenv)
	return d
}
