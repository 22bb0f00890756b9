package doctor

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/cli/keeping"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// LiveSession is a running client and its session.
type LiveSession struct {
	sessions.Live
	Row  *sessions.Row // nil before the first prompt, when the client writes the transcript
	Pane host.Pane     // zero outside of tmux
}

// NewLiveCmd returns the command continuo live.
func NewLiveCmd(env *place.Env, o *out.Output) *cobra.Command {
	return &cobra.Command{
		Use:   "live",
		Short: "List open sessions; those that wait for you come first",
		Long: `List the sessions that a client has open on this machine, in all projects and in the
keeper, and what they wait for. Sessions that wait for an answer come first, then busy
sessions, then idle sessions. The time is that of the last change.`,
		Example: `  continuo live
  continuo live --json`,
		Args: find.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			list, problem := LiveSessions(cmd.Context(), env)
			if list == nil {
				return problem
			}
			if err := liveTable(env).Print(o, list, ""); err != nil {
				return err
			}
			return problem
		},
	}
}

// LiveSessions returns the running clients of all config directories. Waiting clients are first. It also returns
// an error if a part can't be read.
func LiveSessions(ctx context.Context, env *place.Env) ([]*LiveSession, error) {
	opts, err := place.CatalogOptions(env)
	if err != nil {
		return nil, err
	}
	list := []*LiveSession{}
	rows, problem := env.Open(opts).List(ctx, true)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	for _, dir := range opts.Dirs {
		clients, _ := sessions.ReadRegistry(ctx, dir, sessions.SystemProbe()) // the session list reports the registry's errors
		for _, c := range clients {
			s := &LiveSession{Live: c}
			if i := slices.IndexFunc(rows, func(r sessions.Row) bool {
				return r.Kind == sessions.KindSession && r.ID == c.SessionID && r.Dir == dir
			}); i >= 0 {
				s.Row = &rows[i]
			}
			list = append(list, s)
		}
	}
	list = append(list, kept(ctx, env, list, rows)...)
	var pids []int
	for _, s := range list {
		if s.Verified { // else another process may have this PID
			pids = append(pids, s.PID)
		}
	}
	panes := env.Host.Tmux().PanesOf(ctx, pids)
	for _, s := range list {
		s.Pane = panes[s.PID]
	}
	slices.SortStableFunc(list, func(a, b *LiveSession) int {
		return cmp.Or(cmp.Compare(liveOrder(a.Status), liveOrder(b.Status)), b.Updated.Compare(a.Updated))
	})
	return list, find.Incomplete(problem, find.Scope{})
}

// keptLimit is how long the list waits for the keeper.
const keptLimit = time.Second

// kept returns the keeper's sessions that the list lacks: a new client is in the registry only after a while. If
// the keeper can't be reached, it returns none.
func kept(ctx context.Context, env *place.Env, list []*LiveSession, rows []sessions.Row) (more []*LiveSession) {
	ctx, cancel := context.WithTimeout(ctx, keptLimit)
	defer cancel()
	k, _ := keeping.Connect(ctx, env)
	if k == nil {
		return nil
	}
	defer k.Close()
	for _, s := range k.Sessions() {
		if s.Status == keeper.StatusEnded || slices.ContainsFunc(list, func(l *LiveSession) bool { return l.SessionID == s.ID }) {
			continue
		}
		l := &LiveSession{Live: sessions.Live{
			PID: s.PID, SessionID: s.ID, Cwd: s.Dir, Entrypoint: keeper.Entrypoint, Status: sessions.Status(s.Status), Verified: true,
			Updated: s.Since, Started: s.Started,
		}}
		for i := range s.Open {
			if s.Open[i].Asks() {
				l.WaitingFor = s.Open[i].Tool
			}
		}
		if i := slices.IndexFunc(rows, func(r sessions.Row) bool { return r.Kind == sessions.KindSession && r.ID == s.ID }); i >= 0 {
			l.Row = &rows[i]
		}
		more = append(more, l)
	}
	return more
}

// liveOrder returns the sort key of a status. Waiting sessions are first.
func liveOrder(s sessions.Status) int {
	order := []sessions.Status{sessions.StatusWaiting, sessions.StatusBusy, sessions.StatusIdle}
	if i := slices.Index(order, s); i >= 0 {
		return i
	}
	return len(order) // of a newer client
}

// liveTable describes running clients.
func liveTable(env *place.Env) *out.Table[*LiveSession] {
	type session = *LiveSession
	name := func(s session) string {
		if s.Row == nil {
			return ""
		}
		return s.Row.Described().Name
	}
	return &out.Table[session]{
		Piped: "status id when place waitingFor folder name", Shown: "name waitingFor folder place age", Empty: "No session is open.",
		Mark: func(s session) render.Span {
			switch s.Status {
			case sessions.StatusWaiting:
				return render.Span{Ink: render.Strong, Text: "?"}
			case sessions.StatusBusy:
				return render.Span{Ink: render.GoodBold, Text: "●"}
			default:
				return render.Span{Ink: render.Good, Text: "●"}
			}
		},
		Group: func(s session) string {
			switch s.Status {
			case sessions.StatusWaiting:
				return "Waits for you"
			case sessions.StatusBusy:
				return "Busy"
			case sessions.StatusIdle:
				return "Idle"
			default:
				return out.UpperFirst(transcript.CleanLine(string(s.Status)))
			}
		},
		Columns: []out.Column[session]{
			{Key: "id", Value: func(s session) any { return out.Path(s.SessionID) }},
			{Key: "status", Value: func(s session) any { return string(s.Status) }},
			{
				Key: "waitingFor", Max: 24, Least: 10, Leave: 3, Value: func(s session) any { return s.WaitingFor },
				Text: func(s session) string { return transcript.CleanLine(s.WaitingFor) },
			},
			{Key: "updated", Value: func(s session) any { return out.Time(s.Updated) }},
			{Key: "started", Value: func(s session) any { return out.Time(s.Started) }},
			{Key: "pid", Value: func(s session) any { return s.PID }},
			{Key: "verified", Value: func(s session) any { return s.Verified }},
			{Key: "driven", Value: func(s session) any { return s.Entrypoint == keeper.Entrypoint }},
			{Key: "pane", Value: func(s session) any { return s.Pane.ID }},
			{
				Key: "place", Ink: render.Faint, Leave: 1, Value: func(s session) any { return livePlace(s) },
				Text: func(s session) string { return livePlace(s) },
			},
			{Key: "cwd", Value: func(s session) any { return out.Path(s.Cwd) }},
			{
				Key: "name", Fill: true, Least: 20, Value: func(s session) any { return name(s) },
				Text: func(s session) string { return cmp.Or(transcript.CleanLine(name(s)), "New session") },
			},
			{Key: "path", Value: func(s session) any {
				if s.Row == nil {
					return out.Path("")
				}
				return out.Path(s.Row.Path)
			}},
			{Key: "when", Tab: func(s session) string { return out.When(s.Updated) }},
			{Key: "age", Right: true, Text: func(s session) string { return words.Ago(env.Now(), s.Updated) }},
			{
				Key: "folder", Ink: render.Muted, Max: 24, Least: 8, Leave: 2, Tab: func(s session) string { return out.CleanPath(s.Cwd) },
				Text: func(s session) string { return place.BaseName(s.Cwd) },
			},
		},
	}
}

// livePlace says where a session can be used: in continuo, in the tmux window, or "".
func livePlace(s *LiveSession) string {
	if s.Entrypoint == keeper.Entrypoint {
		return keeper.Entrypoint
	}
	return s.Pane.Name
}
