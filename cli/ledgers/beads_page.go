package ledgers

import (
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

func printBead(env *place.Env, o *out.Output, l *beadsLook, b *beads.Bead) error {
	group := groupOf(env, l, b)
	return putBead(out.NewRecord(), l, b, group).Print(o, func() string { return beadText(env, o, l, b, group) })
}

// beadPage formats one bead.
type beadPage struct {
	env   *place.Env
	o     *out.Output
	width int
	b     strings.Builder
}

// group adds a heading with a count, unless n is 0.
func (p *beadPage) group(name string, n int) {
	line := render.NewLine(p.o.Out.Styles, p.width).Put(render.Heading, name)
	if n > 0 {
		line.Put(render.Faint, " "+words.Count(n))
	}
	p.b.WriteString("\n" + line.String() + "\n")
}

// para adds a text at the column at, wrapped at words. The glyph precedes the first line.
func (p *beadPage) para(at int, glyph render.Span, ink render.Ink, text string) {
	for raw := range strings.SplitSeq(strings.TrimSpace(transcript.Clean(text)), "\n") {
		for _, part := range render.Wrap(strings.TrimRight(raw, " \t"), max(p.width-at, 1)) {
			line := render.NewLine(p.o.Out.Styles, p.width)
			if glyph.Text != "" {
				line.Spans(glyph)
				glyph.Text = ""
			}
			p.b.WriteString(strings.TrimRight(line.To(at).Put(ink, part).String(), " ") + "\n")
		}
	}
}

// fact adds a line with a text at each edge.
func (p *beadPage) fact(glyph render.Span, text, right string) { p.other(glyph, "", -2, text, right) }

// other adds a line about another bead: its ID, padded to ids cells, and its title (text). right is at the right
// edge.
func (p *beadPage) other(glyph render.Span, id string, ids int, text, right string) {
	line := render.NewLine(p.o.Out.Styles, p.width).Spans(glyph).To(beadTextAt)
	line.Put(render.Faint, words.Cut(out.CleanPath(id), max(ids, 0))).To(beadTextAt + ids + 2)
	right = words.Cut(transcript.CleanLine(right), p.width/2)
	line.PutUntil(render.Text, transcript.CleanLine(text), p.width-ansi.StringWidth(right)-2)
	line.Right(p.width, render.Span{Ink: render.Faint, Text: right})
	p.b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
}

func (p *beadPage) day(t time.Time) string { return words.Moment(p.env.Now(), t) }

// beadText draws one bead for a terminal.
func beadText(env *place.Env, o *out.Output, l *beadsLook, b *beads.Bead, group string) string {
	p := &beadPage{env: env, o: o, width: o.Out.Page()}
	none, dot := render.Span{}, render.Span{Ink: render.Faint, Text: "·"}
	head := render.NewLine(o.Out.Styles, p.width)
	id := out.CleanPath(b.ID)
	head.PutUntil(render.Strong, transcript.CleanLine(b.Title), p.width-ansi.StringWidth(id)-2).Right(p.width, render.Span{Ink: render.Faint, Text: id})
	p.b.WriteString(strings.TrimRight(head.String(), " ") + "\n")
	p.para(0, none, render.Muted, strings.Join(beadFacts(env, b, group), ", "))
	if strings.TrimSpace(b.Description) != "" {
		p.b.WriteString("\n")
		p.para(0, none, render.Text, b.Description)
	}
	p.dependencies(l, b)
	if n := len(b.Decisions); n > 0 {
		p.group("Decisions", n)
		for i := n - 1; i >= 0; i-- { // newest first
			p.decision(&b.Decisions[i])
		}
	}
	if n := len(b.Handoffs); n > 0 {
		p.group("Handoffs", n)
		for i := n - 1; i >= 0; i-- {
			h := &b.Handoffs[i]
			p.fact(dot, h.Session, p.day(h.Ended))
			if ratio := ratioWord(h); ratio != "" {
				p.para(beadTextAt, none, render.Muted, "grounding ratio "+ratio)
			}
			for _, ref := range []string{h.Notes, h.Trajectory} {
				if ref != "" {
					p.para(beadTextAt, none, render.Muted, ref)
				}
			}
		}
	}
	if n := len(b.Scenarios); n > 0 {
		p.group("Test scenarios", n)
		for _, s := range b.Scenarios {
			p.fact(dot, s.Name, strings.ReplaceAll(s.Type, "_", " "))
			p.para(beadTextAt, none, render.Muted, s.Expected)
		}
	}
	for _, list := range []struct {
		name  string
		glyph render.Span
		texts []string
	}{
		{"Next steps", dot, b.Next},
		{"Blockers", render.Span{Ink: render.Warn, Text: "△"}, b.Blockers},
		{"Questions", render.Span{Ink: render.Urgent, Text: "?"}, b.Questions},
	} {
		if len(list.texts) > 0 {
			p.group(list.name, len(list.texts))
			for _, text := range list.texts {
				p.para(beadTextAt, list.glyph, render.Text, text)
			}
		}
	}
	p.comments(b)
	return p.b.String()
}

// beadFacts returns the facts below a bead's title.
func beadFacts(env *place.Env, b *beads.Bead, group string) []string {
	facts := []string{strings.ReplaceAll(group, "-", " ")}
	if status := strings.ReplaceAll(b.Status, "_", " "); status != facts[0] && status != "" && group != "deleted" {
		facts = append(facts, status)
	}
	facts = append(facts, "P"+strconv.Itoa(b.Priority))
	if b.Type != "" {
		facts = append(facts, b.Type)
	}
	if b.Assignee != "" {
		facts = append(facts, "of "+b.Assignee)
	}
	for _, t := range []struct {
		what string
		at   time.Time
	}{{"made ", b.Created}, {"changed ", b.Updated}, {"closed ", b.Closed}, {"not before ", b.Defer}} {
		if !t.at.IsZero() {
			facts = append(facts, t.what+words.Moment(env.Now(), t.at))
		}
	}
	return append(facts, b.Labels...)
}

// dependencies adds the beads that b depends on, and those that depend on b.
func (p *beadPage) dependencies(l *beadsLook, b *beads.Bead) {
	waiting := map[string]bool{}
	for _, id := range waits(l, b) {
		waiting[id] = true
	}
	ids := 0
	for _, dep := range b.Deps {
		ids = max(ids, min(ansi.StringWidth(out.CleanPath(dep.On)), beadIDs))
	}
	if len(b.Deps) > 0 {
		p.group("Depends on", len(b.Deps))
	}
	for _, dep := range b.Deps {
		glyph, title, status := render.Span{Ink: render.Faint, Text: "·"}, "not here", ""
		if on, ok := l.Find(dep.On); ok {
			title, status = on.Title, strings.ReplaceAll(on.Status, "_", " ")
		}
		switch {
		case status == "closed":
			glyph = render.Span{Ink: render.Good, Text: "✓"}
		case waiting[dep.On]:
			glyph = render.Span{Ink: render.Warn, Text: "△"}
		}
		p.other(glyph, dep.On, ids, title, strings.Trim(dep.Type+", "+status, ", "))
	}
	var others []*beads.Bead
	var kinds []string
	for i := range l.Beads {
		for _, dep := range l.Beads[i].Deps {
			if dep.On == b.ID && l.Beads[i].ID != b.ID {
				others, kinds = append(others, &l.Beads[i]), append(kinds, dep.Type)
				ids = max(ids, min(ansi.StringWidth(out.CleanPath(l.Beads[i].ID)), beadIDs))
			}
		}
	}
	if len(others) > 0 {
		p.group("Needed by", len(others))
	}
	for i, other := range others {
		p.other(render.Span{Ink: render.Faint, Text: "·"}, other.ID, ids, other.Title, kinds[i]+", "+strings.ReplaceAll(other.Status, "_", " "))
	}
}

func (p *beadPage) decision(d *beads.Decision) {
	none := render.Span{}
	first, rest, _ := strings.Cut(strings.TrimSpace(d.Text), "\n")
	if right := p.day(d.At); ansi.StringWidth(transcript.CleanLine(first))+2+ansi.StringWidth(right)+2 > p.width {
		rest = d.Text
		p.fact(render.Span{Ink: render.Faint, Text: "·"}, right, "")
	} else {
		p.fact(render.Span{Ink: render.Faint, Text: "·"}, first, right)
	}
	if strings.TrimSpace(rest) != "" {
		p.para(beadTextAt, none, render.Text, rest)
	}
	if d.Rationale != "" {
		p.para(beadTextAt, none, render.Muted, d.Rationale)
	}
	for _, e := range d.Evidence {
		at := e.Path
		if e.Line > 0 {
			at += ":" + strconv.Itoa(e.Line)
		}
		p.para(beadTextAt, none, render.Muted, at)
		if e.Quote != "" {
			p.para(2+2, none, render.Code, e.Quote)
		}
	}
}

// comments adds the comments of a bead that are in no other group.
func (p *beadPage) comments(b *beads.Bead) {
	n := 0
	for i := range b.Comments {
		if !b.Comments[i].Entry() {
			n++
		}
	}
	if n == 0 {
		return
	}
	p.group("Comments", n)
	for i := range b.Comments {
		if c := &b.Comments[i]; !c.Entry() {
			p.fact(render.Span{Ink: render.Faint, Text: "·"}, c.Author, p.day(c.At))
			p.para(beadTextAt, render.Span{}, render.Text, c.Text)
		}
	}
}
