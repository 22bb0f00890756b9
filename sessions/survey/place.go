package survey

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/ledger/task"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/hook"
)

// Place is the folder of a look-up, with the facts about the machine that the look-up needs.
type Place struct {
	Dir    string // absolute path
	Home   string
	Temp   string // $TMPDIR; "" if not set
	Ledger ledger.Env
	Now    time.Time
	// Beads returns the program of a project's beads. If Beads is nil, only files are read.
	Beads func(p *ledger.Project) beads.Program
}

// readBeads reads the beads of a project.
func (at *Place) readBeads(ctx context.Context, p *ledger.Project) (*beads.Graph, error) {
	if at.Beads == nil {
		return beads.Read(ctx, p.Beads, nil)
	}
	return beads.Read(ctx, p.Beads, at.Beads(p))
}

// tilde returns a path for display.
func (at *Place) tilde(path string) string { return sessions.Tilde(path, at.Home) }

// FolderError is returned for a folder that can't be read.
type FolderError struct {
	Dir   string
	State sessions.FolderState
}

// Error implements error.
func (e *FolderError) Error() string {
	switch e.State {
	case sessions.FolderGone:
		return "folder " + e.Dir + " does not exist"
	case sessions.FolderFile:
		return e.Dir + " is not a folder"
	case sessions.FolderDenied:
		return "folder " + e.Dir + ": permission denied"
	case sessions.FolderRelative:
		return "folder " + e.Dir + " is not an absolute path"
	case sessions.FolderUnknown, sessions.FolderThere, sessions.FolderSilent:
	}
	return "folder " + e.Dir + ": the disk does not respond"
}

// CheckFolder returns a *FolderError for an unreadable folder.
func CheckFolder(ctx context.Context, dir string) error {
	if f := sessions.ProbeFolder(ctx, dir); f.State != sessions.FolderThere {
		return &FolderError{dir, f.State}
	}
	return nil
}

// FindLedger returns the paths of a place's ledger, which may not exist. The error is that of CheckFolder or
// ledger.Find.
func FindLedger(ctx context.Context, at Place) (ledger.Project, error) {
	if err := CheckFolder(ctx, at.Dir); err != nil {
		return ledger.Project{}, err
	}
	return ledger.Find(sessions.RealPath(at.Dir), at.Ledger)
}

// HasLedger reports whether a place has a NOTES.md or beads.
func HasLedger(ctx context.Context, at Place) bool {
	p, err := FindLedger(ctx, at)
	if err != nil {
		return false
	}
	for _, path := range []string{p.Notes, p.Beads} {
		if _, err := sessions.Disk().Stat(path); path != "" && err == nil {
			return true
		}
	}
	return false
}

// MemoryOf returns the folder with the memory for sessions in dir, or "".
func MemoryOf(ctx context.Context, dir, home string) string {
	if CheckFolder(ctx, dir) != nil {
		return ""
	}
	project, _ := hook.ProjectOf(dir, home)
	return project
}

// StagedOf returns when the recovery for sessions in dir was staged, and its estimated tokens. ok is false without a
// recovery. The error says why the next session won't print it.
func StagedOf(ctx context.Context, dir, home string, now time.Time) (staged time.Time, tokens int, ok bool, err error) {
	project := MemoryOf(ctx, dir, home)
	if project == "" {
		return staged, 0, false, nil
	}
	s, ok, err := backup.StagedIn(project, now)
	return s.At, recovery.Tokens(s.Text), ok, err
}

// Tasks are the tasks of a project (spec 003).
type Tasks struct {
	Root string       // root of the project
	All  []*task.Task // the task with the newest activity first
	// Foreign is true if tasks/ is another program's: no task in it has a session.
	Foreign bool
}

// TasksOf reads the tasks of a place. The error is that of FindLedger, or of listing tasks/. Task.Problem has the
// unreadable files of a task.
func TasksOf(ctx context.Context, at Place) (Tasks, error) {
	var t Tasks
	p, err := FindLedger(ctx, at)
	if err != nil {
		return t, cmp.Or(ctx.Err(), err)
	}
	t.Root = p.Root
	t.All, t.Foreign, err = task.All(ctx, p.Root)
	return t, err
}

// Find returns the task with a name, or nil.
func (t *Tasks) Find(slug string) *task.Task {
	i := slices.IndexFunc(t.All, func(k *task.Task) bool { return k.Slug == slug })
	if i < 0 {
		return nil
	}
	return t.All[i]
}
