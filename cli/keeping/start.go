package keeping

import (
	"context"
	"crypto/rand"
	"errors"
	"net"
	"net/http"
	"os"
	"strconv"
	"syscall"
	"time"

	"github.com/continuo-tui/continuo/cli/launch"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/tasks"
	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/sessions/keeper/page"
	"github.com/continuo-tui/continuo/sessions/keeper/remote"
	"github.com/continuo-tui/continuo/sessions/keeper/server"
)

// livePath is the API's URL path for the browser.
const livePath = "/live"

// reapEvery is how often the keeper suspends interrupted sessions.
const reapEvery = time.Minute

// start runs the keeper until ctx ends. It calls ready when the keeper answers requests.
func start(ctx context.Context, env *place.Env, o *out.Output, ready func(r *Running) error) error {
	conf, err := place.LoadConfig(env)
	if err != nil {
		return err
	}
	dir := dirOf(env)
	if dir == "" {
		return &out.Failure{What: "The keeper needs a home directory for its files. Set HOME."}
	}
	if r := Find(ctx, env); r != nil {
		return taken(r)
	}
	root, err := disk.Make(dir, 0o700)
	if err != nil {
		return filesFailure(env, dir, err)
	}
	defer root.Close()
	unlock, err := root.Lock(ctx, lockFile)
	if errors.Is(err, disk.ErrLocked) {
		return taken(Find(ctx, env))
	} else if err != nil {
		return filesFailure(env, dir, err)
	}
	defer unlock()
	l, err := listen(ctx, conf)
	if err != nil {
		return err
	}
	defer func() { _ = l.Close() }()
	r, err := write(ctx, root, l)
	if err != nil {
		return filesFailure(env, dir, err)
	}
	defer func() { _, _ = root.Remove(pidFile), root.Remove(portFile) }() // if the files stay, Find ignores them
	m, err := newMachine(env)
	if err != nil {
		return err
	}
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	go m.follow(serving)
	go reap(serving, env)
	served := make(chan error, 1)
	roots, _ := place.AllowedRoots(env, conf)
	go func() {
		served <- server.Serve(serving, l, server.New(server.Options{
			Keeper: m.keeper, Machine: m, Now: env.Now, Token: r.token(tokenFile), Roots: roots, Page: page.Handler(),
			Live: http.StripPrefix(livePath, remote.Handler(m.keeper)), LiveToken: r.token(liveTokenFile),
		}))
	}()
	if err := ready(r); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		End(m.keeper, o) // before stop, so subscribers get the last events
		stop()
		return <-served
	case err := <-served:
		End(m.keeper, o)
		return &out.Failure{What: "The keeper can't accept connections: " + out.Reason(err) + ".", Cause: err}
	}
}

// taken is the error if another keeper runs. If r is nil, that keeper is starting or ending.
func taken(r *Running) error {
	if r == nil {
		return &out.Failure{Code: out.ExitNo, What: "Another keeper is starting or ending. Try again."}
	}
	return &out.Failure{
		Code: out.ExitNo, What: "A keeper is already running: process " + strconv.Itoa(r.PID) + ", " + r.URL() + ".",
		Hints: []string{"continuo keeper status", "continuo keeper stop"},
	}
}

func filesFailure(env *place.Env, dir string, err error) error {
	return &out.Failure{What: "The keeper can't write its files in " + env.Tilde(dir) + ": " + out.Reason(disk.Cause(err)) + ".", Cause: err}
}

// listen listens on the configured port. If the default port is in use, it chooses a free port.
func listen(ctx context.Context, conf *place.Config) (net.Listener, error) {
	var at net.ListenConfig
	l, err := at.Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(conf.KeeperPort)))
	if _, set := conf.Lines[place.KeyPort]; err != nil && !set {
		l, err = at.Listen(ctx, "tcp", "127.0.0.1:0")
	}
	if err != nil {
		what := "The port " + strconv.Itoa(conf.KeeperPort) + " can't be used: " + out.Reason(errors.Unwrap(err)) + ". Set another keeper.port in the config file."
		return nil, &out.Failure{What: what, Cause: err}
	}
	return l, nil
}

// write writes the keeper's files. It keeps existing tokens, so that links work after a restart. Delete a
// token's file to replace the token.
func write(ctx context.Context, root *disk.Root, l net.Listener) (*Running, error) {
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return nil, err
	}
	r := &Running{PID: os.Getpid(), port: port, dir: root.At(".")}
	started, _, _ := sessions.SystemProbe().Start(ctx, r.PID)
	files := [][2]string{{tokenFile, rand.Text()}, {liveTokenFile, rand.Text()}, {portFile, port}, {pidFile, strconv.Itoa(r.PID) + " " + started}}
	for i, f := range files {
		if i < 2 && r.token(f[0]) != "" {
			if err := root.Chmod(f[0], 0o600); err != nil {
				return nil, err
			}
			continue
		}
		if err := root.Replace(f[0], []byte(f[1]+"\n"), 0o600); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// reap suspends interrupted sessions in all known projects until ctx ends.
func reap(ctx context.Context, env *place.Env) {
	for {
		tasks.ReapOrphans(ctx, env, env.Dir)
		select {
		case <-time.After(reapEvery):
		case <-ctx.Done():
			return
		}
	}
}

// End ends the sessions of a Keeper in this process, and prints their IDs.
func End(k *keeper.Keeper, o *out.Output) {
	var ended []string
	for _, s := range k.Sessions() {
		if s.Status != keeper.StatusEnded {
			ended = append(ended, s.ID)
		}
	}
	k.Close()
	for _, id := range ended {
		o.Err.Print("Ended the session " + id + ", which ran in continuo. To resume it: continuo resume " + id + "\n")
	}
}

// NewKeeper returns a Keeper that runs clients in this process.
func NewKeeper(env *place.Env) *keeper.Keeper {
	return keeper.New(keeper.Options{Start: launch.Clients{}, Now: env.Now})
}

// stop asks a keeper to end, and waits up to stopFor.
func stop(ctx context.Context, env *place.Env, r *Running) error {
	p, err := os.FindProcess(r.PID)
	if err == nil {
		if err = p.Signal(syscall.SIGTERM); err != nil && Find(ctx, env) != nil {
			err = p.Kill() // a system without SIGTERM; closing their stdin ends the clients
		}
	}
	for limit := time.After(stopFor); Find(ctx, env) != nil; {
		select {
		case <-time.After(stopPause):
		case <-limit:
			return &out.Failure{What: "The keeper (process " + strconv.Itoa(r.PID) + ") hasn't ended yet. Check its sessions.", Hints: []string{"continuo live"}, Cause: err}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// The times of stop. A client has 5 s to end, and 5 s more after a signal.
const (
	stopFor   = 20 * time.Second
	stopPause = 20 * time.Millisecond
)
