package cli

import (
	"context"
	"slices"
	"strconv"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/render"
)

// trashEntry is a deed and where it was done.
type trashEntry struct {
	project string
	deed    backup.Deed
}

// readTrash lists what can be taken back in some folders, newest first. The problems are what could not be read.
func readTrash(ctx context.Context, folders []string) (list []trashEntry, problems []string, err error) {
	for _, project := range folders {
		m, err := backup.OpenMemory(project)
		if err != nil {
			problems = append(problems, err.Error())
			continue
		}
		deeds, err := m.Deeds(ctx)
		_ = m.Close() // it was only read
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err != nil {
			problems = append(problems, survey.Sentences(err)...)
		}
		for _, deed := range deeds {
			list = append(list, trashEntry{project, deed})
		}
	}
	// Those of a second are in order: their ids are not, discard-10 comes before discard-9.
	slices.SortStableFunc(list, func(a, b trashEntry) int { return b.deed.At.Compare(a.deed.At) })
	return list, problems, nil
}

// listTrash prints what lies in the trash of every project, or of one.
func listTrash(ctx context.Context, env *Env, o *out.Output, ask *backupAsk) error {
	l, err := readBackups(ctx, env, ask)
	if err != nil {
		return err
	}
	s := scope{}
	if ask.project != "" {
		if s, err = backupScope(ctx, env, l, ask); err != nil {
			return err
		}
	}
	list, problems, err := readTrash(ctx, memoryFolders(ctx, env, l, s))
	if err != nil {
		return err
	}
	sum := ""
	if o.Out.Terminal {
		sum = trashSum(list)
	}
	err = trashTable(env).Print(o, out.Pointers(list), sum)
	if err == nil && len(problems) > 0 {
		err = &out.Failure{What: "A part of the trash could not be read. Look at it yourself.", Facts: problems}
	}
	return err
}

// trashTable describes entries of the trash.
func trashTable(env *Env) *out.Table[*trashEntry] {
	return &out.Table[*trashEntry]{
		Columns: []out.Column[*trashEntry]{
			{
				Key: "entry", Head: "entry", Ink: render.Faint, Below: true, // it is what undo takes
				Value: func(e *trashEntry) any { return out.Path(e.deed.ID) },
			},
			{
				Key: "project", Head: "project", Ink: render.Muted, Least: 11,
				Value: func(e *trashEntry) any { return out.Path(e.project) }, Text: func(e *trashEntry) string { return baseName(e.project) },
			},
			{Key: "kind", Value: func(e *trashEntry) any { return string(e.deed.Kind) }},
			{
				Key: "at", Head: "when", Value: func(e *trashEntry) any { return out.Time(e.deed.At) },
				Text: func(e *trashEntry) string { return words.Moment(env.now(), e.deed.At) },
			},
			{
				Key: "backups", Value: func(e *trashEntry) any { return out.OrEmpty(e.backups()) },
				Tab: func(e *trashEntry) string { return strconv.Itoa(len(e.deed.Moves)) },
			},
			{Key: "bytes", Value: func(e *trashEntry) any { return e.deed.Bytes() }},
			{Key: "unfinished", Value: func(e *trashEntry) any { return e.deed.Unfinished }},
			{Key: "what", Head: "what", Ink: render.Muted, Text: (*trashEntry).what},
		},
		Piped: "entry kind at backups bytes project",
		Shown: "at what project entry",
		Mark: func(e *trashEntry) render.Span {
			if e.deed.Unfinished {
				return render.Span{Ink: render.Warn, Text: "△"}
			}
			return render.Span{Ink: render.Faint, Text: "·"}
		},
		Empty: "Nothing is in the trash.",
	}
}

// backups are the paths of the backups before they went to the trash.
func (e *trashEntry) backups() []string {
	var paths []string
	for _, m := range e.deed.Moves {
		paths = append(paths, m.Path)
	}
	return paths
}

// what is what was done, in the past tense.
func (e *trashEntry) what() string {
	switch e.deed.Kind {
	case backup.DeedDiscard:
		if len(e.deed.Moves) == 0 {
			return "removed " + out.Count(len(e.deed.Markers), "marker")
		}
		return "discarded " + out.Count(len(e.deed.Moves), "backup")
	case backup.DeedPrune:
		return "pruned " + out.Count(len(e.deed.Moves), "backup")
	}
	return out.CleanPath(string(e.deed.Kind))
}

// trashSum counts entries and their bytes; "" there are none.
func trashSum(list []trashEntry) string {
	var bytes int64
	for i := range list {
		bytes += list[i].deed.Bytes()
	}
	if len(list) == 0 {
		return ""
	}
	sum := words.Counted(len(list), "entry", "entries")
	if bytes > 0 {
		sum += ", " + words.Size(bytes)
	}
	return sum + ". continuo backup undo takes an entry back."
}
