package cli

import (
	"context"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/catalog"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// backupGroup is what a backup is listed under.
type backupGroup string

// The groups, in the order in which they are listed.
const (
	backupPending backupGroup = "pending" // a marker names it
	backupUnseen  backupGroup = "unseen"  // newer than every session document of its project, and never opened here
	backupSeen    backupGroup = "seen"
)

// backupGroups are the groups in the order of the list.
func backupGroups() []backupGroup { return []backupGroup{backupPending, backupUnseen, backupSeen} }

// backupRow is a raw backup as the commands about them see it.
type backupRow struct {
	row      sessions.Row // its Workdir is the folder that has the memory
	group    backupGroup
	live     string            // the transcript with its session id; "" there is none, or the id is not known
	relation sessions.Relation // of live to it; "" not compared, or not known
	fault    string            // what is wrong with the copy itself; "" nothing is known of that
	whole    bool              // every byte was compared
}

// backupRows is what there is of backups, newest first, and what it was made of.
type backupRows struct {
	list    []backupRow
	rows    []sessions.Row // the whole catalogue
	src     source
	dirs    []string // Claude config dirs
	problem error    // what could not be read
}

// knownFolderLimit is for the projects that no session names any more: they may be on a disk that hangs.
const knownFolderLimit = time.Second

// readBackups looks up the backups of every project that continuo knows, and of the folders that the command line names
// besides; nil names none.
func readBackups(ctx context.Context, env *Env, ask *backupAsk) (*backupRows, error) {
	opts, err := catalogOptions(env)
	if err != nil {
		return nil, err
	}
	for _, dir := range append(memoryFoldersAsked(env, ask), survey.MemoryOf(ctx, realPath(env.dir), env.home)) {
		if sessions.IsPlainPath(dir) {
			opts.Also = append(opts.Also, dir)
		}
	}
	l := &backupRows{src: env.open(opts), dirs: opts.Dirs}
	if l.rows, l.problem = l.src.List(ctx, true); ctx.Err() != nil {
		return nil, ctx.Err()
	}
	l.rows = slices.SortedStableFunc(slices.Values(l.rows), func(a, b sessions.Row) int { return a.Compare(&b) })
	l.sort(seenBackups(env))
	if ask != nil {
		if err := checkProject(ctx, env, l, ask.project); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// rememberShown keeps the projects that have a memory, as list does.
func rememberShown(env *Env, l *backupRows) {
	if len(env.claudeDirs) == 0 {
		rememberProjects(env, memoryRoots(l.rows))
	}
}

// sort makes the rows of the backups and says under what each is listed.
func (l *backupRows) sort(seen map[string]bool) {
	catalog.Relate(l.rows, seen)
	for i := range l.rows {
		r := &l.rows[i]
		if r.Kind != sessions.KindBackup {
			continue
		}
		b := backupRow{row: *r, group: backupSeen, live: r.Original}
		switch {
		case r.Pending:
			b.group = backupPending
		case r.Unseen:
			b.group = backupUnseen
		}
		l.list = append(l.list, b)
	}
}

// compare finds out what has become of the transcript, and what is wrong with the copy: quickly, or whole, and that
// once. The error is that of ctx.
func (b *backupRow) compare(ctx context.Context, whole bool) error {
	if b.whole {
		return ctx.Err()
	}
	b.whole, b.row.Original = whole, b.live
	err := catalog.Compare(ctx, &b.row, whole)
	b.relation, b.fault = b.row.Relation, b.row.Fault
	return err
}

// held reports whether the transcript has every byte of it.
func (b *backupRow) held() bool { return b.relation.Held() }

// compareAll compares some of the rows.
func compareAll(ctx context.Context, list []*backupRow, whole bool) error {
	for _, b := range list {
		if err := b.compare(ctx, whole); err != nil {
			return err
		}
	}
	return nil
}

// of are the rows that a scope holds.
func (l *backupRows) of(s scope) []*backupRow {
	var list []*backupRow
	for i := range l.list {
		if s.holds(&l.list[i].row) {
			list = append(list, &l.list[i])
		}
	}
	return list
}

// byPath finds rows by their paths.
func (l *backupRows) byPath() map[string]*backupRow {
	rows := make(map[string]*backupRow, len(l.list))
	for i := range l.list {
		rows[l.list[i].row.Path] = &l.list[i]
	}
	return rows
}

// relationText is what became of the live file, for a column: a glyph, an ink for it, and words.
func (b *backupRow) relationText() (glyph render.Span, words render.Span) {
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
	if b.row.Of != "" {
		words.Text = "could not be compared"
	}
	return render.Span{Ink: render.Faint, Text: "…"}, words
}

// madeBy is what a backup was made by, "" when its name does not say: the reason of the hook, or that of a person. The
// client calls /exit and two ctrl-c prompt_input_exit (client 2.1.330).
func (b *backupRow) madeBy() string {
	if b.row.Name == "prompt_input_exit" {
		return "exit"
	}
	return words.Cut(transcript.CleanLine(b.row.Name), 40)
}
