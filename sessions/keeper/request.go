package keeper

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Send sends a prompt. If a turn is running, the prompt is queued.
func (k *Keeper) Send(id, text string) error {
	return k.with(id, func(s *session) error {
		switch {
		case s.ending:
			return ErrEnded
		case s.Status == StatusIdle:
			s.prompt(text)
		default:
			s.Queued = append(slices.Clip(s.Queued), text)
			s.event(Event{Kind: EventUpdated})
		}
		return nil
	})
}

// Unqueue removes the last queued prompt and returns it; ok is false if there is none.
func (k *Keeper) Unqueue(id string) (text string, ok bool) {
	_ = k.with(id, func(s *session) error { // a session that has ended has no queue
		if n := len(s.Queued); n > 0 {
			text, ok = s.Queued[n-1], true
			s.Queued = slices.Clone(s.Queued[:n-1])
			s.event(Event{Kind: EventUpdated})
		}
		return nil
	})
	return text, ok
}

// Interrupt ends the running turn. The session continues with the next queued prompt.
func (k *Keeper) Interrupt(ctx context.Context, id string) error {
	return k.request(ctx, id, object{"subtype": "interrupt"}, func(*session, json.RawMessage) {})
}

// SetMode sets the permission mode: default, acceptEdits, plan or another mode that the client knows.
func (k *Keeper) SetMode(ctx context.Context, id, mode string) error {
	return k.request(ctx, id, object{"subtype": "set_permission_mode", "mode": mode}, func(s *session, _ json.RawMessage) { s.Mode = mode })
}

// SetModel sets the model for the next requests to the API. model is an alias or an ID that the client knows.
func (k *Keeper) SetModel(ctx context.Context, id, model string) error {
	return k.request(ctx, id, object{"subtype": "set_model", "model": model}, func(s *session, response json.RawMessage) {
		var r struct{ Model string }
		if s.Model = model; json.Unmarshal(response, &r) == nil && r.Model != "" {
			s.Model = r.Model
		}
	})
}

// request sends a control request and waits for the response. If it succeeds, request calls done.
func (k *Keeper) request(ctx context.Context, id string, request object, done func(*session, json.RawMessage)) error {
	c, name := make(chan reply, 1), newUUID()
	if err := k.with(id, func(s *session) error {
		s.waiting[name] = c
		s.send(controlRequest(name, request))
		return nil
	}); err != nil {
		return err
	}
	select {
	case r, ok := <-c:
		if !ok {
			return ErrEnded
		}
		if r.Subtype != "success" {
			return fmt.Errorf("claude refused %s: %w", request["subtype"], errors.New(r.Error))
		}
		return k.with(id, func(s *session) error {
			done(s, r.Response)
			s.event(Event{Kind: EventUpdated})
			return nil
		})
	case <-ctx.Done():
		k.mu.Lock()
		defer k.mu.Unlock()
		if s := k.sessions[id]; s != nil {
			delete(s.waiting, name)
		}
		return ctx.Err()
	}
}
