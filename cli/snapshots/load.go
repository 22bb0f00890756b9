package snapshots

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/ledger/snapshot"
	"github.com/continuo-tui/continuo/transcript"
)

// loaded is a snapshot, and the changes in git since then.
type loaded struct {
	*snapshot.Snapshot
	dir   string
	now   time.Time
	drift snapshot.Drift
}

// load reads the snapshot of the current folder.
func load(ctx context.Context, env *place.Env) (*loaded, error) {
	s, err := snapshot.Read(ctx, env.Dir)
	if _, unfit := errors.AsType[snapshot.LoadError](err); unfit {
		return nil, &out.Failure{What: err.Error(), Facts: []string{env.Tilde(filepath.Join(env.Dir, snapshot.Name))}, Cause: err}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &out.Failure{
			Code: out.ExitNone, What: "There is no " + snapshot.Name + " in " + env.Tilde(env.Dir) + ". Save one.",
			Hints: []string{"continuo snapshot save"}, Cause: err,
		}
	case err != nil:
		return nil, &out.Failure{What: snapshot.Name + " can't be read: " + out.Reason(err) + ".", Cause: err}
	}
	return &loaded{s, env.Dir, env.Now(), DriftOf(ctx, env, env.Dir, s)}, nil
}

func printLoad(o *out.Output, l *loaded) error {
	r := l.record()
	r.Set("text", l.LoadedText(l.now, l.drift))
	return o.PrintPage(transcript.Clean(l.LoadedText(l.now, l.drift))+"\n", r)
}

// record describes a snapshot for programs.
func (l *loaded) record() *out.Record {
	r := out.NewRecord()
	r.Set("path", out.Path(filepath.Join(l.dir, snapshot.Name)))
	r.Set("created", out.Time(l.Created)).Set("updated", out.Time(l.Updated))
	age, _ := l.Age(l.now)
	r.Set("ageSeconds", int(age/time.Second)).Set("counts", l.Counts()).Set("branch", l.Branch).Set("commit", l.Commit).Set("drift", l.drift)
	next := ""
	if n := l.Next(); n != nil {
		next = n.ID
	}
	return r.Set("next", next)
}

func printShow(o *out.Output, l *loaded) error {
	r := l.record()
	tasks := r.List("tasks")
	for i := range l.Tasks {
		t := &l.Tasks[i]
		tasks.Add().Tab("kind", "task").Set("id", t.ID).Set("status", t.Status).Set("priority", t.Priority).Set("category", t.Category).Set("title", t.Title).
			Set("created", out.Time(t.Created)).Set("completed", out.Time(t.Completed)).Set("count", l.Tasks[i].Count).
			Set("context", t.Context).Set("files", out.OrEmpty(t.Files))
	}
	tasks.Line("task", "id status priority category title files")
	blocks := r.List("contextBlocks")
	for _, b := range l.Blocks {
		blocks.Add().Set("title", b.Title).Set("content", b.Content).Set("updated", out.Time(b.Updated)).Set("relatedTasks", out.OrEmpty(b.Related))
	}
	blocks.Line("block", "title content")
	return r.Print(o, func() string { return transcript.Clean(l.LoadedText(l.now, l.drift) + "\n\n" + l.Page(l.drift)) })
}

// Loaded returns a report on the current folder's snapshot. Without one, the error has ExitNone.
func Loaded(ctx context.Context, env *place.Env) (string, error) {
	l, err := load(ctx, env)
	if err != nil {
		return "", err
	}
	return transcript.Clean(l.LoadedText(l.now, l.drift)), nil
}
