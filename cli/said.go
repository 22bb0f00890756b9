package cli

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/digest"
	"github.com/continuo-tui/continuo/tui/render"
)

// saidMost is how many decisions of a session are held, the newest.
const saidMost = 1000

// sessionSaid is a session with what was decided in its text.
type sessionSaid struct {
	row  sessions.Row // its context is that of the whole file
	said []gate.Said  // oldest first, masked
	left int          // older ones
}

// sessionOf is the session that a command of a project is about: the one that is named, else the one of the project that
// runs the command, else the newest of the project; nil there is none.
func sessionOf(ctx context.Context, env *Env, root, word string) (*sessions.Row, error) {
	if own := env.host.Getenv("CLAUDE_CODE_SESSION_ID"); word == "" && sessions.IsUUID(own) {
		row, _, err := findSession(ctx, env, sessionArg{word: own})
		if s := (scope{project: root}); err == nil && row.Kind == sessions.KindSession && s.holds(&row) {
			return &row, nil
		}
	}
	if word == "" {
		_, mine := projectRows(ctx, env, root)
		if i := slices.IndexFunc(mine, func(r *sessions.Row) bool { return r.Kind == sessions.KindSession && !r.Quiet() }); i >= 0 {
			return mine[i], ctx.Err()
		}
		return nil, ctx.Err()
	}
	row, _, err := findSession(ctx, env, sessionArg{word: word})
	switch {
	case err != nil:
		return nil, err
	case row.Kind != sessions.KindSession:
		return nil, &failure{what: quoted(word) + " is no session, but a copy or a document of one. Name a session.", hints: []string{"continuo list   shows the ids"}}
	}
	return &row, nil
}

// readSaid reads how much context a session has and, if texts are asked for, what was decided in its main thread, by the
// person or the assistant, after a time; the zero time is all of it. Before that nothing is decoded.
func readSaid(ctx context.Context, env *Env, row *sessions.Row, texts bool, after time.Time) (*sessionSaid, error) {
	t, err := transcript.Open(ctx, row.Path)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &failure{what: env.tilde(row.Path) + " cannot be read: " + reason(err) + ".", cause: err}
	}
	defer func() { _ = t.Close() }() // it was only read
	s := &sessionSaid{row: *row}
	o := t.Outline()
	s.row.ContextTokens, s.row.ContextBase, s.row.ContextBegan = o.Facts.Context, o.Facts.Base, transcript.At(o.Facts.Began)
	if !texts {
		return s, ctx.Err()
	}
	for n, i := range o.Threads[0].Messages {
		if n%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		ref := &o.Messages[i]
		if ref.Kind != transcript.Prompt && ref.Kind != transcript.Answer || ref.Time > 0 && !after.IsZero() && ref.Time <= after.UnixMilli() {
			continue
		}
		m := t.Message(i)
		s.take(&m)
	}
	return s, nil
}

// take takes the decisions of a message.
func (s *sessionSaid) take(m *transcript.Message) {
	for i := range m.Blocks {
		b := &m.Blocks[i]
		if b.Kind != transcript.BlockText || strings.HasPrefix(b.Text, "<") { // of the client
			continue
		}
		for _, said := range gate.SaidIn(b.Text) {
			said.At = m.Time
			for _, text := range []*string{&said.Title, &said.Text, &said.Rationale} {
				*text = digest.Mask(transcript.CleanLine(*text))
			}
			s.said = append(s.said, said)
		}
		if over := len(s.said) - saidMost; over > 0 {
			s.said = slices.Clone(s.said[over:])
			s.left += over
		}
	}
}

// leftOut says that more was decided than was looked at; "" nothing.
func (s *sessionSaid) leftOut() string {
	if s.left == 0 {
		return ""
	}
	return render.Counted(s.left, "older decision", "older decisions") + " of the session " + isAre(s.left) + " not looked at: " + render.Count(saidMost) + " are"
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// gateLedger is what a session is held against. The sentences say what of it cannot be read.
func gateLedger(l *survey.Ledger, bead string) (held gate.Ledger, troubles []string) {
	held = gate.Ledger{Notes: l.Notes, Beads: l.Beads, Bead: bead}
	for _, s := range []string{l.Trouble, l.BeadsBad} {
		if s != "" {
			troubles = append(troubles, s)
		}
	}
	return held, troubles
}

// logFile is the file of a trajectory that an agent logs to today.
func logFile(env *Env, p *ledger.Project, agent string) string {
	return filepath.Join(p.Trajectory, trajectory.Name(agent, env.now().Format(time.DateOnly)))
}

// logged reads the records of a trajectory that were written since a time, the newest file first, until most bytes were
// read; whole says that this was all of them.
func logged(ctx context.Context, p *ledger.Project, since time.Time, most int64, yield func(r *trajectory.Record)) (whole bool) {
	files, err := trajectory.Files(p.Trajectory)
	l := trajectory.Reading{Left: most, Whole: err == nil}
	for i := range files {
		if !files[i].Mod.Before(since) {
			l.File(ctx, p, &files[i], yield)
		}
	}
	return l.Whole
}

// logPart says that a trajectory was not read to its end, so what is looked for may be there for all that.
func logPart(env *Env, p *ledger.Project, most int64) string {
	return "not all of the trajectory in " + env.tilde(p.Trajectory) + " could be read: it is damaged, or has more than " + render.Size(most)
}

// logFailure says that a record could not be appended.
func logFailure(env *Env, path string, err error) *failure {
	why := trajectory.Reason(err)
	if errors.Is(err, ledger.ErrBusy) {
		why = "another program is writing"
	}
	return &failure{what: "The record could not be written to " + env.tilde(path) + ": " + why + ".", cause: err}
}

// checkAgent refuses what is no name of an agent: it becomes that of a file.
func checkAgent(agent, hint string) error {
	if !isPlainWord(agent) || len(agent) > 100 {
		return usage("--agent takes the name of an agent, as files of the trajectory have it, and not "+quoted(agent)+".", hint)
	}
	return nil
}
