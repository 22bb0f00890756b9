// Package launch starts Claude Code with a session, in this terminal or in tmux. It also starts the editor and copies
// texts.
package launch

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui"
)

// ResumeSession resumes a session, or returns a plan if the user must choose. Each call collects the facts again.
func ResumeSession(ctx context.Context, env *place.Env, o *out.Output, row sessions.Row, ask resume.Ask) (tui.Outcome, error) {
	row.Dir = place.ConfigDirOf(&row)
	plan, err := PlanResume(ctx, env, row, ask)
	switch {
	case err != nil:
		return tui.Outcome{}, err
	case plan.Launch == nil:
		return tui.Outcome{Plan: &plan}, nil
	}
	return carryOut(ctx, env, o, row, ask, plan.Launch)
}

// carryOut carries out a launch. If another client has opened the session, it returns a new plan.
func carryOut(ctx context.Context, env *place.Env, o *out.Output, row sessions.Row, ask resume.Ask, l *resume.Launch) (tui.Outcome, error) {
	out, err := Start(ctx, env, o, l)
	if err == nil {
		place.MarkSeen(env, row.Path) // resuming counts as a review
	}
	// The new plan shows the other client.
	if errors.Is(err, place.ErrTaken) && l.Restore == "" {
		if plan, again := PlanResume(ctx, env, row, ask); again == nil && plan.Launch == nil {
			return tui.Outcome{Plan: &plan}, nil
		}
	}
	return out, err
}

// PlanResume checks whether a session can be resumed. After a problem, the plan has the user's choices. Without a
// choice, it returns an error.
func PlanResume(ctx context.Context, env *place.Env, row sessions.Row, ask resume.Ask) (resume.Plan, error) {
	row.Dir = place.ConfigDirOf(&row)
	conf, err := place.LoadConfig(env)
	if err != nil {
		return resume.Plan{}, err
	}
	if word := choosesSession(append(slices.Clone(conf.ClaudeArgs), ask.Args...)); word != "" {
		return resume.Plan{}, out.Usage(word+" makes claude open a different session. Remove it.", "continuo resume --help")
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
				continue // claude is missing
			}
			// A terminal would paste a different line.
			if line := Line(env, l); transcript.CleanLine(line) == line {
				plan.Choices[i].Line = line
			}
		}
	}
	return plan, nil
}

// choosesSession returns an argument such as --resume or -pc, with which claude chooses the session; "" if there is
// none.
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

// demoText names the command that the demo would run.
func demoText(l *resume.Launch) string {
	if l.Pane != "" {
		return "Demo: would go to the tmux pane of the session."
	}
	argv := slices.Clone(l.Argv)
	for i, a := range argv {
		if first, _, several := strings.Cut(a, "\n"); several { // a recovery is a long prompt
			argv[i] = first + " …"
		}
	}
	text := "Demo: would run " + transcript.CleanLine(place.ShellLine(argv))
	if l.In != resume.WhereHere && l.In != "" {
		text += " in a tmux " + string(l.In)
	}
	return text + "."
}

// Start claims the session and carries out a launch. The claim keeps other runs of continuo away. In a demo, it only
// returns the command.
func Start(ctx context.Context, e *place.Env, o *out.Output, l *resume.Launch) (tui.Outcome, error) {
	switch {
	case ctx.Err() != nil:
		return tui.Outcome{}, ctx.Err()
	case e.MadeUp:
		return tui.Outcome{Said: demoText(l)}, nil
	case l.Pane != "":
		return attachPane(ctx, e, o, l.Pane)
	case l.In == resume.WhereHere:
		return tui.Outcome{Run: runHere(ctx, e, o, l), Said: restoredText(l)}, nil
	}
	r, err := prepareLaunch(ctx, e, l, l.In == resume.WherePopup)
	if err != nil {
		return tui.Outcome{}, err
	}
	env := e.Host.ClaudeInTmux(e.ConfigVariable(&l.Row))
	ctx = context.WithoutCancel(ctx) // tmux can't be stopped, so the claim must stay
	started, err := StartInTmux(ctx, e.Host.Tmux(), string(l.In), l.Dir, env, l.Argv, l.Row.Name)
	if errors.Is(err, host.ErrSilent) { // tmux may still obey, so keep the claim until it expires
		return tui.Outcome{}, r.withRestored(&out.Failure{What: "tmux didn't answer; the " + string(l.In) + " may still open. Check before you start another.", Cause: err})
	}
	if err != nil {
		r.settle(0, "")
		return tui.Outcome{}, r.withRestored(err)
	}
	r.settle(started.PID, started.Pane)
	printed := tui.Outcome{Leave: started.Where == host.Window && e.Host.Tmux().Popup}
	switch started.Where {
	case host.Window:
		printed.Said = "Started in tmux window " + started.Name + "."
	case host.Split:
		printed.Said = "Started beside this."
	}
	printed.Said = out.JoinSentences(out.JoinSentences(restoredText(l), printed.Said), r.lost)
	return printed, nil
}

// restoredText names the session that was restored or forked, or is "".
func restoredText(l *resume.Launch) string {
	id := l.Row.ID[:min(len(l.Row.ID), 8)] + "."
	switch {
	case l.Restore != "":
		return "Restored as " + id
	case l.From != "":
		return "Forked as " + id
	}
	return ""
}

type prepared struct {
	settle func(pid int, pane string) // completes the claim
	// Names the restored session, and says how to undo; may be "".
	restored string
	lost     string // warning about the journal; may be ""
}

// withRestored appends the restored session to an error message.
func (r *prepared) withRestored(err error) error {
	if r.restored == "" {
		return err
	}
	f := *out.AsFailure(err)
	f.What, f.Cause = out.JoinSentences(out.JoinSentences(out.Sentence(f.What), r.restored), r.lost), err
	return &f
}

// prepareLaunch restores or forks the session if necessary, claims the session, and creates its folder.
func prepareLaunch(ctx context.Context, env *place.Env, l *resume.Launch, waits bool) (*prepared, error) {
	r := &prepared{settle: func(int, string) {}}
	var err error
	// A claimed session counts as live, so restore first.
	if r.lost, err = restoreFirst(ctx, env, l); err != nil {
		return nil, err
	}
	if l.From != "" {
		if r.lost, err = forkFirst(ctx, env, l); err != nil {
			return nil, err
		}
	}
	switch restored := strings.TrimSuffix(restoredText(l), "."); {
	case restored == "":
	case r.lost != "":
		r.restored = restored + ". To undo this: continuo backup undo."
	default:
		r.restored = restored + ". To undo this: continuo undo."
	}
	if l.Writes != "" {
		settle, err := place.ClaimStart(ctx, env, &l.Row, l.Second, waits)
		if err != nil {
			return nil, r.withRestored(place.ClaimFailure(err))
		}
		r.settle = settle
	}
	if err := MakeFolder(ctx, env, l); err != nil {
		r.settle(0, "")
		return nil, r.withRestored(err)
	}
	return r, nil
}

func attachPane(ctx context.Context, env *place.Env, o *out.Output, pane string) (tui.Outcome, error) {
	argv, err := GoInTmux(ctx, env.Host.Tmux(), pane)
	if err != nil {
		return tui.Outcome{}, err
	}
	if argv == nil {
		return tui.Outcome{Leave: env.Host.Tmux().Popup}, nil
	}
	return tui.Outcome{Run: &Takeover{env: env, o: o, Program: host.Foreground{Argv: argv, Environ: env.Host.Environ}}}, nil
}

// MakeFolder creates the folder or the worktree in which the session will run.
func MakeFolder(ctx context.Context, env *place.Env, l *resume.Launch) error {
	if len(l.Make) == 0 {
		return nil
	}
	if l.Make[0] == "mkdir" {
		made, err := disk.Make(l.Dir, 0o755) // as mkdir does
		if err == nil {
			err = made.Close()
		}
		if err != nil {
			return &out.Failure{What: "The folder " + env.Tilde(l.Dir) + " could not be made: " + out.Reason(err) + ".", Cause: err}
		}
		return nil
	}
	// l.Make is git -C MAIN worktree add ...
	if err := env.Host.GitAddWorktree(ctx, l.Make[2], l.Dir, l.Make[5:]...); err != nil {
		what := "The worktree " + env.Tilde(l.Dir) + " could not be recreated: " + place.GitSaid(err) + ". Check it with git worktree list."
		return &out.Failure{What: what, Cause: err}
	}
	return nil
}

// Line returns a POSIX shell line that does the same as a launch.
func Line(env *place.Env, l *resume.Launch) string {
	if l.Pane != "" {
		return place.ShellLine([]string{"tmux", "switch-client", "-t", l.Pane})
	}
	line := "cd " + place.ShellWord(l.Dir) + " && "
	if len(l.Make) > 0 {
		line = place.ShellLine(l.Make) + " && " + line
	}
	switch {
	case l.From != "": // the fork's ID is known only here
		return place.ShellLine([]string{"continuo", "resume", l.From, "--fork", "--at", l.At})
	case l.Fresh: // resume --take creates the session file
		return restoreLine(env, l)
	case l.Restore != "":
		line = restoreLine(env, l) + " && " + line
	}
	return line + env.ConfigPrefix(&l.Row) + place.ShellLine(l.Argv)
}

// runHere prepares claude in this terminal, with the session's config directory.
func runHere(ctx context.Context, env *place.Env, o *out.Output, l *resume.Launch) *Takeover {
	t := &Takeover{env: env, o: o, Program: env.Host.Claude(l.Argv, l.Dir, env.ConfigVariable(&l.Row)), Line: Line(env, l)}
	t.before = func() (*prepared, error) { return prepareLaunch(ctx, env, l, false) }
	return t
}
