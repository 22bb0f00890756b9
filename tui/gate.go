package tui

import (
	"context"
	"time"

	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
)

// gatePage is the gate of one project on the screen: its steps, and below them what each holds against the ledger. A run
// comes as a whole from Ledgers; the bar stands on a step or on a finding, which is known by what it says, not by its
// line: it stays where it is when the gate is run again.
type gatePage struct {
	dir    string
	mode   gate.Mode
	of     []sessions.Row  // the session that a handoff would be of
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
	blocks  []gateBlock
	sel     gateKey
	sat     int // its block
	touched bool
	win     window
	lines   [][]string // drawn, by block; nil not yet
	foot    []string
	look    gateLook
	styles  *render.Styles
	now     time.Time
	drew    int // blocks that were drawn so far; a test counts them
}

// gateKey is by what a step or a finding is known.
type gateKey struct {
	step             int // its number
	title, ref, what string
	line             int // 0: the step itself
}

// gateLook is what the lines depend on besides the report.
type gateLook struct {
	width, rows int
	blanks      bool
	theme       render.Theme
	day         int
}

// gateBlock is a step, a finding of it, or what stands under its findings.
type gateBlock struct {
	step, finding int // indexes; finding -1: the step, -2: what stands under its findings
	gap, rail     bool
}

// footFrom is how many rows a body has from which the verdict has more than one of them.
const footFrom = 12

const (
	gateStep = -1
	gateTail = -2
)

func (b *gateBlock) isStop() bool { return b.finding != gateTail }

// key is by what a block is known.
func (p *gatePage) key(i int) gateKey {
	b := &p.blocks[i]
	s := &p.report.Steps[b.step]
	if b.finding < 0 {
		return gateKey{step: s.N}
	}
	f := &s.Findings[b.finding]
	return gateKey{step: s.N, title: f.Title, ref: f.Ref, what: f.What, line: f.Line + 1}
}

// isFolded reports whether the findings of a step are not shown: those of one that does not hold are, unless the person
// says otherwise.
func (p *gatePage) isFolded(s *gate.Step) bool {
	if folded, ok := p.folds[s.N]; ok {
		return folded
	}
	return s.Status == gate.Pass || s.Status == gate.Off
}

// arrived takes a run in. What is shown stands while a later one fails.
func (p *gatePage) arrived(msg gateMsg) {
	p.running, p.slow, p.elapsed = false, false, 0
	p.took, p.at = msg.took, msg.at
	if p.err = msg.err; msg.err == nil {
		report := msg.report
		p.report = &report
	}
	p.look = gateLook{} // list it again
}

// build lists the blocks, when the report or the look is another one.
func (p *gatePage) build(look gateLook, st *render.Styles, now time.Time) {
	p.styles, p.now = st, now
	if p.report == nil || look.width <= 0 || p.look == look && p.blocks != nil {
		return
	}
	sized := p.look.width != look.width || p.look.rows != look.rows
	p.look, p.blocks = look, nil
	for i := range p.report.Steps {
		s := &p.report.Steps[i]
		p.blocks = append(p.blocks, gateBlock{step: i, finding: gateStep, gap: look.blanks && i > 0})
		if len(s.Findings) == 0 || p.isFolded(s) {
			continue
		}
		for k := range s.Findings {
			p.blocks = append(p.blocks, gateBlock{step: i, finding: k, gap: look.blanks, rail: k > 0})
		}
		if s.Left > 0 || len(s.More) > 0 {
			p.blocks = append(p.blocks, gateBlock{step: i, finding: gateTail, gap: look.blanks, rail: true})
		}
	}
	p.lines = make([][]string, len(p.blocks))
	o := p.options()
	if o.Most = 3; look.rows < footFrom {
		o.Most = 1
	}
	p.foot = render.GateVerdictLines(p.report, "Nothing was written.", o)
	p.place()
	p.win.fit(len(p.blocks), p.rows(), p.heights())
	if sized || !p.touched {
		p.reveal()
	}
}

// place puts the bar on what it stood on: else on the same step, and at first on the first step that does not hold.
func (p *gatePage) place() {
	was := p.sat
	p.sat = -1
	same := -1
	for i := range p.blocks {
		if !p.blocks[i].isStop() || !p.touched {
			continue
		}
		switch k := p.key(i); {
		case k == p.sel:
			p.choose(i)
			return
		case k.step == p.sel.step && (same < 0 || i <= was):
			same = i
		}
	}
	if p.sat = same; same < 0 {
		p.sat = p.firstFailing()
	}
	p.sel = gateKey{}
	if p.sat >= 0 {
		p.sel = p.key(p.sat)
	}
}

// firstFailing is the block of the first step that does not hold: one that blocks before one that does not.
func (p *gatePage) firstFailing() int {
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
		if b := &p.blocks[i]; b.finding == gateStep && rank(&p.report.Steps[b.step]) > most {
			best, most = i, rank(&p.report.Steps[b.step])
		}
	}
	return best
}

// choose puts the bar on a block.
func (p *gatePage) choose(i int) {
	p.sat, p.sel, p.touched = i, p.key(i), true
}

// step is that of what is under the bar, nil: nothing is.
func (p *gatePage) step() *gate.Step {
	if p.report == nil || p.sat < 0 || p.sat >= len(p.blocks) {
		return nil
	}
	return &p.report.Steps[p.blocks[p.sat].step]
}

// finding is what the keys are about: the finding under the bar, the first of an open step, nil none.
func (p *gatePage) finding() *gate.Finding {
	s := p.step()
	switch {
	case s == nil || len(s.Findings) == 0:
		return nil
	case p.blocks[p.sat].finding >= 0:
		return &s.Findings[p.blocks[p.sat].finding]
	case p.isFolded(s):
		return nil
	}
	return &s.Findings[0]
}

// fold folds the step under the bar, or opens it; the bar goes to the step.
func (p *gatePage) fold() {
	s := p.step()
	if s == nil {
		return
	}
	if p.folds == nil {
		p.folds = map[int]bool{}
	}
	p.folds[s.N] = !p.isFolded(s)
	p.sel, p.touched = gateKey{step: s.N}, true
	p.relist()
	p.reveal()
}

// relist lists the blocks again.
func (p *gatePage) relist() {
	look := p.look
	p.look = gateLook{width: look.width, rows: look.rows}
	p.blocks = nil
	p.build(look, p.styles, p.now)
}
