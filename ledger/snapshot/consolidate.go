package snapshot

import (
	"path"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/handover"
)

// The limits of the consolidation matrix (spec 004).
const (
	keptNewest   = 5              // number of newest completed tasks that are never joined
	old          = 72 * time.Hour // minimum time since a task was completed
	manyRelated  = 5              // a group with more tasks has "many related tasks"
	leastMatches = 3              // criteria that must hold
)

// noArea is the title of a consolidated task whose tasks have different areas.
const noArea = "Completed work"

// summary starts the context of a consolidated task. The titles of the joined tasks follow.
const summary = "Summary: "

// group is a list of completed tasks that may be joined into one task.
type group struct {
	area  string
	tasks []*Task
}

// criteria returns how many of the four criteria of the matrix a group meets. Tasks with critical findings are never
// in a group.
func (g *group) criteria(now time.Time) int {
	n, count, last := 1, 0, time.Time{}
	for _, t := range g.tasks {
		count += t.count()
		if t.ended().After(last) {
			last = t.ended()
		}
	}
	if g.area != noArea {
		n++
	}
	if count > manyRelated {
		n++
	}
	if now.Sub(last) >= old {
		n++
	}
	return n
}

// consolidate joins completed tasks by the matrix of the spec.
func (s *Snapshot) consolidate(now time.Time) {
	kept := s.newest()
	var groups []group
	for i := range s.Tasks {
		t := &s.Tasks[i]
		if !t.isDone() || slices.Contains(kept, t.ID) || s.never(t, now) {
			continue
		}
		area := t.area()
		at := slices.IndexFunc(groups, func(g group) bool { return handover.Key(g.area) == handover.Key(area) })
		if at < 0 {
			at = len(groups)
			groups = append(groups, group{area: area})
		}
		groups[at].tasks = append(groups[at].tasks, t)
	}
	for i := range groups {
		if g := &groups[i]; len(g.tasks) > 1 && g.criteria(now) >= leastMatches {
			s.join(g)
		}
	}
	s.Tasks = slices.DeleteFunc(s.Tasks, func(t Task) bool { return t.ID == "" })
}

// join replaces the tasks of a group by one consolidated task. It overwrites the first task, and clears the IDs of
// the others.
func (s *Snapshot) join(g *group) {
	one := Task{ID: s.newID(), Title: g.area, Status: Completed, Consolidated: true}
	var titles, contexts []string
	for _, t := range g.tasks {
		one.Count += t.count()
		if t.ended().After(one.Completed) {
			one.Completed = t.ended()
		}
		if !t.Created.IsZero() && (one.Created.IsZero() || t.Created.Before(one.Created)) {
			one.Created = t.Created
		}
		if one.Priority == "" || t.Priority != "" && t.Priority < one.Priority {
			one.Priority = t.Priority
		}
		one.addFiles(t.Files)
		names, rest := t.summary()
		titles = append(titles, names...)
		if rest != "" && !slices.Contains(contexts, rest) {
			contexts = append(contexts, rest)
		}
		one.other.add(t.other)
		for k := range s.Blocks {
			for n, id := range s.Blocks[k].Related {
				if id == t.ID {
					s.Blocks[k].Related = slices.Clone(s.Blocks[k].Related)
					s.Blocks[k].Related[n] = one.ID
				}
			}
			s.Blocks[k].Related = unique(s.Blocks[k].Related)
		}
	}
	one.Context = strings.Join(append([]string{summary + strings.Join(titles, "; ")}, contexts...), "\n")
	for _, t := range g.tasks {
		t.ID = ""
	}
	*g.tasks[0] = one
}

// summary splits the context of a consolidated task into titles and other text. For any other task, it returns the
// title and the context.
func (t *Task) summary() (titles []string, rest string) {
	if !t.Consolidated {
		return []string{inSummary(t.Title)}, t.Context
	}
	first, rest, _ := strings.Cut(t.Context, "\n")
	if list, ok := strings.CutPrefix(first, summary); ok {
		return strings.Split(list, "; "), rest
	}
	return []string{inSummary(t.Title)}, t.Context
}

// inSummary replaces "; " in a title, which separates titles in a summary.
func inSummary(title string) string { return strings.ReplaceAll(title, "; ", ", ") }

// summarized returns the index of the consolidated task that has a title in its summary; -1 if there is none.
func (s *Snapshot) summarized(title string) int {
	return slices.IndexFunc(s.Tasks, func(t Task) bool {
		names, _ := t.summary()
		return t.Consolidated && slices.ContainsFunc(names, func(n string) bool { return sameTitle(n, inSummary(title)) })
	})
}

// newest returns the IDs of the newest completed tasks, without consolidated tasks.
func (s *Snapshot) newest() []string {
	var done []*Task
	for i := range s.Tasks {
		if t := &s.Tasks[i]; t.isDone() && !t.Consolidated {
			done = append(done, t)
		}
	}
	slices.SortStableFunc(done, func(a, b *Task) int { return b.ended().Compare(a.ended()) })
	var ids []string
	for _, t := range done[:min(len(done), keptNewest)] {
		ids = append(ids, t.ID)
	}
	return ids
}

// never reports whether the spec forbids joining a completed task. It forbids this for a critical bug, a lesson, and
// a recent or referenced task.
func (s *Snapshot) never(t *Task, now time.Time) bool {
	if t.ended().IsZero() || now.Sub(t.ended()) < old || s.referenced(t) {
		return true
	}
	if t.Consolidated { // its whole context is kept
		return false
	}
	text := strings.ToLower(t.Title + " " + t.Context)
	return t.Category == "BUGFIX" && t.Priority == "P1" ||
		slices.ContainsFunc([]string{"critical", "pitfall", "lesson", "gotcha"}, func(w string) bool { return strings.Contains(text, w) })
}

// referenced reports whether an open task refers to a completed task by name, by a file, or by a block.
func (s *Snapshot) referenced(t *Task) bool {
	files := pathsOf(t.Files)
	for i := range s.Tasks {
		p := &s.Tasks[i]
		if p.isDone() {
			continue
		}
		if hasWord(p.Title+" "+p.Context, t.ID) || slices.ContainsFunc(pathsOf(p.Files), func(f string) bool { return slices.Contains(files, f) }) {
			return true
		}
		if slices.ContainsFunc(s.Blocks, func(b Block) bool { return slices.Contains(b.Related, t.ID) && slices.Contains(b.Related, p.ID) }) {
			return true
		}
	}
	return false
}

// ended returns when a task was completed or, if unknown, created.
func (t *Task) ended() time.Time {
	if t.Completed.IsZero() {
		return t.Created
	}
	return t.Completed
}

// area returns the feature or area of a task: the words before a colon in its title, or the folder of its first file.
func (t *Task) area() string {
	const longest = 40 // maximum number of bytes before the colon
	if t.Consolidated {
		return t.Title
	}
	if name, _, ok := strings.Cut(t.Title, ": "); ok && len(name) <= longest {
		return name
	}
	for _, f := range t.Files {
		if r, ok := ledger.ParseRef(f); ok && path.Dir(r.Path) != "." {
			return path.Dir(r.Path)
		}
	}
	return noArea
}

func unique(list []string) []string {
	var all []string
	for _, s := range list {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}
