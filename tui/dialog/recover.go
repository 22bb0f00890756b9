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

// Recalls reads ledgers for a recovery.
type Recalls interface {
	// Recall reads the ledger of a folder once. The result serves for all levels.
	Recall(ctx context.Context, dir string) (Recall, error)
}

// Recall is a ledger that was read once.
type Recall interface {
	// Recover returns a recovery of one level. If the query is empty, Recover chooses a query, and Result.Query has
	// it.
	Recover(ctx context.Context, ask recovery.Ask) (recovery.Result, error)
	// Staged returns the time at which the staged recovery was written, and its size in tokens. The time is zero if
	// nothing is staged.
	Staged() (at time.Time, tokens int)
}

// RecoverOptions configure a dialog of the type Recover.
type RecoverOptions struct {
	Context  context.Context // ends with the program
	Recalls  Recalls
	Dir      string // project
	Level    recovery.Level
	CanStage bool
}

// Recover shows the three levels of a recovery, and the whole text of the selected level.
type Recover struct {
	base
	opts   RecoverOptions
	ctx    context.Context // ends with the dialog
	cancel context.CancelFunc

	level  recovery.Level // selected level
	levels [recovery.All]recalled

	about  field.Field // query of level 2; if it is empty, the last prompt is the query
	typing bool
	before string // value of about before the user started to type

	gen     int    // generation of the last query of a level
	lookGen int    // generation of the last read of the ledger
	look    Recall // where the levels come from; nil before the first answer or after an error
	looking bool   // the ledger is being read
	staged  time.Time
	stagedN int // size of the staged recovery in tokens

	top int // index of the first visible row
}

// recalled is the state of a level.
type recalled struct {
	gen    int // generation of the query
	asking bool
	slow   bool // the text "Reading…" is shown
	cancel context.CancelFunc
	known  *recovery.Result // the last answer, which is kept while the next query runs; nil before the first answer
	err    error
	drawn  *ledgerlines.Recovered
}

// typingPause is how long the user must not type before level 2 is queried.
const typingPause = 120 * time.Millisecond

type (
	// lookMsg has the ledger, or the error that happened while it was read.
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
	// levelSlowMsg is sent if the answer for a level takes a long time.
	levelSlowMsg struct{ gen int }
	// levelDueMsg is sent when typingPause is over.
	levelDueMsg struct{ gen int }
)

// NewRecover returns a dialog in which a level is selected.
func NewRecover(o RecoverOptions) *Recover {
	d := &Recover{opts: o, level: o.Level, about: field.New(field.Words)}
	d.ctx, d.cancel = context.WithCancel(o.Context)
	return d
}

// Open implements screen.Screen. It reads the ledger. Then it queries the levels, and starts with the selected
// one.
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
		if a, l := d.waitingLevel(msg.gen); a != nil {
			d.recalled(a, l, msg)
		}
	case levelSlowMsg:
		if a, _ := d.waitingLevel(msg.gen); a != nil {
			a.slow = true
		}
	case levelDueMsg:
		if a, l := d.waitingLevel(msg.gen); a != nil {
			return d.askLevel(l)
		}
	case lookMsg:
		if d.looking && d.lookGen == msg.gen {
			return d.looked(msg)
		}
	}
	return nil
}

// levels returns the levels in order.
func levels() [recovery.All]recovery.Level {
	return [recovery.All]recovery.Level{recovery.Where, recovery.Topic, recovery.All}
}

// levelWords returns the name and the description of a level.
func levelWords(l recovery.Level) (name, what string) {
	switch l {
	case recovery.Where:
		return "Where I was", "state and the last three decisions"
	case recovery.Topic:
		return "This topic", "entries that match the words below"
	case recovery.All:
	}
	return "Everything", "the whole NOTES.md"
}

// isInstead reports whether level 3 is composed of several sources. Otherwise, level 3 is a whole file.
func (a *recalled) isInstead() bool {
	return a.known != nil && (len(a.known.Parts) != 1 || !slices.Contains(a.known.From, a.known.Parts[0].Name))
}

// at returns the state of a level.
func (d *Recover) at(l recovery.Level) *recalled { return &d.levels[l-1] }

// askLevels queries each level for which needs returns true, beginning with the selected level. It doesn't restart the timers
// of the levels.
func (d *Recover) askLevels(needs func(*recalled) bool) []screen.Effect {
	all := levels()
	var asked []screen.Effect
	for _, l := range append([]recovery.Level{d.level}, all[:]...) {
		a := d.at(l)
		if slow := a.slow; (l != d.level || len(asked) == 0) && needs(a) {
			asked = append(asked, d.askLevel(l)...)
			a.slow = slow
		}
	}
	return asked
}

// askLevel queries a level. It drops the answer to an older query of this level. While the ledger is being read,
// the query waits.
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

// lookAt returns a command that reads the ledger of a project.
func lookAt(ctx context.Context, recalls Recalls, dir string, gen int) tea.Cmd {
	return func() tea.Msg {
		look, err := recalls.Recall(ctx, dir)
		return lookMsg{gen: gen, look: look, err: err}
	}
}

// read returns a command that reads a level.
func read(ctx context.Context, look Recall, ask recovery.Ask, gen int) tea.Cmd {
	return func() tea.Msg {
		result, err := look.Recover(ctx, ask)
		return levelMsg{gen: gen, result: result, err: err}
	}
}

// looked stores the ledger. It queries the levels that were waiting for the ledger, and repeats queries that
// failed.
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

// renew cancels the query of a level. Then it starts a new generation.
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

// waitingLevel returns the level that is waiting for the answer of a generation; nil if there is none.
func (d *Recover) waitingLevel(gen int) (*recalled, recovery.Level) {
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

// toLevel selects a level.
func (d *Recover) toLevel(l recovery.Level) {
	if d.level != l {
		d.level, d.top = l, 0
	}
}

// byLevel moves the bar by delta levels. It also ends typing.
func (d *Recover) byLevel(delta int) {
	to := recovery.Level(min(max(int(d.level)+delta, int(recovery.Where)), int(recovery.All)))
	if to != d.level {
		d.typing = false
	}
	d.toLevel(to)
}

// startAbout lets the user type the query of level 2.
func (d *Recover) startAbout() {
	d.typing, d.before = true, d.about.Text()
	d.about.Set(d.before)
	d.toLevel(recovery.Topic)
}

// dropAbout ends typing. The query becomes what it was before typing.
func (d *Recover) dropAbout() []screen.Effect {
	d.typing = false
	return d.setAbout(d.before)
}

// takeAbout copies the words of the last prompt into the field.
func (d *Recover) takeAbout() []screen.Effect {
	if words := d.prompted(); d.about.Text() == "" && words != "" {
		return d.setAbout(words)
	}
	return nil
}

// setAbout changes the query of level 2.
func (d *Recover) setAbout(about string) []screen.Effect {
	was := d.about.Text()
	if d.about.Set(about); d.about.Text() == was {
		return nil
	}
	return d.aboutChanged()
}

// aboutChanged queries level 2 as soon as the user pauses.
func (d *Recover) aboutChanged() []screen.Effect {
	ctx := d.renew(recovery.Topic)
	gen := d.at(recovery.Topic).gen
	return []screen.Effect{screen.Cmd(screen.After(ctx, typingPause, func() tea.Msg { return levelDueMsg{gen} }))}
}

// prompted returns the query that level 2 uses while the field is empty; "" if it isn't known.
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
	mostRows = 1 << 30 // more rows than any recovery has
	// Rows that one key press lays out at most, which takes 0.25 s; a NOTES.md of 178 KB has 4,000 rows.
	rowsAtOnce = 20_000
)

// recovered returns the layout of the selected level; nil before the answer for this level.
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
