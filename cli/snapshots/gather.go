package snapshots

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/cli/entries"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/ledger/snapshot"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/document"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/digest"
)

// Limits of a save, which takes the newest decisions and failed commands.
const (
	mostDecisions = 10
	mostErrors    = 5
)

// gathered has the data for a save from a session and its ledger.
type gathered struct {
	row      *sessions.Row // nil without a session
	handover *handover.Handover
	part     *snapshot.Snapshot // a partial snapshot: the files of beads, and the blocks
	troubles []string           // messages about the ledger
}

func gather(ctx context.Context, env *place.Env, dir, session string) (*gathered, error) {
	l, err := place.LookLedger(ctx, env, dir, survey.LedgerHow{})
	if err != nil {
		return nil, err
	}
	g := &gathered{handover: &handover.Handover{Git: gitOf(ctx, env, dir)}, part: &snapshot.Snapshot{}}
	if g.row, err = entries.SessionOf(ctx, env, l.Project.Root, session); err != nil {
		return nil, err
	}
	var tasks []handover.Item
	if g.row != nil {
		if tasks, err = g.session(ctx, env, dir); err != nil {
			return nil, err
		}
	}
	var beads, goals []handover.Item
	if l.Beads != nil {
		for i := range l.Beads.Beads {
			b := &l.Beads.Beads[i]
			item := b.Item()
			beads = append(beads, item)
			g.evidence(&item, b.Handover().Decisions)
		}
	}
	if l.Notes != nil {
		h := l.Notes.Handover()
		goals = h.Items
		g.handover.Decisions = append(g.handover.Decisions, h.Decisions[:min(len(h.Decisions), mostDecisions)]...)
	}
	for _, trouble := range []string{l.Trouble, l.BeadsBad} {
		if trouble != "" && !l.None {
			g.troubles = append(g.troubles, trouble)
		}
	}
	g.handover.Items = handover.Join(tasks, beads, goals)
	return g, nil
}

// session adds the decisions, failed commands and plans of the session. It returns the session's tasks.
func (g *gathered) session(ctx context.Context, env *place.Env, dir string) ([]handover.Item, error) {
	said, err := entries.ReadSaid(ctx, env, g.row, true, time.Time{})
	if err != nil {
		return nil, err
	}
	for _, s := range said.List[max(0, len(said.List)-mostDecisions):] {
		d := handover.Decision{When: s.At, Title: s.Title, Text: s.Text, Why: s.Rationale}
		for _, e := range s.Evidence {
			where, quote, _ := strings.Cut(e, "|")
			if ref, ok := ledger.ParseRef(where); ok {
				d.Evidence = append(d.Evidence, handover.Evidence{Ref: ref, Quote: strings.TrimSpace(quote)})
			}
		}
		g.handover.Decisions = append(g.handover.Decisions, d)
	}
	t, err := transcript.Open(ctx, g.row.Path)
	if err == nil {
		defer func() { _ = t.Close() }() // nothing was written
		var found digest.Digest
		if found, err = digest.Read(ctx, t); err == nil {
			g.blocks(&found, dir)
			return document.TaskItems(found.Todos), nil
		}
	}
	if errors.Is(err, ctx.Err()) {
		return nil, err
	}
	return nil, &out.Failure{What: env.Tilde(g.row.Path) + " cannot be read: " + out.Reason(err) + ". Nothing was saved.", Cause: err}
}

// blocks adds a block for each failed command, approved plan and plan file.
func (g *gathered) blocks(d *digest.Digest, dir string) {
	add := func(title, content string) {
		if title != "" {
			g.part.Blocks = append(g.part.Blocks, snapshot.Block{Title: title, Content: content})
		}
	}
	var failed []digest.Command
	for _, c := range slices.Concat(d.Commands.First, d.Commands.Last) {
		if c.Failed {
			failed = append(failed, c)
		}
	}
	for _, c := range failed[max(0, len(failed)-mostErrors):] {
		add(snapshot.BlockError+c.Text, c.Exit)
	}
	for _, c := range slices.Concat(d.Decisions.First, d.Decisions.Last) {
		if c.Kind == digest.Approved {
			add(snapshot.BlockPlan+c.About, c.Said)
		}
	}
	for _, f := range d.Files {
		name, inPlans := strings.ToLower(filepath.Base(f.Path)), strings.HasSuffix(filepath.ToSlash(filepath.Dir(f.Path)), "/plans")
		if filepath.Ext(name) != ".md" || !inPlans && !strings.Contains(name, "plan") {
			continue
		}
		path := f.Path
		if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
			path = filepath.ToSlash(rel)
		}
		add(snapshot.BlockPlan+path, "See: "+path)
	}
}

// evidence adds the files that a bead's decisions cite to the bead's task.
func (g *gathered) evidence(item *handover.Item, decisions []handover.Decision) {
	t := snapshot.FromHandover(&handover.Handover{Items: []handover.Item{*item}}).Tasks
	if len(t) == 0 || !item.Status.IsOpen() {
		return
	}
	for _, d := range decisions {
		for _, e := range d.Evidence {
			t[0].Files = append(t[0].Files, strings.TrimPrefix(e.Ref.String(), "${PROJECT_ROOT}/"))
		}
	}
	if len(t[0].Files) > 0 {
		g.part.Tasks = append(g.part.Tasks, snapshot.Task{Title: t[0].Title, Files: t[0].Files})
	}
}
