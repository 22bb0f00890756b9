package gateview

import (
	"strings"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render/ledgerlines"
	"github.com/continuo-tui/continuo/tui/screen"
)

// enter applies the fix of the selected finding, or opens its file. On a step, it folds or unfolds the step.
func (p *Page) enter() []screen.Effect {
	if !p.list.IsSeen() {
		p.list.Reveal()
		return nil
	}
	f := p.finding()
	switch {
	case f == nil:
		p.fold()
	case p.canApply(f):
		finding := *f
		return []screen.Effect{screen.Ask{Change: screen.Change{Kind: screen.ChangeEvidence, Dir: p.opts.Dir, Finding: &finding}}}
	default:
		return p.edit()
	}
	return nil
}

func (p *Page) canApply(f *gate.Finding) bool { return p.opts.CanChange && ledgerlines.CanFix(f) }

// canEnter reports whether the key enter works now.
func (p *Page) canEnter() bool {
	f, s := p.finding(), p.step()
	switch {
	case s == nil:
		return false
	case f == nil:
		return len(s.Findings) > 0
	}
	return p.canApply(f) || f.File != "" && p.opts.CanEdit
}

func (p *Page) enterWord() string {
	switch f := p.finding(); {
	case f == nil:
		return "show the findings"
	case p.canApply(f):
		return "apply the fix"
	default:
		return "open " + ledgerlines.GatePlace(f)
	}
}

// isEnterEdit reports whether the key enter does the same as the key e.
func (p *Page) isEnterEdit() bool {
	f := p.finding()
	return f != nil && !p.canApply(f)
}

func (p *Page) whyNotFix() string {
	if f := p.finding(); f != nil && p.canApply(f) {
		return p.frame.Busy
	}
	return ""
}

// hasPlace reports whether the selected finding has a file.
func (p *Page) hasPlace() bool {
	f := p.finding()
	return f != nil && f.File != ""
}

// edit opens the selected finding in the editor. Then the gate runs again.
func (p *Page) edit() []screen.Effect {
	f := p.finding()
	if f == nil || f.File == "" || !p.opts.CanEdit {
		return nil
	}
	var row sessions.Row // without a row, paths are relative to the project
	row.Project, row.Workdir = p.opts.Dir, p.opts.Dir
	return []screen.Effect{screen.Edit{Row: row, File: f.File, Line: max(f.Line, 1)}}
}

func (p *Page) editMore() string {
	// On a narrow screen, the place of the finding would leave no room for other keys.
	if f := p.finding(); f != nil && p.frame.Width >= screen.PreviewFrom {
		return " " + ledgerlines.GatePlace(f)
	}
	return ""
}

func (p *Page) hasFindings() bool {
	s := p.step()
	return s != nil && len(s.Findings) > 0
}

// handOff opens the handover. If the simplified gate hasn't passed, it opens the full gate.
func (p *Page) handOff() []screen.Effect {
	if p.offersFull() {
		return []screen.Effect{screen.Gate{Dir: p.opts.Dir, Mode: gate.Full, Of: p.opts.Of}}
	}
	report := *p.report
	return []screen.Effect{screen.HandOver{Dir: p.opts.Dir, Of: p.opts.Of, Gate: &report}}
}

// offersFull reports whether the key c opens the full gate.
func (p *Page) offersFull() bool {
	return p.opts.Mode == gate.Simplified && (p.running || p.err != nil || p.report == nil || p.report.Verdict != gate.Passed)
}

// noHandOffReason returns the reason why no handover can be written, or "".
func (p *Page) noHandOffReason() string {
	switch {
	case p.offersFull():
		return ""
	case p.running:
		return "the gate is running"
	case p.report == nil || p.err != nil:
		return "the gate has not run"
	case p.report.Verdict == gate.Rejected:
		return "gate failed"
	case p.report.Verdict == gate.Unsure && p.report.Enforcement == ledger.Strict:
		return "gate could not be checked"
	}
	return p.frame.Busy
}

// canHandOff reports whether the key c works. Then the footer lists c before esc.
func (p *Page) canHandOff() bool { return p.opts.CanChange && p.noHandOffReason() == "" }

func (p *Page) handOffWord() string {
	if p.offersFull() {
		return "full gate"
	}
	return ""
}

// handOffMore returns a note about steps that weren't checked but don't prevent a handover.
func (p *Page) handOffMore() string {
	r := p.report
	switch {
	case p.frame.Width < screen.PreviewFrom: // the verdict already says so
	case p.opts.Mode != gate.Full || r == nil:
	case r.Verdict == gate.Unsure:
		return " (some steps were not checked)"
	case r.Count(gate.Warning) > 0:
		return " (" + words.Counted(r.Count(gate.Warning), "warning", "warnings") + ")"
	}
	return ""
}

// copy copies the selected step or finding to the clipboard.
func (p *Page) copy() []screen.Effect {
	s := p.step()
	if s == nil {
		return nil
	}
	name, parts := "the step", []string{strings.TrimSpace(s.Name + "  " + s.Figure), s.Note}
	if f := p.finding(); f != nil && p.blocks[p.list.At].finding >= 0 {
		name, parts = "the finding", []string{f.Title, strings.TrimSpace(f.Ref + "  " + f.What), f.Fix, ledgerlines.GatePlace(f)}
	} else {
		parts = append(parts, s.More...)
	}
	var lines []string
	for _, text := range parts {
		if text = transcript.CleanLine(text); text != "" {
			lines = append(lines, text)
		}
	}
	return []screen.Effect{screen.Copy{Name: name, Text: strings.Join(lines, "\n")}}
}

// Subject implements screen.Screen.
func (p *Page) Subject() screen.Subject { return screen.Subject{Dir: p.opts.Dir} }

// Name implements screen.Screen.
func (p *Page) Name() string { return "Gate" }

// Close implements screen.Screen.
func (p *Page) Close() []screen.Effect {
	p.cancel()
	return nil
}

// Wheel implements screen.Screen.
func (p *Page) Wheel(_, _, rows int) []screen.Effect {
	p.list.Scroll(rows)
	return nil
}

// Click implements screen.Screen. A click selects a block, and a second click does what enter does.
func (p *Page) Click(x, y int) []screen.Effect {
	body := p.frame.Layout.Body
	if !body.Has(x, y) || p.report == nil || p.err != nil {
		return nil
	}
	i := p.list.Item(y - body.Y)
	if i < 0 || !p.blocks[i].isStop() {
		return nil
	}
	if i == p.list.At && p.canEnter() && p.whyNotFix() == "" {
		return p.enter()
	}
	p.list.Choose(i)
	p.list.Reveal()
	return nil
}
