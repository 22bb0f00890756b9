package dialog

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/field"
	"github.com/continuo-tui/continuo/tui/render/ledgerlines"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Recalls looks at ledgers to recover them.
type Recalls interface {
	// Recall looks at the ledger of a folder, now, for all that is recovered of it.
	Recall(ctx context.Context, dir string) (Recall, error)
}

// Recall is a ledger that was looked at once, to be recovered level by level.
type Recall interface {
	// Recover reads a level. A query that is empty becomes the one that Result.Query names.
	Recover(ctx context.Context, ask recovery.Ask) (recovery.Result, error)
	// Staged says what waited for the next start when it was looked at, and its tokens; a zero time: nothing did.
	Staged() (at time.Time, tokens int)
}

// RecoverOptions say what is recovered, and what there is to do it with.
type RecoverOptions struct {
	Context  context.Context // of the program
	Recalls  Recalls
	Dir      string // of the project
	Level    recovery.Level
	CanStage bool
}

// Recover brings back what a project knew: three levels, and the one under the bar in full.
type Recover struct {
	base
	opts   RecoverOptions
	ctx    context.Context // ends with the dialog
	cancel context.CancelFunc

	level  recovery.Level // under the bar
	levels [recovery.All]recalled

	about  field.Field // the words of level 2; "" those of the last prompt
	typing bool
	before string // what about was when the typing began

	gen     int    // of the questions so far
	lookGen int    // of the look
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

// typingPause is how long the words stand still before they are asked about.
const typingPause = 120 * time.Millisecond

type (
	// lookMsg has the ledger that all levels are read from.
	lookMsg struct {
		gen  int
		look Recall
		err  error
	}
	levelMsg struct {
		gen    int
		result recovery.Result
		err    error
	}
	// levelSlowMsg says that a level has taken long enough to say so.
	levelSlowMsg struct{ gen int }
	// levelDueMsg says that the words of a level stood still for a moment.
	levelDueMsg struct{ gen int }
)

// NewRecover is the recovery of a project at a level.
func NewRecover(o RecoverOptions) *Recover {
	d := &Recover{opts: o, level: o.Level, about: field.New(field.Words)}
	d.ctx, d.cancel = context.WithCancel(o.Context)
	return d
}

// Open implements screen.Screen. The ledger is looked at once, and then all levels are asked for, that under the bar first.
func (d *Recover) Open() []screen.Effect {
	return d.askLevels(func(*recalled) bool { return true })
}

// Close implements screen.Screen.
func (d *Recover) Close() []screen.Effect {
	d.cancel()
	return nil
}

// Took implements screen.Screen.
func (d *Recover) Took(msg tea.Msg) []screen.Effect {
	switch msg := msg.(type) {
	case levelMsg:
		if a, l := d.recalling(msg.gen); a != nil {
			d.recalled(a, l, msg)
		}
	case levelSlowMsg:
		if a, _ := d.recalling(msg.gen); a != nil {
			a.slow = true
		}
	case levelDueMsg:
		if a, l := d.recalling(msg.gen); a != nil {
			return d.askLevel(l)
		}
	case lookMsg:
		if d.looking && d.lookGen == msg.gen {
			return d.looked(msg)
		}
	}
	return nil
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
func (d *Recover) at(l recovery.Level) *recalled { return &d.levels[l-1] }

// askLevels asks for some of the levels, that under the bar first. They go on to wait as long as they have waited.
func (d *Recover) askLevels(which func(*recalled) bool) []screen.Effect {
	all := levels()
	var asked []screen.Effect
	for _, l := range append([]recovery.Level{d.level}, all[:]...) {
		a := d.at(l)
		if slow := a.slow; (l != d.level || len(asked) == 0) && which(a) {
			asked = append(asked, d.askLevel(l)...)
			a.slow = slow
		}
	}
	return asked
}

// askLevel asks for a level. The answer to an older question is not wanted any more. While the ledger is looked at, the
// level is asked for when that is done.
func (d *Recover) askLevel(l recovery.Level) []screen.Effect {
	ctx := d.renew(l)
	gen := d.at(l).gen
	wait := screen.Cmd(screen.After(ctx, screen.Quiet, func() tea.Msg { return levelSlowMsg{gen} }))
	switch {
	case d.looking:
		return []screen.Effect{wait}
	case d.look == nil:
		d.gen++
		d.lookGen, d.looking = d.gen, true
		return []screen.Effect{screen.Cmd(lookAt(d.ctx, d.opts.Recalls, d.opts.Dir, d.lookGen)), wait}
	}
	ask := recovery.Ask{Level: l}
	if l == recovery.Topic {
		ask.Query = d.about.Text()
	}
	return []screen.Effect{screen.Cmd(read(ctx, d.look, ask, gen)), wait}
}

// lookAt looks at the ledger of a project.
func lookAt(ctx context.Context, recalls Recalls, dir string, gen int) tea.Cmd {
	return func() tea.Msg {
		look, err := recalls.Recall(ctx, dir)
		return lookMsg{gen: gen, look: look, err: err}
	}
}

// read reads a level of a ledger.
func read(ctx context.Context, look Recall, ask recovery.Ask, gen int) tea.Cmd {
	return func() tea.Msg {
		result, err := look.Recover(ctx, ask)
		return levelMsg{gen: gen, result: result, err: err}
	}
}

// looked takes the look at the ledger in. Levels that failed with the one before are asked for again.
func (d *Recover) looked(msg lookMsg) []screen.Effect {
	d.looking = false
	if msg.err != nil {
		for _, l := range levels() {
			if a := d.at(l); a.asking {
				d.recalled(a, l, levelMsg{gen: a.gen, err: msg.err})
			}
		}
		return nil
	}
	d.look = msg.look
	d.staged, d.stagedN = msg.look.Staged()
	return d.askLevels(func(a *recalled) bool { return a.asking || a.err != nil })
}

// renew ends the question for a level that is on its way, and begins another one.
func (d *Recover) renew(l recovery.Level) context.Context {
	a := d.at(l)
	if a.cancel != nil {
		a.cancel()
	}
	d.gen++
	ctx, cancel := context.WithCancel(d.ctx)
	a.gen, a.cancel, a.asking, a.slow = d.gen, cancel, true, false
	return ctx
}

// recalling is what is known of the level whose question has a generation, nil: nobody waits for its answer.
func (d *Recover) recalling(gen int) (*recalled, recovery.Level) {
	for _, l := range levels() {
		if a := d.at(l); a.asking && a.gen == gen {
			return a, l
		}
	}
	return nil, 0
}

func (d *Recover) recalled(a *recalled, l recovery.Level, msg levelMsg) {
	a.asking, a.slow = false, false
	a.cancel()
	a.err, a.drawn = msg.err, nil
	if a.known = nil; msg.err == nil {
		a.known = &msg.result
	}
	if l == d.level {
		d.top = 0
	}
}

// toLevel puts the bar on a level.
func (d *Recover) toLevel(l recovery.Level) {
	if d.level != l {
		d.level, d.top = l, 0
	}
}

// byLevel moves the bar. What is typed is about level 2 only.
func (d *Recover) byLevel(delta int) {
	to := recovery.Level(min(max(int(d.level)+delta, int(recovery.Where)), int(recovery.All)))
	if to != d.level {
		d.typing = false
	}
	d.toLevel(to)
}

// startAbout begins to type what level 2 is about.
func (d *Recover) startAbout() {
	d.typing, d.before = true, d.about.Text()
	d.about.Set(d.before)
	d.toLevel(recovery.Topic)
}

// dropAbout ends the typing, and takes back what was typed.
func (d *Recover) dropAbout() []screen.Effect {
	d.typing = false
	return d.setAbout(d.before)
}

// takeAbout takes the words of the last prompt into the field, to be corrected there.
func (d *Recover) takeAbout() []screen.Effect {
	if words := d.prompted(); d.about.Text() == "" && words != "" {
		return d.setAbout(words)
	}
	return nil
}

// setAbout changes what level 2 is about.
func (d *Recover) setAbout(about string) []screen.Effect {
	was := d.about.Text()
	if d.about.Set(about); d.about.Text() == was {
		return nil
	}
	return d.aboutChanged()
}

// aboutChanged has level 2 asked for when the typing has paused.
func (d *Recover) aboutChanged() []screen.Effect {
	ctx := d.renew(recovery.Topic)
	gen := d.at(recovery.Topic).gen
	return []screen.Effect{screen.Cmd(screen.After(ctx, typingPause, func() tea.Msg { return levelDueMsg{gen} }))}
}

// prompted are the words that level 2 is about where none are typed, as far as they are known.
func (d *Recover) prompted() string {
	a := d.at(recovery.Topic)
	if d.about.Text() != "" || a.known == nil {
		return ""
	}
	return field.Clean(transcript.CleanLine(a.known.Query), field.Words)
}

func (d *Recover) scrollTo(top int) {
	g := d.shape()
	body := d.recovered(&g)
	if body == nil {
		return
	}
	n, _ := body.Upto(0)
	n, _ = body.Upto(min(top+g.rows+1, n+rowsAtOnce))
	d.top = min(max(top, 0), max(n-g.rows, 0))
}

const (
	mostRows   = 1 << 30 // more than any recovery has
	rowsAtOnce = 20_000  // that a key lays out: 0.25 s; a NOTES.md of 178 KB has 4,000
)

// recovered is the layout of the level under the bar; nil: it is not known.
func (d *Recover) recovered(g *recoverShape) *ledgerlines.Recovered {
	a := d.at(d.level)
	if a.known == nil {
		return nil
	}
	o := ledgerlines.RecoveredOptions{Width: g.text, Now: d.f.Now, Blanks: !g.tight}
	if !a.drawn.Is(a.known, o) {
		a.drawn = ledgerlines.NewRecovered(a.known, o)
	}
	return a.drawn
}
