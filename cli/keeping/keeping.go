// Package keeping runs the keeper: one process for each user, which drives sessions. They keep running when the
// browser is closed. The browser, the web page and programs send HTTP requests to the keeper on this machine;
// see sessions/keeper/server.
package keeping

import (
	"context"
	"net"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/keeper/remote"
)

// The files in dirOf, which only their owner can read.
const (
	tokenFile     = "token"      // for the page and for programs
	liveTokenFile = "live-token" // for the browser of continuo
	portFile      = "port"
	pidFile       = "pid" // the process and its start time
	lockFile      = "keeper.lock"
)

// dirOf returns the directory of the keeper's files, $XDG_STATE_HOME/continuo/keeper. It returns "" without a
// home directory, and in the demo.
func dirOf(env *place.Env) string {
	if env.MadeUp || env.StateDir() == "" {
		return ""
	}
	return filepath.Join(env.StateDir(), "keeper")
}

// Running is a running keeper.
type Running struct {
	PID  int
	port string
	dir  string
}

// Find returns the running keeper, or nil. It compares the start time: after a killed keeper, another process
// may have its PID.
func Find(ctx context.Context, env *place.Env) *Running {
	dir := dirOf(env)
	if dir == "" {
		return nil
	}
	number, start, _ := strings.Cut(sessions.FirstLine(filepath.Join(dir, pidFile)), " ")
	pid, err := strconv.Atoi(number)
	if err != nil {
		return nil
	}
	now, alive, known := sessions.SystemProbe().Start(ctx, pid)
	if known && !alive || now != "" && start != "" && now != start {
		return nil
	}
	return &Running{PID: pid, port: sessions.FirstLine(filepath.Join(dir, portFile)), dir: dir}
}

// URL returns the address of the keeper.
func (r *Running) URL() string { return "http://" + net.JoinHostPort("127.0.0.1", r.port) }

// TokenFile returns the path of the API's token.
func (r *Running) TokenFile() string { return filepath.Join(r.dir, tokenFile) }

// token returns the token in a file, or "".
func (r *Running) token(file string) string { return sessions.FirstLine(filepath.Join(r.dir, file)) }

// Connect connects to the running keeper. Without a keeper, it returns nil.
func Connect(ctx context.Context, env *place.Env) (*remote.Keeper, error) {
	r := Find(ctx, env)
	if r == nil {
		return nil, nil
	}
	k, err := remote.Dial(ctx, r.URL()+livePath, r.token(liveTokenFile))
	if err != nil {
		return nil, &out.Failure{
			What:  "The keeper (process " + strconv.Itoa(r.PID) + ") can't be reached: " + out.Reason(err) + ". Start it again.",
			Hints: []string{"continuo keeper stop", "continuo keeper start"}, Cause: err,
		}
	}
	return k, nil
}

// noKeeper is the error of a command that needs the keeper.
func noKeeper() error {
	return &out.Failure{Code: out.ExitNo, What: "No keeper is running. Start one.", Hints: []string{"continuo keeper start"}}
}
