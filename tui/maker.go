package tui

import (
	"context"
	"time"

	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/facts"
	"github.com/continuo-tui/continuo/tui/familyview"
	"github.com/continuo-tui/continuo/tui/gateview"
	"github.com/continuo-tui/continuo/tui/ledgerview"
	"github.com/continuo-tui/continuo/tui/list"
	"github.com/continuo-tui/continuo/tui/live"
	"github.com/continuo-tui/continuo/tui/preview"
	"github.com/continuo-tui/continuo/tui/project"
	"github.com/continuo-tui/continuo/tui/reader"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
	"github.com/continuo-tui/continuo/tui/search"
	"github.com/continuo-tui/continuo/tui/taskview"
)

// maker makes screens from what the program knows.
type maker struct {
	ctx context.Context // context of the program
	World
	opts Options
	held *list.Page // the screen of the lists, which has the rows
	// markdown renders the text of an answer. Tests replace it to count the calls.
	markdown func(text string, prose, code int, s *render.Styles) []string
	// prose renders the text of a document.
	prose func(text string, prose, code int, s *render.Styles) []string
}

// answers and documents call the current function, so that existing screens use a replaced one too.
func (k *maker) answers(text string, prose, code int, s *render.Styles) []string {
	return k.markdown(text, prose, code, s)
}

func (k *maker) documents(text string, prose, code int, s *render.Styles) []string {
	return k.prose(text, prose, code, s)
}

// makeLists makes the screen of the lists. The other screens use the lists, so this is the first call.
func (k *maker) makeLists(hasLedger func(dir string) bool) *list.Page {
	k.held = list.NewPage(list.Options{
		Context: k.ctx, Source: k.Source, Window: k.window, Project: k.opts.Project, Home: k.opts.Home, Looked: k.opts.Looked, Choices: k.opts.Choices,
		Pages: k.Projects != nil, Resumes: k.Actions != nil, Answers: k.answers, Prose: k.documents, HasLedger: hasLedger,
	})
	return k.held
}

func (k *maker) makeLedger() *ledgerview.Page {
	return ledgerview.New(ledgerview.Options{
		Context: k.ctx, Ledgers: k.Ledgers, Now: k.opts.Now, CanChange: k.Changes != nil, CanOpen: k.Actions != nil, Prose: k.documents, Newest: k.held.Newest,
	})
}

func (k *maker) makeTasks() *taskview.Page {
	return taskview.New(taskview.Options{Context: k.ctx, Tasks: k.Tasks, Now: k.opts.Now, Newest: k.held.Newest})
}

func (k *maker) makeLive(now func() time.Time) *live.Page {
	return live.New(live.Options{
		Context: k.ctx, Source: k.Live, Rows: k.held.Rows(sessions.KindSession), Backups: k.held.Rows(sessions.KindBackup), Now: now,
		Beside: preview.Beside{Context: k.ctx, Source: k.Source, Window: k.window, Answers: k.answers},
	})
}

// makeReader makes the reader of a row. It starts at the match or todo of e, or else at the last position.
func (k *maker) makeReader(e screen.Read, last *reader.Spot) *reader.Page {
	o := reader.Options{
		Context: k.ctx, Source: k.Source, Row: e.Row, At: last, Answers: k.markdown, Prose: k.prose, Held: k.held.Held, Chain: k.held.ChainStatus, Agent: e.Agent,
	}
	if e.Seeks != "" || e.At != nil {
		o.At, o.Seeks, o.Match = nil, e.Seeks, e.At
	}
	return reader.New(o)
}

// makeTalk makes the screen of a session that continuo drives.
func (k *maker) makeTalk(e screen.Drive) *live.Talk {
	return live.NewTalk(live.TalkOptions{
		Context: k.ctx, Source: k.Live, ID: e.ID, Answer: e.Answer, Keeper: k.opts.Keeper, Rows: k.held.Rows(sessions.KindSession), Answers: k.markdown,
		Read: func(row sessions.Row) live.Reader { return k.makeReader(screen.Read{Row: row}, nil) },
	})
}

// makeGate makes the screen of a project's gate. of has the session for the handoff. If of is empty, the newest session
// of the project is used.
func (k *maker) makeGate(dir string, mode gate.Mode, of []sessions.Row) *gateview.Page {
	return gateview.New(gateview.Options{
		Context: k.ctx, Gates: k.Ledgers, Now: k.opts.Now, Dir: dir, Mode: mode, Of: of, CanChange: k.Changes != nil, CanEdit: k.Actions != nil,
	})
}

func (k *maker) makeFacts(row sessions.Row) *facts.Page {
	return facts.New(facts.Options{Context: k.ctx, Source: k.Actions, Row: row, Rows: k.conversations, Prices: k.opts.Prices})
}

// makeFamily makes the screen of the relatives of a session.
func (k *maker) makeFamily(of sessions.Row) *familyview.Page {
	return familyview.New(familyview.Options{
		Context: k.ctx, Of: of, Held: k.held.Held, Loading: k.held.IsLoading,
		Beside: preview.Beside{Context: k.ctx, Source: k.Source, Window: k.window, Answers: k.markdown},
		Rows:   k.conversations,
	})
}

// makeSearch makes the search over all conversations, with a text to search for.
func (k *maker) makeSearch(text string) *search.Page {
	return search.New(search.Options{
		Context: k.ctx, Source: k.Searcher, Sessions: k.Source, Window: k.window, Text: text, Project: k.opts.Project, Here: k.held.Listed() != "",
		Home: k.opts.Home, Now: k.opts.Now, Answers: k.markdown,
	})
}

// makePage makes the page of a project. behind is the row in the reader, or nil.
func (k *maker) makePage(dir string, behind *sessions.Row) *project.Page {
	return project.New(project.Options{Context: k.ctx, Projects: k.Projects, Now: k.opts.Now, Dir: dir, Row: k.held.Held, Behind: behind})
}

// conversations yields the sessions and backups in the lists.
func (k *maker) conversations(yield func(*sessions.Row) bool) {
	for _, kind := range []sessions.Kind{sessions.KindSession, sessions.KindBackup} {
		for row := range k.held.Rows(kind) {
			if !yield(row) {
				return
			}
		}
	}
}

// window returns the name of a client's tmux window, or "".
func (k *maker) window(ctx context.Context, pid int) string {
	if k.Live == nil {
		return ""
	}
	return k.Live.Panes(ctx, []int{pid})[pid].Name
}
