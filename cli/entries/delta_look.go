package entries

import (
	"context"
	"errors"
	"strings"
	"unicode"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/mask"
)

// The limits of a delta.
const (
	DeltaMost  = 100       // maximum number of findings in a delta
	deltaLog   = 256 << 20 // bytes of the trajectory to search for the previous delta
	deltaTitle = 90        // maximum width in cells of a title made from a finding
)

// DeltaLook is a planned delta.
type DeltaLook struct {
	ask     *deltaAsk
	Ledger  survey.Ledger
	session *survey.Said      // nil if there is no session
	last    place.DeltaRecord // the previous delta, or zero
	Noted   []*Noting         // oldest first
	forks   []gate.Fork       // findings that contradict the ledger, and are left out
	known   int               // number of findings that are already in the ledger
	left    int               // number of findings beyond DeltaMost
	bead    string            // the bead for the comments, or ""
	program *place.Beads      // writes the comments
	place   notes.Insertion
	file    string // path of the trajectory
	But     []string

	wrote, commented, logged bool // completed steps
	id                       string
	problems                 []string
}

// lookDelta collects the findings and their positions, and writes nothing.
func lookDelta(ctx context.Context, env *place.Env, ask *deltaAsk) (*DeltaLook, error) {
	l, err := place.LookLedger(ctx, env, ask.dir, survey.LedgerHow{})
	if err != nil {
		return nil, err
	}
	if l.Trouble != "" {
		return nil, &out.Failure{What: l.Trouble}
	}
	k := &DeltaLook{ask: ask, Ledger: l, file: trajectory.LogFile(&l.Project, ask.agent, env.Now())}
	held, troubles := l.Held(ask.bead)
	k.But = append(k.But, troubles...)
	if err := k.choose(env, held); err != nil {
		return nil, err
	}
	row, err := SessionOf(ctx, env, l.Project.Root, ask.session)
	switch {
	case err != nil:
		return nil, err
	case row == nil && len(ask.findings) == 0:
		return nil, &out.Failure{Code: out.ExitNone, What: "There is no session of " + env.Tilde(l.Project.Root) + " yet. Pass a finding.", Hints: []string{"continuo delta --finding TEXT"}}
	case row != nil:
		k.Before(ctx, env, row)
		if k.session, err = ReadSaid(ctx, env, row, len(ask.findings) == 0, k.last.At); err != nil {
			return nil, err
		}
	}
	if err := k.find(ctx, env, held); err != nil {
		return nil, err
	}
	return k, k.insert(ctx, env)
}

// Before finds a session's previous delta.
func (k *DeltaLook) Before(ctx context.Context, env *place.Env, row *sessions.Row) {
	whole := trajectory.Since(ctx, &k.Ledger.Project, row.Created, deltaLog, func(r *trajectory.Record) {
		if last, ok := place.DeltaOf(r); ok && last.Session == row.ID && last.At.After(k.last.At) {
			k.last = last
		}
	})
	if !whole {
		k.But = append(k.But, LogPart(env, &k.Ledger.Project, deltaLog)+". An earlier delta may be missing")
	}
}

// choose sets the bead for the comments.
func (k *DeltaLook) choose(env *place.Env, held gate.Ledger) error {
	if id := k.ask.bead; id != "" && held.Beads != nil && held.Beads.Shape != "" {
		if _, known := held.Beads.Find(id); !known {
			return &out.Failure{Code: out.ExitNone, What: "There is no bead " + out.Quoted(id) + ". List all beads.", Hints: []string{"continuo beads --all"}}
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
		return out.Usage("--br needs one bead, but none or several are in progress. Name the bead with --bead ID.", "continuo beads")
	}
	if err := place.CheckBead(k.bead); err != nil {
		return err
	}
	if k.program = place.BeadsOf(env.Host, &k.Ledger.Project); k.program.Name == "" {
		k.But = append(k.But, k.program.Missing()+", so bead "+transcript.CleanLine(k.bead)+" gets no comment")
		k.bead = ""
	}
	return nil
}

// find converts the findings to entries, and checks their evidence.
func (k *DeltaLook) find(ctx context.Context, env *place.Env, held gate.Ledger) error {
	if len(k.ask.findings) > 0 {
		for _, text := range k.ask.findings {
			e := notes.Entry{Kind: notes.EntryDecision, Title: k.ask.title, Text: text, Rationale: k.ask.rationale, Bead: k.ask.bead}
			n, err := LookNote(ctx, env, k.noteAsk(e, k.ask.evidence))
			// Replace the hint, because it is for the command note.
			if f, ok := errors.AsType[*out.Failure](err); ok && f.Code == out.ExitNo {
				f.Hints = []string{"continuo delta --help"}
			}
			if err != nil {
				return err
			}
			k.Noted = append(k.Noted, n)
		}
		return nil
	}
	var fresh []gate.Statement
	fresh, k.forks, k.known = gate.Fresh(ctx, k.session.List, held)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if k.left = max(len(fresh)-DeltaMost, 0); k.left > 0 {
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
		if isSecret(ask.Entry.Title) || ask.Entry.Text != "" && isSecret(ask.Entry.Text) {
			k.But = append(k.But, "left out: a decision that is only a masked secret")
			continue
		}
		n, err := LookNote(ctx, env, ask)
		// Evidence from a session may be wrong.
		if f, ok := errors.AsType[*out.Failure](err); ok && f.Code == out.ExitNo && len(s.Evidence) > 0 {
			for _, why := range f.Facts {
				k.But = append(k.But, "left out: "+strings.TrimSuffix(why, "."))
			}
			n, err = LookNote(ctx, env, k.noteAsk(e, nil))
		}
		if err != nil {
			return err
		}
		k.Noted = append(k.Noted, n)
	}
	return nil
}

// isSecret reports whether a text is only masked secrets.
func isSecret(text string) bool {
	rest := strings.ReplaceAll(text, mask.Mark, "")
	return rest != text && !strings.ContainsFunc(rest, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// noteAsk returns the arguments of note for one entry. A finding may lack a reason and evidence.
func (k *DeltaLook) noteAsk(e notes.Entry, places []string) *NoteAsk {
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
			e.Rationale = "Not given (delta of session " + place.ShortID(transcript.CleanLine(k.session.Row.ID)) + ")"
		}
	}
	return &NoteAsk{Dir: k.ask.dir, Entry: e, places: places, NoEvidence: len(places) == 0, Undo: k.ask.undo}
}

// insert computes the positions of all entries in the current NOTES.md.
func (k *DeltaLook) insert(ctx context.Context, env *place.Env) error {
	if len(k.Noted) == 0 {
		return nil
	}
	var text []byte
	if k.Ledger.Notes != nil {
		text = k.Ledger.Notes.Text
	}
	k.But = append(k.But, k.Noted[0].but...)
	place, _, err := k.All(ctx, text)
	if err != nil {
		return NotesFailure(env, &k.Ledger.Project, err)
	}
	if k.place = place; len(place.Text) > noteMost {
		return &out.Failure{What: "The findings have more than 256 kB. Write a document and note its path."}
	}
	return nil
}

// All inserts the entries into a text, as one block, so that one undo removes them.
func (k *DeltaLook) All(ctx context.Context, text []byte) (notes.Insertion, []byte, error) {
	now := text
	var place notes.Insertion
	for i, n := range k.Noted {
		at, next, err := n.insert(ctx, now)
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
	from, to := 0, 0 // lengths of the common prefix and suffix of both texts
	for from < len(text) && text[from] == now[from] {
		from++
	}
	for to < len(text) && text[len(text)-1-to] == now[len(now)-1-to] {
		to++
	}
	if from+to < len(text) {
		return place, nil, &out.Failure{
			What:  "The findings go to different places in NOTES.md, so one undo could not remove them all. Add them one at a time.",
			Hints: []string{"continuo delta --finding TEXT"},
		}
	}
	for place.At = from; place.At > len(text)-to && place.At > 0 && text[place.At-1] != '\n'; place.At-- {
	}
	place.Text = now[place.At : place.At+len(now)-len(text)]
	return place, now, nil
}

// tokens returns the size of the session's context in tokens; 0 if unknown.
func (k *DeltaLook) tokens() int64 {
	if k.session == nil {
		return 0
	}
	used, _ := k.session.Row.ContextUsed()
	return used
}

// level returns the level of attention for these tokens.
func (k *DeltaLook) level() ledger.AttentionLevel {
	return k.Ledger.Project.Config.Attention.Level(k.tokens())
}
