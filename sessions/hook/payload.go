package hook

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

const (
	maxPayload   = 1 << 20         // bytes; the client sends some hundred, but what a person adds to /compact counts
	payloadLimit = 2 * time.Second // the client writes it at once, but whoever else calls may leave stdin open
)

// payload is what of the client's words is needed. Spec 000 has `stop_reason` where client 2.1.329 says `reason`.
type payload struct {
	Session    text `json:"session_id"`
	Transcript text `json:"transcript_path"`
	Cwd        text `json:"cwd"`
	Reason     text `json:"reason"`
	StopReason text `json:"stop_reason"`
	Trigger    text `json:"trigger"`
}

// text is a field that counts as missing when it is no string.
type text string

// UnmarshalJSON implements json.Unmarshaler. It never fails.
func (t *text) UnmarshalJSON(data []byte) error {
	var s string
	if json.Unmarshal(data, &s) == nil {
		*t = text(s)
	}
	return nil
}

var (
	errNoPayload    = errors.New("payload is empty")
	errNoJSON       = errors.New("payload is no JSON")
	errNoObject     = errors.New("payload is no JSON object")
	errPayloadSize  = errors.New("payload is over 1 MB")
	errPayloadLimit = errors.New("payload did not come within 2 s")
)

// readPayload reads one JSON value and asks for nothing behind it, so that a stdin that stays open does not hold it
// up. A reader that gives nothing is left behind.
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

// decodePayload says what is wrong in words of its own: those of the decoder quote what it read.
func decodePayload(r io.Reader) (payload, error) {
	var p payload
	limited := &io.LimitedReader{R: r, N: maxPayload}
	err := json.NewDecoder(limited).Decode(&p)
	switch _, other := errors.AsType[*json.UnmarshalTypeError](err); {
	case err == nil:
		return p, nil
	case other:
		return payload{}, errNoObject
	case limited.N <= 0:
		return payload{}, errPayloadSize
	case errors.Is(err, io.EOF):
		return payload{}, errNoPayload
	}
	return payload{}, errNoJSON
}
