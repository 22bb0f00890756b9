package catalog

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/transcript"
)

const (
	memoryLimit   = time.Second // for one project's memory: it may be on a mount that hangs
	memoryWorkers = 8
)

// others lists the backups and documents of every project that a session names, of every directory that
// one ran in, and of the current directory.
func (c *Catalog) others(ctx context.Context, set *sessions.Set) ([]sessions.Row, []error) {
	project := map[string]string{} // directory → the project it belongs to
	var dirs []string
	add := func(dir, of string) {
		if strings.HasPrefix(dir, `\\`) {
			return // asking a server that a transcript named would tell it who this person is
		}
		if _, ok := project[dir]; !ok && filepath.IsAbs(dir) {
			project[dir] = of
			dirs = append(dirs, dir)
		}
	}
	for i := range set.Sessions {
		ses := &set.Sessions[i]
		add(ses.Workdir, ses.Project)
		add(ses.Project, ses.Project)
	}
	if c.opts.Cwd != "" {
		places := c.find().Places
		add(c.opts.Cwd, places.Group(ctx, []string{c.opts.Cwd})[c.opts.Cwd].Project)
	}
	var mu sync.Mutex
	var rows []sessions.Row
	var problems []error
	seen := map[string]bool{}
	slots := make(chan struct{}, memoryWorkers)
	var wg sync.WaitGroup
	for _, dir := range dirs {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			found, err := c.memory(ctx, dir)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				problems = append(problems, err)
			}
			problems = append(problems, found.Problems...)
			for _, r := range memoryRows(found, project[dir]) {
				if !seen[r.Path] {
					seen[r.Path] = true
					rows = append(rows, r)
				}
			}
		})
	}
	wg.Wait()
	known := map[string]bool{}
	for i := range set.Sessions {
		known[set.Sessions[i].ID] = true
	}
	for i := range rows {
		if of := rows[i].Of; of != "" && !known[of] {
			rows[i].Flags = append(rows[i].Flags, sessions.FlagBackupOnly)
		}
	}
	sortRows(rows)
	return rows, problems
}

// memory looks into one directory, for no longer than memoryLimit. One that hangs is left behind.
func (c *Catalog) memory(ctx context.Context, dir string) (backup.Found, error) {
	type answer struct {
		found backup.Found
		err   error
	}
	done := make(chan answer, 1)
	ctx, cancel := context.WithTimeout(ctx, memoryLimit)
	defer cancel()
	go func() {
		found, err := backup.Find(ctx, dir, c.opts.Zone)
		done <- answer{found, err}
	}()
	select {
	case a := <-done:
		return a.found, a.err
	case <-ctx.Done():
		return backup.Found{}, fmt.Errorf("memory of %s: %w", dir, ctx.Err())
	}
}

func memoryRows(found backup.Found, project string) []sessions.Row {
	var out []sessions.Row
	for i := range found.Backups {
		out = append(out, backupRow(&found.Backups[i], project))
	}
	for i := range found.Documents {
		out = append(out, documentRow(&found.Documents[i], project))
	}
	return out
}

func backupRow(b *backup.Backup, project string) sessions.Row {
	r := sessions.Row{Kind: sessions.KindBackup, Pending: b.Pending}
	r.Path, r.ID = b.Path, strings.TrimSuffix(filepath.Base(b.Path), ".jsonl")
	r.Project, r.Workdir, r.Name = project, b.Project, b.Reason
	r.Created, r.Modified, r.Bytes = b.Made, b.Modified, b.Bytes
	r.State, r.Models, r.Of = sessions.StateOK, []string{}, b.SessionID
	if b.Problem != "" {
		r.State, r.Reason, r.Exact = sessions.StateUnreadable, b.Problem, true
	}
	return r
}

func documentRow(d *backup.Document, project string) sessions.Row {
	r := sessions.Row{Kind: sessions.KindDocument}
	r.Path, r.ID = d.Path, strings.TrimSuffix(filepath.Base(d.Path), ".md")
	r.Project, r.Workdir, r.Name, r.Branch = project, d.Project, d.Title, d.Branch
	r.Prompt = d.Summary
	r.Created, r.Modified, r.Bytes = d.Date, d.Modified, d.Bytes
	r.State, r.Models, r.Reason, r.Exact = sessions.StateOK, []string{}, d.Problem, true
	return r
}

// exactBackups returns the rows with every backup scanned whole. What a marker and the file name say stays.
// The error is that of ctx.
func exactBackups(ctx context.Context, rows []sessions.Row) ([]sessions.Row, error) {
	out := slices.Clone(rows)
	for i := range out {
		r := &out[i]
		if r.Kind != sessions.KindBackup || r.Exact {
			continue
		}
		ses := sessions.Read(ctx, r.Path)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		ses.ID, ses.Project, ses.Workdir, ses.Created, ses.Flags = r.ID, r.Project, r.Workdir, r.Created, r.Flags
		ses.Name = transcript.CleanLine(strings.TrimSpace(r.Name + " " + ses.Name))
		r.Session = ses
	}
	return out, nil
}
