package cli

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui"
)

// resumeSession goes on with a session, or says what a person has to know and choose first. It looks at everything anew
// each time, so what it starts is what the guard has allowed a moment ago.
func resumeSession(ctx context.Context, env *Env, o *out.Output, row sessions.Row, ask resume.Ask) (tui.Outcome, error) {
	row.Dir = configDirOf(&row)
	plan, err := planResume(ctx, env, row, ask)
	switch {
	case err != nil:
		return tui.Outcome{}, err
	case plan.Launch == nil:
		return tui.Outcome{Plan: &plan}, nil
	}
	return carryOut(ctx, env, o, row, ask, plan.Launch)
}

// carryOut starts what the guard has just allowed, or returns the plan that says who was quicker.
func carryOut(ctx context.Context, env *Env, o *out.Output, row sessions.Row, ask resume.Ask, l *resume.Launch) (tui.Outcome, error) {
	out, err := launchResume(ctx, env, o, l)
	if err == nil {
		markSeen(env, row.Path) // a backup that is gone on with is dealt with
	}
	if errors.Is(err, errTaken) && l.Restore == "" { // since the look: it is in the next one
		if plan, again := planResume(ctx, env, row, ask); again == nil && plan.Launch == nil {
			return tui.Outcome{Plan: &plan}, nil
		}
	}
	return out, err
}

// planResume asks the guard. What no answer changes is an error.
func planResume(ctx context.Context, env *Env, row sessions.Row, ask resume.Ask) (resume.Plan, error) {
	if env.madeUp {
		return resume.Plan{}, &out.Failure{What: "This is a demo: there is nothing to resume."}
	}
	row.Dir = configDirOf(&row)
	conf, err := loadConfig(env)
	if err != nil {
		return resume.Plan{}, err
	}
	if word := choosesSession(append(slices.Clone(conf.ClaudeArgs), ask.Args...)); word != "" {
		return resume.Plan{}, out.Usage(word+" lets claude open another session than the one that was looked at. Leave it out.", "continuo resume --help")
	}
	plan, err := decideResume(ctx, env, conf, row, ask)
	if err != nil {
		return resume.Plan{}, err
	}
	if plan.Launch == nil && len(plan.Choices) == 0 {
		f := plan.Findings[0]
		return plan, &out.Failure{What: f.What + " " + f.Detail}
	}
	for i := range plan.Choices {
		if l := plan.Choices[i].Launch; l != nil {
			if l.Pane == "" && l.Argv[0] == "" {
				continue // there is no claude
			}
			if line := launchLine(env, l); transcript.CleanLine(line) == line { // a terminal would act on it when it is pasted
				plan.Choices[i].Line = line
			}
		}
	}
	return plan, nil
}

// choosesSession finds an argument with which claude opens a session of its own choice, short ones in a row too.
func choosesSession(args []string) string {
	for _, a := range args {
		name, _, _ := strings.Cut(a, "=")
		if slices.Contains([]string{"-r", "--resume", "-c", "--continue", "--session-id", "--fork-session", "--from-pr"}, name) {
			return name
		}
		if len(a) > 2 && a[0] == '-' && a[1] != '-' && strings.ContainsAny(a[1:3], "rc") {
			return a
		}
	}
	return ""
}

// launchResume starts what a plan has come to: first it is claimed, so that nobody else starts the same meanwhile.
func launchResume(ctx context.Context, e *Env, o *out.Output, l *resume.Launch) (tui.Outcome, error) {
	switch {
	case ctx.Err() != nil:
		return tui.Outcome{}, ctx.Err()
	case l.Pane != "":
		return attachPane(ctx, e, o, l.Pane)
	case l.In == resume.WhereHere:
		return tui.Outcome{Run: runHere(ctx, e, o, l), Said: restoredSaid(l)}, nil
	}
	r, err := prepareLaunch(ctx, e, l, l.In == resume.WherePopup)
	if err != nil {
		return tui.Outcome{}, err
	}
	env := e.host.ClaudeInTmux(e.configVariable(&l.Row))
	ctx = context.WithoutCancel(ctx) // what tmux was told cannot be called back, so the claim has to stand
	started, err := startInTmux(ctx, e.host.Tmux(), string(l.In), l.Dir, env, l.Argv, l.Row.Name)
	if errors.Is(err, host.ErrSilent) { // and may still do it: the claim stands until nobody would wait any more
		return tui.Outcome{}, r.but(&out.Failure{What: "tmux has not answered, and the " + string(l.In) + " may still open. Look before you start another.", Cause: err})
	}
	if err != nil {
		r.settle(0, "")
		return tui.Outcome{}, r.but(err)
	}
	r.settle(started.PID, started.Pane)
	out := tui.Outcome{Leave: started.Where == host.Window && e.host.Tmux().Popup}
	switch started.Where {
	case host.Window:
		out.Said = "Started in tmux window " + started.Name + "."
	case host.Split:
		out.Said = "Started beside this."
	}
	out.Said = joinSentences(joinSentences(restoredSaid(l), out.Said), r.lost)
	return out, nil
}

// restoredSaid says which session a launch makes again, "" for none.
func restoredSaid(l *resume.Launch) string {
	if l.Restore == "" {
		return ""
	}
	return "Restored as " + l.Row.ID[:min(len(l.Row.ID), 8)] + "."
}

// prepared is what comes before the start of a client.
type prepared struct {
	settle   func(pid int, pane string) // that of claim
	restored string                     // what was made of a backup, and what takes it back; "" nothing
	lost     string                     // what the journal does not know of that; "" it knows all
}

// but adds to why no client was started what is there all the same.
func (r *prepared) but(err error) error {
	if r.restored == "" {
		return err
	}
	f := *out.AsFailure(err)
	f.What, f.Cause = joinSentences(joinSentences(out.Sentence(f.What), r.restored), r.lost), err
	return &f
}

// prepareLaunch makes the session, where a backup is to be one again, claims it, and makes its folder.
func prepareLaunch(ctx context.Context, env *Env, l *resume.Launch, waits bool) (*prepared, error) {
	r := &prepared{settle: func(int, string) {}}
	var err error
	if r.lost, err = restoreFirst(ctx, env, l); err != nil { // before the claim, which makes the session a live one
		return nil, err
	}
	switch said := strings.TrimSuffix(restoredSaid(l), "."); {
	case said == "":
	case r.lost != "":
		r.restored = said + "; continuo backup undo takes that back."
	default:
		r.restored = said + "; continuo undo takes that back."
	}
	if l.Writes != "" {
		settle, err := claimStart(ctx, env, &l.Row, l.Second, waits)
		if err != nil {
			return nil, r.but(claimFailure(err))
		}
		r.settle = settle
	}
	if err := makeFolder(ctx, env, l); err != nil {
		r.settle(0, "")
		return nil, r.but(err)
	}
	return r, nil
}

// attachPane goes to a tmux pane.
func attachPane(ctx context.Context, env *Env, o *out.Output, pane string) (tui.Outcome, error) {
	argv, err := goInTmux(ctx, env.host.Tmux(), pane)
	if err != nil {
		return tui.Outcome{}, err
	}
	if argv == nil {
		return tui.Outcome{Leave: env.host.Tmux().Popup}, nil
	}
	return tui.Outcome{Run: &takeover{env: env, o: o, program: host.Foreground{Argv: argv, Environ: env.host.Environ}}}, nil
}

// makeFolder makes the folder that a launch needs.
func makeFolder(ctx context.Context, env *Env, l *resume.Launch) error {
	if len(l.Make) == 0 {
		return nil
	}
	if l.Make[0] == "mkdir" {
		made, err := disk.Make(l.Dir, 0o755) // as mkdir makes it
		if err == nil {
			err = made.Close()
		}
		if err != nil {
			return &out.Failure{What: "The folder " + env.tilde(l.Dir) + " could not be made: " + out.Reason(err) + ".", Cause: err}
		}
		return nil
	}
	if err := env.host.GitAddWorktree(ctx, l.Make[2], l.Dir, l.Make[5:]...); err != nil { // git -C MAIN worktree add ...
		what := "The worktree " + env.tilde(l.Dir) + " could not be made again: " + gitSaid(err) + ". See what is left with git worktree list."
		return &out.Failure{What: what, Cause: err}
	}
	return nil
}

// clientDir is the config directory that the client would look in by itself.
func (e *Env) clientDir() string {
	if dir := e.host.Getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return e.abs(dir)
	}
	return filepath.Join(e.home, ".claude")
}

// configVariable is the variable that tells the client where the session is: CLAUDE_CONFIG_DIR with its config
// directory, and without a value where it must not be set. In ~/.claude the client does not look for its settings when
// the variable names that (client 2.1.330).
func (e *Env) configVariable(row *sessions.Row) string {
	const name = "CLAUDE_CONFIG_DIR"
	mine, dir := e.host.Getenv(name), row.Dir
	if dir == "" || mine != "" && realPath(e.abs(mine)) == realPath(dir) {
		dir = mine // as the client of this person is started
	} else if realPath(filepath.Join(e.home, ".claude")) == realPath(dir) {
		dir = ""
	}
	if dir == "" {
		return name
	}
	return name + "=" + dir
}

// launchLine is a launch for a POSIX shell, with nothing left out.
func launchLine(env *Env, l *resume.Launch) string {
	if l.Pane != "" {
		return shellLine([]string{"tmux", "switch-client", "-t", l.Pane})
	}
	line := "cd " + shellWord(l.Dir) + " && "
	if len(l.Make) > 0 {
		line = shellLine(l.Make) + " && " + line
	}
	switch {
	case l.Fresh: // which starts it as well
		return restoreLine(env, l)
	case l.Restore != "":
		line = restoreLine(env, l) + " && " + line
	}
	return line + env.configPrefix(&l.Row) + shellLine(l.Argv)
}

// configPrefix sets or unsets in a shell what this run does in the environment of the client; "" when nothing differs.
func (e *Env) configPrefix(row *sessions.Row) string {
	name, dir, set := strings.Cut(e.configVariable(row), "=")
	switch {
	case set && dir != e.host.Getenv(name):
		return name + "=" + shellWord(dir) + " "
	case !set && e.host.Getenv(name) != "":
		return "env -u " + name + " "
	}
	return ""
}

// runHere makes the run that takes over this terminal, in the config directory that the session is in.
func runHere(ctx context.Context, env *Env, o *out.Output, l *resume.Launch) *takeover {
	t := &takeover{env: env, o: o, program: env.host.Claude(l.Argv, l.Dir, env.configVariable(&l.Row)), line: launchLine(env, l)}
	t.before = func() (*prepared, error) { return prepareLaunch(ctx, env, l, false) }
	return t
}
