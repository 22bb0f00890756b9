// Package gateview shows the gate of one project: its steps, and below them what each holds against the ledger.
package gateview

import (
	"context"
	"time"

	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/blocks"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/ledgerlines"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Options say which gate is shown, and what there is to run it with.
type Options struct {
	Context   context.Context // of the program
	Gates     Gates
	Now       func() time.Time
	Dir       string // of the project
	Mode      gate.Mode
	Of        []sessions.Row // the session that a handoff would be of; none: the newest of the project
	CanChange bool
	CanEdit   bool
}

// Page is the gate of a project on the screen. A run comes as a whole from Gates; the bar stands on a step or on a
// finding, which is known by what it says, not by its line: it stays where it is when the gate is run again.
type Page struct {
	opts   Options
	ctx    context.Context // of the run that is on its way, or of the last
	cancel context.CancelFunc

	gen     int // of the run
	running bool
	slow    bool          // it takes long enough to say so
	began   time.Time     // when the run began, as its first clock says; zero: that has not come
	elapsed time.Duration // of it, as far as was told

	report *gate.Report // of the last run that ended well; nil: none has
	err    error        // of the last run
	took   time.Duration
	at     time.Time // when it ended

	folds   map[int]bool // steps that the person folded or opened, by number: whether they are folded
	blocks  []block
	sel     key
	touched bool
	list    blocks.List
	lines   [][]string // drawn, by block; nil not yet
	foot    []string
	look    look
	frame   screen.Frame
	drew    int // blocks that were drawn so far; a test counts them
}

// New is the page of a gate.
func New(opts Options) *Page {
	p := &Page{opts: opts}
	p.list = blocks.List{Items: items{p}, At: -1, Rows: 1}
	return p
}

// Open implements screen.Screen: the gate is run.
func (p *Page) Open() []screen.Effect { return p.start() }

// key is by what a step or a finding is known.
type key struct {
	step             int // its number
	title, ref, what string
	line             int // 0: the step itself
}

// look is what the lines depend on besides the report.
type look struct {
	width, rows int
	blanks      bool
	theme       render.Theme
	day         int
}

// block is a step, a finding of it, or what stands under its findings.
type block struct {
	step, finding int // indexes; finding -1: the step, -2: what stands under its findings
	gap, rail     bool
}

// footFrom is how many rows a body has from which the verdict has more than one of them.
const footFrom = 12

const (
	stepItself = -1
	stepTail   = -2
)

func (b *block) isStop() bool { return b.finding != stepTail }

// keyOf is by what a block is known.
func (p *Page) keyOf(i int) key {
	b := &p.blocks[i]
	s := &p.report.Steps[b.step]
	if b.finding < 0 {
		return key{step: s.N}
	}
	f := &s.Findings[b.finding]
	return key{step: s.N, title: f.Title, ref: f.Ref, what: f.What, line: f.Line + 1}
}

// isFolded reports whether the findings of a step are not shown: those of one that does not hold are, unless the person
// says otherwise.
func (p *Page) isFolded(s *gate.Step) bool {
	if folded, ok := p.folds[s.N]; ok {
		return folded
	}
	return s.Status == gate.Pass || s.Status == gate.Off
}

// arrived takes a run in. What is shown stands while a later one fails.
func (p *Page) arrived(msg ranMsg) {
	p.running, p.slow, p.elapsed = false, false, 0
	p.took, p.at = msg.took, msg.at
	if p.err = msg.err; msg.err == nil {
		report := msg.report
		p.report = &report
	}
	p.look = look{} // list it again
}

// build lists the blocks, when the report or the look is another one.
func (p *Page) build(l look) {
	if p.report == nil || l.width <= 0 || p.look == l && p.blocks != nil {
		return
	}
	sized := p.look.width != l.width || p.look.rows != l.rows
	p.look, p.blocks = l, nil
	for i := range p.report.Steps {
		s := &p.report.Steps[i]
		p.blocks = append(p.blocks, block{step: i, finding: stepItself, gap: l.blanks && i > 0})
		if len(s.Findings) == 0 || p.isFolded(s) {
			continue
		}
		for k := range s.Findings {
			p.blocks = append(p.blocks, block{step: i, finding: k, gap: l.blanks, rail: k > 0})
		}
		if s.Left > 0 || len(s.More) > 0 {
			p.blocks = append(p.blocks, block{step: i, finding: stepTail, gap: l.blanks, rail: true})
		}
	}
	p.lines = make([][]string, len(p.blocks))
	o := p.options()
	if o.Most = 3; l.rows < footFrom {
		o.Most = 1
	}
	p.foot = ledgerlines.GateVerdictLines(p.report, "Nothing was written.", o)
	p.list.Rows = p.rows()
	p.place()
	p.list.Fit()
	if sized || !p.touched {
		p.list.Reveal()
	}
}

// place puts the bar on what it stood on: else on the same step, and at first on the first step that does not hold.
func (p *Page) place() {
	was := p.list.At
	p.list.At = -1
	same := -1
	for i := range p.blocks {
		if !p.blocks[i].isStop() || !p.touched {
			continue
		}
		switch k := p.keyOf(i); {
		case k == p.sel:
			p.list.Choose(i)
			return
		case k.step == p.sel.step && (same < 0 || i <= was):
			same = i
		}
	}
	if p.list.At = same; same < 0 {
		p.list.At = p.firstFailing()
	}
	p.sel = key{}
	if p.list.At >= 0 {
		p.sel = p.keyOf(p.list.At)
	}
}

// firstFailing is the block of the first step that does not hold: one that blocks before one that does not.
func (p *Page) firstFailing() int {
	best := min(0, len(p.blocks)-1)
	rank := func(s *gate.Step) int {
		switch s.Status {
		case gate.Fail:
			return 3
		case gate.Unknown:
			return 2
		case gate.Warning:
			return 1
		case gate.Pass, gate.Off:
		}
		return 0
	}
	most := 0
	for i := range p.blocks {
		if b := &p.blocks[i]; b.finding == stepItself && rank(&p.report.Steps[b.step]) > most {
			best, most = i, rank(&p.report.Steps[b.step])
		}
	}
	return best
}

// items are the blocks as a list with a bar.
type items struct{ *Page }

func (p items) Len() int         { return len(p.blocks) }
func (p items) Stops(i int) bool { return p.blocks[i].isStop() }
func (p items) Height(i int) int { return p.height(i) }
func (p items) Chosen(i int)     { p.sel, p.touched = p.keyOf(i), true }

// step is that of what is under the bar, nil: nothing is.
func (p *Page) step() *gate.Step {
	if p.report == nil || p.list.At < 0 || p.list.At >= len(p.blocks) {
		return nil
	}
	return &p.report.Steps[p.blocks[p.list.At].step]
}

// Bar is the step that the bar stands on, by its number, and the finding of it, nil: the step itself.
func (p *Page) Bar() (step int, finding *gate.Finding) {
	s := p.step()
	if s == nil {
		return 0, nil
	}
	if i := p.blocks[p.list.At].finding; i >= 0 {
		finding = &s.Findings[i]
	}
	return s.N, finding
}

// finding is what the keys are about: the finding under the bar, the first of an open step, nil none.
func (p *Page) finding() *gate.Finding {
	s := p.step()
	switch {
	case s == nil || len(s.Findings) == 0:
		return nil
	case p.blocks[p.list.At].finding >= 0:
		return &s.Findings[p.blocks[p.list.At].finding]
	case p.isFolded(s):
		return nil
	}
	return &s.Findings[0]
}

// fold folds the step under the bar, or opens it; the bar goes to the step.
func (p *Page) fold() {
	s := p.step()
	if s == nil {
		return
	}
	if p.folds == nil {
		p.folds = map[int]bool{}
	}
	p.folds[s.N] = !p.isFolded(s)
	p.sel, p.touched = key{step: s.N}, true
	p.relist()
	p.list.Reveal()
}

// relist lists the blocks again.
func (p *Page) relist() {
	l := p.look
	p.look, p.blocks = look{width: l.width, rows: l.rows}, nil
	p.build(l)
}
