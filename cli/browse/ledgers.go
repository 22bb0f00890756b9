package browse

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/continuo-tui/continuo/cli/launch"
	"github.com/continuo-tui/continuo/cli/ledgers"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui"
)

// Ledgers implements tui.Ledgers.
type Ledgers struct {
	Env  *place.Env
	O    *out.Output
	Logs *Timelines
	// Beads caches answers of br and bd for Ledger; nil: no cache.
	Beads *Answers
}

// handoffs caches the newest handoff of the last project. It is safe for concurrent use.
type handoffs struct {
	mu    sync.Mutex
	root  string
	files []trajectory.File
	At    time.Time
	where string
}

// look implements survey.HandoffLook.
func (h *handoffs) look(ctx context.Context, p *ledger.Project) (at time.Time, where string) {
	files, err := trajectory.Files(p.Trajectory)
	if err != nil {
		return trajectory.NewestHandoff(ctx, p)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.root != p.Root || !slices.Equal(h.files, files) {
		at, where := trajectory.NewestHandoff(ctx, p)
		if ctx.Err() != nil {
			return at, where
		}
		h.root, h.files, h.At, h.where = p.Root, files, at, where
	}
	return h.At, h.where
}

// In implements tui.Ledgers.
func (b Ledgers) In(ctx context.Context, dirs []string) []string {
	return slices.DeleteFunc(slices.Clone(dirs), func(dir string) bool { return !survey.HasLedger(ctx, b.Env.LookFrom(dir)) })
}

// Ledger implements tui.Ledgers.
func (b Ledgers) Ledger(ctx context.Context, dir string) (survey.Ledger, error) {
	how := survey.LedgerHow{Identifiers: true, Evidence: true, Staged: true, Truth: true}
	if b.Logs != nil {
		how.Handoff = b.Logs.Handoffs.look
	}
	at := b.Env.LookFrom(dir)
	if b.Beads != nil {
		at.Beads = b.Beads.of(at.Beads)
	}
	l, err := survey.LedgerOf(ctx, at, how)
	if err != nil {
		return l, inBrowser(place.LookFailure(b.Env, dir, err))
	}
	l.Missing = b.missing(ctx, &l)
	return l, ctx.Err()
}

// Recall implements tui.Ledgers.
func (b Ledgers) Recall(ctx context.Context, dir string) (tui.Recall, error) {
	l, err := place.LookLedger(ctx, b.Env, dir, survey.LedgerHow{Identifiers: true, Staged: true})
	if err != nil {
		return nil, inBrowser(err)
	}
	l.Missing = b.missing(ctx, &l)
	r := &ledgerRecall{b: b, ledger: l, facts: place.Recoverer(b.Env, false).Facts(ctx, &l)}
	return r, ctx.Err()
}

// ledgerRecall has the ledger of a project, and the data for recoveries.
type ledgerRecall struct {
	b      Ledgers
	ledger survey.Ledger
	facts  recovery.Facts

	reading sync.Mutex // recoveries run one at a time

	prompt   sync.Mutex
	prompted bool   // the last prompt was looked up
	words    string // the words of the last prompt
}

// Staged implements tui.Recall.
func (r *ledgerRecall) Staged() (at time.Time, tokens int) { return r.ledger.Staged, r.ledger.StagedN }

// Recover implements tui.Recall.
func (r *ledgerRecall) Recover(ctx context.Context, ask recovery.Ask) (recovery.Result, error) {
	f := r.facts
	if ask.Level == recovery.Topic {
		f.Prompted = r.lastPrompt(ctx, &ask)
	}
	r.reading.Lock()
	defer r.reading.Unlock()
	result, err := place.Recoverer(r.b.Env, false).Recover(ctx, &r.ledger, f, ask)
	ledgers.MentionMissing(&result, &r.ledger)
	return result, err
}

// lastPrompt returns the words of the last prompt, if the recovery searches for them. It looks them up once.
func (r *ledgerRecall) lastPrompt(ctx context.Context, ask *recovery.Ask) string {
	r.prompt.Lock()
	defer r.prompt.Unlock()
	f := r.facts
	if !r.prompted && place.Recoverer(r.b.Env, false).Prompt(ctx, &r.ledger, &f, ask) {
		r.prompted, r.words = ctx.Err() == nil, f.Prompted
	}
	return cmp.Or(r.words, r.facts.Prompted)
}

// Take implements tui.Ledgers.
func (b Ledgers) Take(ctx context.Context, dir string, r recovery.Result, how tui.Taking) (tui.Taken, error) {
	what := "level " + ledgers.LevelName(r.Level) + ", " + words.Counted(r.Tokens, "token", "tokens") + "."
	switch how {
	case tui.TakeCopy:
		var send strings.Builder
		note, err := launch.CopyText(ctx, b.Env, r.Text, &send)
		return tui.Taken{Said: out.JoinSentences("Copied "+what, note), Send: send.String()}, inBrowser(err)
	case tui.TakeFile:
		path := ledgers.RecoveredName(b.Env, &r)
		but, err := ledgers.ExportRecovered(ctx, b.Env, &r, path)
		if err != nil {
			return tui.Taken{}, inBrowser(err)
		}
		if but == "" {
			but = Changes{Env: b.Env, O: b.O}.undoKey() + " deletes it again."
		}
		return tui.Taken{Said: out.JoinSentences("Written to "+b.Env.Tilde(path)+": "+what, but)}, nil
	case tui.TakeSession, tui.TakePlan:
	}
	root := dir
	if p, err := ledger.Find(place.RealPath(dir), b.Env.LedgerEnv()); err == nil {
		root = p.Root
	}
	l, err := ledgers.PlanRecovered(ctx, b.Env, &r, root)
	if err != nil {
		return tui.Taken{}, inBrowser(err)
	}
	if how == tui.TakePlan {
		l.Argv = append(l.Argv, "--permission-mode", "plan")
	}
	out, err := ledgers.LaunchRecovered(ctx, b.Env, b.O, l)
	if run, ok := out.Run.(*launch.Takeover); ok {
		run.Hold = true
	}
	return tui.Taken{Run: out.Run, Said: out.Said}, inBrowser(err)
}

// Gate implements tui.Ledgers.
func (b Ledgers) Gate(ctx context.Context, dir string, ask tui.GateAsk) (gate.Report, error) {
	k, err := ledgers.LookGate(ctx, b.Env, ledgers.GateAsk{GateAsk: survey.GateAsk{Full: ask.Full}, Dir: dir, Session: ask.Session})
	return k.Report, inBrowser(err)
}
