// Package gateview shows the gate of a project: its steps and their findings.
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

// Options configure the page.
type Options struct {
	Context   context.Context // ends with the program
	Gates     Gates
	Now       func() time.Time
	Dir       string // project
	Mode      gate.Mode
	Of        []sessions.Row // the session to hand off; if empty, the project's newest one
	CanChange bool
	CanEdit   bool
}

// Page is the screen of a gate. When the gate runs again, the bar stays on the step or finding with the same text.
type Page struct {
	opts   Options
	ctx    context.Context // context of the current or last run
	cancel context.CancelFunc

	gen     int // generation of the run
	running bool
	slow    bool          // the run has taken long enough to show its time
	began   time.Time     // when the run began; zero before its first clockMsg
	elapsed time.Duration // how long the run has taken so far

	report *gate.Report // report of the last successful run, or nil
	err    error        // error of the last run
	took   time.Duration
	at     time.Time // when the run ended

	folds   map[int]bool // by step: folded (true) or unfolded (false) by the user
	blocks  []block
	sel     key
	touched bool
	list    blocks.List
	lines   [][]string // drawn lines of each block, or nil
	foot    []string
	look    look
	frame   screen.Frame
	drew    int // number of times a block was drawn; for a test
}

// New returns the page of a gate.
func New(opts Options) *Page {
	p := &Page{opts: opts}
	p.list = blocks.List{Items: items{p}, At: -1, Rows: 1}
	return p
}

// Open implements screen.Screen. It runs the gate.
func (p *Page) Open() []screen.Effect { return p.start() }

// key identifies a step or a finding.
type key struct {
	step             int // number of the step
	title, ref, what string
	line             int // 0 for the step itself
}

// look has what the drawn lines depend on, besides the report.
type look struct {
	width, rows int
	blanks      bool
	theme       render.Theme
	day         int
}

// block is a step, a finding, or the lines after the findings of a step.
type block struct {
	step, finding int // indexes; finding can be stepItself or stepTail
	gap, rail     bool
}

// footFrom is the minimum height of the body, in rows, for a verdict of several rows.
const footFrom = 12

const (
	stepItself = -1
	stepTail   = -2
)

func (b *block) isStop() bool { return b.finding != stepTail }

func (p *Page) keyOf(i int) key {
	b := &p.blocks[i]
	s := &p.report.Steps[b.step]
	if b.finding < 0 {
		return key{step: s.N}
	}
	f := &s.Findings[b.finding]
	return key{step: s.N, title: f.Title, ref: f.Ref, what: f.What, line: f.Line + 1}
}

// isFolded reports whether the findings of a step are hidden. Passed steps and steps that are off are folded by
// default.
func (p *Page) isFolded(s *gate.Step) bool {
	if folded, ok := p.folds[s.N]; ok {
		return folded
	}
	return s.Status == gate.Pass || s.Status == gate.Off
}

// arrived stores the result of a run. After a failed run, the previous report stays.
func (p *Page) arrived(msg ranMsg) {
	p.running, p.slow, p.elapsed = false, false, 0
	p.took, p.at = msg.took, msg.at
	if p.err = msg.err; msg.err == nil {
		report := msg.report
		p.report = &report
	}
	p.look = look{} // builds the blocks again
}

// build builds the blocks if the report or the look has changed.
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

// place puts the bar on the same block or its step. Until the user moves the bar, it is on the first failed step.
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

// firstFailing returns the block of the first step with the worst status: failed, not checked, warning. If all steps
// passed, it returns the first block.
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

// items implements blocks.Items.
type items struct{ *Page }

func (p items) Len() int         { return len(p.blocks) }
func (p items) Stops(i int) bool { return p.blocks[i].isStop() }
func (p items) Height(i int) int { return p.height(i) }
func (p items) Chosen(i int)     { p.sel, p.touched = p.keyOf(i), true }

// step returns the step of the selected block, or nil.
func (p *Page) step() *gate.Step {
	if p.report == nil || p.list.At < 0 || p.list.At >= len(p.blocks) {
		return nil
	}
	return &p.report.Steps[p.blocks[p.list.At].step]
}

// Bar returns the number of the selected step, and the selected finding or nil.
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

// finding returns the selected finding, the first finding of an unfolded step, or nil.
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

// fold folds or unfolds the step of the selected block, and moves the bar to the step.
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

// relist builds the blocks again.
func (p *Page) relist() {
	l := p.look
	p.look, p.blocks = look{width: l.width, rows: l.rows}, nil
	p.build(l)
}
