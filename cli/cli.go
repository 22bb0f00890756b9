// Package cli is continuo on the command line: one file per command, whose programs are started by
// cli/host.
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
	env := newEnv(p)
	o := newOutput(p, env.host.Getenv)
	if code, done := runHook(ctx, env, o, p.Args); done {
		return code
	}
	defer func() {
		if v := recover(); v != nil {
			f := writePanic(env, v, debug.Stack())
			o.err.print(f.text(o.err.styles, o.err.cells()))
			code = f.exitCode()
		}
	}()
	ctx, caught, stop := host.CatchSignals(ctx)
	defer stop()
	env.signals = caught
	return caught.ExitCode(execute(ctx, env, o, p.Args), ExitBug)
}

// execute runs one command line and prints its error.
func execute(ctx context.Context, env *Env, o *Output, args []string) int {
	root := newRootCmd(env, o)
	root.SetArgs(append([]string{}, args...)) // never nil: cobra would take os.Args instead
	err := root.ExecuteContext(ctx)
	switch {
	case errors.Is(o.out.failed, syscall.EPIPE):
		return ExitDone // whoever was reading has seen enough
	case err == nil && o.out.failed != nil:
		err = &failure{what: "The output could not be written: " + reason(o.out.failed) + ". Make room, then run it again."}
	case err == nil:
		return ExitDone
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		err = &failure{what: "Stopped before it was done. Nothing was changed."}
	}
	f := asFailure(err)
	o.err.print(f.text(o.err.styles, o.err.cells()))
	return f.exitCode()
}

// Env is where and when a command runs, and what it can ask.
type Env struct {
	host       host.Host // its variables, and the programs that it can start
	dir        string    // current directory, "" when it is gone
	home       string    // "" unknown
	now        func() time.Time
	args       []string // of this run, for the report of a bug
	version    string
	claudeDirs []string // of --claude-dir
	dirs       []string // Claude config directories of this run, once they are known
	open       opener
	browse     browser
	signals    *host.Signals
	madeUp     bool                    // the sessions are those of the demo
	settings   func() (*config, error) // see loadConfig
}

// Output is what a command reads from a person and writes.
type Output struct {
	stdin    io.Reader
	typing   bool // stdin is a terminal
	out, err *stream
	json     bool // --json
}

func newEnv(p Program) *Env {
	e := &Env{
		host: host.Host{Environ: p.Env}, dir: p.Dir, now: p.Now,
		args: p.Args, version: p.Version, open: openCatalog, browse: tui.Run, signals: &host.Signals{},
	}
	if e.now == nil {
		e.now = time.Now
	}
	if e.dir == "" {
		e.dir, _ = os.Getwd() // without one, the scope is every project
	}
	e.home = e.host.Getenv("HOME")
	if e.home == "" {
		e.home = e.host.Getenv("USERPROFILE")
	}
	e.settings = sync.OnceValues(func() (*config, error) { return readConfigFile(e) })
	return e
}

func newOutput(p Program, getenv func(string) string) *Output {
	return &Output{
		stdin: p.Stdin, typing: isTerminal(p.Stdin),
		out: newStream(p.Stdout, getenv), err: newStream(p.Stderr, getenv),
	}
}
