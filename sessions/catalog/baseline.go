package catalog

import (
	"path/filepath"
	"slices"
	"sync"

	"github.com/continuo-tui/continuo/sessions"
)

// baseline has the last row that Rows, List or Watch sent for each path. A row is stored after it was sent.
type baseline struct {
	mu     sync.Mutex
	at     map[string]entry // nil if there was no list yet
	memory bool             // backups and documents were listed
	known  *sessions.Known  // cache of the last discovery
}

// entry describes one path.
type entry struct {
	row     sessions.Row
	outside bool // the session is outside the roots: it has no row and isn't read
	stale   bool // the last list didn't contain the path
}

// sessions stores the sessions of a new list. Other sessions become stale, so that the next check reads them again.
func (b *baseline) sessions(rows []sessions.Row, outside []string, known *sessions.Known) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.replace(rows, func(k sessions.Kind) bool { return k == sessions.KindSession })
	for _, path := range outside {
		b.at[path] = entry{row: sessions.Row{Kind: sessions.KindSession}, outside: true}
	}
	b.known = known
}

// others stores the backups and documents of a new list.
func (b *baseline) others(rows []sessions.Row) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.replace(rows, func(k sessions.Kind) bool { return k != sessions.KindSession })
	b.memory = true
}

func (b *baseline) replace(rows []sessions.Row, of func(sessions.Kind) bool) {
	if b.at == nil {
		b.at = make(map[string]entry, len(rows))
	}
	for path, e := range b.at {
		if of(e.row.Kind) {
			e.stale, e.outside = true, false
			b.at[path] = e
		}
	}
	for i := range rows {
		b.at[rows[i].Path] = entry{row: rows[i]}
	}
}

// begin stores the files of a Watch's first walk. After a list, it does nothing.
func (b *baseline) begin(set *sessions.Set, known *sessions.Known, n notes) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.at != nil {
		return
	}
	b.at, b.known = map[string]entry{}, known
	for path := range set.Paths() {
		seen := set.Seen(path)
		b.at[path] = entry{row: n.row(&seen)}
	}
}

// sent stores the rows of a batch that was sent.
func (b *baseline) sent(batch sessions.Batch) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range batch.Rows {
		b.at[batch.Rows[i].Path] = entry{row: batch.Rows[i]}
	}
	for _, path := range batch.Gone {
		delete(b.at, path)
	}
}

// leaveOut records that a session is outside the roots.
func (b *baseline) leaveOut(path string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.at[path] = entry{row: sessions.Row{Kind: sessions.KindSession}, outside: true}
}

// row returns the last row that was sent for a path.
func (b *baseline) row(path string) (row sessions.Row, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	e, ok := b.at[path]
	return e.row, ok && !e.outside
}

// session is row, but returns true only for the row of a session.
func (b *baseline) session(path string) (sessions.Row, bool) {
	row, ok := b.row(path)
	return row, ok && row.Kind == sessions.KindSession
}

// listed reports whether backups and documents were listed.
func (b *baseline) listed() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.memory
}

// places returns the cache of the previous discovery.
func (b *baseline) places() *sessions.Known {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.known
}

// each calls do for every row that was sent. A row is valid during the call.
func (b *baseline) each(do func(row *sessions.Row)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var e entry // declared here, so that entries aren't allocated; this runs every few seconds
	for _, e = range b.at {
		if !e.outside {
			do(&e.row)
		}
	}
}

// renewed compares the sessions in paths and their notes with the rows that were sent. read has the paths to read
// again. rows has changed rows of unchanged files. If all is true, missed has the paths of all other sessions.
func (b *baseline) renewed(set *sessions.Set, n notes, paths []string, all bool) (read []string, rows []sessions.Row, missed []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	found := make(map[string]bool, len(paths))
	for _, path := range paths {
		found[path] = true
		e, ok := b.at[path]
		if !ok || e.stale {
			read = append(read, path)
			continue
		}
		if e.outside {
			continue
		}
		inside, around := set.Renew(&e.row.Session)
		around = n.mark(&e.row) || around
		switch {
		case inside, around && !e.row.Exact:
			read = append(read, path)
		case around:
			rows = append(rows, e.row)
		}
	}
	for path, e := range b.at {
		if all && !found[path] && e.row.Kind == sessions.KindSession && !e.outside {
			missed = append(missed, path)
		}
	}
	slices.Sort(missed)
	return read, rows, missed
}

// adopted returns the workdir for a session without a cwd: that of its last row, or that of a session beside it whose
// workdir has the directory's slug.
func (b *baseline) adopted(path string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if e, ok := b.at[path]; ok && e.row.Workdir != "" {
		return e.row.Workdir
	}
	dir := filepath.Dir(path)
	for p, e := range b.at {
		if w := e.row.Workdir; w != "" && filepath.Dir(p) == dir && sessions.Slug(w) == filepath.Base(dir) {
			return w
		}
	}
	return ""
}

// differing compares all backups and documents with the rows that were sent. read has backups to read again. rows has
// changed rows to send at once. missed has the paths of missing rows.
func (b *baseline) differing(found []sessions.Row) (read, rows []sessions.Row, missed []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	have := make(map[string]bool, len(found))
	for i := range found {
		r := &found[i]
		have[r.Path] = true
		e, ok := b.at[r.Path]
		was := &e.row
		inside := !ok || e.stale || r.Bytes != was.Bytes || !r.Modified.Equal(was.Modified) ||
			(r.State == sessions.StateUnreadable) != (was.State == sessions.StateUnreadable)
		around := differsAround(r, was)
		switch {
		case !inside && !around:
		case r.Kind == sessions.KindBackup && (inside || !was.Exact):
			read = append(read, *r)
		case r.Kind == sessions.KindBackup:
			now := *was
			now.Pending, now.Project, now.Flags = r.Pending, r.Project, r.Flags
			now.Unseen, now.Original, now.OfTitle, now.Unsearched, now.Relation, now.Fault = r.Unseen, r.Original, r.OfTitle, r.Unsearched, r.Relation, r.Fault
			rows = append(rows, now)
		default:
			rows = append(rows, *r)
		}
	}
	for path, e := range b.at {
		if e.row.Kind != sessions.KindSession && !have[path] {
			missed = append(missed, path)
		}
	}
	slices.Sort(missed)
	return read, rows, missed
}

// differsAround reports whether two rows differ in a value from outside the file.
func differsAround(r, was *sessions.Row) bool {
	return r.Pending != was.Pending || r.Project != was.Project || !slices.Equal(r.Flags, was.Flags) ||
		r.Unseen != was.Unseen || r.Original != was.Original || r.OfTitle != was.OfTitle || r.Unsearched != was.Unsearched || r.Relation != was.Relation || r.Fault != was.Fault ||
		r.Kind == sessions.KindDocument && r.Reason != was.Reason // for a backup, exactBackups sets Reason later
}

// originals returns the sessions of the given backups.
func (b *baseline) originals(backups []sessions.Row) originals {
	o := originalsOf(backups)
	b.each(func(row *sessions.Row) { o.add(row) })
	return o
}

// flagged returns the backups whose FlagBackupOnly must change. The flag needs a listing of all project directories.
func (b *baseline) flagged(unlisted bool) []sessions.Row {
	b.mu.Lock()
	defer b.mu.Unlock()
	ids := map[string]bool{}
	for _, e := range b.at {
		if e.row.Kind == sessions.KindSession && !e.outside {
			ids[e.row.ID] = true
		}
	}
	var rows []sessions.Row
	for _, e := range b.at {
		if e.row.Kind != sessions.KindBackup || !e.row.Exact || e.row.Of == "" {
			continue
		}
		if only := !ids[e.row.Of] && !unlisted; only != e.row.Has(sessions.FlagBackupOnly) {
			e.row.Flags = onlyBackup(e.row.Flags, only)
			rows = append(rows, e.row)
		}
	}
	sortRows(rows)
	return rows
}

// onlyBackup returns a copy of flags with FlagBackupOnly set or cleared.
func onlyBackup(flags []sessions.Flag, only bool) []sessions.Flag {
	out := slices.DeleteFunc(slices.Clone(flags), func(f sessions.Flag) bool { return f == sessions.FlagBackupOnly })
	if only {
		out = append(out, sessions.FlagBackupOnly)
	}
	return out
}
