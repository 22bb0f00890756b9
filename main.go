// Continuo finds, reads, searches, resumes and safeguards Claude Code sessions.
package main

import (
	"context"
	"io"
	"os"
	"runtime/debug"

	"github.com/continuo-tui/continuo/cli"
)

// version is set for a release with go build -ldflags "-X main.version=1.2.3". If it is empty, the version in the build
// information is used.
var version string

// stdio has the standard streams of the process.
type stdio struct {
	in       io.Reader
	out, err io.Writer
}

func main() {
	// The garbage collector runs rarely, because a command keeps most of its memory until it ends. The browser sets the
	// default when its list is complete. A value that the user has set stays.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	os.Exit(run(os.Args[1:], stdio{os.Stdin, os.Stdout, os.Stderr}, os.Environ()))
}

func run(args []string, s stdio, env []string) int {
	return cli.Run(context.Background(), cli.Program{
		Args: args, Env: env, Stdin: s.in, Stdout: s.out, Stderr: s.err, Version: version,
	})
}
