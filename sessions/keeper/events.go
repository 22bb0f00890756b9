package keeper

import (
	"context"
	"encoding/json"
	"sync"
)

// EventKind is the kind of an Event. The values are the event names of spec 001.
type EventKind string

// The kinds of events.
const (
	EventCreated   EventKind = "session:created"
	EventActive    EventKind = "session:active"  // the client of a new session has written its first record
	EventUpdated   EventKind = "session:updated" // the status, the queue, the mode or the model has changed
	EventMessage   EventKind = "session:message"
	EventPartial   EventKind = "session:partial" // new text of the unfinished answer
	EventEnded     EventKind = "session:ended"
	EventRequested EventKind = "attention:requested"
	EventResolved  EventKind = "attention:resolved"
)

// Event is something that has happened to a session. Its JSON omits nil raw messages, because a decoder would turn
// null into a non-nil value.
type Event struct {
	ID        uint64 // 1 for the first event of a Keeper, then 2, 3, …
	Kind      EventKind
	Session   string
	Record    json.RawMessage `json:",omitempty"` // for EventMessage: the message as a record of a transcript
	Text      string          `json:",omitempty"` // for EventPartial: the new text; for EventEnded: Session.Err
	Cut       bool            `json:",omitempty"` // for EventEnded: the session was ended during a turn
	Attention *Attention      `json:",omitempty"` // for EventRequested and EventResolved
}

// stored is the minimum number of recent events in a Log.
const stored = 4096

// Log stores the newest events. Readers pass the ID of their last event, so a slow reader never blocks the writer.
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
	if len(l.events) == 2*stored { // copy once in 4,096 events
		l.events = append(l.events[:0:0], l.events[stored:]...)
	}
	l.events = append(l.events, e)
	close(l.more)
	l.more = make(chan struct{})
}

// Last returns the ID of the last event, or 0.
func (l *Log) Last() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last
}

// Lose removes all events. After reports the loss together with the next event.
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
