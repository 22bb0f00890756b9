package tui

import (
	"cmp"
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render/ledgerlines"
)

// recovering is the dialog that brings back what a project knew: three levels, and the one under the bar in full.
type recovering struct {
	dir    string
	ctx    context.Context // ends with the dialog
	cancel context.CancelFunc

	level  recovery.Level // under the bar
	levels [recovery.All]recalled

	about  string // the words of level 2; "" those of the last prompt
	typing bool
	before string // what about was when the typing began

	gen     int    // of the look
	look    Recall // that the levels are read from; nil: there is none yet, or err of the levels says why
	looking bool   // one is on its way
	staged  time.Time
	stagedN int // its tokens

	top int // first row of the level that is seen
}

// recalled is what is known of a level.
type recalled struct {
	gen    int // of the question that is to be answered
	asking bool
	slow   bool // it takes long enough to say so
	cancel context.CancelFunc
	known  *recovery.Result // of the last answer, also while a newer one is on its way; nil: there was none
	err    error
	drawn  *ledgerlines.Recovered
}

// levels are those of a recovery, in their order.
func levels() [recovery.All]recovery.Level {
	return [recovery.All]recovery.Level{recovery.Where, recovery.Topic, recovery.All}
}

// levelWords say what a level is.
func levelWords(l recovery.Level) (name, what string) {
	switch l {
	case recovery.Where:
		return "Where I was", "state and the last three decisions"
	case recovery.Topic:
		return "This topic", "what touches the words below"
	case recovery.All:
	}
	return "Everything", "NOTES.md as it stands"
}

// isInstead reports whether level 3 is not one file as it stands, but what there is besides one.
func (a *recalled) isInstead() bool {
	return a.known != nil && (len(a.known.Parts) != 1 || !slices.Contains(a.known.From, a.known.Parts[0].Name))
}

// at is what is known of a level.
func (r *recovering) at(l recovery.Level) *recalled { return &r.levels[l-1] }

// recoverDialog opens the recovery of a project at a level. The ledger is looked at once, and then all levels are asked
// for, that one first.
func (m *model) recoverDialog(dir string, level recovery.Level) tea.Cmd {
	if m.Ledgers == nil || level < recovery.Where || level > recovery.All {
		return nil
	}
	r := &recovering{dir: dir, level: level}
	r.ctx, r.cancel = context.WithCancel(m.ctx)
	m.dropPanel()
	m.panel = panel{kind: recoverPanel, recover: r}
	m.status = status{}
	return m.askLevels(func(*recalled) bool { return true })
}

// askLevels asks for some of the levels, that under the bar first. They go on to wait as long as they have waited.
func (m *model) askLevels(which func(*recalled) bool) tea.Cmd {
	r := m.panel.base().recover
	all := levels()
	var cmds []tea.Cmd
	for _, l := range append([]recovery.Level{r.level}, all[:]...) {
		a := r.at(l)
		if slow := a.slow; (l != r.level || len(cmds) == 0) && which(a) {
			cmds = append(cmds, m.askLevel(l))
			a.slow = slow
		}
	}
	return tea.Batch(cmds...)
}

// askLevel asks for a level. The answer to an older question is not wanted any more. While the ledger is looked at, the
// level is asked for when that is done.
func (m *model) askLevel(l recovery.Level) tea.Cmd {
	r := m.panel.base().recover
	ctx := m.renew(l)
	gen := r.at(l).gen
	switch {
	case r.looking:
		return waitRecall(ctx, gen)
	case r.look == nil:
		m.recoverGen++
		r.gen, r.looking = m.recoverGen, true
		return tea.Batch(lookToRecover(r.ctx, m.Ledgers, r.dir, r.gen), waitRecall(ctx, gen))
	}
	ask := recovery.Ask{Level: l}
	if l == recovery.Topic {
		ask.Query = r.about
	}
	return tea.Batch(recall(ctx, r.look, ask, gen), waitRecall(ctx, gen))
}

// looked takes the look at the ledger in. Levels that failed with the one before are asked for again.
func (m *model) looked(r *recovering, msg recallMsg) tea.Cmd {
	r.looking = false
	if msg.err != nil {
		for _, l := range levels() {
			if a := r.at(l); a.asking {
				m.recalled(a, l, recalledMsg{gen: a.gen, err: msg.err})
			}
		}
		return nil
	}
	r.look = msg.look
	r.staged, r.stagedN = msg.look.Staged()
	return m.askLevels(func(a *recalled) bool { return a.asking || a.err != nil })
}

// renew ends the question for a level that is on its way, and begins another one.
func (m *model) renew(l recovery.Level) context.Context {
	r := m.panel.base().recover
	a := r.at(l)
	if a.cancel != nil {
		a.cancel()
	}
	m.recoverGen++
	ctx, cancel := context.WithCancel(r.ctx)
	a.gen, a.cancel, a.asking, a.slow = m.recoverGen, cancel, true, false
	return ctx
}

// recalling is what is known of the level whose question has a generation, nil: nobody waits for its answer.
func (m *model) recalling(gen int) (*recalled, recovery.Level) {
	p := m.panel.base()
	if p.recover == nil {
		return nil, 0
	}
	for _, l := range levels() {
		if a := p.recover.at(l); a.asking && a.gen == gen {
			return a, l
		}
	}
	return nil, 0
}

// recallAnswered takes the message of a recovery in.
func (m *model) recallAnswered(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case recalledMsg:
		if a, l := m.recalling(msg.gen); a != nil {
			m.recalled(a, l, msg)
		}
	case recallSlowMsg:
		if a, _ := m.recalling(msg.gen); a != nil {
			a.slow = true
		}
	case recallDueMsg:
		if a, l := m.recalling(msg.gen); a != nil {
			return m.askLevel(l)
		}
	case recallMsg:
		if r := m.panel.base().recover; r != nil && r.looking && r.gen == msg.gen {
			return m.looked(r, msg)
		}
	case takenMsg:
		return m.taken(msg)
	default:
		return m.noteAnswered(msg)
	}
	return nil
}

func (m *model) recalled(a *recalled, l recovery.Level, msg recalledMsg) {
	a.asking, a.slow = false, false
	a.cancel()
	a.err, a.drawn = msg.err, nil
	if a.known = nil; msg.err == nil {
		a.known = &msg.result
	}
	if r := m.panel.base().recover; l == r.level {
		r.top = 0
	}
}

// toLevel puts the bar on a level.
func toLevel(l recovery.Level) intent {
	return func(m *model) tea.Cmd {
		r := m.panel.recover
		if r.level != l {
			r.level, r.top = l, 0
		}
		return nil
	}
}

// byLevel moves the bar. What is typed is about level 2 only.
func byLevel(delta int) intent {
	return func(m *model) tea.Cmd {
		r := m.panel.recover
		to := min(max(int(r.level)+delta, int(recovery.Where)), int(recovery.All))
		if recovery.Level(to) != r.level {
			r.typing = false
		}
		return toLevel(recovery.Level(to))(m)
	}
}

// startAbout begins to type what level 2 is about.
func (m *model) startAbout() tea.Cmd {
	r := m.panel.recover
	r.typing, r.before = true, r.about
	return toLevel(recovery.Topic)(m)
}

// keepAbout ends the typing.
func (m *model) keepAbout() tea.Cmd {
	m.panel.recover.typing = false
	return nil
}

// dropAbout ends the typing, and takes back what was typed.
func (m *model) dropAbout() tea.Cmd {
	r := m.panel.recover
	r.typing = false
	return m.typeAbout(r.before)
}

// takeAbout takes the words of the last prompt into the field, to be corrected there.
func (m *model) takeAbout() tea.Cmd {
	r := m.panel.recover
	if words := r.prompted(); r.about == "" && words != "" {
		return m.typeAbout(words)
	}
	return nil
}

// typeAbout changes what level 2 is about. It is asked for when the typing has paused.
func (m *model) typeAbout(about string) tea.Cmd {
	r := m.panel.recover
	if about == r.about {
		return nil
	}
	r.about = about
	ctx := m.renew(recovery.Topic)
	return waitAbout(ctx, r.at(recovery.Topic).gen)
}

// prompted are the words that level 2 is about where none are typed, as far as they are known.
func (r *recovering) prompted() string {
	a := r.at(recovery.Topic)
	if r.about != "" || a.known == nil {
		return ""
	}
	return typedInto("", transcript.CleanLine(a.known.Query), maxInput)
}

// closeRecover closes the dialog; an error first.
func (m *model) closeRecover() tea.Cmd {
	if m.dropError() {
		return nil
	}
	return m.closePanel()
}

// scrollRecovered scrolls the level under the bar.
func scrollRecovered(delta int) intent {
	return func(m *model) tea.Cmd {
		m.scrollLevel(m.panel.recover.top + delta)
		return nil
	}
}

func (m *model) scrollLevel(top int) {
	g := m.recoverShape()
	r := m.panel.recover
	body := m.recovered(&g)
	if body == nil {
		return
	}
	n, _ := body.Upto(0)
	n, _ = body.Upto(min(top+g.rows+1, n+rowsAtOnce))
	r.top = min(max(top, 0), max(n-g.rows, 0))
}

const (
	mostRows   = 1 << 30 // more than any recovery has
	rowsAtOnce = 20_000  // that a key lays out: 0.25 s; a NOTES.md of 178 KB has 4,000
)

func (m *model) toRecoveredStart() tea.Cmd { return scrollRecovered(-mostRows)(m) }
func (m *model) toRecoveredEnd() tea.Cmd {
	m.scrollLevel(mostRows)
	return nil
}

// recovered is the layout of the level under the bar; nil: it is not known.
func (m *model) recovered(g *recoverShape) *ledgerlines.Recovered {
	r := m.panel.recover
	a := r.at(r.level)
	if a.known == nil {
		return nil
	}
	o := ledgerlines.RecoveredOptions{Width: g.text, Now: m.now, Blanks: !g.tight}
	if !a.drawn.Is(a.known, o) {
		a.drawn = ledgerlines.NewRecovered(a.known, o)
	}
	return a.drawn
}

// recoverDir is the project that would be recovered here, "" none.
func (m *model) recoverDir() string {
	return m.top().screen.Subject().Dir
}

func (m *model) dirOfRest() string {
	switch row := m.subjectOfRest(); {
	case m.onLedger():
		return m.ledger.dir
	case row != nil:
		return cmp.Or(row.Project, row.Workdir)
	case m.reader == nil && !m.scope.wide():
		return m.scope.project
	}
	return ""
}

func (m *model) canRecover() bool { return m.recoverDir() != "" }

func (m *model) whyNotRecover() string {
	if m.recoverDir() == "" {
		return "no project folder"
	}
	return ""
}

// recoverAt opens the recovery of the project that is here.
func recoverAt(l recovery.Level) intent {
	return func(m *model) tea.Cmd { return m.recoverDialog(m.recoverDir(), l) }
}
