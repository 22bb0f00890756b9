package cli

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/digest"
)

const (
	deltaMost  = 100       // findings of one delta
	deltaLog   = 256 << 20 // bytes of the trajectory that are read for the last one
	deltaTitle = 90        // cells of a title that is made of a finding
)

// deltaLook is a delta that is to be brought to the ledger.
type deltaLook struct {
	ask     *deltaAsk
	ledger  survey.Ledger
	session *survey.Said // nil: there is none
	last    deltaRecord  // the one before; zero there is none
	noted   []*noting    // oldest first
	forks   []gate.Fork  // what was left out because the ledger says otherwise
	known   int          // what was left out because the ledger has it
	left    int          // what was left out because there is too much
	bead    string       // that gets comments; "" none
	place   notes.Insertion
	file    string // of the trajectory
	but     []string

	wrote, commented, logged bool // what was done
	id                       string
	problems                 []string
}

// deltaRecord is a delta of a session, as the trajectory has it.
type deltaRecord struct {
	session string
	at      time.Time
	tokens  int64
}

// deltaOf is the delta that a record is; false: it is none.
func deltaOf(r *trajectory.Record) (deltaRecord, bool) {
	if r.Phase != trajectory.PhaseDelta {
		return deltaRecord{}, false
	}
	n, _ := r.Number("tokens")
	return deltaRecord{r.Text("session_id", "session"), r.At, int64(min(max(n, 0), 1e12))}, true
}

// lookDelta finds out what is to be brought to the ledger, and where it goes. It writes nothing.
func lookDelta(ctx context.Context, env *Env, ask *deltaAsk) (*deltaLook, error) {
	l, err := lookLedger(ctx, env, ask.dir, survey.LedgerHow{})
	if err != nil {
		return nil, err
	}
	if l.Trouble != "" {
		return nil, &out.Failure{What: l.Trouble}
	}
	k := &deltaLook{ask: ask, ledger: l, file: trajectory.LogFile(&l.Project, ask.agent, env.now())}
	held, troubles := l.Held(ask.bead)
	k.but = append(k.but, troubles...)
	if err := k.choose(env, held); err != nil {
		return nil, err
	}
	row, err := sessionOf(ctx, env, l.Project.Root, ask.session)
	switch {
	case err != nil:
		return nil, err
	case row == nil && len(ask.findings) == 0:
		return nil, &out.Failure{Code: out.ExitNone, What: "There is no session of " + env.tilde(l.Project.Root) + " yet. Say what was found.", Hints: []string{"continuo delta --finding TEXT"}}
	case row != nil:
		k.before(ctx, env, row)
		if k.session, err = readSaid(ctx, env, row, len(ask.findings) == 0, k.last.at); err != nil {
			return nil, err
		}
	}
	if err := k.find(ctx, env, held); err != nil {
		return nil, err
	}
	return k, k.insert(env)
}

// before finds the last delta of a session.
func (k *deltaLook) before(ctx context.Context, env *Env, row *sessions.Row) {
	whole := trajectory.Since(ctx, &k.ledger.Project, row.Created, deltaLog, func(r *trajectory.Record) {
		if last, ok := deltaOf(r); ok && last.session == row.ID && last.at.After(k.last.at) {
			k.last = last
		}
	})
	if !whole {
		k.but = append(k.but, logPart(env, &k.ledger.Project, deltaLog)+". A delta before this one may not be known")
	}
}

// choose finds the bead that gets comments.
func (k *deltaLook) choose(env *Env, held gate.Ledger) error {
	if id := k.ask.bead; id != "" && held.Beads != nil && held.Beads.Shape != "" {
		if _, known := held.Beads.Find(id); !known {
			return &out.Failure{Code: out.ExitNone, What: "There is no bead " + out.Quoted(id) + ". See which there are.", Hints: []string{"continuo beads --all"}}
		}
	}
	if !k.ask.br {
		return nil
	}
	k.bead = held.Bead
	if k.bead == "" && held.Beads != nil {
		if now := held.Beads.InProgress(); len(now) == 1 {
			k.bead = now[0].ID
		}
	}
	if k.bead == "" {
		return out.Usage("--br needs a bead, and not exactly one is in progress. Name it with --bead ID.", "continuo beads")
	}
	if err := checkBead(k.bead); err != nil {
		return err
	}
	if _, ok := env.host.BrProgram(); !ok {
		k.but = append(k.but, "br is not installed, so bead "+transcript.CleanLine(k.bead)+" gets no comment")
		k.bead = ""
	}
	return nil
}

// find makes entries of what was found, and checks their evidence.
func (k *deltaLook) find(ctx context.Context, env *Env, held gate.Ledger) error {
	if len(k.ask.findings) > 0 {
		for _, text := range k.ask.findings {
			e := notes.Entry{Kind: notes.EntryDecision, Title: k.ask.title, Text: text, Rationale: k.ask.rationale, Bead: k.ask.bead}
			n, err := lookNote(ctx, env, k.noteAsk(e, k.ask.evidence))
			if f, ok := errors.AsType[*out.Failure](err); ok && f.Code == out.ExitNo { // it speaks of a note
				f.Hints = []string{"continuo delta --help"}
			}
			if err != nil {
				return err
			}
			k.noted = append(k.noted, n)
		}
		return nil
	}
	var fresh []gate.Said
	fresh, k.forks, k.known = gate.Fresh(ctx, k.session.List, held)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if k.left = max(len(fresh)-deltaMost, 0); k.left > 0 {
		fresh = fresh[k.left:]
	}
	k.left += k.session.Left
	for i := range fresh {
		s := &fresh[i]
		e := notes.Entry{Kind: notes.EntryDecision, Title: s.Title, Text: s.Text, Rationale: s.Rationale, Bead: s.Bead}
		if e.Bead == "" {
			e.Bead = k.ask.bead
		}
		ask := k.noteAsk(e, s.Evidence)
		if isSecret(ask.entry.Title) || ask.entry.Text != "" && isSecret(ask.entry.Text) {
			k.but = append(k.but, "left out: a decision that is a secret, which is masked")
			continue
		}
		n, err := lookNote(ctx, env, ask)
		if f, ok := errors.AsType[*out.Failure](err); ok && f.Code == out.ExitNo && len(s.Evidence) > 0 { // the session may be wrong about it
			for _, why := range f.Facts {
				k.but = append(k.but, "left out: "+strings.TrimSuffix(why, "."))
			}
			n, err = lookNote(ctx, env, k.noteAsk(e, nil))
		}
		if err != nil {
			return err
		}
		k.noted = append(k.noted, n)
	}
	return nil
}

// isSecret reports whether a text says nothing but what was masked in it.
func isSecret(text string) bool {
	rest := strings.ReplaceAll(text, digest.Masked, "")
	return rest != text && !strings.ContainsFunc(rest, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// noteAsk is what is asked of an entry. A finding is a note in passing: it may have no reason, and no evidence.
func (k *deltaLook) noteAsk(e notes.Entry, places []string) *noteAsk {
	e.Text = strings.TrimSpace(e.Text)
	if e.Title == "" {
		if title, rest, ok := strings.Cut(e.Text, ": "); ok && len(title) < deltaTitle && !strings.ContainsAny(title, "\n.;!?`") {
			e.Title, e.Text = title, strings.TrimSpace(rest)
		}
	}
	if line := strings.Join(strings.Fields(e.Text), " "); e.Title == "" {
		if e.Title = words.Cut(line, deltaTitle); e.Title == line {
			e.Text = ""
		}
	}
	if strings.TrimSpace(e.Rationale) == "" {
		e.Rationale = "Not given"
		if k.session != nil {
			e.Rationale = "Not given (delta of session " + shortID(transcript.CleanLine(k.session.Row.ID)) + ")"
		}
	}
	return &noteAsk{dir: k.ask.dir, entry: e, places: places, noEvidence: len(places) == 0, undo: k.ask.undo}
}

// insert finds the place of all of it in what NOTES.md has now.
func (k *deltaLook) insert(env *Env) error {
	if len(k.noted) == 0 {
		return nil
	}
	var text []byte
	if k.ledger.Notes != nil {
		text = k.ledger.Notes.Text
	}
	k.but = append(k.but, k.noted[0].but...)
	place, _, err := k.all(text)
	if err != nil {
		return notesFailure(env, &k.ledger.Project, err)
	}
	if k.place = place; len(place.Text) > noteMost {
		return &out.Failure{What: "The findings have more than 256 kB. Write a document, and note where it is."}
	}
	return nil
}

// all puts every entry into a text, one after the other. They stand together, so that they are one insertion: what takes
// them out again is one as well.
func (k *deltaLook) all(text []byte) (notes.Insertion, []byte, error) {
	now := text
	var place notes.Insertion
	for i, n := range k.noted {
		at, next, err := n.insert(now)
		if err != nil {
			return place, nil, err
		}
		if i == 0 || at.Line < place.Line {
			place.Line = at.Line
		}
		if i == 0 {
			place.Section, place.Made = at.Section, at.Made
		}
		now = next
	}
	from, to := 0, 0 // what is the same before, and behind
	for from < len(text) && text[from] == now[from] {
		from++
	}
	for to < len(text) && text[len(text)-1-to] == now[len(now)-1-to] {
		to++
	}
	if from+to < len(text) {
		return place, nil, &out.Failure{
			What:  "The findings would not stand together in NOTES.md, so they could not be taken back as one. Bring them one at a time.",
			Hints: []string{"continuo delta --finding TEXT"},
		}
	}
	for place.At = from; place.At > len(text)-to && place.At > 0 && text[place.At-1] != '\n'; place.At-- {
	}
	place.Text = now[place.At : place.At+len(now)-len(text)]
	return place, now, nil
}

// tokens is what the context of the session has taken up; 0 unknown.
func (k *deltaLook) tokens() int64 {
	if k.session == nil {
		return 0
	}
	used, _ := k.session.Row.ContextUsed()
	return used
}

// level is that of the tokens.
func (k *deltaLook) level() ledger.AttentionLevel {
	return k.ledger.Project.Config.Attention.Level(k.tokens())
}
