package ledgerview

import (
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/blocks"
	"github.com/continuo-tui/continuo/tui/field"
	"github.com/continuo-tui/continuo/tui/match"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/ledgerlines"
)

// ledgerContent is the pane beside the outline. It draws only the blocks near the view.
type ledgerContent struct {
	of      ledgerKey // the outline item that is shown
	facts   *ledgerFacts
	look    contentLook
	blocks  []ledgerBlock
	column  int  // start column of titles or texts
	sole    bool // all records have the same agent
	title   []render.Span
	right   string
	sel     ledgerKey
	touched bool
	open    map[ledgerKey]bool // entries that are shown in full
	all     bool               // list all decisions, even if they don't fit
	field   field.Field        // the filter
	hit     ledgerKey          // first entry that matches the filter
	list    blocks.List        // scrolled list of the blocks, with the bar
	lines   [][]string         // drawn lines of each block, or nil
	texts   *ledgerTexts
	st      *render.Styles
	now     time.Time
	session string // title of the session of the attention
}

// contentLook has what the drawn lines depend on, besides the ledger.
type contentLook struct {
	width, rows int
	theme       render.Theme
	day         int    // today; relative times depend on it
	seek        string // filter of the outline; the pane scrolls to its first match
	attention   sessions.Attention
	heal        string // text about restoring the missing parts
}

// ledgerBlock is a block of the pane: an entry, a heading, a remark, a fact or a text.
type ledgerBlock struct {
	key    ledgerKey // isNothing if the bar can't stop at the block
	head   string    // heading of a group
	count  string
	note   string // a remark, drawn with line breaks
	wrong  bool   // the remark is an error
	label  string // name of a fact; its value is in the field fact
	fact   string
	text   string // markdown, or the text to copy
	truth  bool   // the block is a disagreement between sources
	source int    // index of the entry in the list of its kind
	gap    bool   // draw a blank line before the block
	line   int    // line number in NOTES.md
}

// isEntry reports whether the bar can stop at the block.
func (b *ledgerBlock) isEntry() bool { return b.key.kind != isNothing }

// entryLines is the maximum number of lines of an entry that isn't unfolded.
const entryLines = 4

// writtenHead is the heading above the original text of a section with listed entries.
const writtenHead = "As written"

// compactFrom is the pane height, in rows, that shortens the list of decisions.
const compactFrom = 16

// build builds the blocks for the selected outline item if the item, the ledger or the look has changed.
func (c *ledgerContent) build(it *outlineItem, f *ledgerFacts, look contentLook, st *render.Styles, now time.Time) {
	c.st, c.now = st, now
	if it == nil || f == nil {
		*c = ledgerContent{list: c.newList(), texts: c.texts, st: st, now: now, session: c.session, field: field.New(field.Words)}
		return
	}
	if c.of == it.key && c.facts == f && c.look == look && c.blocks != nil {
		return
	}
	if c.of != it.key {
		*c = ledgerContent{of: it.key, list: c.newList(), texts: c.texts, st: st, now: now, session: c.session, field: field.New(field.Words)}
	}
	top, off := c.anchor()
	sized := c.look.width != look.width || c.look.rows != look.rows
	sought := look.seek != "" && !match.HasWords(it.name, look.seek)
	seeks := sought && c.look.seek != look.seek
	c.facts, c.look, c.list.Rows = f, look, look.rows
	c.blocks, c.title, c.right = nil, []render.Span{{Ink: render.Strong, Text: it.name}}, ""
	c.fill(it)
	c.applyFilter()
	c.columns()
	if len(c.blocks) > 0 {
		c.blocks[0].gap = false
	}
	c.lines, c.hit = make([][]string, len(c.blocks)), ledgerKey{}
	if sought {
		c.hit = c.firstHit()
	}
	c.compact()
	if seeks && c.hit.kind != isNothing {
		c.sel, c.touched, top = c.hit, true, ledgerKey{}
	}
	c.place()
	height := c.Height
	if i := nearestKey(top, len(c.blocks), func(i int) ledgerKey { return c.blocks[i].key }); i >= 0 && top.kind != isNothing {
		c.list.Win.Show(i, off, len(c.blocks), look.rows, height)
	}
	c.list.Fit()
	if (sized || seeks) && c.touched {
		c.list.Reveal()
	}
}

// firstHit returns the key of the first entry that matches the filter. Without a match, its kind is isNothing.
func (c *ledgerContent) firstHit() ledgerKey {
	for i := range c.blocks {
		if b := &c.blocks[i]; b.isEntry() && match.HasWords(c.words(b), c.look.seek) {
			return b.key
		}
	}
	return ledgerKey{}
}

// anchor returns the entry at the top of a scrolled view, and the number of its rows above the view.
func (c *ledgerContent) anchor() (ledgerKey, int) {
	if c.list.Win.Top < len(c.blocks) && c.blocks[c.list.Win.Top].isEntry() && (c.list.Win.Top > 0 || c.list.Win.Off > 0) {
		return c.blocks[c.list.Win.Top].key, c.list.Win.Off
	}
	return ledgerKey{}, 0
}

// place puts the bar on the same entry as before or, if this entry is gone, on the entry above.
func (c *ledgerContent) place() {
	was := c.list.At
	c.list.At = -1
	if c.touched {
		c.list.At = nearestKey(c.sel, len(c.blocks), func(i int) ledgerKey { return c.blocks[i].key })
	}
	if c.list.At < 0 && c.touched {
		c.list.At = c.list.Next(min(was, len(c.blocks)-1), -1)
	}
	if c.list.At < 0 {
		c.list.At = c.list.End(-1)
	}
	c.sel = ledgerKey{}
	if c.list.At >= 0 {
		c.sel = c.blocks[c.list.At].key
	}
}

func (c *ledgerContent) newList() blocks.List { return blocks.List{Items: c, At: -1, Text: true} }

// Len implements blocks.Items.
func (c *ledgerContent) Len() int { return len(c.blocks) }

// Stops implements blocks.Items.
func (c *ledgerContent) Stops(i int) bool { return c.blocks[i].isEntry() }

// Chosen implements blocks.Items.
func (c *ledgerContent) Chosen(i int) { c.sel, c.touched = c.blocks[i].key, true }

func (c *ledgerContent) fill(it *outlineItem) {
	f := c.facts
	switch it.key.kind {
	case isDecisions:
		c.count(len(f.decisions), map[bool]string{true: ", newest first"}[len(f.decisions) > 1 && !f.undated])
		c.decisions()
		c.questions(true)
		c.asWritten(it)
	case isQuestions:
		c.count(len(f.questions), "")
		c.questions(false)
		c.asWritten(it)
	case isIdentifiers:
		c.count(len(f.checked), "")
		c.identifiers()
		c.asWritten(it)
	case isContinuity:
		c.continuity()
		c.section(it.section)
	case isGoals, isDebt, isBlockers:
		c.count(len(f.Notes.Items(kindOf(it.key.kind))), "")
		for i := range f.Notes.Sections {
			if s := &f.Notes.Sections[i]; s.Kind == kindOf(it.key.kind) && !f.isWithin(i, s.Kind) {
				c.section(i)
			}
		}
	case isSection:
		if it.section < 0 {
			c.markdown(f.text[:f.beginning()], 1)
			c.right = f.place(1, 0)
			break
		}
		c.section(it.section)
	case isReady, isInProgress, isBlocked:
		c.beads(it)
	case isToday, isEarlier:
		c.timeline(it)
	case isAttention:
		c.attention()
	case isTrouble:
		c.trouble(it)
	case isTruth:
		c.truth()
	case isRemarks:
		c.title[0].Text = "Remarks"
		for _, s := range f.remarks {
			c.blocks = append(c.blocks, ledgerBlock{note: s, gap: true})
		}
	case isNothing, isDecision, isQuestion, isIdentifier, isBead, isRecord:
	}
}

func (c *ledgerContent) beads(it *outlineItem) {
	list := c.facts.beads[it.key.kind-isReady]
	c.title[0].Text = "Beads " + it.name
	c.count(len(list), "")
	c.column = 0
	for i, b := range list {
		c.column = max(c.column, min(ansi.StringWidth(b.ID), 20)+4)
		c.blocks = append(c.blocks, ledgerBlock{key: ledgerKey{kind: isBead, name: b.ID}, source: i, gap: i > 0 && c.look.rows >= compactFrom})
	}
	c.none(len(list), "Nothing is "+it.name+".")
}

func kindOf(k ledgerKind) notes.Kind {
	for _, p := range knownParts() {
		if p.kind == k {
			return p.of
		}
	}
	return notes.KindOther
}

// count appends the number of entries to the title.
func (c *ledgerContent) count(n int, more string) {
	c.title = append(c.title, render.Span{Ink: render.Faint, Text: " " + words.Count(n) + more})
}

// none adds a remark if n is 0.
func (c *ledgerContent) none(n int, words string) {
	if n == 0 {
		c.blocks = append(c.blocks, ledgerBlock{note: words})
	}
}

func (c *ledgerContent) decisions() {
	for i := range c.facts.decisions {
		d := &c.facts.decisions[i]
		c.blocks = append(c.blocks, ledgerBlock{key: ledgerKey{isDecision, d.Title, d.Line}, source: i, gap: i > 0, line: d.Line})
	}
	c.none(len(c.facts.decisions), "No decisions yet.")
}

// questions adds the open questions. below means that they need a heading.
func (c *ledgerContent) questions(below bool) {
	n := len(c.facts.questions)
	if below {
		if n == 0 {
			return
		}
		c.blocks = append(c.blocks, ledgerBlock{head: "Open questions", count: words.Count(n), gap: true})
	}
	for i := range c.facts.questions {
		q := &c.facts.questions[i]
		c.blocks = append(c.blocks, ledgerBlock{key: ledgerKey{isQuestion, q.Text, q.Line}, source: i, line: q.Line})
	}
	c.none(n, "No open questions.")
}

func (c *ledgerContent) identifiers() {
	for i := range c.facts.checked {
		id := &c.facts.checked[i]
		c.blocks = append(c.blocks, ledgerBlock{key: ledgerKey{isIdentifier, id.Ref.Raw, id.Line}, source: i, line: id.Line, gap: i > 0 && c.look.rows >= compactFrom && id.Purpose != ""})
	}
	c.none(len(c.facts.checked), "No identifiers yet.")
}

// continuity adds the fields of the newest Session Continuity section.
func (c *ledgerContent) continuity() {
	k := &c.facts.continuity
	add := func(label, fact string) {
		if fact = strings.TrimSpace(fact); fact != "" {
			c.blocks = append(c.blocks, ledgerBlock{label: label, fact: fact})
		}
	}
	add("bead", joinWith(", ", k.Bead, k.BeadText))
	add("checkpoint", joinWith(" · ", words.Ago(c.facts.At, k.Checkpoint), k.CheckedAs))
	add("reasoning", k.State)
	if k.Older > 0 {
		add("older", words.Counted(k.Older, "older section", "older sections")+" with this name below")
	}
}

// asWritten adds the original text of the section, because a section may also have other text. For entries of several
// sections, it adds nothing.
func (c *ledgerContent) asWritten(it *outlineItem) {
	if it.section < 0 {
		return
	}
	s := &c.facts.Notes.Sections[it.section]
	c.right = c.facts.place(s.Line, s.Last)
	several := 0
	for i := range c.facts.Notes.Sections {
		if c.facts.Notes.Sections[i].Kind == s.Kind && !c.facts.isWithin(i, s.Kind) {
			several++
		}
	}
	if several > 1 {
		c.right = words.Counted(several, "section", "sections")
		return
	}
	if strings.TrimSpace(c.facts.text[s.Body:s.End]) == "" {
		return
	}
	c.blocks = append(c.blocks, ledgerBlock{head: writtenHead, gap: true})
	c.parts(it.section, true)
}

func (c *ledgerContent) section(i int) {
	if i < 0 {
		return
	}
	s := &c.facts.Notes.Sections[i]
	c.right = c.facts.place(s.Line, s.Last)
	c.parts(i, strings.EqualFold(ledgerlines.PlainLine(s.Title), c.title[0].Text))
}

// parts adds the text of a section and its subsections. named leaves out the section's heading.
func (c *ledgerContent) parts(i int, named bool) {
	n, text := c.facts.Notes, c.facts.text
	s := &n.Sections[i]
	from := s.Start
	if named {
		from = s.Body
	}
	c.markdown(text[from:s.Own], s.Line)
	for k := i + 1; k < len(n.Sections) && n.Sections[k].Start < s.End; k++ {
		sub := &n.Sections[k]
		c.markdown(text[sub.Start:sub.Own], sub.Line)
	}
}

// markdown adds a text, split into pieces that render quickly.
func (c *ledgerContent) markdown(text string, line int) {
	if isComment(text) {
		return
	}
	for _, part := range splitText(text) {
		c.blocks = append(c.blocks, ledgerBlock{text: part, gap: len(c.blocks) > 0, line: line})
		line += strings.Count(part, "\n")
	}
}

// joinWith joins the parts that aren't blank.
func joinWith(with string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return strings.TrimSpace(s) == "" }), with)
}

// place formats a range of lines, such as "NOTES.md:12–20".
func (f *ledgerFacts) place(from, to int) string {
	name := "NOTES.md"
	if len(f.lines) > 0 {
		name = f.lines[0].name
	}
	name += ":" + words.Count(from)
	if to > from {
		name += "–" + words.Count(to)
	}
	return strings.ReplaceAll(name, ",", "")
}
