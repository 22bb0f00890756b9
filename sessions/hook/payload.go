package hook

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

const (
	maxPayload   = 1 << 20         // bytes; real payloads have a few hundred, plus the text after /compact
	payloadLimit = 2 * time.Second // Claude Code writes at once, but other callers may leave stdin open

	byteOrderMark = "\uFEFF"
)

// payload has the fields that the hooks use. The reason is stop_reason in spec 000 and reason in client 2.1.330.
type payload struct {
	Event, Session, Transcript, Cwd, Reason, StopReason, Trigger, Source text
}

// text is a string field. Other values are ignored.
type text string

// take sets the field to a string value. Of several, the last one counts.
func (t *text) take(value json.RawMessage) {
	var s string
	if json.Unmarshal(value, &s) == nil {
		*t = text(s)
	}
}

var (
	errNoPayload    = errors.New("payload is empty")
	errNoJSON       = errors.New("payload is not JSON")
	errNoObject     = errors.New("payload is not a JSON object")
	errPayloadSize  = errors.New("payload is over 1 MB")
	errPayloadLimit = errors.New("payload did not arrive within 2 s")
)

// readPayload reads one JSON value. It doesn't wait for the end of stdin. The error for an incomplete value after
// payloadLimit is errPayloadLimit.
func readPayload(ctx context.Context, r io.Reader) (payload, error) {
	if r == nil {
		return payload{}, errNoPayload
	}
	type answer struct {
		p   payload
		err error
	}
	got := make(chan answer, 1)
	go func() {
		var a answer
		if p := sessions.Catch(func() { a.p, a.err = decodePayload(r) }); p != nil {
			a.err = p
		}
		got <- a
	}()
	limit := time.NewTimer(payloadLimit)
	defer limit.Stop()
	select {
	case a := <-got:
		return a.p, a.err
	case <-limit.C:
		return payload{}, errPayloadLimit
	case <-ctx.Done():
		return payload{}, ctx.Err()
	}
}

// decodePayload decodes a payload. It hides the decoder's errors, because they quote the payload.
func decodePayload(r io.Reader) (payload, error) {
	limited := &io.LimitedReader{R: r, N: maxPayload}
	in := bufio.NewReader(limited)
	if first, err := in.Peek(1); err == nil && first[0] == byteOrderMark[0] {
		if mark, _ := in.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
			_, _ = in.Discard(len(byteOrderMark)) // can't fail after Peek
		}
	}
	var p payload
	err := p.decode(json.NewDecoder(in))
	switch {
	case err == nil, errors.Is(err, errNoObject):
		return p, err
	case limited.N <= 0 && p.Transcript != "": // only the text after /compact is cut off
		return p, nil
	case limited.N <= 0:
		return payload{}, errPayloadSize
	case errors.Is(err, errNoPayload):
		return payload{}, err
	}
	return payload{}, errNoJSON
}

// decode sets the fields up to the first syntax error.
func (p *payload) decode(d *json.Decoder) error {
	switch first, err := d.Token(); {
	case errors.Is(err, io.EOF):
		return errNoPayload
	case err != nil || first == nil: // null counts as an empty payload
		return err
	case first != json.Delim('{'):
		return errNoObject
	}
	fields := map[string]*text{
		"session_id": &p.Session, "transcript_path": &p.Transcript, "cwd": &p.Cwd,
		"reason": &p.Reason, "stop_reason": &p.StopReason, "trigger": &p.Trigger, "source": &p.Source, "hook_event_name": &p.Event,
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		if key, ok := name.(string); ok && fields[key] != nil {
			fields[key].take(value)
		}
	}
	_, err := d.Token()
	return err
}
