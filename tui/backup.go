package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
)

// offering is the offer to back up what ended without a backup.
type offering struct {
	made  bool // it was made: once a start
	taken bool // it was on the screen until the key that is pressed now
}

// isUnsaved reports whether a session ended without a backup, and can have one yet.
func isUnsaved(r *sessions.Row) bool { return r.Has(sessions.FlagNoBackup) && !r.Deleted }

// unsaved are the sessions that ended without a backup, newest first.
func (m *model) unsaved() []sessions.Row {
	var rows []sessions.Row
	for _, h := range m.lists[0].held {
		if isUnsaved(&h.row) {
			rows = append(rows, h.row)
		}
	}
	slices.SortFunc(rows, func(a, b sessions.Row) int { return a.Compare(&b) })
	return rows
}

// offerBackup says once how many sessions ended without a backup, when all are known and nothing is in the way.
func (m *model) offerBackup() {
	n := m.lists[0].tally.unsaved
	if m.offer.made || m.loading || n == 0 || m.status.text != "" || m.panel.kind != noPanel || m.behind() != inList {
		return
	}
	key := ""
	for _, b := range m.keys[inList] {
		if b.name == "backup" {
			key = b.show
		}
	}
	if key == "" { // nothing can be done
		return
	}
	m.offer.made = true
	them := "them"
	if n == 1 {
		them = "it"
	}
	what := render.Counted(n, "session", "sessions") + " ended without a backup. "
	if m.width < offerWidth {
		what = render.Count(n) + " not backed up. "
	}
	m.status = status{text: what + key + " backs " + them + " up.", offer: true}
}

const offerWidth = 60

// canBackUp reports whether there is something to back up: the session, or what ended without a backup.
func (m *model) canBackUp() bool { return m.isSession() || m.lists[0].tally.unsaved > 0 }

// whyNotBackUp is the reason why nothing can be backed up.
func (m *model) whyNotBackUp() string {
	switch {
	case m.backing:
		return "one is being made"
	case m.lists[0].tally.unsaved > 0:
		return ""
	}
	return whyNotCopied(m.subject())
}

// whyNotCopied is the reason why there is nothing to copy of a session.
func whyNotCopied(row *sessions.Row) string {
	switch {
	case row == nil:
		return ""
	case row.Deleted:
		return "deleted"
	case row.State == sessions.StateUnreadable:
		return "unreadable"
	case row.State == sessions.StateEmpty:
		return "nothing in it"
	}
	return ""
}

// backUp asks where the backup of the session would go, and those of all that ended without one.
func (m *model) backUp() tea.Cmd {
	answer := backupAskedMsg{all: m.unsaved(), first: m.offer.taken}
	rows := answer.all
	if m.isSession() {
		row := *m.subject()
		answer.one = &row
		if !slices.ContainsFunc(rows, func(r sessions.Row) bool { return r.Path == row.Path }) {
			rows = append([]sessions.Row{row}, rows...)
		}
	}
	ctx := m.begin()
	answer.gen = m.resumeGen
	return tea.Batch(askBackup(ctx, m.actions, rows, answer), waitResume(ctx, answer.gen))
}

// backupAsked shows the plan.
func (m *model) backupAsked(msg backupAskedMsg) tea.Cmd {
	if msg.gen != m.resumeGen { // the person has gone on to something else
		return nil
	}
	m.drop()
	if msg.err != nil {
		m.fail("", msg.err)
		return nil
	}
	return m.openMenu(m.backupMenu(&msg))
}

// backupMenu is the plan of a backup: what is copied where, and how that is taken back.
func (m *model) backupMenu(msg *backupAskedMsg) *menu {
	mn := &menu{title: "Back up", note: "Nothing has been copied yet.", verb: "back up"}
	to := map[string]BackupTo{}
	for _, t := range msg.outcome.Goes {
		to[t.Row.Path] = t
	}
	one := msg.one
	alone := one != nil && len(msg.all) == 1 && msg.all[0].Path == one.Path
	var items []offer
	if one != nil {
		mn.about = shortID(one.ID)
		it := m.backupOffer("b", "This one", []sessions.Row{*one}, to)
		if msg.first && !one.Has(sessions.FlagNoBackup) && it.note != "" { // nothing else names it
			it.note = render.Title(one) + ", " + it.note
		}
		items = append(items, it)
	}
	if len(msg.all) > 0 && !alone {
		name := "All " + render.Count(len(msg.all))
		if len(msg.all) == 1 {
			name = "The other"
		}
		all := m.backupOffer("a", name, msg.all, to)
		if all.note != "" {
			all.note = "that ended without a backup: " + all.note
		}
		items = append(items, all)
		if msg.first {
			slices.Reverse(items)
		}
	}
	mn.items, mn.points = items, m.backupPoints(msg, to)
	return mn
}

// backupOffer is one choice of the plan.
func (m *model) backupOffer(key, name string, rows []sessions.Row, to map[string]BackupTo) offer {
	it := offer{key: key, name: name}
	var todo []sessions.Row
	var bytes int64
	for i := range rows {
		t := to[rows[i].Path]
		if it.off = t.Off; t.Off == "" {
			todo = append(todo, rows[i])
			bytes += t.Row.Bytes
		}
	}
	if len(todo) == 0 {
		return it
	}
	it.off, it.note = "", render.Size(bytes)
	if left := len(rows) - len(todo); left > 0 {
		it.note += ", " + render.Count(left) + " cannot be copied"
	}
	it.do = func(m *model) tea.Cmd {
		m.backing = true
		return tea.Batch(makeBackups(m.ctx, m.actions, todo), waitBackup(m.ctx))
	}
	return it
}

// backupNamed is how many sessions a plan names.
const backupNamed = 5

// backupPoints say what is copied where, and how to take that back: first what was asked for, then what stands in the
// way.
func (m *model) backupPoints(msg *backupAskedMsg, to map[string]BackupTo) []point {
	var asked, off, rows []sessions.Row
	if msg.one != nil && (!msg.first || len(msg.all) == 0) {
		asked = []sessions.Row{*msg.one}
	}
	for _, r := range msg.all {
		switch {
		case len(asked) > 0 && r.Path == msg.one.Path:
		case to[r.Path].Off != "":
			off = append(off, r)
		default:
			rows = append(rows, r)
		}
	}
	rows = slices.Concat(asked, off, rows)
	var points []point
	for i := range rows {
		if i == backupNamed && len(rows) > backupNamed+1 {
			var bytes int64
			for _, r := range rows[i:] {
				bytes += to[r.Path].Row.Bytes
			}
			more := point{glyph: render.Span{Ink: render.Faint, Text: "…"}, what: render.Count(len(rows)-i) + " more", detail: render.Size(bytes)}
			points = append(points, more)
			break
		}
		points = append(points, m.backupPoint(&rows[i], to[rows[i].Path]))
	}
	return append(points, point{
		glyph: render.Glyph(sessions.BadgeOK), what: "The transcripts stay as they are.",
		detail: "A backup is pending until somebody deals with it. continuo backup discard moves it to a trash.",
	})
}

// backupPoint says what is copied of one session, and where to.
func (m *model) backupPoint(r *sessions.Row, t BackupTo) point {
	p := point{glyph: render.Glyph(sessions.BadgeOK), what: render.Title(r)}
	if t.Off != "" {
		p.glyph, p.detail = render.Span{Ink: render.Bad, Text: "✗"}, "It cannot be copied: "+t.Off+"."
		return p
	}
	if isUnsaved(r) {
		p.glyph = render.Glyph(sessions.BadgeNoBackup)
	}
	p.detail = render.Size(t.Row.Bytes) + " to " + render.Folder(t.Dir, m.opts.Home)
	if r.Live != nil {
		p.detail += ", as far as it is now"
	}
	return p
}

// stillBacking says so when a copy takes its time.
func (m *model) stillBacking() {
	if m.backing && m.status.text == "" {
		m.status.say("Backing up…")
	}
}

// backedUp says what was made. The watch brings the rows.
func (m *model) backedUp(msg backedUpMsg) {
	m.backing = false
	if msg.err != nil {
		m.fail("", msg.err)
		return
	}
	m.status.say(msg.outcome.Said)
}
