package keeping

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/continuo-tui/continuo/cli/launch"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/annotate"
	"github.com/continuo-tui/continuo/sessions/catalog"
	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/sessions/keeper/server"
	"github.com/continuo-tui/continuo/sessions/resume"
)

// machine implements server.Machine with the sessions of this machine. A watch updates the rows, so requests
// read no directories.
type machine struct {
	env     *place.Env
	keeper  *keeper.Keeper
	catalog *catalog.Catalog
	dirs    []string
	whole   chan struct{} // closed when the rows are complete

	mu   sync.Mutex
	rows map[string]*sessions.Row // by path; a change replaces the pointer
}

func newMachine(env *place.Env) (*machine, error) {
	opts, err := place.CatalogOptions(env)
	if err != nil {
		return nil, err
	}
	opts.Also = nil // the omitted directories have only backups and documents
	return &machine{
		env: env, keeper: NewKeeper(env), catalog: catalog.New(opts), dirs: opts.Dirs,
		whole: make(chan struct{}), rows: map[string]*sessions.Row{},
	}, nil
}

// follow reads the rows, and updates them until ctx ends.
func (m *machine) follow(ctx context.Context) {
	for b := range m.catalog.Rows(ctx) {
		m.take(&b)
	}
	close(m.whole)
	for b := range m.catalog.Watch(ctx, func() bool { return false }) {
		m.take(&b)
	}
}

func (m *machine) take(b *sessions.Batch) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range b.Rows {
		if r := &b.Rows[i]; r.Kind == sessions.KindSession {
			m.rows[r.Path] = r
		}
	}
	for _, path := range b.Gone {
		delete(m.rows, path)
	}
}

// Sessions implements server.Machine.
func (m *machine) Sessions(ctx context.Context) ([]*sessions.Row, error) {
	select {
	case <-m.whole:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Collect(maps.Values(m.rows)), nil
}

// Session implements server.Machine. If several projects have this ID, it returns the session that was used
// last.
func (m *machine) Session(ctx context.Context, id string) (*sessions.Row, error) {
	rows, err := m.Sessions(ctx)
	if err != nil {
		return nil, err
	}
	rows = slices.DeleteFunc(rows, func(r *sessions.Row) bool { return r.ID != id || r.Deleted })
	if len(rows) == 0 {
		return m.read(ctx, id)
	}
	return slices.MinFunc(rows, func(a, b *sessions.Row) int { return a.Compare(b) }), nil
}

// read reads a session that the watch hasn't reported yet.
func (m *machine) read(ctx context.Context, id string) (*sessions.Row, error) {
	if id == "" || strings.ContainsAny(id, `/\*?[`) {
		return nil, server.ErrNotFound
	}
	for _, dir := range m.dirs {
		paths, _ := filepath.Glob(filepath.Join(dir, "projects", "*", id+".jsonl")) // the pattern is valid
		if len(paths) > 0 {
			r := &sessions.Row{Kind: sessions.KindSession, Session: sessions.Read(ctx, paths[0], m.env.Now())}
			r.Dir = dir
			return r, ctx.Err()
		}
	}
	return nil, server.ErrNotFound
}

// History implements server.Machine.
func (m *machine) History(ctx context.Context, row *sessions.Row) (server.History, error) {
	doc, err := m.catalog.Open(ctx, *row)
	if err != nil {
		return nil, err
	}
	return doc, nil
}

// Start implements server.Machine.
func (m *machine) Start(ctx context.Context, workdir, name string) (id string, err error) {
	row := sessions.Row{Session: sessions.Session{Dir: m.env.ClientDir(), Workdir: workdir}}
	id, err = m.drive(ctx, row, resume.Ask{New: true, Folder: workdir})
	if err == nil && name != "" {
		err = m.Rename(ctx, id, name)
	}
	return id, err
}

// Resume implements server.Machine.
func (m *machine) Resume(ctx context.Context, row *sessions.Row, fork bool) (id string, err error) {
	return m.drive(ctx, *row, resume.Ask{Fork: fork})
}

// drive starts a client. It accepts harmless findings, because it has no user to ask.
func (m *machine) drive(ctx context.Context, row sessions.Row, ask resume.Ask) (id string, err error) {
	ctx = context.WithoutCancel(ctx) // once started, it isn't interrupted
	ask.In, ask.Known = resume.WhereContinuo, true
	plan, err := launch.PlanResume(ctx, m.env, row, ask)
	switch {
	case err != nil:
		return "", refusal(err)
	case plan.Launch == nil && plan.Has(resume.FindingLive):
		return "", m.live(ctx, &row)
	case plan.Launch == nil:
		f := plan.Findings[0]
		return "", &server.Refusal{Reason: strings.TrimSpace(f.What + " " + f.Detail)}
	}
	id, err = launch.Drive(ctx, m.env, m.keeper, plan.Launch)
	if errors.Is(err, place.ErrTaken) { // another client has opened the session since the check
		return "", m.live(ctx, &row)
	}
	return id, refusal(err)
}

// refusal converts an *out.Failure into a *server.Refusal.
func refusal(err error) error {
	if f, ok := errors.AsType[*out.Failure](err); ok {
		return &server.Refusal{Reason: f.What}
	}
	return err
}

// live returns the error for a session that another client has open.
func (m *machine) live(ctx context.Context, row *sessions.Row) error {
	clients, _ := place.RegistryOf(ctx, m.env, row) // ignore the error: PlanResume has read the registry
	for _, c := range clients {
		if c.SessionID == row.ID {
			return &server.LiveError{PID: c.PID, Since: c.Started}
		}
	}
	for _, s := range place.StartingOf(ctx, m.env, row) {
		return &server.LiveError{PID: s.PID, Since: s.At}
	}
	return &server.LiveError{}
}

// Rename implements server.Machine.
func (m *machine) Rename(ctx context.Context, id, name string) error {
	row, err := m.Session(ctx, id)
	var key annotate.Key
	if state, ok := m.keeper.Session(id); err == nil {
		if key, ok = place.NoteKey(m.env, row); !ok {
			return server.ErrNotFound
		}
	} else if ok {
		key = annotate.Key{Dir: m.env.ClientDir(), Project: sessions.Slug(sessions.RealPath(state.Dir)), ID: id}
	} else {
		return err
	}
	store := place.OpenNotes(m.env)
	if err := store.Edit(ctx, m.env.Now(), map[annotate.Key]annotate.Edit{key: {Name: &name}}); err != nil {
		return err
	}
	m.catalog.LookAgain()
	if notes, err := store.Load(); err == nil && row != nil { // the watch updates the row later
		renamed := *row
		notes[key].SetFields(&renamed)
		m.take(&sessions.Batch{Rows: []sessions.Row{renamed}})
	}
	return nil
}
