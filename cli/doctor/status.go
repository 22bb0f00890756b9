package doctor

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
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
		Long: `Show live sessions, questions that wait for you, pending backups and sessions that
ended without a backup, in this project and every other known one. For this project
it also shows whether the hooks work, whether git tracks a backup, the age of the
context, and a staged recovery.

A folder that doesn't answer within 200 ms counts as unknown. git gets 2 s.`,
		Example: `  continuo status
  continuo status --line`,
		Args: find.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			opts, err := place.CatalogOptions(env)
			if err != nil {
				return err
			}
			here := statusHere(cmd.Context(), env, opts.Dirs, line && !o.JSON)
			s := Status{Machine: NewStatusLook(env, opts.Dirs, line && !o.JSON).Look(cmd.Context())}
			s.Here = here(&s)
			switch {
			case cmd.Context().Err() != nil:
				return cmd.Context().Err()
			case o.JSON:
				return statusJSON(cmd.Context(), env, o, &s)
			case line:
				if text := s.line(); text != "" {
					o.Out.Print(text + "\n")
				}
			case o.Out.Terminal:
				o.Out.Print(statusText(env, o, &s, panesOfLive(cmd.Context(), env, &s)))
			default:
				o.Out.Print(statusPiped(env, &s, panesOfLive(cmd.Context(), env, &s)))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&line, "line", false, "print one short line for tmux, empty if there is nothing to report")
	return cmd
}

// line returns the status line for tmux. It contains no untrusted text, because tmux would interpret #.
func (s *Status) line() string {
	var parts []string
	add := func(n int, one, many string) {
		if n > 0 {
			parts = append(parts, words.Counted(n, one, many))
		}
	}
	add(len(s.Live), "live", "live")
	add(s.With(sessions.StatusWaiting), "waits", "wait")
	add(s.Backups(), "pending", "pending")
	add(len(s.Unsaved), "unsaved", "unsaved")
	add(s.Unknown, "unknown", "unknown")
	return strings.Join(parts, " · ")
}

// panesOfLive returns the tmux panes of the live sessions by PID.
func panesOfLive(ctx context.Context, env *place.Env, s *Status) map[int]host.Pane {
	var pids []int
	for i := range s.Live {
		if s.Live[i].Verified { // otherwise the PID may belong to another process
			pids = append(pids, s.Live[i].PID)
		}
	}
	return env.Host.Tmux().PanesOf(ctx, pids)
}

// statusRow is a line of the status: "! pending 2 backups continuo backup list".
type statusRow struct {
	ink         render.Ink
	glyph, name string
	n           int
	Fact, aside string
	Run         string // command in place of the aside; "" if none
}

// inProjects describes the projects of some backups.
func inProjects(n int, names []string) string {
	if len(names) > statusNamed {
		return out.Count(n, "backup") + " in " + out.Count(len(names), "project")
	}
	return out.Count(n, "backup") + " of " + words.AndList(names)
}

// statusNamed is the maximum number of projects named in a row.
const statusNamed = 3

// projects returns the names of the projects with a nonzero count.
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
	return rows
}

// statusRows returns the rows about all projects, without empty ones.
func statusRows(env *place.Env, s *Status, panes map[int]host.Pane) []statusRow {
	rows := liveRows(env, s, panes)
	if n := s.Backups(); n > 0 {
		fact := inProjects(n, s.projects(func(p survey.PendingProject) int { return p.Count }))
		rows = append(rows, statusRow{render.Urgent, "!", "pending", n, fact, "", "continuo backup list"})
	}
	if s.Stored > 0 && s.Backups()+s.UnseenBackups()+s.Unknown == 0 {
		are := " are seen"
		if s.Stored == 1 {
			are = " is seen"
		}
		rows = append(rows, statusRow{render.Faint, "·", "pending", 0, "nothing, " + out.Count(s.Stored, "backup") + are, "", ""})
	}
	if n := s.UnseenBackups(); n > 0 {
		fact := inProjects(n, s.projects(func(p survey.PendingProject) int { return p.Unseen })) + ", never looked at"
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
			fact += "; not known: what is pending in " + out.Count(n, "project")
		} else if n > 0 {
			var names []string
			for _, dir := range s.Blind {
				names = append(names, place.BaseName(dir))
			}
			fact += "; not known: what is pending in " + words.AndList(names)
		}
		rows = append(rows, statusRow{render.Faint, "…", "unknown", s.Unknown, fact, "", ""})
	}
	return rows
}

// statusText is the status for a person: what is anywhere, and below a heading what is in this project alone.
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
	statusTight = 44 // width in cells below which asides move left
	statusMost  = 3  // maximum lines of a fact, which can be untrusted
)

// statusLines formats rows. Asides move to the next line if there is no room; commands are never cut.
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
			facts = []string{""} // the row has only a label
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

// statusPiped is the status with tabs. What there is none of stands there as 0.
func statusPiped(env *place.Env, s *Status, panes map[int]host.Pane) string {
	var b strings.Builder
	rows := append(statusRows(env, s, panes), rowsHere(env, &s.Here)...)
	for _, name := range []string{"live", "waits", "pending", "unseen", "unsaved", "hooks", "secret", "context", "staged", "documents", "unknown"} {
		none := true
		for _, r := range rows {
			if r.name == name {
				none = false
				b.WriteString(name + "\t" + strconv.Itoa(r.n) + "\t" + r.Fact + "\t" + cmp.Or(r.aside, r.Run, "-") + "\n")
			}
		}
		switch {
		case none && name == "pending" && len(s.Blind) > 0:
			b.WriteString(name + "\t-\t-\t-\n")
		case none:
			b.WriteString(name + "\t0\t-\t-\n")
		}
	}
	return b.String()
}

// statusJSON prints the status as JSON.
func statusJSON(ctx context.Context, env *place.Env, o *out.Output, s *Status) error {
	type session struct {
		PID        int    `json:"pid"`
		ID         string `json:"id"`
		Cwd        string `json:"cwd"`
		Status     string `json:"status"`
		WaitingFor string `json:"waitingFor"`
		Pane       string `json:"pane"`
		Where      string `json:"where"`
	}
	panes := panesOfLive(ctx, env, s)
	list := []session{}
	for i := range s.Live {
		l, p := &s.Live[i], panes[s.Live[i].PID]
		list = append(list, session{l.PID, l.SessionID, l.Cwd, string(l.Status), l.WaitingFor, p.ID, p.Name})
	}
	projects := []PendingProject{}
	for _, p := range s.Pending {
		projects = append(projects, PendingProject(p))
	}
	return o.PrintJSON(struct {
		Live      int              `json:"live"`
		Busy      int              `json:"busy"`
		Idle      int              `json:"idle"`
		Waiting   int              `json:"waiting"`
		Pending   int              `json:"pending"`
		Unseen    int              `json:"unseen"`
		Unsaved   int              `json:"unsaved"`
		Unknown   int              `json:"unknown"`
		Sessions  []session        `json:"sessions"`
		Projects  []PendingProject `json:"projects"`
		Hooks     []HookTrouble    `json:"hooks"`   // problems of this project's hooks
		Tracked   int              `json:"tracked"` // transcripts tracked by git here
		Context   *StatusContext   `json:"context"`
		Documents *statusDocuments `json:"documents"`
		Staged    *statusStaged    `json:"staged"`
	}{
		len(s.Live), s.With(sessions.StatusBusy), s.With(sessions.StatusIdle), s.With(sessions.StatusWaiting), s.Backups(),
		s.UnseenBackups(), len(s.Unsaved), s.Unknown, list, projects, out.OrEmpty(s.Here.Hooks), s.Here.Tracked, s.Here.context,
		s.Here.documents, s.Here.staged,
	})
}
