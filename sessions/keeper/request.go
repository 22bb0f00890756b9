package keeper

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Send sends a prompt. During a turn, the prompt is queued.
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

// Unqueue removes and returns the last queued prompt. ok is false without one.
func (k *Keeper) Unqueue(id string) (text string, ok bool) {
	_ = k.with(id, func(s *session) error { // an ended session has no queue
		if n := len(s.Queued); n > 0 {
			text, ok = s.Queued[n-1], true
			s.Queued = slices.Clone(s.Queued[:n-1])
			s.event(Event{Kind: EventUpdated})
		}
		return nil
	})
	return text, ok
}

// Interrupt ends the turn. Then the next queued prompt is sent.
func (k *Keeper) Interrupt(ctx context.Context, id string) error {
	return k.request(ctx, id, object{"subtype": "interrupt"}, func(*session, json.RawMessage) {})
}

// SetMode sets a permission mode of the client, such as default, acceptEdits or plan.
func (k *Keeper) SetMode(ctx context.Context, id, mode string) error {
	return k.request(ctx, id, object{"subtype": "set_permission_mode", "mode": mode}, func(s *session, _ json.RawMessage) { s.Mode = mode })
}

// SetModel sets the model for the next API requests. model is an alias or an ID of the client.
func (k *Keeper) SetModel(ctx context.Context, id, model string) error {
	return k.request(ctx, id, object{"subtype": "set_model", "model": model}, func(s *session, response json.RawMessage) {
		var r struct{ Model string }
		if s.Model = model; json.Unmarshal(response, &r) == nil && r.Model != "" {
			s.Model = r.Model
		}
	})
}

// request sends a control request and waits for the response. After a success, it calls done.
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
