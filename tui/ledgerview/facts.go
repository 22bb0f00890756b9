package ledgerview

import (
	"bytes"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/match"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/ledgerlines"
)

// ledgerFacts has a ledger and everything computed from it. The command that reads the ledger also computes these
// facts, so that Update and View stay fast.
type ledgerFacts struct {
	survey.Ledger
	text       string // the text of NOTES.md
	decisions  []notes.Decision
	questions  []notes.Question
	continuity notes.Continuity

	logged  *logged          // the trajectory, or nil
	beads   [3][]*beads.Bead // ready, in progress, and blocked beads
	waits   map[string][]string
	lines   []outlineItem
	checked []recovery.Checked // identifiers
	undated bool               // no decision has a date
	listed  lookups            // results of checking the identifiers
	cited   lookups            // results of checking the evidence of decisions
	remarks []string           // other problems, as sentences
}

// newLedgerFacts computes the facts of a ledger. t is its trajectory, or nil.
func newLedgerFacts(l survey.Ledger, t *logged) *ledgerFacts {
	f := &ledgerFacts{Ledger: l, logged: t, checked: l.Checked, continuity: notes.Continuity{Section: -1}, waits: map[string][]string{}}
	if n := l.Notes; n != nil {
		f.text = string(n.Text)
		f.decisions, f.questions, f.continuity = n.Decisions(), n.Questions(), n.Continuity()
		f.undated = !slices.ContainsFunc(f.decisions, func(d notes.Decision) bool { return !d.When.IsZero() })
	}
	if n := l.Notes; n != nil && l.Checked == nil { // Checked is nil if the identifiers weren't checked
		for _, id := range n.Identifiers() {
			f.checked = append(f.checked, recovery.Checked{Identifier: id})
		}
	}
	f.countPlaces()
	if g := l.Beads; g != nil {
		parted := g.Groups(l.At)
		f.beads = [3][]*beads.Bead{parted.Ready, parted.InProgress, parted.Blocked}
		for _, list := range f.beads {
			for _, b := range list {
				if w := g.WaitsFor(b); len(w) > 0 {
					f.waits[b.ID] = w
				}
			}
		}
	}
	f.remarks = append(f.remarks, l.Problems...)
	f.remarks = append(f.remarks, t.remarks()...)
	if g := l.Beads; g != nil {
		for _, p := range g.Problems {
			f.remarks = append(f.remarks, relativeTo(l.Project.Root, p.File)+lineWord(p.Line)+": "+p.What)
		}
	}
	f.outline()
	return f
}

// isUnchanged reports whether l equals the ledger of f. Times are compared by the minute.
func (f *ledgerFacts) isUnchanged(l *survey.Ledger) bool {
	if f == nil || f.None != l.None || (f.Notes == nil) != (l.Notes == nil) || !f.At.Truncate(time.Minute).Equal(l.At.Truncate(time.Minute)) {
		return false
	}
	return (f.Notes == nil || bytes.Equal(f.Notes.Text, l.Notes.Text)) && f.Trouble == l.Trouble && f.BeadsBad == l.BeadsBad &&
		f.Staged.Equal(l.Staged) && f.StagedN == l.StagedN && slices.Equal(f.Problems, l.Problems) && slices.Equal(f.Missing, l.Missing) && maps.Equal(f.Evidence, l.Evidence) &&
		slices.Equal(f.Checked, l.Checked) && f.Project.Notes == l.Project.Notes && reflect.DeepEqual(f.Truth, l.Truth) && reflect.DeepEqual(f.Beads, l.Beads)
}

func lineWord(line int) string {
	if line == 0 {
		return ""
	}
	return ", line " + words.Count(line)
}

// known is a kind of section with a fixed position in the outline.
type known struct {
	kind  ledgerKind
	of    notes.Kind
	name  string
	count func(*ledgerFacts) (count, bad string)
}

func knownParts() []known {
	counted := func(n int) string { return words.Count(n) }
	items := func(kind notes.Kind) func(*ledgerFacts) (string, string) {
		return func(f *ledgerFacts) (string, string) { return counted(len(f.Notes.Items(kind))), "" }
	}
	return []known{
		{isContinuity, notes.KindContinuity, "Session continuity", func(f *ledgerFacts) (string, string) {
			if f.continuity.Section < 0 {
				return "", ""
			}
			return render.Tokens(int64(recovery.Tokens(string(f.Notes.Markdown(f.continuity.Section))))) + " tok", ""
		}},
		{isGoals, notes.KindGoals, "Active sub-goals", items(notes.KindGoals)},
		{isDecisions, notes.KindDecisions, "Decision log", func(f *ledgerFacts) (string, string) { return counted(len(f.decisions)), f.cited.mark() }},
		{isQuestions, notes.KindQuestions, "Open questions", func(f *ledgerFacts) (string, string) { return counted(len(f.questions)), "" }},
		{isIdentifiers, notes.KindIdentifiers, "Identifiers", func(f *ledgerFacts) (string, string) {
			return counted(len(f.checked)), f.listed.mark()
		}},
		{isDebt, notes.KindDebt, "Technical debt", items(notes.KindDebt)},
		{isBlockers, notes.KindBlockers, "Blockers", items(notes.KindBlockers)},
	}
}

// outline lists the sections of known kinds, the other sections, the trajectory and the beads.
func (f *ledgerFacts) outline() {
	head := func(name string) { f.lines = append(f.lines, outlineItem{name: name, head: true, section: -1}) }
	name := "NOTES.md"
	if f.Project.Notes != "" {
		name = transcript.CleanLine(filepath.Base(f.Project.Notes))
	}
	head(name)
	switch {
	case f.Trouble != "":
		f.lines = append(f.lines, outlineItem{key: ledgerKey{kind: isTrouble, name: "notes"}, name: "cannot be shown", bad: "✗", section: -1})
	case f.Notes == nil:
		f.lines = append(f.lines, outlineItem{key: ledgerKey{kind: isTrouble, name: "none"}, name: "none yet", section: -1})
	default:
		f.outlineNotes()
	}
	f.outlineLogged(head)
	f.outlineBeads(head)
	n := len(f.remarks)
	if n > 0 || len(f.Truth.List) > 0 || len(f.Missing) > 0 {
		head("Other")
	}
	if n := len(f.Missing); n > 0 {
		f.lines = append(f.lines, outlineItem{key: ledgerKey{kind: isTrouble, name: "missing"}, name: "missing", bad: words.Count(n) + "✗", section: -1})
	}
	f.outlineTruth()
	if n > 0 {
		f.lines = append(f.lines, outlineItem{key: ledgerKey{kind: isRemarks}, name: "remarks", count: words.Count(n), section: -1})
	}
}

// outlineNotes lists the sections of NOTES.md.
func (f *ledgerFacts) outlineNotes() {
	first := map[notes.Kind]int{}
	many := map[notes.Kind]int{}
	for i := range f.Notes.Sections {
		k := f.Notes.Sections[i].Kind
		if _, ok := first[k]; !ok {
			first[k] = i
		}
		if !f.isWithin(i, k) {
			many[k]++
		}
	}
	shown := map[int]bool{}
	for _, k := range knownParts() {
		at, there := first[k.of]
		if k.kind == isContinuity && f.continuity.Section >= 0 {
			at, there = f.continuity.Section, true
		}
		count, bad := k.count(f)
		if !there && (count == "" || count == "0") {
			continue
		}
		it := outlineItem{key: ledgerKey{kind: k.kind}, name: k.name, count: count, bad: bad, section: -1}
		if there {
			it.section = at
			if many[k.of] == 1 || k.kind == isContinuity {
				shown[at] = true
			}
		}
		f.lines = append(f.lines, it)
	}
	others := len(f.lines)
	if !isComment(f.text[:f.beginning()]) {
		f.lines = append(f.lines, outlineItem{key: ledgerKey{kind: isSection, line: 1}, name: "Beginning", section: -1})
	}
	for i := range f.Notes.Sections {
		s := &f.Notes.Sections[i]
		if shown[i] || f.isEntry(i) {
			continue
		}
		title := ledgerlines.PlainLine(s.Title)
		if title == "" {
			title = "No heading"
		}
		f.lines = append(f.lines, outlineItem{
			key: ledgerKey{isSection, s.Title, s.Line}, name: title, depth: min(max(s.Level-2, 0), 4), section: i, count: countOf(s),
		})
	}
	shorten(f.lines[others:])
	if n := len(f.lines); others > 1 && n > others {
		f.lines = slices.Insert(f.lines, others, outlineItem{name: "Sections", head: true, section: -1})
	}
}

// shorten sets short names for titles with the same start, such as "… title" for "2026-11-21: title".
func shorten(items []outlineItem) {
	begin := map[string]int{}
	for i := range items {
		if before, _, ok := cutTitle(items[i].name); ok {
			begin[before]++
		}
	}
	for i := range items {
		if before, after, ok := cutTitle(items[i].name); ok && begin[before] > 1 {
			items[i].short = "… " + after
		}
	}
}

// cutTitle splits a title at its first dash or colon.
func cutTitle(title string) (before, after string, ok bool) {
	at, n := -1, 0
	for _, sep := range []string{" — ", " – ", " - ", ": "} {
		if i := strings.Index(title, sep); i > 0 && (at < 0 || i < at) {
			at, n = i, len(sep)
		}
	}
	if at < 0 {
		return "", "", false
	}
	return title[:at], title[at+n:], true
}

// countOf returns the number of entries in a section as text, or "" for other sections.
func countOf(s *notes.Section) string {
	if s.Count <= 1 {
		return ""
	}
	return words.Count(s.Count)
}

// beginning returns the byte offset of the first section in NOTES.md.
func (f *ledgerFacts) beginning() int {
	if len(f.Notes.Sections) == 0 {
		return len(f.Notes.Text)
	}
	return f.Notes.Sections[0].Start
}

// isWithin reports whether section i is inside a section of the given kind.
func (f *ledgerFacts) isWithin(i int, kind notes.Kind) bool {
	for i = f.Notes.Sections[i].Parent; i >= 0; i = f.Notes.Sections[i].Parent {
		if kind != notes.KindOther && f.Notes.Sections[i].Kind == kind {
			return true
		}
	}
	return false
}

// isEntry reports whether section i is listed as an entry of a log, such as a decision.
func (f *ledgerFacts) isEntry(i int) bool {
	if f.Notes.Sections[i].Kind == notes.KindContext {
		return f.isWithin(i, notes.KindContinuity)
	}
	return f.Notes.Sections[i].Kind == notes.KindOther && (f.isWithin(i, notes.KindDecisions) ||
		f.isWithin(i, notes.KindQuestions) || f.isWithin(i, notes.KindIdentifiers))
}

// outlineBeads lists the groups of beads.
func (f *ledgerFacts) outlineBeads(head func(name string)) {
	switch {
	case f.BeadsBad != "":
		head("Beads")
		f.lines = append(f.lines, outlineItem{key: ledgerKey{kind: isTrouble, name: "beads"}, name: "cannot be shown", bad: "✗", section: -1})
	case f.Beads != nil && len(f.Beads.Beads) > 0:
		head("Beads")
		for i, name := range []string{"ready", "in progress", "blocked"} {
			f.lines = append(f.lines, outlineItem{
				key: ledgerKey{kind: isReady + ledgerKind(i)}, name: name, count: words.Count(len(f.beads[i])), section: -1, //nolint:gosec // i < 3
			})
		}
	}
}

// relativeTo returns path relative to root if path is below root.
func relativeTo(root, path string) string {
	if rel, err := filepath.Rel(root, path); err == nil && root != "" && path != "" && rel != ".." && !strings.HasPrefix(rel, "../") {
		return transcript.CleanLine(filepath.ToSlash(rel))
	}
	return transcript.CleanLine(path)
}

// matching returns the outline items whose titles contain all words of a pattern. Without such a title, it searches the
// texts.
func (f *ledgerFacts) matching(pattern string) []outlineItem {
	var items []outlineItem
	for _, in := range []func(*outlineItem) string{func(it *outlineItem) string { return it.name }, f.textOf} {
		for i := range f.lines {
			if it := &f.lines[i]; it.isStop() && match.HasWords(in(it), pattern) {
				items = append(items, *it)
			}
		}
		if len(items) > 0 {
			break
		}
	}
	return items
}

// textOf returns the text of an item, without its subsections.
func (f *ledgerFacts) textOf(it *outlineItem) string {
	switch k := it.key.kind; {
	case it.section >= 0:
		s := &f.Notes.Sections[it.section]
		if k == isSection {
			return f.text[s.Start:s.Own]
		}
		return f.text[s.Start:s.End]
	case k == isSection:
		return f.text[:f.beginning()]
	case k >= isReady && k <= isBlocked:
		var b strings.Builder
		for _, bead := range f.beads[k-isReady] {
			b.WriteString(bead.ID + " " + bead.Title + " " + ledgerlines.BeadText(bead) + "\n")
		}
		return b.String()
	}
	return ""
}
