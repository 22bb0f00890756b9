package cli

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/cli/out"
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
	switch {
	case o.JSON:
		err = o.PrintArray(len(list), func(i int) any { return list[i].json() })
	case o.Out.Terminal:
		o.Out.Print(trashText(env, o, list))
	default:
		for i := range list {
			o.Out.Print(list[i].piped())
		}
	}
	if err == nil && len(problems) > 0 {
		err = &out.Failure{What: "A part of the trash could not be read. Look at it yourself.", Facts: problems}
	}
	return err
}

// trashJSON is an entry of the trash for programs.
type trashJSON struct {
	Entry      string          `json:"entry"` // what backup undo takes
	Project    string          `json:"project"`
	Kind       backup.DeedKind `json:"kind"`
	At         out.Time        `json:"at"`
	Backups    []string        `json:"backups"` // where they were
	Bytes      int64           `json:"bytes"`
	Unfinished bool            `json:"unfinished"`
}

func (e *trashEntry) json() trashJSON {
	j := trashJSON{
		Entry: e.deed.ID, Project: e.project, Kind: e.deed.Kind, At: out.Time(e.deed.At), Backups: []string{}, Bytes: e.deed.Bytes(),
		Unfinished: e.deed.Unfinished,
	}
	for _, m := range e.deed.Moves {
		j.Backups = append(j.Backups, m.Path)
	}
	return j
}

func (e *trashEntry) piped() string {
	return strings.Join([]string{
		out.CleanPath(e.deed.ID), string(e.deed.Kind), e.deed.At.UTC().Format(time.RFC3339), strconv.Itoa(len(e.deed.Moves)),
		strconv.FormatInt(e.deed.Bytes(), 10), out.CleanPath(e.project),
	}, "\t") + "\n"
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

// trashText is the trash for a person.
func trashText(env *Env, o *out.Output, list []trashEntry) string {
	if len(list) == 0 {
		return "Nothing is in the trash.\n"
	}
	const whenAt, whatAt = 2, 20
	what, project, entry := len("what"), len("project"), 0
	for i := range list {
		what = max(what, ansi.StringWidth(list[i].what()))
		project = max(project, ansi.StringWidth(baseName(list[i].project)))
		entry = max(entry, ansi.StringWidth(out.CleanPath(list[i].deed.ID)))
	}
	width := o.Out.Page()
	projectAt := whatAt + what + 2
	entryAt := projectAt + min(project, max(width-projectAt-entry-2, planAt)) + 2
	alone := entryAt+entry > width // then an entry has a line of its own: it is what undo takes
	var b strings.Builder
	put := func(l *render.Line) { b.WriteString(strings.TrimRight(l.String(), " ") + "\n") }
	head := render.NewLine(o.Out.Styles, width).To(whenAt).Put(render.Faint, "when").To(whatAt).Put(render.Faint, "what").
		To(projectAt).Put(render.Faint, "project")
	if !alone {
		head.To(entryAt).Put(render.Faint, "entry")
	}
	put(head)
	var bytes int64
	for i := range list {
		e := &list[i]
		bytes += e.deed.Bytes()
		glyph := render.Span{Ink: render.Faint, Text: "·"}
		if e.deed.Unfinished {
			glyph = render.Span{Ink: render.Warn, Text: "△"}
		}
		l := render.NewLine(o.Out.Styles, width).Spans(glyph).To(whenAt).PutUntil(render.Text, render.Moment(env.now(), e.deed.At), whatAt-1).
			To(whatAt).PutUntil(render.Muted, e.what(), projectAt-1).To(projectAt).PutUntil(render.Muted, baseName(e.project), entryAt-1)
		at := entryAt
		if alone {
			put(l)
			l, at = render.NewLine(o.Out.Styles, width), whenAt
		}
		put(l.To(at).Put(render.Faint, out.CleanPath(e.deed.ID)))
	}
	sum := render.Counted(len(list), "entry", "entries")
	if bytes > 0 {
		sum += ", " + render.Size(bytes)
	}
	sum += ". continuo backup undo takes an entry back."
	return b.String() + "\n" + strings.Join(render.Wrap(sum, width), "\n") + "\n"
}
