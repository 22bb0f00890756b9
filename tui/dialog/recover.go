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

// Recalls reads the ledgers for recoveries.
type Recalls interface {
	// Recall reads the ledger of a folder. The result is used for all levels.
	Recall(ctx context.Context, dir string) (Recall, error)
}

// Recall is a ledger that was read once.
type Recall interface {
	// Recover returns the recovery of one level. For an empty query, Recover chooses a query and returns it in
	// Result.Query.
	Recover(ctx context.Context, ask recovery.Ask) (recovery.Result, error)
	// Staged returns the time and the size, in tokens, of the staged recovery. The time is zero without a staged
	// recovery.
	Staged() (at time.Time, tokens int)
}

// RecoverOptions are the options of NewRecover.
type RecoverOptions struct {
	Context  context.Context // ends with the program
	Recalls  Recalls
	Dir      string // project
	Level    recovery.Level
	CanStage bool
}

// Recover shows the three levels of a recovery, and the text of the selected level.
type Recover struct {
	base
	opts   RecoverOptions
	ctx    context.Context // ends with the dialog
	cancel context.CancelFunc

	level  recovery.Level // selected level
	levels [recovery.All]recalled

	about  field.Field // query of level 2; "" stands for the last prompt
	typing bool
	before string // value of about before the user started to type

	gen     int    // generation of the last query of a level
	lookGen int    // generation of the last read of the ledger
	look    Recall // the ledger; nil before the first answer and after an error
	looking bool   // the ledger is being read
	staged  time.Time
	stagedN int // size of the staged recovery, in tokens

	top int // index of the first visible row
}

// recalled is the state of a level.
type recalled struct {
	gen    int // generation of the query
	asking bool
	slow   bool // "Reading…" is shown
	cancel context.CancelFunc
	known  *recovery.Result // last answer, or nil; the next query may be running
	err    error
	drawn  *ledgerlines.Recovered
}

// typingPause is the pause in typing after which level 2 is queried.
const typingPause = 120 * time.Millisecond

type (
	// lookMsg has the ledger, or the error of reading it.
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
	// levelSlowMsg is sent if a query takes long.
	levelSlowMsg struct{ gen int }
	// levelDueMsg is sent after typingPause.
	levelDueMsg struct{ gen int }
)

// NewRecover returns a dialog with the selected level of o.
func NewRecover(o RecoverOptions) *Recover {
	d := &Recover{opts: o, level: o.Level, about: field.New(field.Words)}
	d.ctx, d.cancel = context.WithCancel(o.Context)
	return d
}

// Open implements screen.Screen. It reads the ledger and queries the levels, the selected level first.
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

// isInstead reports whether the text of level 3 has several sources, and isn't a whole file.
func (a *recalled) isInstead() bool {
	return a.known != nil && (len(a.known.Parts) != 1 || !slices.Contains(a.known.From, a.known.Parts[0].Name))
}

func (d *Recover) at(l recovery.Level) *recalled { return &d.levels[l-1] }

// askLevels queries the levels for which needs returns true, the selected level first. A level keeps its text
// “Reading…”.
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

// askLevel queries a level. Answers to older queries of this level are dropped. The query waits for the ledger.
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

// lookAt returns a command that reads the ledger of a folder.
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

// looked stores the ledger. It starts the waiting queries and repeats the failed ones.
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

// renew cancels the running query of a level and starts a new generation.
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

// waitingLevel returns the level that waits for a generation, or nil.
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

func (d *Recover) toLevel(l recovery.Level) {
	if d.level != l {
		d.level, d.top = l, 0
	}
}

// byLevel selects another level and ends typing.
func (d *Recover) byLevel(delta int) {
	to := recovery.Level(min(max(int(d.level)+delta, int(recovery.Where)), int(recovery.All)))
	if to != d.level {
		d.typing = false
	}
	d.toLevel(to)
}

// startAbout starts typing the query of level 2.
func (d *Recover) startAbout() {
	d.typing, d.before = true, d.about.Text()
	d.about.Set(d.before)
	d.toLevel(recovery.Topic)
}

// dropAbout ends typing and restores the previous query.
func (d *Recover) dropAbout() []screen.Effect {
	d.typing = false
	return d.setAbout(d.before)
}

// takeAbout copies the words of the last prompt to the field.
func (d *Recover) takeAbout() []screen.Effect {
	if words := d.prompted(); d.about.Text() == "" && words != "" {
		return d.setAbout(words)
	}
	return nil
}

// setAbout sets the query of level 2.
func (d *Recover) setAbout(about string) []screen.Effect {
	was := d.about.Text()
	if d.about.Set(about); d.about.Text() == was {
		return nil
	}
	return d.aboutChanged()
}

// aboutChanged queries level 2 after a pause in typing.
func (d *Recover) aboutChanged() []screen.Effect {
	ctx := d.renew(recovery.Topic)
	gen := d.at(recovery.Topic).gen
	return []screen.Effect{screen.Cmd(screen.After(ctx, typingPause, func() tea.Msg { return levelDueMsg{gen} }))}
}

// prompted returns the query of level 2 for an empty field, or "" if it is unknown.
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
	mostRows = 1 << 30 // more than a recovery can have
	// Maximum number of rows per key press, laid out in about 0.25 s. A NOTES.md of 178 kB has 4,000 rows.
	rowsAtOnce = 20_000
)

// recovered returns the layout of the selected level, or nil before its first answer.
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
