package backups

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/catalog"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// backupGroup is a group in the list of backups.
type backupGroup string

// The groups, in the order of the list.
const (
	backupPending backupGroup = "pending" // the backup has a marker
	// newer than every document of its project, and not opened yet
	backupUnseen backupGroup = "unseen"
	backupSeen   backupGroup = "seen"
)

// backupGroups returns the groups in the order of the list.
func backupGroups() []backupGroup { return []backupGroup{backupPending, backupUnseen, backupSeen} }

// Row is a raw backup and its relation to the live transcript.
type Row struct {
	Row      sessions.Row // Workdir is the folder of the memory
	Group    backupGroup
	Live     string            // the transcript with the same session ID; "" if none is known
	relation sessions.Relation // relation to Live; "" if unknown
	fault    string            // a problem of the copy itself; "" if none is known
	whole    bool              // every byte was compared
}

// Rows has the backups, newest first, and their catalog.
type Rows struct {
	List    []Row
	Rows    []sessions.Row // the whole catalog
	src     place.Source
	Dirs    []string // Claude config directories
	problem error    // errors while reading
}

// knownFolderLimit is the time limit for the folders of known projects. A disk may hang.
const knownFolderLimit = time.Second

// Read finds the backups of all known projects and of the command line's folders. ask may be nil.
func Read(ctx context.Context, env *place.Env, ask *Ask) (*Rows, error) {
	opts, err := place.CatalogOptions(env)
	if err != nil {
		return nil, err
	}
	for _, dir := range append(memoryFoldersAsked(env, ask), survey.MemoryOf(ctx, place.RealPath(env.Dir), env.Home)) {
		if sessions.IsPlainPath(dir) {
			opts.Also = append(opts.Also, dir)
		}
	}
	l := &Rows{src: env.Open(opts), Dirs: opts.Dirs}
	if l.Rows, l.problem = l.src.List(ctx, true); ctx.Err() != nil {
		return nil, ctx.Err()
	}
	l.Rows = slices.SortedStableFunc(slices.Values(l.Rows), func(a, b sessions.Row) int { return a.Compare(&b) })
	l.Sort(place.SeenBackups(env))
	if ask != nil {
		if err := checkProject(ctx, env, l, ask.Project); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// rememberShown adds the projects with a memory to the known projects. With --claude-dir, it does nothing.
func rememberShown(env *place.Env, l *Rows) {
	if len(env.ClaudeDirs) == 0 {
		place.RememberProjects(env, place.MemoryRoots(l.Rows))
	}
}

// Sort creates the rows and sets their groups.
func (l *Rows) Sort(seen map[string]bool) {
	catalog.Relate(l.Rows, seen)
	for i := range l.Rows {
		r := &l.Rows[i]
		if r.Kind != sessions.KindBackup {
			continue
		}
		b := Row{Row: *r, Group: backupSeen, Live: r.Original}
		switch {
		case r.Pending:
			b.Group = backupPending
		case r.Unseen:
			b.Group = backupUnseen
		}
		l.List = append(l.List, b)
	}
}

// Compare compares the backup with its transcript and checks the copy. It compares all bytes once per row. It
// returns an error only if ctx ends.
func (b *Row) Compare(ctx context.Context, whole bool) error {
	if b.whole {
		return ctx.Err()
	}
	b.whole, b.Row.Original = whole, b.Live
	err := catalog.Compare(ctx, &b.Row, whole)
	b.relation, b.fault = b.Row.Relation, b.Row.Fault
	return err
}

// Held reports whether the live transcript contains every byte of the backup.
func (b *Row) Held() bool { return b.relation.Held() }

// compareAll compares each row with its transcript.
func compareAll(ctx context.Context, list []*Row, whole bool) error {
	for _, b := range list {
		if err := b.Compare(ctx, whole); err != nil {
			return err
		}
	}
	return nil
}

// ReadTitles sets missing titles: the user's name for the session, the title in the transcript, or the title in
// the copy.
func ReadTitles(ctx context.Context, env *place.Env, list []*Row) {
	notes, _ := place.OpenNotes(env).Load() // if this fails, titles come from transcripts
	for _, b := range list {
		if b.Row.OfTitle != "" || ctx.Err() != nil {
			continue
		}
		r := sessions.Row{Kind: sessions.KindSession, Session: sessions.Read(ctx, cmp.Or(b.Live, b.Row.Path), env.Now())}
		if r.Name == "" {
			continue
		}
		if key, ok := place.NoteKey(env, &r); ok && b.Live != "" {
			note := notes[key]
			note.SetFields(&r)
		}
		b.Row.OfTitle = r.Title()
	}
}

// Of returns the rows in a scope.
func (l *Rows) Of(s find.Scope) []*Row {
	var list []*Row
	for i := range l.List {
		if s.Holds(&l.List[i].Row) {
			list = append(list, &l.List[i])
		}
	}
	return list
}

// ByPath returns the rows by path.
func (l *Rows) ByPath() map[string]*Row {
	rows := make(map[string]*Row, len(l.List))
	for i := range l.List {
		rows[l.List[i].Row.Path] = &l.List[i]
	}
	return rows
}

// relationText returns the glyph and the words for the column "live file".
func (b *Row) relationText() (glyph render.Span, words render.Span) {
	switch {
	case b.fault != "":
		return render.Span{Ink: render.Bad, Text: "✗"}, render.Span{Ink: render.Bad, Text: b.fault}
	case b.relation == sessions.RelationSame:
		return render.Span{Ink: render.Faint, Text: "="}, render.Span{Ink: render.Muted, Text: "same"}
	case b.relation == sessions.RelationGrown:
		return render.Span{Ink: render.Faint, Text: ">"}, render.Span{Ink: render.Muted, Text: "has grown since"}
	case b.relation == sessions.RelationRewritten:
		return render.Span{Ink: render.Urgent, Text: "≠"}, render.Span{Ink: render.Urgent, Text: "rewritten since"}
	case b.relation == sessions.RelationGone:
		return render.Span{Ink: render.Warn, Text: "◐"}, render.Span{Ink: render.Warn, Text: "gone, the only copy"}
	}
	words = render.Span{Ink: render.Faint, Text: "not known"}
	if b.Row.Of != "" {
		words.Text = "could not be compared"
	}
	return render.Span{Ink: render.Faint, Text: "…"}, words
}

// madeBy returns the reason in the backup's name, or "". The client says prompt_input_exit for /exit and for a
// double ctrl-c (client 2.1.330).
func (b *Row) madeBy() string {
	if b.Row.Name == "prompt_input_exit" {
		return "exit"
	}
	return words.Cut(transcript.CleanLine(b.Row.Name), 40)
}

// Has reports whether a trash entry can be undone. If this can't be
// found out, it returns true, because the plan of the undo then shows the error.
func (e *TrashEntry) Has(ctx context.Context) bool {
	m, err := backup.OpenMemory(e.Project)
	if err != nil {
		return true
	}
	defer func() { _ = m.Close() }() // nothing was written
	_, ops, err := m.Trash().PutBack(ctx, e.Entry.ID)
	return err != nil || len(ops) > 0
}

// onlyCopies counts the backups of a trash entry that no transcript contains, and those that couldn't be
// compared.
func (l *Rows) onlyCopies(ctx context.Context, entry *backup.TrashEntry) (only, unknown int, err error) {
	_, unlisted := errors.AsType[*sessions.UnlistedError](l.problem)
	for _, m := range entry.Moves {
		b := Row{}
		b.Row.Path = filepath.Join(entry.Path, filepath.FromSlash(m.Name))
		b.Row.Of = backup.Owner(&backup.Backup{Path: b.Row.Path})
		for i := range l.Rows {
			if r := &l.Rows[i]; r.Kind == sessions.KindSession && !r.Deleted && r.ID == b.Row.Of {
				b.Live = r.Path
			}
		}
		b.Row.Unsearched = unlisted && b.Live == ""
		if err := b.Compare(ctx, true); err != nil {
			return only, unknown, err
		}
		switch {
		case b.Held():
		case b.relation == "":
			unknown++
		default:
			only++
		}
	}
	return only, unknown, nil
}
