package backup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/sessions"
)

// restoreSpare is the minimum time until Claude Code's cleanup may delete a restored transcript.
const restoreSpare = 7 * 24 * time.Hour

// RestoreFacts is the input of PlanRestore. LookRestore sets the first fields. The caller sets the others just before
// PlanRestore.
type RestoreFacts struct {
	Project   string
	Backup    Move
	SessionID string       // session ID of the backup; "" if unknown
	Markers   []KeptMarker // markers that name the backup

	As        string    // the requested session ID; "" for the backup's own ID
	New       string    // an unused session ID to offer
	Existing  []string  // files with the requested ID in any project
	Unlisted  []string  // project directories that couldn't be listed and may contain the ID
	Live      bool      // a client has the requested session open
	Dir       string    // <config dir>/projects/<slug>, see sessions.Slug
	Retention int       // days until Claude Code's cleanup deletes a file (client 2.1.330); 0 for never
	Now       time.Time // current time
}

// RestorePlan is the result of PlanRestore.
type RestorePlan struct {
	Project string
	Backup  Move
	ID      string
	To      string       // path of the new file
	ModTime time.Time    // modification time of the new file
	Fresh   bool         // ModTime is now, because the cleanup would soon delete a file with the original time
	Sweep   time.Time    // time of the cleanup; zero for never
	Markers []KeptMarker // markers to remove afterwards
}

// RestoreRefusal is the error of PlanRestore.
type RestoreRefusal struct {
	Err   error    // ErrTaken, ErrUnlisted, ErrLive, ErrNoID or ErrNoPlace
	ID    string   // the requested ID, unfiltered
	Paths []string // files with this ID; for ErrUnlisted, the directories that can't be listed
	Offer string   // an ID that is free; "" without one
}

var (
	// ErrTaken is returned if a session with the ID exists.
	ErrTaken = errors.New("a session with this ID exists")
	// ErrUnlisted is returned if a project directory that may contain the ID can't be listed.
	ErrUnlisted = errors.New("a project directory can't be read; it may contain a session with this ID")
	// ErrNoID is returned for an ID that isn't a UUID, which Claude Code can't resume.
	ErrNoID = errors.New("not a session ID")
	// ErrNoPlace is returned if the new transcript wouldn't be in projects/ of a Claude config directory.
	ErrNoPlace = errors.New("not in a projects directory of Claude Code")
)

// Error returns the ID and the reason.
func (r *RestoreRefusal) Error() string { return fmt.Sprintf("restore as %q: %v", r.ID, r.Err) }

// Unwrap returns the reason.
func (r *RestoreRefusal) Unwrap() error { return r.Err }

// LookRestore returns the facts of a backup in the memory. The error is that of PlanDiscard or of reading the backup.
func (m *Memory) LookRestore(ctx context.Context, path string) (RestoreFacts, error) {
	plan, err := m.PlanDiscard(ctx, []string{path})
	if err != nil {
		return RestoreFacts{}, err
	}
	f := RestoreFacts{Project: m.project, Backup: plan.Moves[0], Markers: plan.Markers}
	g := m.peek(f.Backup.Name, make([]byte, headBytes))
	f.SessionID = sessionID(g.head)
	return f, g.err
}

// PlanRestore decides whether and how a backup can be restored. It does no I/O. The session keeps its ID unless As is
// set.
//
// Two files with one ID confuse Claude Code. So PlanRestore refuses an ID that exists in any project, and the
// backup's own ID if a project can't be listed.
//
// The file gets the modification time of the original. Claude Code (2.1.330) sorts sessions and cleans files up by
// this time. If the cleanup would delete the file within 7 days, the file gets the current time.
//
// The error is a *RestoreRefusal.
func PlanRestore(f RestoreFacts) (RestorePlan, error) {
	p := RestorePlan{Project: f.Project, Backup: f.Backup, ID: f.As, ModTime: f.Backup.Modified, Markers: f.Markers}
	if p.ID == "" {
		p.ID = f.SessionID
	}
	p.To = filepath.Join(f.Dir, p.ID+backupSuffix)
	var err error
	paths := f.Existing
	switch {
	case !sessions.IsUUID(p.ID):
		err = ErrNoID
	case f.Live:
		err = ErrLive
	case len(f.Existing) > 0:
		err = ErrTaken
	case len(f.Unlisted) > 0 && p.ID == f.SessionID:
		err, paths = ErrUnlisted, f.Unlisted
	default:
		if _, _, _, place := splitMade(p.To); place != nil {
			return RestorePlan{}, &RestoreRefusal{Err: ErrNoPlace, ID: p.ID}
		}
	}
	if err != nil {
		r := &RestoreRefusal{Err: err, ID: p.ID, Paths: paths}
		if sessions.IsUUID(f.New) && f.New != p.ID && !slices.Contains(f.Unlisted, f.Dir) && !slices.Contains(f.Unlisted, filepath.Dir(f.Dir)) {
			r.Offer = f.New
		}
		return RestorePlan{}, r
	}
	if f.Retention > 0 {
		keep := time.Duration(f.Retention) * 24 * time.Hour
		if p.ModTime.Add(keep).Before(f.Now.Add(restoreSpare)) {
			p.ModTime, p.Fresh = f.Now, true
		}
		p.Sweep = p.ModTime.Add(keep)
	}
	return p, nil
}

// RestoreOps returns the ops of a plan. They copy the backup to a new transcript and remove its markers. RestoreOps
// checks again that the path is free and the backup unchanged. The caller must make sure that the other facts are
// current.
//
// The error is ErrChanged, *TakenError, *sessions.UnlistedError if it is unknown whether the file exists, or a system
// error.
func (m *Memory) RestoreOps(ctx context.Context, plan *RestorePlan) ([]change.Op, error) {
	_, slug, id, err := splitMade(plan.To)
	if err != nil {
		return nil, err
	}
	if plan.Project != m.project {
		return nil, fmt.Errorf("project %s: %w: %s", m.project, errForeignPlan, plan.Project)
	}
	if _, err := os.Lstat(plan.To); err == nil {
		return nil, &TakenError{Paths: []string{plan.To}}
	} else if !isAbsent(err) {
		return nil, &sessions.UnlistedError{Path: filepath.Dir(plan.To), Slug: slug, Err: cause(err)}
	}
	infos, err := m.unchanged([]Move{plan.Backup})
	if err != nil {
		return nil, err
	}
	l, err := m.readMarkers(ctx)
	if err != nil {
		return nil, err
	}
	// The directory of the op is projects/, because links below it aren't followed. If projects/ is missing, use its
	// nearest existing parent.
	dir := filepath.Dir(filepath.Dir(plan.To))
	for {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	name, err := filepath.Rel(dir, plan.To)
	if err != nil {
		return nil, fmt.Errorf("file %s: %w", plan.To, err)
	}
	made := change.Op{
		Verb: change.Make, Dir: dir, Name: name, From: m.at(filepath.FromSlash(plan.Backup.Name)), Bytes: plan.Backup.Bytes,
		Modified: plan.Backup.Modified, Time: plan.ModTime, Mode: fileMode, DirMode: dirMode, Session: id,
	}
	return append([]change.Op{made}, m.unmarkOps(l.naming(infos))...), nil
}
