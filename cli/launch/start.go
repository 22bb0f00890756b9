package launch

import (
	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
)

// StartHere returns a Takeover that starts a new session in the current directory; nil without a client.
func StartHere(env *place.Env, o *out.Output, conf *place.Config) *Takeover {
	path, err := claudePath(env, conf)
	if err != nil || env.Dir == "" {
		return nil
	}
	return &Takeover{env: env, o: o, Program: env.Host.Claude(append([]string{path}, conf.ClaudeArgs...), env.Dir, env.ConfigVariable(&sessions.Row{Session: sessions.Session{Dir: env.ClientDir()}})), Hold: true}
}

// Pausing returns a Takeover that runs a program in a directory, and then waits for enter. The browser would hide the
// output.
func Pausing(env *place.Env, o *out.Output, dir string, argv ...string) *Takeover {
	return &Takeover{env: env, o: o, Program: host.Foreground{Argv: argv, Dir: dir, Environ: env.Host.Environ}, Pause: true}
}
