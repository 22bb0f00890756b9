package doctor

import (
	"context"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/tasks"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// NewStatusCmd returns the command continuo status.
func NewStatusCmd(env *place.Env, o *out.Output) *cobra.Command {
	var line bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show live sessions, questions and pending backups",
		Long: `Show live sessions, questions that wait for you, due delta-syntheses of live sessions
(spec 002), pending backups and sessions that ended without a backup, in this project
and every other known one. For this project it also shows whether the hooks work,
whether git tracks a backup, the age of the context, and a staged recovery.

A folder that doesn't answer within 200 ms counts as unknown. The limit for git is 2 s,
and for the transcripts of live sessions 2 s, or 200 ms with --line.`,
		Example: `  continuo status
  continuo status --line`,
		Args: find.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			opts, err := place.CatalogOptions(env)
			if err != nil {
				return err
			}
			here := statusHere(cmd.Context(), env, opts.Dirs, line && !o.JSON)
			if line && !o.JSON {
				defer tasks.ReapOrphans(cmd.Context(), env, env.Dir) // after the line is printed
			}
			s := Status{Machine: NewStatusLook(env, opts.Dirs, line && !o.JSON).Look(cmd.Context())}
			s.Here = here(&s)
			switch {
			case cmd.Context().Err() != nil:
				return cmd.Context().Err()
			case line && !o.JSON:
				if text := s.line(); text != "" {
					o.Out.Print(text + "\n")
				}
				return nil
			}
			panes := panesOfLive(cmd.Context(), env, &s)
			return statusRecord(env, &s, panes).Print(o, func() string { return statusText(env, o, &s, panes) })
		},
	}
	cmd.Flags().BoolVar(&line, "line", false, "print one short line for tmux, empty if there is nothing to report")
	return cmd
}

// line returns the status for tmux, with the projects of waiting sessions.
func (s *Status) line() string {
	var parts []string
	add := func(n int, one, many string) {
		if n > 0 {
			parts = append(parts, words.Counted(n, one, many))
		}
	}
	add(len(s.Live), "live", "live")
	if n := s.With(sessions.StatusWaiting); n > 0 {
		add(n, "waits", "wait")
		parts[len(parts)-1] += ": " + s.waitingIn()
	}
	add(len(s.Due), "delta due", "deltas due")
	add(s.Backups(), "pending", "pending")
	add(len(s.Unsaved), "unsaved", "unsaved")
	add(s.Unknown, "unknown", "unknown")
	return strings.Join(parts, " · ")
}

// waitingIn returns the projects of waiting sessions. It replaces #, which tmux interprets.
func (s *Status) waitingIn() string {
	var names []string
	for i := range s.Live {
		name := words.Cut(strings.ReplaceAll(place.BaseName(s.Live[i].Cwd), "#", ""), 20)
		if s.Live[i].Status == sessions.StatusWaiting && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > statusNamed {
		return out.Count(len(names), "project")
	}
	return words.AndList(names)
}

// panesOfLive returns the panes of live sessions, by PID.
func panesOfLive(ctx context.Context, env *place.Env, s *Status) map[int]host.Pane {
	var pids []int
	for i := range s.Live {
		if s.Live[i].Verified { // else another process may have this PID
			pids = append(pids, s.Live[i].PID)
		}
	}
	return env.Host.Tmux().PanesOf(ctx, pids)
}

// statusRow is a line of the status, such as "! pending 2 backups continuo backup list".
type statusRow struct {
	ink         render.Ink
	glyph, name string
	n           int
	Fact, aside string
	Run         string // a command instead of the aside, or ""
}

// inProjects returns a fact such as "3 backups of app and web". It counts more than statusNamed projects.
func inProjects(n int, names []string) string {
	if len(names) > statusNamed {
		return out.Count(n, "backup") + " in " + out.Count(len(names), "project")
	}
	return out.Count(n, "backup") + " of " + words.AndList(names)
}

// statusNamed is how many projects a row names at most.
const statusNamed = 3

// projects returns the names of the projects for which some is above 0.
func (s *Status) projects(some func(p survey.PendingProject) int) []string {
	var names []string
	for _, p := range s.Pending {
		if some(p) > 0 {
			names = append(names, place.BaseName(p.Path))
		}
	}
	return names
}

// liveRows returns the rows about live sessions.
func liveRows(env *place.Env, s *Status, panes map[int]host.Pane) []statusRow {
	var rows []statusRow
	if n := len(s.Live); n > 0 {
		fact := words.Count(n)
		for _, state := range []sessions.Status{sessions.StatusBusy, sessions.StatusIdle} {
			if n := s.With(state); n > 0 {
				fact += ", " + words.Count(n) + " " + string(state)
			}
		}
		var places []string
		for i := range s.Live {
			if p, ok := panes[s.Live[i].PID]; ok {
				places = append(places, p.Name)
			}
		}
		rows = append(rows, statusRow{render.GoodBold, "●", "live", n, fact, strings.Join(places, ", "), ""})
	}
	for i := range s.Live {
		l := &s.Live[i]
		if l.Status != sessions.StatusWaiting {
			continue
		}
		fact := place.BaseName(l.Cwd)
		if what := transcript.CleanLine(l.WaitingFor); what != "" {
			fact += ": " + what
		}
		aside := "since " + l.Updated.In(env.Now().Location()).Format("15:04")
		if p, ok := panes[l.PID]; ok {
			aside = p.Name + ", " + aside
		}
		rows = append(rows, statusRow{render.AccentBold, "?", "waits", 1, fact, aside, ""})
	}
	for i := range s.Due {
		d := &s.Due[i]
		run := "continuo delta"
		if !place.Within(env.Dir, d.Live.Cwd) {
			run = env.Command("delta", "--project", d.Live.Cwd)
		}
		fact := "delta due in " + place.BaseName(d.Live.Cwd) + ": about " + render.Tokens(d.Attention.Fresh) + " new tokens"
		rows = append(rows, statusRow{render.Warn, "△", "delta", 1, fact, "", run})
	}
	return rows
}

// statusRows returns the rows about all projects that have something to say.
func statusRows(env *place.Env, s *Status, panes map[int]host.Pane) []statusRow {
	rows := liveRows(env, s, panes)
	if n := s.Backups(); n > 0 {
		fact := inProjects(n, s.projects(func(p survey.PendingProject) int { return p.Count }))
		rows = append(rows, statusRow{render.Urgent, "!", "pending", n, fact, "", "continuo backup list"})
	}
	if s.Stored > 0 && s.Backups()+s.UnseenBackups()+s.Unknown == 0 {
		rows = append(rows, statusRow{render.Faint, "·", "pending", 0, "nothing, " + out.Count(s.Stored, "backup") + " reviewed", "", ""})
	}
	if n := s.UnseenBackups(); n > 0 {
		fact := inProjects(n, s.projects(func(p survey.PendingProject) int { return p.Unseen })) + ", not reviewed"
		rows = append(rows, statusRow{render.Faint, "·", "unseen", n, fact, "", "continuo backup list"})
	}
	if n := len(s.Unsaved); n > 0 {
		fact := out.Count(n, "session") + " ended without a backup"
		switch names := s.projects(func(p survey.PendingProject) int { return p.Unsaved }); len(names) {
		case 0:
		case 1:
			fact += " in " + names[0]
		default:
			fact = out.Count(n, "session") + " in " + out.Count(len(names), "project") + " ended without a backup"
		}
		rows = append(rows, statusRow{render.Warn, "△", "unsaved", n, fact, "", "continuo backup create --missed"})
	}
	if s.Unknown > 0 {
		fact := out.Count(s.Unknown, "folder") + " did not answer"
		if n := len(s.Blind); n > statusNamed {
			fact += "; the pending backups of " + out.Count(n, "project") + " are unknown"
		} else if n > 0 {
			var names []string
			for _, dir := range s.Blind {
				names = append(names, place.BaseName(dir))
			}
			fact += "; the pending backups of " + words.AndList(names) + " are unknown"
		}
		rows = append(rows, statusRow{render.Faint, "…", "unknown", s.Unknown, fact, "", ""})
	}
	return rows
}

// statusText draws the status for a terminal: all projects, then this project below a heading.
func statusText(env *place.Env, o *out.Output, s *Status, panes map[int]host.Pane) string {
	all, here := statusRows(env, s, panes), rowsHere(env, &s.Here)
	if len(all)+len(here) == 0 {
		return o.Out.Wrapped("Nothing is live, nothing waits, no backup is pending or missing.")
	}
	text := statusLines(o, all)
	if len(here) == 0 {
		return text
	}
	if text != "" {
		text += "\n"
	}
	where := env.Tilde(s.Here.Project)
	if s.Here.Branch != "" {
		where += " on " + out.OneLine(s.Here.Branch)
	}
	head := render.NewLine(o.Out.Styles, o.Out.Page()).Put(render.Heading, place.BaseName(s.Here.Project))
	if w := ansi.StringWidth(where); head.At()+2+w <= o.Out.Page() {
		head.Right(o.Out.Page(), render.Span{Ink: render.Muted, Text: where})
	}
	return text + strings.TrimRight(head.String(), " ") + "\n" + statusLines(o, here)
}

const (
	statusAt    = 14 // column of the facts
	statusTight = 44 // if narrower, in cells, an aside begins further left
	statusMost  = 3  // maximum lines of a fact: it may have text from files
)

// statusLines draws rows. An aside without room is below its fact. A command is never cut.
func statusLines(o *out.Output, rows []statusRow) string {
	width, st := o.Out.Page(), o.Out.Styles
	below := statusAt
	if width < statusTight {
		below = 2
	}
	var b strings.Builder
	for i, r := range rows {
		name := r.name
		if i > 0 && rows[i-1].name == name {
			name = ""
		}
		room := width - statusAt
		facts := render.Wrap(r.Fact, room)
		switch {
		case room < 1:
			facts = []string{""} // there is room only for the name
		case len(facts) > statusMost:
			rest := strings.Join(facts[statusMost-1:], " ")
			facts = append(facts[:statusMost-1], ansi.Truncate(rest, room, "…"))
		}
		for j, fact := range facts {
			l := st.Paint(r.ink, r.glyph) + " " + st.Paint(render.Muted, render.Pad(name, statusAt-2)) + fact
			if j > 0 {
				l = strings.Repeat(" ", statusAt) + fact
			}
			aside := r.aside + r.Run
			if left := room - ansi.StringWidth(fact) - ansi.StringWidth(aside); len(facts) == 1 && aside != "" && left >= 2 {
				l += strings.Repeat(" ", left) + st.Paint(render.Faint, aside)
				r.aside, r.Run = "", ""
			}
			b.WriteString(strings.TrimRight(l, " ") + "\n")
		}
		for _, line := range append(render.Wrap(r.aside, max(width-below, 1)), r.Run) {
			if line != "" {
				b.WriteString(strings.Repeat(" ", below) + st.Paint(render.Faint, line) + "\n")
			}
		}
	}
	return b.String()
}

// statusRecord describes the status for programs. In a pipe, empty rows have the count 0, or "-" if unknown.
func statusRecord(env *place.Env, s *Status, panes map[int]host.Pane) *out.Record {
	r := out.NewRecord().Set("live", len(s.Live)).Set("busy", s.With(sessions.StatusBusy)).Set("idle", s.With(sessions.StatusIdle)).
		Set("waiting", s.With(sessions.StatusWaiting)).Set("deltas", len(s.Due)).Set("pending", s.Backups()).Set("unseen", s.UnseenBackups()).
		Set("unsaved", len(s.Unsaved)).Set("unknown", s.Unknown)
	live, projects := r.List("sessions"), r.List("projects")
	for i := range s.Live {
		l := &s.Live[i]
		p := panes[l.PID]
		due := slices.ContainsFunc(s.Due, func(d survey.Due) bool { return d.Live.PID == l.PID })
		live.Add().Set("pid", l.PID).Set("id", l.SessionID).Set("cwd", l.Cwd).Set("status", l.Status).Set("waitingFor", l.WaitingFor).
			Set("pane", p.ID).Set("where", p.Name).Set("deltaDue", due)
	}
	for _, p := range s.Pending {
		projects.Add().Set("path", p.Path).Set("count", p.Count).Set("unsaved", p.Unsaved).Set("unseen", p.Unseen)
	}
	r.Set("hooks", out.OrEmpty(s.Here.Hooks)).Set("tracked", s.Here.Tracked).Set("context", s.Here.context).
		Set("documents", s.Here.documents).Set("staged", s.Here.staged)
	rows := append(statusRows(env, s, panes), rowsHere(env, &s.Here)...)
	for name := range strings.FieldsSeq("live waits delta pending unseen unsaved hooks secret context staged documents unknown") {
		none := "0"
		if name == "pending" && len(s.Blind) > 0 {
			none = out.OrUnknown("")
		}
		for _, row := range rows {
			if row.name == name {
				none = ""
				r.Tab("n", row.n).Tab("fact", out.Path(row.Fact)).Tab("more", out.Path(row.aside+row.Run)).Line(name, "n fact more")
			}
		}
		if none != "" {
			r.Fact(name, none, "", "")
		}
	}
	return r
}
