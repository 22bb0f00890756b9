package catalog

import (
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

// gitChanged is the status of a snapshot whose repository has another commit or branch now.
const gitChanged = "git changed"

// snapshotRow returns the snapshot of a directory as a document (spec 004); nil if there is none. Its time is that of the
// last save, its title the next task, and its todos are its tasks.
func snapshotRow(ctx context.Context, dir string) *sessions.Row {
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
	commit := sessions.Commit(dir)
	if commit != "" && s.Commit != "" && (!snapshot.SameCommit(commit, s.Commit) || sessions.Branch(dir) != s.Branch) {
		r.Status = gitChanged
	}
	return r
}
