// Package trash plans to move sessions into the trash of their Claude config directory. An undo moves every file
// back. The files keep their modification times, by which Claude Code sorts its list.
package trash

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/sessions"
)

// Name is the name of the trash in a Claude config directory, on the file system of the transcripts. Claude Code
// (client 2.1.330) doesn't read it.
const Name = "continuo-trash"

// ErrPlace is returned for a session that isn't in <config dir>/projects/<project>.
var ErrPlace = errors.New("not in projects/ of a Claude config directory")

// Plan lists the files of a session that are moved to the trash, and the files that aren't.
type Plan struct {
	Session sessions.Row
	Ops     []change.Op // one Move for each file
	Bytes   int64       // total size of the files to move
	Left    []string    // paths of files that aren't moved, because they are links or special files
}

// Of plans to move a session's transcript and the folder with its ID, which has sub-agents and tool results. Clients
// before 2.1 wrote sub-agents beside the transcript; Of moves these, too. at is the time of the trash entry.
func Of(row *sessions.Row, at time.Time) (Plan, error) {
	p := Plan{Session: *row}
	dir := filepath.Dir(filepath.Dir(filepath.Dir(row.Path)))
	project := filepath.Dir(row.Path)
	if row.Kind != sessions.KindSession || filepath.Base(filepath.Dir(project)) != "projects" {
		return p, fmt.Errorf("session %s: %w", row.Path, ErrPlace)
	}
	entry, err := newEntry(dir, at.UTC().Format("20060102T150405Z")+"-"+sessions.ShortID(row.ID))
	if err != nil {
		return p, err
	}
	if err := p.add(dir, entry, row.Path); err != nil {
		return p, err
	}
	folder := strings.TrimSuffix(row.Path, ".jsonl")
	for _, agent := range row.Agents {
		if filepath.Dir(agent) == project {
			if err := p.add(dir, entry, agent); err != nil {
				return p, err
			}
		}
	}
	return p, p.folder(dir, entry, folder)
}

// newEntry returns an unused path in the trash, relative to the config directory.
func newEntry(dir, name string) (string, error) {
	for n := 1; ; n++ {
		entry := filepath.Join(Name, name)
		if n > 1 {
			entry += fmt.Sprintf("-%d", n)
		}
		switch _, err := os.Lstat(filepath.Join(dir, entry)); {
		case errors.Is(err, fs.ErrNotExist):
			return entry, nil
		case err != nil:
			return "", fmt.Errorf("trash %s: %w", filepath.Join(dir, entry), err)
		}
	}
}

// folder adds a Move for each file in a directory, which may not exist. Emptied directories are removed.
func (p *Plan) folder(dir, entry, folder string) error {
	var empty []string // inner directories first
	first := len(p.Ops)
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) && path == folder:
			return nil
		case err != nil:
			return fmt.Errorf("folder %s: %w", path, err)
		case e.IsDir():
			empty = append([]string{below(dir, path)}, empty...)
			return nil
		case !e.Type().IsRegular():
			p.Left = append(p.Left, path)
			return nil
		}
		return p.add(dir, entry, path)
	})
	if last := len(p.Ops) - 1; last >= first {
		p.Ops[last].Empty = empty
	}
	return err
}

// add adds the move of a file.
func (p *Plan) add(dir, entry, path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return fmt.Errorf("file %s: %w", path, err)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("file %s: not a regular file", path)
	}
	name := below(dir, path)
	to := filepath.Join(entry, strings.TrimPrefix(name, "projects"+string(filepath.Separator)))
	p.Bytes += info.Size()
	p.Ops = append(p.Ops, change.Op{
		Verb: change.Move, Dir: dir, Name: name, To: to, Bytes: info.Size(), Modified: info.ModTime(), DirMode: 0o700,
		Session: p.Session.ID, Away: true,
	})
	return nil
}

// below returns path relative to the config directory dir.
func below(dir, path string) string {
	return strings.TrimPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}
