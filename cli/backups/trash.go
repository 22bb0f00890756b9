package backups

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/render"
)

// TrashEntry is an entry of the trash, and its project.
type TrashEntry struct {
	Project string
	Entry   backup.TrashEntry
}

// ReadTrash lists the trash entries of several folders, newest first. The result problems names the unreadable
// folders.
func ReadTrash(ctx context.Context, folders []string) (list []TrashEntry, problems []string, err error) {
	for _, project := range folders {
		m, err := backup.OpenMemory(project)
		if err != nil {
			problems = append(problems, err.Error())
			continue
		}
		entries, err := m.Trash().Entries(ctx)
		_ = m.Close() // nothing was written
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err != nil {
			problems = append(problems, survey.Sentences(err)...)
		}
		for _, entry := range entries {
			list = append(list, TrashEntry{project, entry})
		}
	}
	// Entries of the same second keep their order. By ID, discard-10 would come before discard-9.
	slices.SortStableFunc(list, func(a, b TrashEntry) int { return b.Entry.At.Compare(a.Entry.At) })
	return list, problems, nil
}

// listTrash prints the trash of one project or of all.
func listTrash(ctx context.Context, env *place.Env, o *out.Output, ask *Ask) error {
	l, err := Read(ctx, env, ask)
	if err != nil {
		return err
	}
	s := find.Scope{}
	if ask.Project != "" {
		if s, err = ScopeOf(ctx, env, l, ask); err != nil {
			return err
		}
	}
	list, problems, err := ReadTrash(ctx, MemoryFolders(ctx, env, l, s))
	if err != nil {
		return err
	}
	sum := ""
	if o.Out.Terminal {
		sum = trashSum(list)
	}
	err = trashTable(env).Print(o, out.Pointers(list), sum)
	if err == nil && len(problems) > 0 {
		err = &out.Failure{What: "A part of the trash could not be read. Check it yourself.", Facts: problems}
	}
	return err
}

// trashTable describes the table of trash entries.
func trashTable(env *place.Env) *out.Table[*TrashEntry] {
	return &out.Table[*TrashEntry]{
		Columns: []out.Column[*TrashEntry]{
			{
				Key: "entry", Head: "entry", Ink: render.Faint, Below: true, // the argument of backup undo
				Value: func(e *TrashEntry) any { return out.Path(e.Entry.ID) },
			},
			{
				Key: "project", Head: "project", Ink: render.Muted, Least: 11,
				Value: func(e *TrashEntry) any { return out.Path(e.Project) }, Text: func(e *TrashEntry) string { return place.BaseName(e.Project) },
			},
			{Key: "kind", Value: func(e *TrashEntry) any { return string(e.Entry.Kind) }},
			{
				Key: "at", Head: "when", Value: func(e *TrashEntry) any { return out.Time(e.Entry.At) },
				Text: func(e *TrashEntry) string { return words.Moment(env.Now(), e.Entry.At) },
			},
			{
				Key: "backups", Value: func(e *TrashEntry) any { return out.OrEmpty(e.backups()) },
				Tab: func(e *TrashEntry) string { return strconv.Itoa(len(e.Entry.Moves)) },
			},
			{Key: "bytes", Value: func(e *TrashEntry) any { return e.Entry.Bytes() }},
			{Key: "unfinished", Value: func(e *TrashEntry) any { return e.Entry.Unfinished }},
			{Key: "what", Head: "what", Ink: render.Muted, Text: (*TrashEntry).What},
		},
		Piped: "entry kind at backups bytes project",
		Shown: "at what project entry",
		Mark: func(e *TrashEntry) render.Span {
			if e.Entry.Unfinished {
				return render.Span{Ink: render.Warn, Text: "△"}
			}
			return render.Span{Ink: render.Faint, Text: "·"}
		},
		Empty: "The trash is empty.",
	}
}

// backups returns the original paths of the backups.
func (e *TrashEntry) backups() []string {
	var paths []string
	for _, m := range e.Entry.Moves {
		paths = append(paths, m.Path)
	}
	return paths
}

// What describes the entry.
func (e *TrashEntry) What() string {
	switch e.Entry.Kind {
	case backup.TrashDiscard:
		if len(e.Entry.Moves) == 0 {
			return "removed " + out.Count(len(e.Entry.Markers), "marker")
		}
		return "discarded " + out.Count(len(e.Entry.Moves), "backup")
	case backup.TrashPrune:
		return "pruned " + out.Count(len(e.Entry.Moves), "backup")
	}
	return out.CleanPath(string(e.Entry.Kind))
}

// trashSum returns the number of entries and their total size. For no entries, it returns "".
func trashSum(list []TrashEntry) string {
	var bytes int64
	for i := range list {
		bytes += list[i].Entry.Bytes()
	}
	if len(list) == 0 {
		return ""
	}
	sum := words.Counted(len(list), "entry", "entries")
	if bytes > 0 {
		sum += ", " + words.Size(bytes)
	}
	return sum + ". To restore an entry: continuo backup undo ENTRY."
}

// Again returns the command line that repeats the action.
func (e *TrashEntry) Again() string {
	words := []string{"continuo", "backup", string(e.Entry.Kind)}
	if e.Entry.Kind == backup.TrashDiscard {
		for i := range e.Entry.Moves {
			words = append(words, strings.TrimSuffix(filepath.Base(e.Entry.Moves[i].Name), ".jsonl"))
		}
	}
	return place.ShellLine(words)
}
