package backups

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// ShelfLook finds the backups in given folders without the catalog: a catalog of 5,000 sessions takes a second.
// It lists each directory once: 300 listings for each of 500 backups took a second.
type ShelfLook struct {
	env     *place.Env
	dirs    []string            // Claude config directories
	folders map[string][]Row    // backups by folder
	live    map[string][]string // session ID → transcripts; nil before they are listed
	Find    func(ctx context.Context, folder string, zone *time.Location) (backup.Found, error)
	List    func(dir string) ([]os.DirEntry, error)

	unlisted bool // a project directory could not be listed
}

// LookShelf returns a ShelfLook. It reads nothing.
func LookShelf(env *place.Env, dirs []string) *ShelfLook {
	return &ShelfLook{env: env, dirs: dirs, folders: map[string][]Row{}, Find: backup.Find, List: os.ReadDir}
}

// In returns the backups of the given folders, newest first.
func (s *ShelfLook) In(ctx context.Context, folders map[string][]string) (*Rows, error) {
	l := &Rows{Dirs: s.dirs}
	for folder := range folders {
		list, err := s.of(ctx, folder)
		if err != nil {
			return nil, err
		}
		l.List = append(l.List, list...)
	}
	slices.SortStableFunc(l.List, func(a, b Row) int { return a.Row.Compare(&b.Row) })
	return l, nil
}

// of returns the backups of one folder.
func (s *ShelfLook) of(ctx context.Context, folder string) ([]Row, error) {
	if list, ok := s.folders[folder]; ok {
		return list, nil
	}
	found, err := s.Find(ctx, folder, s.env.Now().Location())
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, &out.Failure{What: "The backups of " + s.env.Tilde(folder) + " cannot be read: " + out.Reason(err) + ". Check the folder.", Cause: err}
	}
	_, project, _ := survey.RepoAt(ctx, folder, s.env.Home)
	var list []Row
	for i := range found.Backups {
		b := newBackupRow(&found.Backups[i], project, s.transcripts(found.Backups[i].SessionID), s.env.Now())
		b.Row.Unsearched = b.Live == "" && s.unlisted
		list = append(list, b)
	}
	s.folders[folder] = list
	return list, nil
}

// transcripts returns the transcripts with the given session ID in all projects.
func (s *ShelfLook) transcripts(id string) []string {
	if s.live != nil {
		return s.live[id]
	}
	s.live = map[string][]string{}
	for _, dir := range s.dirs {
		projects := filepath.Join(dir, "projects")
		names, err := s.List(projects)
		s.unlisted = s.unlisted || err != nil && !errors.Is(err, fs.ErrNotExist)
		for _, name := range names {
			if !name.IsDir() && name.Type()&os.ModeSymlink == 0 {
				continue
			}
			files, err := s.List(filepath.Join(projects, name.Name()))
			s.unlisted = s.unlisted || err != nil && !errors.Is(err, syscall.ENOTDIR) // a link to a file isn't a directory
			for _, f := range files {
				if id, ok := strings.CutSuffix(f.Name(), ".jsonl"); ok && !f.IsDir() && sessions.IsUUID(id) {
					s.live[id] = append(s.live[id], filepath.Join(projects, name.Name(), f.Name()))
				}
			}
		}
	}
	return s.live[id]
}

// newBackupRow returns the row of a backup. The argument live has the transcripts of the same session.
func newBackupRow(found *backup.Backup, project string, live []string, now time.Time) Row {
	b := Row{Group: backupSeen}
	r := &b.Row
	r.Kind, r.Path, r.Workdir, r.Project = sessions.KindBackup, found.Path, found.Project, project
	r.ID = strings.TrimSuffix(filepath.Base(found.Path), ".jsonl")
	r.Of, r.Name, r.Bytes, r.Modified, r.Created, r.Pending = found.SessionID, found.Reason, found.Bytes, found.Modified, sessions.Plausible(found.Made, now), found.Pending
	if found.Problem != "" {
		r.State = sessions.StateUnreadable
	}
	if r.Pending {
		b.Group = backupPending
	}
	slug := sessions.Slug(project)
	for _, path := range live {
		if b.Live == "" || filepath.Base(filepath.Dir(path)) == slug {
			b.Live = path
		}
	}
	return b
}
