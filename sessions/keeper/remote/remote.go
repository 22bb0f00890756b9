package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/sessions/resume"
)

// Keeper drives the sessions of a Keeper in another process. Sessions, Session and Events read a mirror and do no
// I/O. It is safe for concurrent use; see keeper.Keeper.
type Keeper struct {
	url, token string
	http       *http.Client
	mirror     *mirror
	ctx        context.Context // ends with Close
	close      context.CancelFunc
	following  sync.WaitGroup
}

// Dial connects to the Keeper at the URL base, and reads its sessions. ctx is for connecting only.
func Dial(ctx context.Context, base, token string) (*Keeper, error) {
	k := &Keeper{
		url: base, token: token,
		http:   &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 4}}, // without a proxy
		mirror: &mirror{log: keeper.NewLog()},
	}
	b, err := k.poll(ctx)
	if err != nil {
		return nil, err
	}
	k.mirror.apply(b)
	k.ctx, k.close = context.WithCancel(context.WithoutCancel(ctx))
	k.following.Go(k.follow)
	return k, nil
}

// Close ends the connection. The sessions continue.
func (k *Keeper) Close() {
	k.close()
	k.following.Wait()
	k.http.CloseIdleConnections()
}

// The delays before an attempt to connect again.
const (
	shortest = 10 * time.Millisecond
	longest  = 2 * time.Second
)

// follow requests and applies batches until Close is called.
func (k *Keeper) follow() {
	for delay := shortest; k.ctx.Err() == nil; {
		b, err := k.poll(k.ctx)
		if err == nil {
			k.mirror.apply(b)
			delay = shortest
			continue
		}
		if gone(err) && k.ctx.Err() == nil {
			k.mirror.ended(time.Now(), "The keeper has ended: "+err.Error())
		}
		select {
		case <-time.After(delay):
		case <-k.ctx.Done():
		}
		delay = min(2*delay, longest)
	}
}

// gone reports whether an error means that the Keeper has ended: nothing listens at its address, or a program without
// its token or route.
func gone(err error) bool {
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
		return true
	}
	f, ok := errors.AsType[*failure](err)
	return ok && (f.status == http.StatusUnauthorized || f.status == http.StatusNotFound)
}

// poll waits for the next batch.
func (k *Keeper) poll(ctx context.Context) (*batch, error) {
	k.mirror.mu.Lock()
	query := url.Values{"keeper": {k.mirror.keeper}, "after": {strconv.FormatUint(k.mirror.last, 10)}}
	k.mirror.mu.Unlock()
	b := &batch{}
	if err := k.request(ctx, http.MethodGet, "/events?"+query.Encode(), nil, b); err != nil {
		return nil, err
	}
	return b, nil
}

// call calls a method of the Keeper. It doesn't repeat a request after a broken connection, because the Keeper may
// have carried it out.
func (k *Keeper) call(ctx context.Context, method string, c call) (r reply, err error) {
	err = k.request(ctx, http.MethodPost, "/"+method, c, &r)
	return r, err
}

func (k *Keeper) request(ctx context.Context, method, path string, in, out any) error {
	var body bytes.Buffer
	if in != nil {
		if err := encode(&body, in); err != nil {
			return err
		}
	}
	r, err := http.NewRequestWithContext(ctx, method, k.url+path, &body)
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+k.token)
	response, err := k.http.Do(r)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("the keeper doesn't answer: %w", errors.Unwrap(err)) // without the URL
	}
	defer func() { _ = response.Body.Close() }()
	return decode(response, out)
}

// Session returns the state of a session; see keeper.Keeper.
func (k *Keeper) Session(id string) (s keeper.Session, ok bool) {
	k.mirror.mu.Lock()
	defer k.mirror.mu.Unlock()
	s, ok = k.mirror.sessions[id]
	return s, ok
}

// Sessions returns the state of all sessions; see keeper.Keeper.
func (k *Keeper) Sessions() []keeper.Session { return k.mirror.list() }

// Events waits for events; see keeper.Keeper. The IDs are those of the mirror.
func (k *Keeper) Events(ctx context.Context, after uint64) (events []keeper.Event, lost bool, err error) {
	return k.mirror.log.After(ctx, after)
}

// Start starts a client in the process of the Keeper; see keeper.Keeper.
func (k *Keeper) Start(l *resume.Launch, environ []string) (id string, err error) {
	r, err := k.call(k.ctx, "start", call{Launch: l, Environ: environ})
	if err != nil || r.Session == nil { // the session may have ended and been forgotten
		return "", err
	}
	k.mirror.started(*r.Session)
	return r.Session.ID, nil
}

// Send sends or queues a prompt.
func (k *Keeper) Send(id, text string) error {
	_, err := k.call(k.ctx, "send", call{Session: id, Text: text})
	return err
}

// Answer answers an open question.
func (k *Keeper) Answer(id, question string, a keeper.Answer) error {
	_, err := k.call(k.ctx, "answer", call{Session: id, Question: question, Answer: a})
	return err
}

// Interrupt ends the running turn.
func (k *Keeper) Interrupt(ctx context.Context, id string) error {
	_, err := k.call(ctx, "interrupt", call{Session: id})
	return err
}

// SetMode sets the permission mode.
func (k *Keeper) SetMode(ctx context.Context, id, mode string) error {
	_, err := k.call(ctx, "mode", call{Session: id, Text: mode})
	return err
}

// SetModel sets the model.
func (k *Keeper) SetModel(ctx context.Context, id, model string) error {
	_, err := k.call(ctx, "model", call{Session: id, Text: model})
	return err
}

// End ends a session.
func (k *Keeper) End(id string) error {
	_, err := k.call(k.ctx, "end", call{Session: id})
	return err
}

// Unqueue removes the last queued prompt. ok is false without one, or without a connection.
func (k *Keeper) Unqueue(id string) (text string, ok bool) {
	r, _ := k.call(k.ctx, "unqueue", call{Session: id})
	return r.Text, r.OK
}

// Seen resolves the completions and errors of a session. Without a connection, they stay open.
func (k *Keeper) Seen(id string) { _, _ = k.call(k.ctx, "seen", call{Session: id}) }

// Forget removes an ended session. Without a connection, the session stays.
func (k *Keeper) Forget(id string) {
	if _, err := k.call(k.ctx, "forget", call{Session: id}); err != nil {
		return
	}
	k.mirror.mu.Lock()
	defer k.mirror.mu.Unlock()
	if k.mirror.sessions[id].Status == keeper.StatusEnded {
		delete(k.mirror.sessions, id)
	}
}
