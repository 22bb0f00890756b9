package tui

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// openGate shows the gate of a project in front of what is there, and runs it. of is the session that a handoff would be of,
// none: the newest of the project.
func (m *model) openGate(dir string, mode gate.Mode, of []sessions.Row) tea.Cmd {
	if m.Ledgers == nil || dir == "" {
		return nil
	}
	m.dropGate()
	m.status = status{}
	m.gate = &gatePage{dir: dir, mode: mode, of: of, sat: -1}
	m.arrange()
	return m.askGate()
}

// askGate runs it. An older run is not wanted any more: what was there when it began may be mended by now.
func (m *model) askGate() tea.Cmd {
	p := m.gate
	if p.cancel != nil {
		p.cancel()
	}
	m.gateGen++
	p.gen, p.running, p.slow, p.elapsed, p.began = m.gateGen, true, false, 0, time.Time{}
	p.ctx, p.cancel = context.WithCancel(m.ctx)
	return tea.Batch(runGate(p.ctx, m.Ledgers, p.dir, p.ask(), m.opts.Now, p.gen), waitGate(p.ctx, m.opts.Now, p.gen))
}

// ask is what the page asks for.
func (p *gatePage) ask() GateAsk {
	ask := GateAsk{Full: p.mode == gate.Full}
	if len(p.of) == 1 && p.of[0].Kind == sessions.KindSession {
		ask.Session = p.of[0].ID
	}
	return ask
}

// gateAgain runs the gate that is shown again, after something may have been mended.
func (m *model) gateAgain() tea.Cmd {
	if m.gate == nil {
		return nil
	}
	return m.askGate()
}

// gated takes the message of a run in.
func (m *model) gated(msg tea.Msg) tea.Cmd {
	p := m.gate
	switch msg := msg.(type) {
	case gatesPassedMsg:
		m.gatesPassed(msg)
	case gateMsg:
		if p == nil || p.gen != msg.gen || !p.running {
			return nil
		}
		p.arrived(msg)
		if msg.at.After(m.now) {
			m.now = msg.at.In(m.zone)
		}
		m.drawGate()
	case gateClockMsg:
		if p == nil || p.gen != msg.gen || !p.running {
			return nil
		}
		if p.began.IsZero() {
			p.began = msg.now.Add(-quiet) // it is the first
		}
		p.slow, p.elapsed = true, msg.now.Sub(p.began)
		return tickGate(p.ctx, m.opts.Now, p.gen)
	}
	return nil
}

// dropGate forgets the gate.
func (m *model) dropGate() {
	if m.gate != nil {
		m.gate.cancel()
		m.gate = nil
	}
}

// leaveGate goes back to where the gate was opened.
func (m *model) leaveGate() tea.Cmd {
	m.dropGate()
	m.arrange()
	return m.ledgerAsIs()
}

// ledgerAsIs has the ledger looked at again that is shown: something of it may have been mended.
func (m *model) ledgerAsIs() tea.Cmd {
	if m.onLedger() {
		return m.askLedger()
	}
	return nil
}

// gateRow stands for the project: paths are below its folder.
func (m *model) gateRow() sessions.Row {
	var row sessions.Row
	row.Project, row.Workdir = m.gate.dir, m.gate.dir
	return row
}

// enterGate applies the fix of the finding under the bar, opens its place, or shows the findings of the step.
func (m *model) enterGate() tea.Cmd {
	p := m.gate
	if !p.isSeen() {
		p.reveal()
		return nil
	}
	f := p.finding()
	switch {
	case f == nil:
		p.fold()
	case m.canApply(f):
		finding := *f
		return m.change(Change{Kind: ChangeEvidence, Dir: p.dir, Finding: &finding})
	default:
		return m.editFinding()
	}
	return nil
}

func (m *model) canApply(f *gate.Finding) bool { return m.Changes != nil && render.CanFix(f) }

// canEnterGate reports whether enter does something.
func (m *model) canEnterGate() bool {
	p := m.gate
	f, s := p.finding(), p.step()
	switch {
	case s == nil:
		return false
	case f == nil:
		return len(s.Findings) > 0
	}
	return m.canApply(f) || f.File != "" && m.Actions != nil
}

func (m *model) enterGateWord() string {
	switch f := m.gate.finding(); {
	case f == nil:
		return "show the findings"
	case m.canApply(f):
		return "apply the fix"
	default:
		return "open " + render.GatePlace(f)
	}
}

// isEnterEdit reports whether enter does what e does.
func (m *model) isEnterEdit() bool {
	f := m.gate.finding()
	return f != nil && !m.canApply(f)
}

func (m *model) whyNotFix() string {
	if f := m.gate.finding(); f != nil && m.canApply(f) {
		return m.whyNotChange()
	}
	return ""
}

// canEditFinding reports whether the finding under the bar has a place.
func (m *model) canEditFinding() bool {
	f := m.gate.finding()
	return f != nil && f.File != ""
}

// editFinding opens the place of the finding under the bar in the editor. When that has ended, the gate is run again.
func (m *model) editFinding() tea.Cmd {
	f := m.gate.finding()
	if f == nil || f.File == "" || m.Actions == nil {
		return nil
	}
	return editFile(m.begin(), m.Actions, m.gateRow(), f.File, max(f.Line, 1), m.resumeGen)
}

func (m *model) editFindingMore() string {
	if f := m.gate.finding(); f != nil && m.width >= previewFrom { // else it would take the place of another key
		return " " + render.GatePlace(f)
	}
	return ""
}

// foldGate folds the step under the bar, or opens it.
func (m *model) foldGate() tea.Cmd {
	m.gate.fold()
	return nil
}

func (m *model) hasFindings() bool {
	s := m.gate.step()
	return s != nil && len(s.Findings) > 0
}

// handOff writes the record of the handoff; the simplified gate has none, and leads to the full one.
func (m *model) handOff() tea.Cmd {
	p := m.gate
	if p.mode == gate.Simplified {
		return m.openGate(p.dir, gate.Full, p.of)
	}
	report := *p.report
	return m.change(Change{Kind: ChangeHandoff, Rows: p.of, Dir: p.dir, Gate: &report})
}

// whyNotHandOff is the reason why no handoff can be written.
func (m *model) whyNotHandOff() string {
	p := m.gate
	switch {
	case p.mode == gate.Simplified:
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
	return m.whyNotChange()
}

// canHandOff reports whether a handoff can be written, or the full gate be run for one: then that is named first.
func (m *model) canHandOff() bool { return m.Changes != nil && m.whyNotHandOff() == "" }

func (m *model) cannotHandOff() bool { return !m.canHandOff() }

// saysNoHandOff reports whether the footer says why no handoff can be written, and saysNoHandOffLate whether it does behind
// how to leave, which a small screen would have no room for. After a look that failed the page says it.
func (m *model) saysNoHandOff() bool {
	return !m.canHandOff() && m.gate.err == nil && m.width >= previewFrom
}

func (m *model) saysNoHandOffLate() bool {
	return !m.canHandOff() && m.gate.err == nil && m.width < previewFrom
}

func (m *model) handOffWord() string {
	if m.gate.mode == gate.Simplified {
		return "full gate"
	}
	return ""
}

// handOffMore says what does not hold, where that does not keep a handoff from being written.
func (m *model) handOffMore() string {
	r := m.gate.report
	switch {
	case m.width < previewFrom: // the verdict says it too
	case m.gate.mode != gate.Full || r == nil:
	case r.Verdict == gate.Unsure:
		return " (not all could be checked)"
	case r.Count(gate.Warning) > 0:
		return " (" + render.Counted(r.Count(gate.Warning), "step warns", "steps warn") + ")"
	}
	return ""
}

// copyGate puts what is under the bar on the clipboard.
func (m *model) copyGate() tea.Cmd {
	p := m.gate
	s := p.step()
	if s == nil {
		return nil
	}
	name, parts := "the step", []string{strings.TrimSpace(s.Name + "  " + s.Figure), s.Note}
	if f := p.finding(); f != nil && p.blocks[p.sat].finding >= 0 {
		name, parts = "the finding", []string{f.Title, strings.TrimSpace(f.Ref + "  " + f.What), f.Fix, render.GatePlace(f)}
	} else {
		parts = append(parts, s.More...)
	}
	var said []string
	for _, text := range parts {
		if text = transcript.CleanLine(text); text != "" {
			said = append(said, text)
		}
	}
	return m.copyText(name, strings.Join(said, "\n"))
}

func (m *model) onStep() bool { return m.gate.step() != nil }

func (m *model) noteAtGate() tea.Cmd { return m.noteDialog(m.gate.dir) }

// clickGate puts the bar on what is clicked, and does what enter does at the second click.
func (m *model) clickGate(x, y int) tea.Cmd {
	l, p := m.layout, m.gate
	switch {
	case l.title.has(x, y):
		for _, s := range m.tabStrip() {
			if x >= s.x && x < s.x+s.w {
				return m.tabFromGate(s.tab)
			}
		}
	case l.body.has(x, y) && p.report != nil && p.err == nil:
		i := p.blockAt(y - l.body.y)
		if i < 0 || !p.blocks[i].isStop() {
			return nil
		}
		if i == p.sat && m.canEnterGate() && m.whyNotFix() == "" {
			return m.enterGate()
		}
		p.choose(i)
		p.reveal()
	}
	return nil
}

// tabFromGate leaves the gate for a tab.
func (m *model) tabFromGate(tab int) tea.Cmd {
	m.dropGate()
	var cmd tea.Cmd
	if m.reader != nil {
		cmd = m.leaveReader()
	}
	if tab == m.tab && m.project == nil {
		m.arrange()
		return tea.Batch(cmd, m.ledgerAsIs())
	}
	return tea.Batch(cmd, m.toTab(tab))
}

// stepFromGate goes on to the next tab from that of the ledger, where the gate stands.
func stepFromGate(step int) intent {
	return func(m *model) tea.Cmd {
		for tab := (ledgerTab + step) % tabs; tab != ledgerTab; tab = (tab + step) % tabs {
			if m.hasTab(tab) {
				return m.tabFromGate(tab)
			}
		}
		return nil
	}
}
