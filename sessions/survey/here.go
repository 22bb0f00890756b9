package survey

import (
	"context"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/document"
)

// hereLimit is the time limit of BeginHere for everything except git.
const hereLimit = 200 * time.Millisecond

// Here has the facts about the project of the current directory, for the command status.
type Here struct {
	Project   string // project that has the memory; "" if none
	Branch    string // branch that is checked out; "" if HEAD is detached or unknown
	Hooks     HookFacts
	Tracked   int        // number of files with transcripts that git tracks
	Context   *Context   // nil if none
	Documents *Documents // nil if none
	Staged    *Staged    // nil if nothing is staged
	Late      bool       // Documents could not be read in time
}

// Documents counts the session documents of a project, and describes the newest.
type Documents struct {
	Count  int
	Newest string // path of the newest document
	Date   time.Time
	Status string // status of the newest document; "" if not given
	Open   int    // number of open todos in the newest document
}

// Staged is a recovery that is staged in a project.
type Staged struct {
	At     time.Time // when it was staged; zero if unknown
	Tokens int       // estimated number of tokens; 0 if Err is set
	Until  time.Time // when it expires
	Err    error     // why the next session won't print it; nil if it will
}

// BeginHere starts to read the facts about the project of a folder. The returned function waits for them. Its
// argument is the machine's unsaved sessions, which it adds to Hooks.Missed if they are the project's. unknown counts
// the sources that didn't respond.
func BeginHere(ctx context.Context, at Place, hooks func(project string) HookPlace, tracked func(ctx context.Context, project string) int) (wait func([]Unsaved) (h Here, unknown int)) {
	look, bug, files := make(chan Here, 1), make(chan *sessions.PanicError, 1), make(chan int, 1)
	documents := make(chan *Documents, 1) // separate, because a project may have many documents
	ctx, cancel := context.WithTimeout(ctx, gitLimit)
	limited, stop := context.WithTimeout(ctx, hereLimit)
	go func() {
		bug <- sessions.Catch(func() {
			project := MemoryOf(ctx, at.Dir, at.Home)
			go func() { files <- tracked(ctx, project) }()
			h := Here{Project: project, Branch: sessions.Branch(project), Hooks: HooksOf(ctx, hooks(project), nil)}
			if project != "" {
				h.Context, _ = contextOf(ctx, project, at.Now)
				h.Staged = StagedRecovery(project, at.Now)
			}
			look <- h
			documents <- countDocuments(ctx, project, at.Now)
		})
	}()
	return func(unsaved []Unsaved) (Here, int) {
		defer cancel()
		defer stop()
		h, ok := awaited(limited, look, bug)
		if !ok {
			return Here{}, 1
		}
		h.Documents, ok = awaited(limited, documents, bug)
		h.Late = !ok
		for _, u := range unsaved {
			if u.Project == h.Project {
				h.Hooks.Missed = append(h.Hooks.Missed, u.Last)
			}
		}
		select {
		case h.Tracked = <-files:
		case <-ctx.Done():
			return h, 1
		}
		return h, 0
	}
}

// awaited waits for the result of a goroutine, and passes on its panic. ok is false if ctx ends first.
func awaited[T any](ctx context.Context, from <-chan T, bug <-chan *sessions.PanicError) (found T, ok bool) {
	select {
	case found = <-from:
		return found, true
	case p := <-bug:
		if p != nil {
			panic(p)
		}
		return <-from, true
	case <-ctx.Done():
	}
	select {
	case found = <-from:
		return found, true
	default:
		return found, false
	}
}

// contextOf returns the active context of a project without project-memory.md, or nil.
func contextOf(ctx context.Context, project string, now time.Time) (*Context, error) {
	doc, ok, err := backup.ActiveContext(ctx, project, now.Location())
	if !ok {
		return nil, err
	}
	return &Context{Path: doc.Path, Updated: updatedAt(&doc, now), Bytes: doc.Bytes, StaleAt: contextStale, HeavyAt: ContextHeavy}, err
}

// StagedRecovery returns the staged recovery of a project, or nil.
func StagedRecovery(project string, now time.Time) *Staged {
	if project == "" {
		return nil
	}
	s, ok, err := backup.StagedIn(project, now)
	switch {
	case err != nil:
		return &Staged{At: s.At, Err: err}
	case !ok:
		return nil
	}
	return &Staged{At: s.At, Tokens: recovery.Tokens(s.Text), Until: s.At.Add(backup.StagedFor)}
}

// countDocuments counts the session documents of a project. It returns nil without any.
func countDocuments(ctx context.Context, project string, now time.Time) *Documents {
	if project == "" {
		return nil
	}
	list := slices.DeleteFunc(DocumentsOf(ctx, project, now), func(doc document.Document) bool { return doc.Kind != document.KindSession })
	if len(list) == 0 {
		return nil
	}
	newest := &list[0]
	return &Documents{len(list), newest.Path, newest.Date, newest.Status, sessions.OpenTodos(newest.Todos)}
}

// DocumentsOf returns the documents of a project, newest first. Implausible dates become zero and come last.
func DocumentsOf(ctx context.Context, project string, now time.Time) []document.Document {
	list, _ := backup.Documents(ctx, project, now.Location()) // the session list shows these errors
	for i := range list {
		list[i].Date = sessions.Plausible(list[i].Date, now)
	}
	slices.SortStableFunc(list, func(a, b document.Document) int { return b.Date.Compare(a.Date) })
	return list
}
