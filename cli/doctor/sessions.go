package doctor

import (
	"strings"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
)

// doctorNamed is how many sessions a check names at most.
const doctorNamed = 3

// sessions returns the checks of the sessions in the config directories.
func (x *Exam) sessions() []Check {
	total, _ := x.count("")
	if total == 0 && len(x.broken) == 0 {
		return []Check{{Name: "readable", State: VerdictNote, Text: "there are no sessions yet", See: []string{"continuo demo"}}}
	}
	unreadable := x.with(func(r *sessions.Row) bool { return r.State == sessions.StateUnreadable })
	damaged := x.with(func(r *sessions.Row) bool { return r.State == sessions.StateDamaged })
	hidden := x.with(func(r *sessions.Row) bool { return r.Has(sessions.FlagHiddenBranch) })
	lost := 0
	for _, r := range unreadable {
		if r.Kind == sessions.KindSession {
			lost++
		}
	}
	read := Check{Name: "readable", State: VerdictOK, Text: words.Count(total-lost) + " of " + words.Count(total)}
	if lost > 0 {
		read.State = VerdictNote
	}
	checks := []Check{read}
	for i, problem := range x.broken {
		c := Check{Name: "not read", State: VerdictFinding, Text: strings.TrimSuffix(problem, ".")}
		if i == doctorNamed {
			c.Text = out.Count(len(x.broken)-i, "more problem")
			c.See = []string{"continuo list --all" + x.inDirs()}
		}
		checks = append(checks, c)
		if i == doctorNamed {
			break
		}
	}
	checks = append(checks, x.broke("unreadable", unreadable)...)
	checks = append(checks, x.broke("damaged", damaged)...)
	if len(hidden) > 0 {
		holds := " hold messages that resume would not show"
		if len(hidden) == 1 {
			holds = " holds messages that resume would not show"
		}
		checks = append(checks, Check{
			Name: "hidden branches", State: VerdictNote, branch: true, Text: out.Count(len(hidden), "session") + holds, See: x.see(hidden),
			more: max(len(hidden)-doctorNamed, 0),
		})
	}
	return append(checks, x.retention()...)
}

// with returns the rows for which is returns true, newest first.
func (x *Exam) with(is func(r *sessions.Row) bool) []*sessions.Row {
	var list []*sessions.Row
	for i := range x.rows {
		if is(&x.rows[i]) {
			list = append(list, &x.rows[i])
		}
	}
	return list
}

// broke returns a check about damaged or unreadable rows; none without rows. The check explains a single row,
// and counts several.
func (x *Exam) broke(name string, rows []*sessions.Row) []Check {
	if len(rows) == 0 {
		return nil
	}
	c := Check{Name: name, State: VerdictFinding, See: x.see(rows)}
	if len(rows) == 1 {
		c.Text = x.name(rows[0])
		if why := strings.TrimSuffix(rows[0].Reason, "."); why != "" {
			c.Text += ": " + why
		}
		return []Check{c}
	}
	var v find.ListView
	v.Kinds = map[sessions.Kind]int{}
	for _, r := range rows {
		v.Kinds[r.Kind]++
	}
	names := make([]string, min(len(rows), doctorNamed))
	for i := range names {
		names[i] = x.name(rows[i])
	}
	c.Text = v.Totals() + ": " + strings.Join(names, ", ")
	if more := len(rows) - len(names); more > 0 {
		c.Text += " and " + words.Count(more) + " more"
		c.See = append(c.See, "continuo list --all --kind session,backup,document --state "+name+x.inDirs())
	}
	return []Check{c}
}

// retention warns about old sessions that the client will delete soon.
func (x *Exam) retention() []Check {
	soon := x.with(func(r *sessions.Row) bool { return r.Has(sessions.FlagPurgeSoon) && !r.Purge.IsZero() })
	if len(soon) == 0 {
		return []Check{{Name: "retention", State: VerdictOK, Text: "claude deletes no session within 10 days"}}
	}
	first := soon[0]
	for _, r := range soon {
		if r.Purge.Before(first.Purge) {
			first = r
		}
	}
	left := *first
	left.State, left.Flags, left.Live, left.Pending, left.Deleted = sessions.StateOK, []sessions.Flag{sessions.FlagPurgeSoon}, nil, false, false
	_, word := render.BadgeSpans(&left, x.Env.Now())
	return []Check{{
		Name: "retention", State: VerdictWarning, See: x.see([]*sessions.Row{first}),
		Text: "claude deletes " + out.Count(len(soon), "session") + " within 10 days, " + x.name(first) + strings.TrimPrefix(word.Text, "purge"),
	}}
}

// see returns at most doctorNamed commands that show the rows.
func (x *Exam) see(rows []*sessions.Row) []string {
	var list []string
	for _, r := range rows[:min(len(rows), doctorNamed)] {
		list = append(list, "continuo show "+x.word(r)+x.inDirs())
	}
	return list
}

// name returns the short ID of a row or, if another row has the same one, the whole ID.
func (x *Exam) name(r *sessions.Row) string {
	if start := find.ListID(r); x.only(start) {
		return start
	}
	return out.CleanPath(r.ID)
}

// word returns the argument that names a row: the ID or, if another row has the same one, the path.
func (x *Exam) word(r *sessions.Row) string {
	if name := x.name(r); x.only(name) && !strings.HasPrefix(name, "-") {
		return place.ShellWord(name)
	}
	return x.shell(r.Path)
}

// only reports whether exactly one ID starts with start.
func (x *Exam) only(start string) bool {
	return start != "" && len(x.with(func(r *sessions.Row) bool { return strings.HasPrefix(r.ID, start) })) == 1
}

// inDirs returns the flag --claude-dir for printed commands.
func (x *Exam) inDirs() string {
	var b strings.Builder
	for _, dir := range x.flags {
		b.WriteString(" --claude-dir " + x.shell(dir))
	}
	return b.String()
}
