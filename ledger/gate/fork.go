package gate

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/ledger/trajectory"
)

// Resolution is the part of the ledger that a session contradicts.
type Resolution string

// The resolutions. In spec 002, beads come before NOTES.md.
const (
	BeadWins  Resolution = "bead_wins"
	NotesWins Resolution = "notes_wins"
)

// Fork is a decision of a session that contradicts the ledger (spec 002, fork detection). The texts may contain
// control characters.
type Fork struct {
	Statement  Statement
	Of         int // index of the decision in the argument statements of Forks
	Resolution Resolution
	Bead       string    // ID of the bead; "" if the decision is in NOTES.md
	Title      string    // title of the bead, or of the decision in NOTES.md
	Decision   string    // the decision in the ledger
	Rationale  string    // rationale of the ledger
	When       time.Time // zero if unknown
	Line       int       // line number in NOTES.md; 0 for a bead
}

// beadDecisions is the number of decisions of a bead that are compared.
const beadDecisions = 1000

// Ledger has the decisions of the ledger. Each field may be nil or empty.
type Ledger struct {
	Notes *notes.Notes
	Beads *beads.Graph
	Bead  string // ID of the bead for decisions without one; "" means the current bead
}

// current returns the ID of the current bead; "" if there is none. It is the bead in Session Continuity, or the only
// bead in progress.
func (l *Ledger) current() string {
	if l.Beads == nil {
		return ""
	}
	if l.Notes != nil {
		if id := l.Notes.Continuity().Bead; id != "" {
			if b, ok := l.Beads.Find(id); ok {
				return b.ID
			}
		}
	}
	if list := l.Beads.InProgress(); len(list) == 1 {
		return list[0].ID
	}
	return ""
}

// Forks compares the decisions of a session (statements, oldest first) with the ledger. Each one is compared with the
// newest decision of the ledger about the same thing. Beads take precedence over NOTES.md. Two decisions are about
// the same thing in these cases:
//
//   - The ledger's decision is in NOTES.md. The titles are equal, or the session's text starts with the title and a
//     colon.
//   - The ledger's decision is in a bead that the session's decision names. They share half of the subject words of
//     the shorter decision, and a third of the subject words of the longer one. A decision without a bead belongs to
//     Ledger.Bead or the current bead.
//
// Two such decisions are a fork if neither contains all words of the other, or if one negates the other. The forks
// are in the order of the session. If ctx ends, some forks may be missing.
func Forks(ctx context.Context, statements []Statement, l Ledger) []Fork {
	forks, _ := compare(ctx, statements, l)
	return forks
}

// standing is the relation of a decision of a session to the ledger.
type standing uint8

const (
	unrelated standing = iota // the ledger has no decision about the same thing
	agrees                    // the ledger has the same decision
	adds                      // the decision contains the ledger's decision and says more
	differs                   // the decision is a fork
)

func compare(ctx context.Context, statements []Statement, l Ledger) (forks []Fork, all []standing) {
	all = make([]standing, len(statements))
	c := comparing{Ledger: l, titles: map[string]int{}, ofNotes: map[int]*wording{}, ofBeads: map[string]*wordings{}}
	c.Bead = cmp.Or(l.Bead, l.current())
	if l.Notes != nil {
		c.decisions = l.Notes.Decisions()
	}
	for i := range c.decisions { // from the newest decision to the oldest
		if key := titleKey(c.decisions[i].Title); key != "" && c.decisions[i].Decision != "" {
			if _, known := c.titles[key]; !known {
				c.titles[key] = i
			}
		}
	}
	for i := range statements {
		if ctx.Err() != nil {
			break
		}
		f, is := c.fork(&statements[i])
		if all[i] = is; is == differs {
			f.Of = i
			forks = append(forks, f)
		}
	}
	return forks, all
}

// comparing is the state of compare.
type comparing struct {
	Ledger
	decisions []notes.Decision
	titles    map[string]int       // index in decisions, by the title
	ofNotes   map[int]*wording     // cache: wordings of decisions in NOTES.md, by index
	ofBeads   map[string]*wordings // cache: wordings of the decisions of a bead, by bead ID
}

func (c *comparing) fork(s *Statement) (Fork, standing) {
	title, rest := cutTitle(s.Text)
	id := s.Bead
	if b, ok := c.bead(title); ok && id == "" {
		id = b.ID
		s = &Statement{At: s.At, Title: s.Title, Text: rest, Rationale: s.Rationale, Evidence: s.Evidence, Bead: id}
		title, rest = cutTitle(rest)
	}
	if _, known := c.titles[titleKey(title)]; !known {
		title, rest = s.Title, s.Text
	}
	if id == "" {
		id = c.Bead
	}
	if f, is := c.ofBead(s, id); is != unrelated {
		return f, is
	}
	i, ok := c.titles[titleKey(title)]
	if !ok || title == "" {
		return Fork{}, unrelated
	}
	d := &c.decisions[i]
	a, b := wordingOf(rest), c.ofNotes[i]
	if b == nil {
		w := wordingOf(d.Decision)
		b = &w
		c.ofNotes[i] = b
	}
	f := Fork{Statement: *s, Resolution: NotesWins, Title: d.Title, Decision: d.Decision, Rationale: d.Rationale, When: d.When, Line: d.Line}
	if len(a.words) == 0 || len(b.words) == 0 {
		return f, unrelated
	}
	return f, stands(&a, b)
}

// ofBead compares a decision of the session with a bead's newest decision about the same thing.
func (c *comparing) ofBead(s *Statement, id string) (Fork, standing) {
	b, ok := c.bead(id)
	if !ok {
		return Fork{}, unrelated
	}
	all := c.ofBeads[id]
	if all == nil {
		all = &wordings{}
		for i := range b.Decisions[:min(len(b.Decisions), beadDecisions)] {
			all.add(wordingOf(b.Decisions[i].Text))
		}
		c.ofBeads[id] = all
	}
	own := wordingOf(s.Text)
	newest := -1
	for _, i := range all.aboutSame(&own) {
		if newest < 0 || !b.Decisions[i].At.Before(b.Decisions[newest].At) {
			newest = i
		}
	}
	if newest < 0 {
		return Fork{}, unrelated
	}
	d := &b.Decisions[newest]
	f := Fork{Statement: *s, Resolution: BeadWins, Bead: b.ID, Title: b.Title, Decision: d.Text, Rationale: d.Rationale, When: d.At}
	return f, stands(&own, &all.all[newest])
}

// stands returns how a decision of the session relates to a decision of the ledger about the same thing.
func stands(own, ledger *wording) standing {
	switch {
	case !own.says(ledger):
		return differs
	case len(own.words) > len(ledger.words):
		return adds
	}
	return agrees
}

func (c *comparing) bead(id string) (*beads.Bead, bool) {
	if c.Beads == nil || id == "" {
		return nil, false
	}
	return c.Beads.Find(id)
}

// cutTitle splits a decision such as "Token refresh: use stateless tokens" into its title and its text.
func cutTitle(text string) (title, rest string) {
	title, rest, ok := strings.Cut(text, ": ")
	if !ok || len(title) > maxTitle || strings.ContainsAny(title, ".;!?") {
		return "", text
	}
	return strings.Trim(title, " *`"), strings.TrimSpace(rest)
}

// Record returns the record of the trajectory that describes the fork (spec 002).
func (f *Fork) Record(at time.Time, agent string) trajectory.Fork {
	return trajectory.Fork{
		TS: at.UTC().Format(time.RFC3339), Agent: agent, Phase: trajectory.PhaseFork, Bead: f.Bead,
		Context: f.Statement.Text, Ledger: f.Decision, Resolution: string(f.Resolution),
	}
}

// Recorded reports whether a record of the trajectory is about this fork.
func (f *Fork) Recorded(r *trajectory.Record) bool {
	return r.Phase == trajectory.PhaseFork && r.Text("bead_id") == f.Bead &&
		fold(r.Text("context_decision")) == fold(f.Statement.Text) && fold(r.Text("bead_decision")) == fold(f.Decision)
}
