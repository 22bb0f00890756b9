package snapshot

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/handover"
)

// newID returns an unused ID. The IDs of removed tasks count as used.
func (s *Snapshot) newID() string {
	s.highest++
	return fmt.Sprintf("TASK_%03d", s.highest)
}

// merge adds the tasks and blocks of a part. A task updates the existing task with its ID or its title. All others
// get new IDs, because an unknown ID may belong to a consolidated task.
func (s *Snapshot) merge(part *Snapshot, at time.Time) {
	given := map[string]string{} // ID in the part → ID in the snapshot
	for i := range part.Tasks {
		in := part.Tasks[i]
		at := s.put(&in, at)
		if in.ID != "" {
			given[in.ID] = s.Tasks[at].ID
		}
	}
	for _, b := range part.Blocks {
		b.Related = slices.Clone(b.Related)
		for i, id := range b.Related {
			if now, ok := given[id]; ok {
				b.Related[i] = now
			}
		}
		s.putBlock(b, at)
	}
	s.top.add(part.top)
	s.metadata.add(part.metadata)
}

// put adds or updates a task and returns its index.
func (s *Snapshot) put(in *Task, at time.Time) int {
	i := slices.IndexFunc(s.Tasks, func(t Task) bool { return in.ID != "" && t.ID == in.ID })
	if i < 0 {
		i = s.titled(in.Title)
	}
	if i < 0 && in.isDone() {
		if i = s.summarized(in.Title); i >= 0 {
			return i
		}
	}
	if i < 0 {
		i = len(s.Tasks)
		s.Tasks = append(s.Tasks, Task{ID: s.newID(), Status: Pending, Created: at})
	}
	t := &s.Tasks[i]
	t.Title = in.Title
	t.setStatus(in.Status, firstTime(in.Completed, at))
	for _, f := range []struct{ to, from *string }{{&t.Priority, &in.Priority}, {&t.Category, &in.Category}, {&t.Context, &in.Context}} {
		if *f.from != "" {
			*f.to = *f.from
		}
	}
	if !in.Created.IsZero() {
		t.Created = in.Created
	}
	if in.Consolidated {
		t.Consolidated, t.Count = true, in.Count
	}
	t.addFiles(in.Files)
	t.addFiles(filesIn(t.Title + " " + t.Context))
	t.other.add(in.other)
	return i
}

// titled returns the index of the task with a title, preferably one that isn't completed; -1 if there is none.
func (s *Snapshot) titled(title string) int {
	found := -1
	for i := range s.Tasks {
		if t := &s.Tasks[i]; !t.Consolidated && (found < 0 || !t.isDone()) && sameTitle(t.Title, title) {
			if found = i; !t.isDone() {
				break
			}
		}
	}
	return found
}

// setStatus changes the status of a task, but not to a synonym of the current status.
func (t *Task) setStatus(status string, at time.Time) {
	if status == "" || handover.Normal(status) == t.status() {
		return
	}
	t.Status, t.Completed = status, time.Time{}
	if t.isDone() {
		t.Completed = at
	}
}

func (t *Task) addFiles(files []string) {
	for _, f := range files {
		if !slices.Contains(t.Files, f) {
			t.Files = append(slices.Clip(t.Files), f)
		}
	}
}

// putBlock adds a block, or updates the block with the same title.
func (s *Snapshot) putBlock(in Block, at time.Time) {
	i := slices.IndexFunc(s.Blocks, func(b Block) bool { return handover.Key(b.Title) == handover.Key(in.Title) })
	if i < 0 {
		s.Blocks = append(s.Blocks, Block{Title: in.Title, Content: in.Content, Updated: firstTime(in.Updated, at), Related: in.Related, other: in.other})
		return
	}
	b := &s.Blocks[i]
	if in.Content != "" && in.Content != b.Content {
		b.Content, b.Updated = in.Content, firstTime(in.Updated, at)
	}
	for _, id := range in.Related {
		if !slices.Contains(b.Related, id) {
			b.Related = append(slices.Clip(b.Related), id)
		}
	}
	b.other.add(in.other)
}

// relate adds to each block the tasks whose ID or file it mentions.
func (s *Snapshot) relate() {
	for i := range s.Blocks {
		b := &s.Blocks[i]
		text := b.Title + "\n" + b.Content
		files := pathsOf(filesIn(text))
		mentions := func(file string) bool { return slices.Contains(files, file) || hasWord(text, file) }
		for k := range s.Tasks {
			t := &s.Tasks[k]
			if !slices.Contains(b.Related, t.ID) && (hasWord(text, t.ID) || slices.ContainsFunc(pathsOf(t.Files), mentions)) {
				b.Related = append(slices.Clip(b.Related), t.ID)
			}
		}
	}
}

// sameTitle reports whether two titles are the same. IDs that handover.Named has added must be the same too.
func sameTitle(a, b string) bool {
	a, idA := handover.CutID(a)
	b, idB := handover.CutID(b)
	return handover.Key(a) == handover.Key(b) && (idA == "" || idB == "" || idA == idB)
}

// filesIn returns the code references in a text, in the forms of fileOf.
func filesIn(text string) []string {
	var files []string
	for line := range strings.Lines(text) {
		for _, r := range ledger.FindRefs(line) {
			if f := fileOf(r.Ref); f != "" && !slices.Contains(files, f) {
				files = append(files, f)
			}
		}
	}
	return files
}

// fileOf returns a code reference with a path that is relative or below ~/, as in the spec. Other references stay
// unchanged.
func fileOf(r ledger.Ref) string {
	if rel, ok := strings.CutPrefix(r.String(), "${PROJECT_ROOT}/"); ok {
		if _, ok := ledger.ParseRef(rel); ok {
			return rel
		}
	}
	return r.String()
}

// pathsOf removes the line numbers: a.go:12 becomes a.go.
func pathsOf(files []string) []string {
	var paths []string
	for _, f := range files {
		if r, ok := ledger.ParseRef(f); ok {
			r.From, r.To, f = 0, 0, r.Path
		}
		paths = append(paths, f)
	}
	return paths
}

// hasWord reports whether a text contains an ID or a path as a whole word: TASK_0012 doesn't contain TASK_001.
func hasWord(text, word string) bool {
	inWord := func(c byte) bool { return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' }
	for from := 0; ; from++ {
		i := strings.Index(text[from:], word)
		if i < 0 || word == "" {
			return false
		}
		from += i
		starts := from == 0 || !inWord(text[from-1]) && text[from-1] != '/' && text[from-1] != '-'
		if end := from + len(word); starts && (end == len(text) || !inWord(text[end])) {
			return true
		}
	}
}

func firstTime(t, other time.Time) time.Time {
	if t.IsZero() {
		t = other
	}
	return t.UTC().Truncate(time.Second)
}
