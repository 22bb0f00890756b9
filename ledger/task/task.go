// Package task reads the tasks of a project (spec 003) and plans changes of them. A task is a directory below tasks/.
// It has sessions, which follow each other, and checkpoints, which are saved states of the work. The package keeps
// unknown fields and verifies the chain of checkpoints. It writes nothing, and doesn't read the clock or the registry
// of Claude Code.
//
// The package adds fields to the schema of the spec. resumed_from in a session is the ID of the checkpoint from which
// it continues. git_branch and git_commit in a checkpoint describe the repository.
package task

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/ledger"
)

// The directories and files of a task, below its directory.
const (
	tasksDir       = "tasks" // below the root of the project
	sessionsDir    = "json/sessions"
	checkpointsDir = "json/checkpoints"
	statusFile     = "json/task-status.json"
	indexFileName  = "json/checkpoint-index.json"
	emergencyFile  = "json/emergency-checkpoint.json"
	incidentsFile  = "json/incidents.jsonl"
	eventsFile     = "json/events.jsonl"
	evidenceFile   = "logs/session.log"
	logFile        = "implementation-log.md"
	workLogFile    = "work/implementation-log.md"
)

// maxFile is the maximum size of a file of a task in bytes. The journal can't undo changes of larger files.
const maxFile = 1 << 20

// Task has the content of the files of a task. Damaged files have Problems.
type Task struct {
	Root        string // root of the project
	Slug        string // name of its directory
	Status      Status
	Sessions    []*Session    // oldest first
	Checkpoints []*Checkpoint // oldest first
	Emergency   *Checkpoint   // json/emergency-checkpoint.json; nil if there is none
	Index       Index
	Brief       *Brief // the text for a fixer; nil if none is needed
	Log         string // path of the log below Dir; implementation-log.md if there is none
	Title       string // "" if the task has none
	Prefix      string // prefix of lines of evidence; "" means DefaultPrefix
	// Problem joins the errors of unreadable files, which Verify doesn't check.
	Problem error

	logText []byte // nil if there is no log
}

// Dir returns the absolute path of the directory of the task.
func (t *Task) Dir() string { return filepath.Join(t.Root, tasksDir, t.Slug) }

// Newest returns the session that started last; nil if there is none.
func (t *Task) Newest() *Session {
	if len(t.Sessions) == 0 {
		return nil
	}
	return t.Sessions[len(t.Sessions)-1]
}

// Session returns the session with an ID; nil if there is none.
func (t *Task) Session(id string) *Session {
	i := slices.IndexFunc(t.Sessions, func(s *Session) bool { return s.ID == id && id != "" })
	if i < 0 {
		return nil
	}
	return t.Sessions[i]
}

// Checkpoint returns the checkpoint with an ID; nil if there is none.
func (t *Task) Checkpoint(id string) *Checkpoint {
	i := slices.IndexFunc(t.Checkpoints, func(c *Checkpoint) bool { return c.ID == id && id != "" })
	if i < 0 {
		return nil
	}
	return t.Checkpoints[i]
}

// Last returns the newest checkpoint, which may be the emergency checkpoint; nil if there is none.
func (t *Task) Last() *Checkpoint {
	c := t.Emergency
	if n := len(t.Checkpoints); n > 0 && (c == nil || !c.At.After(t.Checkpoints[n-1].At)) {
		c = t.Checkpoints[n-1]
	}
	return c
}

// Of returns the checkpoints of a session, oldest first.
func (t *Task) Of(session string) []*Checkpoint {
	var all []*Checkpoint
	for _, c := range t.Checkpoints {
		if c.Session == session {
			all = append(all, c)
		}
	}
	return all
}

// Gate returns the gate of the newest session or, without a session, of the status.
func (t *Task) Gate() Gate {
	if s := t.Newest(); s != nil && s.Gate != "" {
		return s.Gate
	}
	if t.Status.Gate == "" && len(t.Checkpoints) > 0 {
		return t.Checkpoints[len(t.Checkpoints)-1].Gate
	}
	return t.Status.Gate
}

// State returns the status if that is "complete" or "blocked". Otherwise it returns the state of the newest session.
// Without a session, it returns the status as written.
func (t *Task) State() string {
	s := t.Newest()
	if s == nil || t.Status.Status == Completed || t.Status.Status == Blocked {
		return t.Status.Status
	}
	return string(s.State)
}

// Open reports whether the task isn't complete yet.
func (t *Task) Open() bool { return t.Status.Status != Completed }

// Left reports whether the task isn't complete and its newest session isn't active.
func (t *Task) Left() bool {
	s := t.Newest()
	return s != nil && t.Open() && s.State != Active && s.State != Init
}

// Resume returns the resume instructions of the last checkpoint; "" if there are none.
func (t *Task) Resume() string {
	c := t.Last()
	if c == nil {
		return ""
	}
	return strings.TrimSpace(c.Resume)
}

// Active returns the newest time in the files of the task.
func (t *Task) Active() time.Time {
	at := t.Status.Active
	for _, s := range t.Sessions {
		at = later(at, later(s.Started, s.Active))
	}
	for _, c := range t.Checkpoints {
		at = later(at, c.At)
	}
	return at
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// Slugs returns the sorted names of the tasks of a project. A task has json/task-status.json, json/checkpoints or
// json/sessions. foreign is true if tasks/ exists without any session. The directory may then belong to another
// program.
func Slugs(root string) (slugs []string, foreign bool, err error) {
	names, err := ledger.Names(root, tasksDir)
	if err != nil {
		return nil, false, err
	}
	foreign = len(names) > 0
	for _, name := range names {
		if !IsSlug(name) {
			continue
		}
		parts, err := ledger.Names(root, filepath.Join(tasksDir, name, "json"))
		if err != nil { // a file, or a link that leads out of the project
			continue
		}
		has := func(path string) bool { return slices.Contains(parts, filepath.Base(path)) }
		if has(statusFile) || has(checkpointsDir) || has(sessionsDir) {
			slugs = append(slugs, name)
		}
		foreign = foreign && !has(sessionsDir)
	}
	return slugs, foreign, nil
}

// All returns the tasks of a project, the most recently active one first. For foreign, see Slugs.
func All(ctx context.Context, root string) (all []*Task, foreign bool, err error) {
	slugs, foreign, err := Slugs(root)
	if err != nil && !errors.Is(err, ledger.ErrOutside) {
		return nil, foreign, err
	}
	for _, slug := range slugs {
		t, err := Read(ctx, root, slug)
		if errors.Is(err, ErrNone) { // removed meanwhile
			continue
		}
		if err != nil {
			return all, foreign, err
		}
		all = append(all, t)
	}
	slices.SortStableFunc(all, func(a, b *Task) int { return b.Active().Compare(a.Active()) })
	return all, foreign, nil
}

// Checkpoints yields the name of each task of a project, and the paths of its checkpoints. Unreadable directories are
// skipped.
func Checkpoints(root string) iter.Seq2[string, []string] {
	return func(yield func(string, []string) bool) {
		slugs, _, _ := Slugs(root)
		for _, slug := range slugs {
			t := &Task{Root: root, Slug: slug}
			var paths []string
			for _, name := range t.names(checkpointsDir) {
				paths = append(paths, filepath.Join(t.Dir(), filepath.FromSlash(checkpointsDir), name))
			}
			if !yield(slug, paths) {
				return
			}
		}
	}
}

// IsSlug reports whether a text is allowed as the name of a task.
func IsSlug(s string) bool {
	return isWord(strings.ReplaceAll(s, ".", "-")) && s[0] != '.' && s[0] != '-'
}

// ErrNone is returned if a project has no task with this name.
var ErrNone = errors.New("no such task")

// Read reads a task. Damaged files have Problems. Task.Problem has the errors of unreadable files. The error is
// ErrNone or ctx.Err().
func Read(ctx context.Context, root, slug string) (*Task, error) {
	t := &Task{Root: root, Slug: slug, Log: logFile}
	if !IsSlug(slug) {
		return t, fmt.Errorf("%q: %w", slug, ErrNone)
	}
	sessions, checkpoints := t.names(sessionsDir), t.names(checkpointsDir)
	for _, name := range sessions {
		if text := t.read(ctx, sessionsDir+"/"+name); text != nil {
			t.Sessions = append(t.Sessions, parseSession(strings.TrimSuffix(name, ending), text))
		}
	}
	for _, name := range checkpoints {
		if text := t.read(ctx, checkpointsDir+"/"+name); text != nil {
			t.Checkpoints = append(t.Checkpoints, parseCheckpoint(strings.TrimSuffix(name, ending), text))
		}
	}
	t.sort()
	if text := t.read(ctx, statusFile); text != nil {
		t.Status = parseStatus(text)
	}
	if text := t.read(ctx, indexFileName); text != nil {
		t.Index = parseIndex(text)
	}
	if text := t.read(ctx, emergencyFile); text != nil {
		t.Emergency = parseEmergency(text)
	}
	t.readLog(ctx)
	t.readBrief(ctx)
	if err := ctx.Err(); err != nil {
		return t, err
	}
	if len(sessions)+len(checkpoints) == 0 && !t.Status.There() && t.Problem == nil {
		return t, t.none()
	}
	return t, nil
}

// sort sorts sessions and checkpoints by time.
func (t *Task) sort() {
	slices.SortStableFunc(t.Sessions, func(a, b *Session) int { return inOrder(a.Started, a.Name, b.Started, b.Name) })
	slices.SortStableFunc(t.Checkpoints, func(a, b *Checkpoint) int { return inOrder(a.At, a.Name, b.At, b.Name) })
}

// none returns an error if a directory isn't a task.
func (t *Task) none() error {
	for _, dir := range []string{sessionsDir, checkpointsDir} {
		if _, err := ledger.LookDir(t.Root, filepath.Join(t.Dir(), dir)); err == nil {
			return nil
		}
	}
	return fmt.Errorf("%s: %w", t.Slug, ErrNone)
}

// ending is the ending of the files of sessions and checkpoints.
const ending = ".json"

// names returns the JSON files of a directory of the task.
func (t *Task) names(dir string) []string {
	names, err := ledger.Names(t.Root, filepath.Join(t.Dir(), dir))
	if err != nil {
		t.Problem = errors.Join(append(ledger.Parts(t.Problem), err)...)
	}
	return slices.DeleteFunc(names, func(name string) bool { return !strings.HasSuffix(name, ending) || strings.HasPrefix(name, ".") })
}

// read returns the text of a file of the task; nil only if there is none.
func (t *Task) read(ctx context.Context, name string) []byte {
	limit := int64(maxFile)
	if name == indexFileName || strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, ".md") || name == evidenceFile {
		limit = ledger.MaxNotes
	}
	text, _, err := ledger.ReadText(ctx, t.Root, filepath.Join(t.Dir(), name), limit)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, ledger.ErrNotText):
		return []byte{} // damaged
	case err != nil:
		t.Problem = errors.Join(append(ledger.Parts(t.Problem), err)...)
		return nil
	}
	return text
}

// readLog reads the log of the task from its first existing path.
func (t *Task) readLog(ctx context.Context) {
	for _, name := range []string{logFile, workLogFile} {
		if text := t.read(ctx, name); text != nil {
			t.Log, t.logText = name, text
			break
		}
	}
	if t.Title = strings.TrimSpace(t.Status.Title); t.Title == "" {
		t.Title = titleOf(t.logText)
	}
}

// LogEnd returns the last n lines of the log, without blank lines.
func (t *Task) LogEnd(n int) []string {
	var lines []string
	for line := range strings.Lines(string(t.logText)) {
		if line = strings.TrimRight(line, "\r\n\t "); line != "" {
			lines = append(lines, line)
		}
	}
	return lines[max(len(lines)-n, 0):]
}

// titleOf returns the title of a log from its first heading, without common words.
func titleOf(log []byte) string {
	for line := range strings.Lines(string(log)) {
		if title, ok := strings.CutPrefix(line, "# "); ok {
			title = strings.TrimSpace(title)
			for _, prefix := range []string{"Implementation Log:", "Implementation Log"} {
				title = strings.TrimSpace(strings.TrimPrefix(title, prefix))
			}
			return strings.TrimSpace(strings.TrimLeft(title, "-–—: "))
		}
	}
	return ""
}

// inOrder compares times, and then IDs with their numbers.
func inOrder(a time.Time, idA string, b time.Time, idB string) int {
	if n := a.Compare(b); n != 0 {
		return n
	}
	dayA, numberA, ok := numbered(idA)
	dayB, numberB, also := numbered(idB)
	if ok && also && dayA == dayB && numberA != numberB {
		return numberA - numberB
	}
	return strings.Compare(idA, idB)
}
