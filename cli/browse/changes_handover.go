package browse

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/continuo-tui/continuo/cli/handing"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/stores"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui"
)

// Handover implements tui.Changes.
func (c Changes) Handover(ctx context.Context, ask tui.Change) (tui.Handover, error) {
	h, err := c.handover(ctx, &ask)
	return h, inBrowser(err)
}

func (c Changes) handover(ctx context.Context, ask *tui.Change) (tui.Handover, error) {
	var h tui.Handover
	if ask.Handover != nil {
		h = *ask.Handover
		h.Stores = slices.Clone(h.Stores)
	} else {
		l, err := c.look(ctx, ask)
		if err != nil {
			return h, err
		}
		h.Title, h.Value, h.Checks, h.Held = l.Title(), l.Value, l.Checks(ctx), l
		for _, s := range l.Stores {
			h.Stores = append(h.Stores, tui.HandoverStore{Store: s, On: s.Off == ""})
		}
	}
	l := h.Held.(*handing.Look)
	planned, err := l.Plan(ctx, c.Env, h.Value, stores.Used(l.Stores))
	if err != nil {
		return h, err
	}
	for i := range planned.Writes {
		w := &planned.Writes[i]
		at := slices.IndexFunc(h.Stores, func(s tui.HandoverStore) bool { return s.Name == w.Store })
		s := &h.Stores[at]
		s.Size, s.New, s.Same = handing.Grows(w), w.New, w.Same
		switch {
		case w.Problem != nil:
			s.On, s.Off = false, out.Reason(w.Problem)
		case w.Store == stores.Document:
			s.Does = "new: " + filepath.Base(w.Path)
		case w.Store == stores.Context && !w.Same:
			s.Size = words.Size(int64(len(w.After))) + " of " + words.Size(survey.ContextHeavy)
		}
	}
	return h, nil
}

// look fills the handover. It adds the result of a passed gate.
func (c Changes) look(ctx context.Context, ask *tui.Change) (*handing.Look, error) {
	dir := ask.Dir
	var row *sessions.Row
	if len(ask.Rows) > 0 {
		row = &ask.Rows[0]
		if dir == "" {
			dir = row.Workdir
		}
	}
	if ask.Gate == nil {
		return handing.LookAt(ctx, c.Env, dir, row)
	}
	look, err := c.gateOf(ctx, ask)
	if err != nil {
		return nil, err
	}
	var l *handing.Look
	if row == nil {
		l, err = handing.LookIn(ctx, c.Env, dir, "")
	} else {
		l, err = handing.LookAt(ctx, c.Env, dir, row)
	}
	if err == nil {
		l.Passed(ctx, &look.Gate)
	}
	return l, err
}

// planHandover plans to write a handover to the chosen stores.
func (c Changes) planHandover(ctx context.Context, plan *tui.Plan) (*writing.Plan, error) {
	h := plan.Change.Handover
	if h == nil {
		return nil, &out.Failure{What: "Nothing to write."}
	}
	l, ok := h.Held.(*handing.Look)
	if !ok {
		return nil, &out.Failure{What: "Nothing to write."}
	}
	var which []stores.Name
	for _, s := range h.Stores {
		if s.On {
			which = append(which, s.Name)
		}
	}
	planned, err := l.Plan(ctx, c.Env, h.Value, which)
	if err != nil {
		return nil, err
	}
	plan.Title, plan.About, plan.Verb = "Write the handover", place.BaseName(l.Place.Project.Root), "write"
	plan.Held = Doing(func(ctx context.Context) (tui.Done, error) {
		said, but, err := planned.Write(ctx, c.Env)
		if err != nil {
			return tui.Done{}, err
		}
		return tui.Done{Said: said + " " + c.undoKey() + " undoes this.", But: but}, nil
	})
	return planned.Plan(c.Env, c.undoKey(), false), nil
}
