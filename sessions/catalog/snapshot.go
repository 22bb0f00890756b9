package catalog

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/ledger/snapshot"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// gitChanged is the status of a snapshot whose repository has another branch, or a commit at an unknown distance.
const gitChanged = "git changed"

// divergenceLimit is the time limit for counting commits. It is less than memoryLimit, so that a slow git costs only
// these numbers.
const divergenceLimit = memoryLimit / 2

// snapshotRow returns the snapshot of a directory as a document (spec 004), or nil. The row's time is that of the
// last save, its title the next task, and its todos the tasks.
func (c *Catalog) snapshotRow(ctx context.Context, dir string) *sessions.Row {
	r := &sessions.Row{Kind: sessions.KindDocument}
	r.Path, r.ID, r.Workdir = filepath.Join(dir, snapshot.Name), strings.TrimSuffix(snapshot.Name, ".json"), dir
	r.State, r.Models, r.Exact = sessions.StateOK, []string{}, true
	fi, err := os.Lstat(r.Path)
	if err != nil {
		return nil
	}
	r.Bytes, r.Modified = fi.Size(), fi.ModTime()
	s, err := snapshot.Read(ctx, dir)
	switch {
	case errors.Is(err, fs.ErrNotExist), ctx.Err() != nil:
		return nil
	case err != nil:
		r.Name, r.Created = snapshot.Name, r.Modified
		r.State, r.Reason = sessions.StateUnreadable, transcript.CleanLine(err.Error())
		return r
	}
	r.Created, r.Branch = s.Updated, transcript.CleanLine(s.Branch)
	r.Prompt = transcript.CleanLine(s.CountsText())
	r.Name = "Snapshot: " + r.Prompt
	if next := s.Next(); next != nil {
		r.Next = []string{transcript.CleanLine(next.Title)}
		r.Name = words.Cut("Snapshot: "+r.Next[0], 200)
	}
	for i := range s.Tasks {
		t := &s.Tasks[i]
		r.Todos = append(r.Todos, sessions.Todo{Text: transcript.CleanLine(t.Title), Done: !handover.Normal(t.Status).IsOpen()})
	}
	if d := c.drift(ctx, dir, s); d != (snapshot.Drift{}) {
		r.Status = cmp.Or(d.Short(), gitChanged)
	}
	return r
}

// drift compares a snapshot with the repository of its directory. Only different commits need git.
func (c *Catalog) drift(ctx context.Context, dir string, s *snapshot.Snapshot) snapshot.Drift {
	g := snapshot.Git{Branch: sessions.Branch(dir), Commit: sessions.Commit(dir), Unknown: true}
	if c.opts.Divergence != nil && g.Commit != "" && s.Commit != "" && !snapshot.SameCommit(g.Commit, s.Commit) {
		ctx, cancel := context.WithTimeout(ctx, divergenceLimit)
		defer cancel()
		var known bool
		g.Ahead, g.Behind, known = c.opts.Divergence(ctx, dir, s.Commit)
		g.Unknown = !known
	}
	return s.Drift(g)
}
