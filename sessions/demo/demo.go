// Package demo writes a Claude config directory with made-up sessions about a bookshop, a teahouse and tide tables.
// Together, they contain all unusual forms of real transcripts. Tests and `continuo demo` use this package.
//
// The data is in data/ada: the home directory of a made-up user on 20 November 2026 at 17:30 UTC, with .claude and
// with projects in code. Write copies these files, shifts all times by the same duration, and replaces the paths of
// the projects. To change the demo, edit these files. If the name or a shape of a session changes, edit the function
// cast, too. Go files have names that end in .go.txt, so that they aren't part of this module. The records have the
// formats of Claude Code (2.1.329 and three older versions).
package demo

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

//go:embed all:data
var files embed.FS

// The directory of the data, and paths that the data contains.
const (
	ada     = "data/ada"
	adaCode = "/home/ada/code"
	adaDirs = "-home-ada-code-" // prefix of the project directories in .claude
)

// dataTime returns the time of the newest record of the data.
func dataTime() time.Time { return time.Date(2026, time.November, 20, 17, 30, 0, 0, time.UTC) }

// Options are the options of Write.
type Options struct {
	Now    time.Time // time of the newest record; all other times are shifted with it; zero keeps the times of the data
	Root   string    // absolute path of the directory with the projects; "" means /home/ada/code
	Memory bool      // also write the projects to Root, with their backups and documents (spec 000)
	Live   int       // pid of a process to register as the client of the first session; 0 for none
	Start  string    // start time of that process, as returned by sessions.Probe; if "", the process can't be verified
}

// Shape is an unusual form of a transcript that a reader must handle.
type Shape string

// Stats are the results of Write.
type Stats struct {
	Sessions  int // number of transcripts, including the empty one
	Backups   int // number of backups; 0 without Options.Memory
	Documents int // number of documents, including active-context.md and project-memory.md; 0 without Options.Memory
	List      []Session
	Shapes    map[Shape][]string // IDs of the sessions by shape
}

// Session is one session of the demo.
type Session struct {
	ID      string
	Path    string    // path of the transcript
	Agents  []string  // paths of the transcripts of its sub-agents
	Workdir string    // working directory in the records
	Name    string    // name for display: custom title, or else generated title, summary or first prompt
	Last    time.Time // time of the last record; also the modification time of the file
	Shapes  []Shape
}

// errNoRoot is returned for Memory without Root, because Write doesn't create /home/ada/code.
var errNoRoot = errors.New("demo memory: no root directory for the projects")

// Write writes the demo below dir, and returns its contents. An existing file is an error. Directories have mode 0700
// and files 0600. Files aren't synced. With o.Memory, Write also writes the projects to o.Root.
func Write(ctx context.Context, dir string, o Options) (Stats, error) {
	if o.Memory && o.Root == "" {
		return Stats{}, errNoRoot
	}
	if o.Now.IsZero() {
		o.Now = dataTime()
	}
	if o.Root == "" {
		o.Root = adaCode
	}
	o.Now = o.Now.Truncate(time.Millisecond)
	w := &writer{Options: o, dir: dir, stats: Stats{Shapes: map[Shape][]string{}}}
	if err := w.tree(ctx); err != nil {
		return w.stats, err
	}
	if o.Memory {
		if err := w.backups(); err != nil {
			return w.stats, err
		}
	}
	if o.Live != 0 {
		return w.stats, w.live()
	}
	return w.stats, nil
}

// writer is the state of one call of Write.
type writer struct {
	Options
	dir   string // the config directory
	stats Stats
}

// tree writes all files of the data.
func (w *writer) tree(ctx context.Context) error {
	for _, p := range cast() {
		w.stats.List = append(w.stats.List, Session{ID: p.id, Name: p.name, Shapes: p.shapes})
		for _, shape := range p.shapes {
			w.stats.Shapes[shape] = append(w.stats.Shapes[shape], p.id)
		}
	}
	return fs.WalkDir(files, ada, func(name string, e fs.DirEntry, err error) error {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return fmt.Errorf("demo: %w", err)
		}
		rel := strings.TrimPrefix(name, ada+"/")
		switch {
		case path.Dir(rel) == ".claude/projects":
			return w.project(projectOf(rel))
		case e.IsDir() || !w.Memory && !strings.HasPrefix(rel, ".claude/"):
			return nil
		}
		text, modified, err := w.shifted(name, rel)
		if err != nil {
			return err
		}
		to := w.target(rel, modified)
		w.note(rel, to, modified)
		return w.file(to, text, modified)
	})
}

// project creates the directories of a project, with "memory" as Claude Code does.
func (w *writer) project(name string) error {
	dirs := []string{filepath.Join(w.dir, "projects", w.slug(name), "memory")}
	if w.Memory {
		dirs = append(dirs, w.workdir(name))
	}
	for _, dir := range dirs {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return fmt.Errorf("demo directory: %w", err)
		}
	}
	return nil
}

// note adds a written file to the stats.
func (w *writer) note(rel, to string, modified time.Time) {
	switch {
	case strings.HasPrefix(rel, "code/"):
		if path.Ext(rel) == ".md" && strings.Contains(rel, "/.claude/memory/") {
			w.stats.Documents++
		}
	case path.Ext(rel) == ".jsonl":
		i := slices.IndexFunc(w.stats.List, func(s Session) bool { return strings.Contains(rel, s.ID) })
		if i < 0 {
			return // a test finds sessions that aren't in cast
		}
		s := &w.stats.List[i]
		if strings.Contains(rel, "/subagents/") {
			s.Agents = append(s.Agents, to)
			return
		}
		s.Path, s.Last, s.Workdir = to, modified, w.workdir(projectOf(rel))
		w.stats.Sessions++
	}
}

// projectOf returns the project of a data file: code/NAME/… or .claude/projects/-home-ada-code-NAME/….
func projectOf(rel string) string {
	parts := strings.Split(rel, "/")
	if parts[0] == "code" {
		return parts[1]
	}
	return strings.TrimPrefix(parts[2], adaDirs)
}

func (w *writer) workdir(project string) string { return path.Join(w.Root, project) }

// file creates a file and sets its modification time.
func (w *writer) file(name string, content []byte, modified time.Time) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return fmt.Errorf("demo directory: %w", err)
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("demo file: %w", err)
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("demo file %s: %w", name, err)
	}
	if err := os.Chtimes(name, modified, modified); err != nil {
		return fmt.Errorf("demo file: %w", err)
	}
	return nil
}

// live writes the registry entry for the client of the first session (client 2.1.330).
func (w *writer) live() error {
	s := w.stats.List[0]
	text, err := os.ReadFile(s.Path)
	if err != nil {
		return fmt.Errorf("demo registry: %w", err)
	}
	started := stampsOf(text)[0]
	entry := fmt.Sprintf(`{"pid":%d,"sessionId":%q,"cwd":%s,"startedAt":%d,"version":"2.1.329","kind":"interactive","entrypoint":"cli",`+
		`"status":"idle","updatedAt":%d,"statusUpdatedAt":%d`, w.Live, s.ID, quoted(s.Workdir), started.UnixMilli(), s.Last.UnixMilli(), s.Last.UnixMilli())
	if w.Start != "" {
		entry += `,"procStart":` + string(quoted(w.Start))
	}
	return w.file(filepath.Join(w.dir, "sessions", strconv.Itoa(w.Live)+".json"), []byte(entry+"}"), s.Last)
}

// slug returns the name of the directory of a project in .claude/projects.
func (w *writer) slug(project string) string { return sessions.Slug(w.workdir(project)) }
