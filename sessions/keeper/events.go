package keeper

import (
	"context"
	"encoding/json"
	"sync"
)

// EventKind is the kind of an Event. The values are those of spec 001.
type EventKind string

// The kinds of events.
const (
	EventCreated   EventKind = "session:created"
	EventActive    EventKind = "session:active"  // the client of a new session has written its first record
	EventUpdated   EventKind = "session:updated" // the status, the queue, the mode or the model has changed
	EventMessage   EventKind = "session:message"
	EventPartial   EventKind = "session:partial" // more text of the answer that is being written
	EventEnded     EventKind = "session:ended"
	EventRequested EventKind = "attention:requested"
	EventResolved  EventKind = "attention:resolved"
)

// Event is something that has happened to a session. In JSON, an absent json.RawMessage is left out, because null would
// be decoded as a value.
type Event struct {
	ID        uint64 // 1 for the first event of a Keeper; the next event has the next ID
	Kind      EventKind
	Session   string
	Record    json.RawMessage `json:",omitempty"` // for EventMessage: the message as a record of a transcript
	Text      string          `json:",omitempty"` // for EventPartial: the new text; for EventEnded: Session.Err
	Cut       bool            `json:",omitempty"` // for EventEnded: the session was ended during a turn
	Attention *Attention      `json:",omitempty"` // for EventRequested and EventResolved
}

// stored is how many events a Log stores at least.
const stored = 4096

// Log stores the last events. Readers have a position, so a slow reader never makes the writer wait.
type Log struct {
	mu     sync.Mutex
	events []Event
	last   uint64
	more   chan struct{} // closed when an event is added
}

// NewLog returns a Log without events.
func NewLog() *Log { return &Log{more: make(chan struct{})} }

// Add stores an event and gives it an ID.
func (l *Log) Add(e Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last++
	e.ID = l.last
	if len(l.events) == 2*stored { // move them only now and then
		l.events = append(l.events[:0:0], l.events[stored:]...)
	}
	l.events = append(l.events, e)
	close(l.more)
	l.more = make(chan struct{})
}

// Last returns the ID of the last event; 0 if there is none.
func (l *Log) Last() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last
}

// Lose removes all events. Every reader learns with the next event that events were lost.
func (l *Log) Lose() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.events = nil
	l.last++ // no event has this ID
}

// After waits until there are events after the given ID; see Keeper.Events.
func (l *Log) After(ctx context.Context, id uint64) (events []Event, lost bool, err error) {
	for {
		l.mu.Lock()
		first, last, more := l.last-uint64(len(l.events)), l.last, l.more
		if id < last && len(l.events) > 0 {
			lost = id < first
			events = append(events, l.events[max(id, first)-first:]...)
		}
		l.mu.Unlock()
		if len(events) > 0 {
			return events, lost, nil
		}
		select {
		case <-more:
		case <-ctx.Done():
			return nil, false, ctx.Err()
		}
	}
}
