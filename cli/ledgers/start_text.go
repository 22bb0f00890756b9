package ledgers

import (
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/ledgerlines"
)

const (
	startAt      = 2 // column of the text
	startReadyOf = 5 // ready beads
	startMost    = 3 // next steps of a bead; also blockers and questions
	startHolding = 6 // correct identifiers; broken ones have no limit
)

// startDrawn draws the start page.
type startDrawn struct {
	p     *survey.Start
	st    *render.Styles
	width int
	b     strings.Builder
}

// StartText formats the start page: a group for each step, then the reasons for empty steps.
func StartText(env *place.Env, o *out.Output, p *survey.Start) string {
	w := &startDrawn{p: p, st: o.Out.Styles, width: o.Out.Page()}
	root := p.Ledger.Project.Root
	head := render.NewLine(w.st, w.width).Put(render.Strong, place.BaseName(root))
	where := env.Tilde(root)
	if branch := sessions.Branch(root); branch != "" {
		where += " on " + out.OneLine(branch)
	}
	if head.At()+2+ansi.StringWidth(where) <= w.width {
		head.Right(w.width, render.Span{Ink: render.Muted, Text: where})
	}
	w.put(head)
	for i := range p.Steps {
		s := &p.Steps[i]
		if !s.OK {
			continue
		}
		switch s.Name {
		case survey.StepReady:
			w.group(s, "Ready", words.Count(len(p.Ready)))
			w.ready()
		case survey.StepBead:
			w.group(s, "Bead", "")
			w.bead(p.Bead)
		case survey.StepRecovery:
			w.group(s, "Recovery", "level "+LevelName(p.Result.Level)+", "+words.Counted(p.Result.Tokens, "token", "tokens"))
			w.recovery()
		case survey.StepIdentifiers:
			w.group(s, "Identifiers", words.Count(len(p.Checked)-p.Bad)+" of "+words.Count(len(p.Checked))+" correct")
			w.identifiers()
		case survey.StepState:
			if p.Result.Level == recovery.All || strings.Contains(transcript.CleanLine(p.Result.Text), p.State) {
				continue // the recovery shows it
			}
			w.group(s, "Reasoning state", "")
			w.text(render.Text, p.State)
		}
	}
	w.truth()
	w.reasons()
	next := "next  continuo recover 2"
	switch {
	case len(p.Ledger.Missing) > 0:
		next = "next  " + healHint
	case p.Result.Level == recovery.Topic:
		next = "next  continuo recover 3"
	}
	w.b.WriteString("\n" + w.st.Paint(render.Faint, next) + "\n")
	return w.b.String()
}

func (w *startDrawn) put(l *render.Line) {
	w.b.WriteString(strings.TrimRight(l.String(), " ") + "\n")
}

// group adds a heading, with the step's source at the right edge.
func (w *startDrawn) group(s *survey.StartStep, title, note string) {
	l := render.NewLine(w.st, w.width).Put(render.Heading, title)
	if note != "" {
		l.Put(render.Muted, "  "+note)
	}
	if l.At()+2+ansi.StringWidth(s.Source) <= w.width {
		l.Right(w.width, render.Span{Ink: render.Faint, Text: s.Source})
	}
	w.b.WriteString("\n")
	w.put(l)
}

// truth adds the disagreements between sources.
func (w *startDrawn) truth() {
	r := &w.p.Ledger.Truth
	if len(r.List) == 0 {
		return
	}
	w.b.WriteString("\n")
	w.put(render.NewLine(w.st, w.width).Put(render.Heading, "Disagreements").Put(render.Muted, "  the first source wins"))
	w.b.WriteString(out.Page(ledgerlines.TruthLines(r, w.st, w.width)))
}

// text adds a text from a file, cleaned and wrapped.
func (w *startDrawn) text(ink render.Ink, text string) {
	for _, line := range render.Wrap(transcript.CleanLine(text), max(w.width-startAt, 1)) {
		w.put(render.NewLine(w.st, w.width).To(startAt).Put(ink, line))
	}
}

// labeled adds a label and a text.
func (w *startDrawn) labeled(label, text string) {
	at := startAt + 10
	for i, line := range render.Wrap(transcript.CleanLine(text), max(w.width-at, 1)) {
		l := render.NewLine(w.st, w.width).To(startAt)
		if i == 0 {
			l.Put(render.Muted, label)
		}
		w.put(l.To(at).Put(render.Text, line))
	}
}

// beadLine adds the title, status, priority and ID of a bead.
func (w *startDrawn) beadLine(b *beads.Bead) {
	facts := "P" + strconv.Itoa(b.Priority) + "  "
	switch {
	case b.Status == "": // only the ID is known
		facts = ""
	case b.Status != "open":
		facts = strings.NewReplacer("_", " ", "-", " ").Replace(transcript.CleanLine(b.Status)) + "  " + facts
	}
	id := transcript.CleanLine(b.ID)
	until := max(w.width-2-ansi.StringWidth(facts+id), startAt+1)
	l := render.NewLine(w.st, w.width).Put(render.Faint, "·").To(startAt).PutUntil(render.Text, transcript.CleanLine(b.Title), until)
	w.put(l.Right(w.width, render.Span{Ink: render.Muted, Text: facts}, render.Span{Ink: render.Faint, Text: id}))
}

func (w *startDrawn) ready() {
	for i := range w.p.Ready[:min(len(w.p.Ready), startReadyOf)] {
		w.beadLine(&w.p.Ready[i])
	}
	if more := len(w.p.Ready) - startReadyOf; more > 0 {
		w.text(render.Faint, "… "+words.Count(more)+" more")
	}
}

// bead adds the bead in progress, with its last handoff.
func (w *startDrawn) bead(b *beads.Bead) {
	w.beadLine(b)
	list := func(label string, texts []string) {
		for i, text := range texts[:min(len(texts), startMost)] {
			if i > 0 {
				label = ""
			}
			w.labeled(label, text)
		}
	}
	list("next", b.Next)
	list("blocker", b.Blockers)
	if g := w.p.Ledger.Beads; g != nil {
		list("waits for", g.WaitsFor(b))
	}
	list("question", b.Questions)
	if n := len(b.Handoffs); n > 0 && b.Handoffs[n-1].Notes != "" {
		w.labeled("handoff", b.Handoffs[n-1].Notes)
	}
}

// recovery adds the recovered text.
func (w *startDrawn) recovery() {
	r := &w.p.Result
	for line := range strings.Lines(transcript.Clean(r.Text)) {
		line = strings.ReplaceAll(strings.TrimRight(line, " \t\n"), "\t", "    ")
		for _, part := range render.Wrap(line, max(w.width-startAt, 1)) {
			w.put(render.NewLine(w.st, w.width).To(startAt).Put(render.Text, part))
		}
	}
	if left := ledgerlines.LeftOut(r); left != "" {
		w.text(render.Faint, left)
	}
}

// identifiers adds all broken identifiers, and some of the correct ones.
func (w *startDrawn) identifiers() {
	holding := 0
	for _, bad := range []bool{true, false} {
		for i := range w.p.Checked {
			c := &w.p.Checked[i]
			if c.Bad() != bad {
				continue
			}
			if holding++; !bad && holding-w.p.Bad > startHolding {
				continue
			}
			glyph, words := ledgerlines.CheckSpans(c.Check)
			until := max(w.width-2-ansi.StringWidth(words.Text), startAt+1)
			place := ledgerlines.RefText(c.Ref)
			w.put(render.NewLine(w.st, w.width).Spans(glyph).To(startAt).PutUntil(render.Text, place, until).Right(w.width, words))
		}
	}
	if more := len(w.p.Checked) - w.p.Bad - startHolding; more > 0 {
		w.text(render.Faint, "… "+words.Count(more)+" more are correct")
	}
}

// reasons adds the reasons for empty steps and fallbacks. Steps with the same reason share a line. Then it adds
// the missing parts of the ledger.
func (w *startDrawn) reasons() {
	type reason struct{ steps, why string }
	var list []reason
	for i := range w.p.Steps {
		s := &w.p.Steps[i]
		if s.Why == "" || s.OK && s.Name == survey.StepIdentifiers {
			continue
		}
		if at := slices.IndexFunc(list, func(r reason) bool { return r.why == s.Why }); at >= 0 {
			list[at].steps += ", " + s.Name
			continue
		}
		list = append(list, reason{s.Name, s.Why})
	}
	for _, missing := range w.p.Ledger.Missing {
		list = append(list, reason{"ledger", missing})
	}
	for i, r := range list {
		if i == 0 {
			w.b.WriteString("\n")
		}
		for j, text := range render.Wrap(r.steps+": "+r.why, max(w.width-startAt, 1)) {
			l := render.NewLine(w.st, w.width)
			if j == 0 {
				l.Put(render.Warn, "△")
			}
			w.put(l.To(startAt).Put(render.Muted, text))
		}
	}
}

// identifierNote says what is wrong with an identifier, or "".
func identifierNote(c *ledger.Check) string {
	if !c.Bad() {
		return ""
	}
	_, words := ledgerlines.CheckSpans(*c)
	return words.Text
}
