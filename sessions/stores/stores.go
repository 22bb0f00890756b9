// Package stores writes a handover into the stores of a project: active-context.md, NOTES.md, a session document, a
// checkpoint of a task, the snapshot and the trajectory. Fill makes the handover from a transcript and the stores.
// Plan returns one change for all chosen stores.
package stores

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/ledger/snapshot"
	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/document"
)

// Name names a store in commands and in JSON.
type Name string

// The stores in their order of writing. A session reads active-context.md first, so it comes first. If a later write
// fails, all are undone.
const (
	Context    Name = "active-context"
	Notes      Name = "notes"
	Document   Name = "document"
	Task       Name = "task"
	Snapshot   Name = "snapshot"
	Trajectory Name = "trajectory"
)

// Names returns the names of all stores, in the order in which they are written.
func Names() []Name {
	var names []Name
	for _, k := range kinds() {
		names = append(names, k.name)
	}
	return names
}

// Place is a project and its stores.
type Place struct {
	Project ledger.Project
	Memory  string         // the folder whose .claude/memory is used; "" if there is none
	To      string         // absolute path of the document; "" for a new file in the memory
	At      time.Time      // time of the handover
	Home    string         // home directory, which the snapshot masks; "" if unknown
	Gate    *Gate          // the gate that was run before; nil if there was none
	Handoff *notes.Entry   // an entry about the end of the session, for NOTES.md; nil if there is none
	Known   document.Known // for the document: project name, tags, and facts from the transcript
}

// Gate is a run of the gate, which is logged before the handover.
type Gate struct {
	Agent, File string // the agent and its trajectory, which may not exist
	Record      any    // nil if the claims could not be counted
}

// Store is a store of a project.
type Store struct {
	Name Name
	File string // as shown: NOTES.md
	Does string // what is written to it
	Mark handover.Mark
	Path string // the file to write, or the directory for a new file
	Off  string // why the project can't use the store; "" if it can
}

// kind is an entry of the table of stores.
type kind struct {
	name Name
	file string
	does string
	mark handover.Mark
	// look returns the path, and why the store can't be written. Both are "" without this kind of store.
	look func(ctx context.Context, p *Place) (path, off string)
	// plan adds the ops of the store.
	plan func(w *writer, ctx context.Context) (Write, error)
}

// kinds returns the table of stores, in the order in which they are written.
func kinds() []kind {
	return []kind{
		{Context, "active-context.md", "status lines and next steps", handover.MarkDocument, lookContext, (*writer).context},
		{Notes, "NOTES.md", "Session Continuity and Last Checkpoint", handover.MarkNotes, lookNotes, (*writer).notes},
		{Document, "document", "a new session document", handover.MarkDocument, lookMemory, (*writer).document},
		{Task, "task", "a session_end checkpoint", handover.MarkTask, lookTask, (*writer).task},
		{Snapshot, "snapshot", "tasks in " + snapshot.Name, handover.MarkSnapshot, lookSnapshot, (*writer).snapshot},
		{Trajectory, "trajectory", "a record in the agent log", 0, lookTrajectory, (*writer).trajectory},
	}
}

// Of returns all stores of a project, with the reason why one can't be used. Tasks and the snapshot may be missing.
func Of(ctx context.Context, p *Place) []Store {
	var all []Store
	for _, k := range kinds() {
		s := Store{Name: k.name, File: k.file, Does: k.does, Mark: k.mark}
		if s.Path, s.Off = k.look(ctx, p); s.Path == "" && s.Off == "" {
			continue
		}
		all = append(all, s)
	}
	return all
}

// Used returns the names of the stores that a project uses.
func Used(all []Store) []Name {
	var names []Name
	for _, s := range all {
		if s.Off == "" {
			names = append(names, s.Name)
		}
	}
	return names
}

func lookContext(ctx context.Context, p *Place) (path, off string) {
	dir, off := lookMemory(ctx, p)
	return filepath.Join(dir, "active-context.md"), off
}

func lookMemory(_ context.Context, p *Place) (path, off string) {
	if p.Memory == "" {
		return "", "the project has no .claude/memory"
	}
	m, err := backup.OpenMemory(p.Memory)
	if err != nil {
		return "", ledger.Reason(err)
	}
	_ = m.Close() // nothing was written
	return filepath.Join(p.Memory, ".claude", "memory"), ""
}

func lookNotes(_ context.Context, p *Place) (path, off string) {
	switch fi, err := os.Stat(p.Project.Notes); {
	case errors.Is(err, fs.ErrNotExist):
		return p.Project.Notes, "the project has no NOTES.md"
	case err != nil:
		return p.Project.Notes, ledger.Reason(err)
	case fi.Mode().Perm()&0o222 == 0:
		return p.Project.Notes, "read-only"
	}
	return p.Project.Notes, ""
}

func lookSnapshot(_ context.Context, p *Place) (path, off string) {
	path = filepath.Join(p.Project.Root, snapshot.Name)
	switch fi, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return "", ""
	case err != nil:
		return path, ledger.Reason(err)
	case fi.Mode().Perm()&0o222 == 0:
		return path, "read-only"
	}
	return path, ""
}

func lookTrajectory(_ context.Context, p *Place) (path, off string) {
	if _, path = agentLog(p); path == "" {
		return p.Project.Trajectory, "the agent log has no entry today"
	}
	return path, ""
}

// agentLog returns the gate's agent and its file, otherwise the agent that logged last today, or "".
func agentLog(p *Place) (agent, path string) {
	if p.Gate != nil {
		return p.Gate.Agent, p.Gate.File
	}
	if p.Project.CheckDir(p.Project.Trajectory) != nil {
		return "", ""
	}
	files, _ := trajectory.Files(p.Project.Trajectory) // after an error, the files before it are used
	day := p.At.Local().Format(time.DateOnly)
	i := slices.IndexFunc(files, func(f trajectory.File) bool {
		return f.Day == day && !f.Zip && f.Agent != trajectory.SystemAgent && f.Size > 0
	})
	if i < 0 {
		return "", ""
	}
	return files[i].Agent, files[i].Path
}
