package handing

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/cli/backups"
	"github.com/continuo-tui/continuo/cli/entries"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/document"
	"github.com/continuo-tui/continuo/sessions/stores"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
)

// Look has a project, its stores, and the handover of a session.
type Look struct {
	Row    *sessions.Row // nil without a session
	Place  stores.Place
	Value  *handover.Handover
	Stores []stores.Store
	unread error    // why the transcript is unreadable
	but    []string // warnings, without a full stop
}

// LookIn reads a folder's project, its stores, and the handover of a session. word names the session; "" means
// the newest one.
func LookIn(ctx context.Context, env *place.Env, dir, word string) (*Look, error) {
	project, err := place.LedgerOf(env, dir)
	if err != nil {
		return nil, err
	}
	row, err := entries.SessionOf(ctx, env, project.Root, word)
	if err != nil {
		return nil, err
	}
	return LookAt(ctx, env, dir, row)
}

// LookAt fills the handover of a session. row may be nil.
func LookAt(ctx context.Context, env *place.Env, dir string, row *sessions.Row) (*Look, error) {
	ledgers, err := place.LookLedger(ctx, env, dir, survey.LedgerHow{})
	if err != nil {
		return nil, err
	}
	l := &Look{Row: row, Place: stores.Place{Project: ledgers.Project, At: env.Now().Truncate(time.Second), Home: env.Home}}
	if l.Place.Memory = survey.MemoryOf(ctx, dir, env.Home); l.Place.Memory == "" && row != nil {
		l.Place.Memory = backups.MemoryOf(ctx, env, row)
	}
	root := ledgers.Project.Root
	facts := stores.Facts{At: l.Place.At}
	var troubles []string
	facts.Held, troubles = survey.HandoversOf(ctx, &ledgers, env.Home)
	for _, trouble := range append(troubles, ledgers.Trouble, ledgers.BeadsBad) {
		if trouble != "" {
			l.but = append(l.but, strings.TrimSuffix(transcript.CleanLine(trouble), "."))
		}
	}
	l.Place.Known = document.Known{At: l.Place.At, Project: filepath.Base(root), Root: root}
	if row != nil {
		facts.Session = row.ID
		switch known, err := backups.ReadKnownOf(ctx, env, row, root); {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			l.unread, l.but = err, append(l.but, strings.TrimSuffix(out.AsFailure(err).What, "."))
		default:
			l.Place.Known, facts.Digest = *known, &known.Digest
		}
	}
	facts.Git = gitOf(ctx, env, root)
	l.Value, l.Stores = stores.Fill(&facts), stores.Of(ctx, &l.Place)
	return l, ctx.Err()
}

// Passed adds a gate's result to the handover, and its record to the trajectory.
func (l *Look) Passed(ctx context.Context, g *survey.Gate) {
	r := &g.Report
	l.Place.Gate = &stores.Gate{Agent: r.Agent, File: g.File}
	l.Value.Gate.Verdict = g.Handoff.Status
	if r.Steps[0].Status != gate.Unknown {
		l.Place.Gate.Record = r.Check()
		l.Value.Gate.Ratio, l.Value.Gate.Counted = r.Ratio, true
	}
	for _, text := range g.Handoff.NotesRefs {
		if ref, ok := ledger.ParseRef(text); ok {
			l.Value.Refs = append(l.Value.Refs, handover.Reference{Ref: ref})
		}
	}
	l.Stores = stores.Of(ctx, &l.Place)
}

// gitOf returns the branch and the commit of a project, or "".
func gitOf(ctx context.Context, env *place.Env, root string) handover.Git {
	ask := func(args ...string) string {
		text, _ := env.Host.Git(ctx, root, args...) // "" without a commit
		return transcript.CleanLine(text)
	}
	return handover.Git{Branch: ask("symbolic-ref", "--quiet", "--short", "HEAD"), Commit: ask("rev-parse", "--short", "--verify", "--quiet", "HEAD")}
}

// valueMost is the maximum length of a handover in JSON, in bytes.
const valueMost = 1 << 20

// read reads the handover in JSON from stdin. It adds a missing time, session or git state.
func (l *Look) read(o *out.Output) error {
	if o.Typing {
		return out.Usage("--from - reads the handover from a pipe, but stdin is a terminal.", hint)
	}
	text, err := io.ReadAll(io.LimitReader(o.Stdin, valueMost+1))
	if err != nil {
		return &out.Failure{What: "The handover could not be read: " + out.Reason(err) + ". Nothing was written.", Cause: err}
	}
	v := &handover.Handover{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err = d.Decode(v)
	switch {
	case len(text) > valueMost:
		err = errors.New("larger than 1 MB")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		err = errors.New("it ends too early")
	case err == nil && d.More():
		err = errors.New("text follows the object")
	}
	if err != nil {
		return &out.Failure{What: "The handover isn't valid: " + strings.TrimPrefix(err.Error(), "json: ") + ". Nothing was written.", Cause: err, Hints: []string{"continuo handover --dry-run --json   prints one as handover.value"}}
	}
	if v.When.IsZero() {
		v.When = l.Value.When
	}
	if v.Session == "" {
		v.Session = l.Value.Session
	}
	if v.Git == (handover.Git{}) {
		v.Git = l.Value.Git
	}
	l.Value = v
	return nil
}

// checkLimit is the time limit for the references of a handover.
const checkLimit = 2 * time.Second

// Checks checks the code references of a handover. References that weren't checked in time are missing.
func (l *Look) Checks(ctx context.Context) map[string]ledger.Check {
	ctx, cancel := context.WithTimeout(ctx, checkLimit)
	defer cancel()
	look, all := l.Place.Project.NewChecker(), map[string]ledger.Check{}
	check := func(ref ledger.Ref, quote string) {
		if c := look.Check(ctx, ref, quote); ctx.Err() == nil {
			all[ref.String()] = c
		}
	}
	for i := range l.Value.Decisions {
		for _, e := range l.Value.Decisions[i].Evidence {
			check(e.Ref, e.Quote)
		}
	}
	for _, r := range l.Value.Refs {
		check(r.Ref, "")
	}
	return all
}
