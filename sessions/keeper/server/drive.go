package server

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/sessions/keeper/api"
)

func (s *server) create(r *http.Request) (any, error) {
	in, err := read[api.Create](r)
	if err != nil {
		return nil, err
	}
	id := ""
	if in.Fork != "" {
		id, err = s.fork(r.Context(), &in)
	} else {
		id, err = s.start(r.Context(), &in)
	}
	if err == nil && in.Prompt != "" {
		err = s.Keeper.Send(id, in.Prompt)
	}
	if err != nil {
		return nil, err
	}
	return api.Created{ID: id, TempID: api.TempID(id), State: api.StatePending}, nil
}

func (s *server) start(ctx context.Context, in *api.Create) (id string, err error) {
	if !filepath.IsAbs(in.Workdir) {
		return "", failed(http.StatusBadRequest, "workdir is the absolute path of a folder.")
	}
	dir := sessions.RealPath(filepath.Clean(in.Workdir)) // a symlink in a root may point outside of the root
	if !s.inRoots(dir) {
		return "", failed(http.StatusForbidden, "The folder is outside of the folders that the keeper serves. ALLOWED_ROOTS or keeper.roots sets them.")
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", failed(http.StatusBadRequest, "workdir isn't a folder.")
	}
	return s.Machine.Start(ctx, dir, in.Name)
}

func (s *server) fork(ctx context.Context, in *api.Create) (id string, err error) {
	f, err := s.find(ctx, in.Fork)
	if err != nil {
		return "", err
	}
	if in.Workdir != "" && in.Workdir != f.api().Workdir {
		return "", failed(http.StatusBadRequest, "A fork has the folder of its session. Leave out workdir.")
	}
	if id, err = s.resume(ctx, f, true); err == nil && in.Name != "" {
		err = s.Machine.Rename(ctx, id, in.Name)
	}
	return id, err
}

// resume resumes or forks a session that has a transcript.
func (s *server) resume(ctx context.Context, f found, fork bool) (id string, err error) {
	if f.row == nil {
		return "", failed(http.StatusConflict, "The session has no transcript yet.")
	}
	return s.Machine.Resume(ctx, f.row, fork)
}

func (s *server) send(r *http.Request) (any, error) {
	in, err := read[api.Send](r)
	if err != nil {
		return nil, err
	}
	if in.Message == "" {
		return nil, failed(http.StatusBadRequest, "message is missing.")
	}
	id, err := s.target(r.Context(), r.PathValue("id"), in.Fork)
	if err == nil {
		err = s.Keeper.Send(id, in.Message)
	}
	if err != nil {
		return nil, err
	}
	return api.Sent{Sent: true, ID: id}, nil
}

// target returns the session that gets a prompt. If necessary, it resumes the session.
func (s *server) target(ctx context.Context, id string, fork bool) (string, error) {
	f, err := s.find(ctx, id)
	if err == nil && (fork || !f.drives()) {
		s.resuming.Lock()
		defer s.resuming.Unlock()
		f, err = s.find(ctx, id) // another prompt may have resumed the session
	}
	switch {
	case err != nil:
		return "", err
	case fork || !f.drives():
		return s.resume(ctx, f, fork)
	case len(f.state.Queued) >= s.queue:
		return "", failed(http.StatusTooManyRequests, strconv.Itoa(s.queue)+" prompts are waiting already.")
	}
	return id, nil
}

func (s *server) interrupt(r *http.Request) (any, error) {
	f, err := s.find(r.Context(), r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	if !f.drives() || f.state.Status == keeper.StatusIdle {
		return api.Interrupted{}, nil
	}
	ctx, cancel := context.WithTimeout(r.Context(), 10*time.Second)
	defer cancel()
	if err := s.Keeper.Interrupt(ctx, f.state.ID); err != nil {
		return nil, err
	}
	return api.Interrupted{Interrupted: true}, nil
}

func (s *server) rename(r *http.Request) (any, error) {
	in, err := read[api.Rename](r)
	if err != nil {
		return nil, err
	}
	id := r.PathValue("id")
	if _, err = s.find(r.Context(), id); err == nil {
		err = s.Machine.Rename(r.Context(), id, in.Name)
	}
	if err != nil {
		return nil, err
	}
	f, err := s.find(r.Context(), id) // the row with the new name
	return f.api(), err
}

func (s *server) attention(r *http.Request) (any, error) {
	list := []api.Attention{}
	for _, q := range s.open(r.Context()) {
		list = append(list, api.AttentionOf(&q))
	}
	return list, nil
}

// open returns the open questions that a request may see, oldest first.
func (s *server) open(ctx context.Context) (list []keeper.Attention) {
	for _, state := range s.Keeper.Sessions() {
		asks := slices.DeleteFunc(slices.Clone(state.Open), func(a keeper.Attention) bool { return !a.Asks() })
		if len(asks) == 0 {
			continue
		}
		if _, err := s.find(ctx, state.ID); err == nil {
			list = append(list, asks...)
		}
	}
	slices.SortStableFunc(list, func(a, b keeper.Attention) int { return a.At.Compare(b.At) })
	return list
}

func (s *server) resolve(r *http.Request) (any, error) {
	in, err := read[api.Resolve](r)
	if err != nil {
		return nil, err
	}
	open := s.open(r.Context())
	i := slices.IndexFunc(open, func(a keeper.Attention) bool { return a.ID == r.PathValue("id") })
	if i < 0 {
		return nil, keeper.ErrUnknown
	}
	q := &open[i]
	a, err := answerOf(&in, q)
	if err == nil {
		err = s.Keeper.Answer(q.Session, q.ID, a)
	}
	if err != nil {
		return nil, err
	}
	return api.Resolved{Resolved: true}, nil
}

// answerOf returns the answer to a question. allowAlways accepts a suggested rule, except one that sets the mode
// bypassPermissions.
func answerOf(in *api.Resolve, q *keeper.Attention) (a keeper.Answer, err error) {
	if in.UpdatedInput != nil && !isObject(in.UpdatedInput) {
		return a, failed(http.StatusBadRequest, "updatedInput must be a JSON object: the input of the tool.")
	}
	switch in.Behavior {
	case api.BehaviorDeny:
		return keeper.Answer{Message: in.Message}, nil
	case api.BehaviorAllow:
		return keeper.Answer{Allow: true, Input: in.UpdatedInput}, nil
	case api.BehaviorAlways:
		if in.Suggestion < 0 || in.Suggestion >= len(q.Suggestions) {
			return a, failed(http.StatusBadRequest, "The question has no such suggestion. Use the behavior allow.")
		}
		rule := q.Suggestions[in.Suggestion]
		if keeper.Bypasses(rule) {
			return a, failed(http.StatusForbidden, keeper.Bypass+" can't be set over HTTP.")
		}
		return keeper.Answer{Allow: true, Input: in.UpdatedInput, Always: []json.RawMessage{rule}}, nil
	}
	return a, failed(http.StatusBadRequest, "behavior must be allow, allowAlways or deny.")
}
