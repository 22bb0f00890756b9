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

// Event is something that has happened to a session.
type Event struct {
	ID        uint64 // 1 for the first event of a Keeper; the next event has the next ID
	Kind      EventKind
	Session   string
	Record    json.RawMessage // for EventMessage: the message as a record of a transcript
	Text      string          // for EventPartial: the new text; for EventEnded: Session.Err
	Cut       bool            // for EventEnded: the session was ended during a turn
	Attention *Attention      // for EventRequested and EventResolved
}

// stored is how many events a log stores.
const stored = 4096

// log stores the last events. Readers have a position, so a slow reader never makes the log wait.
type log struct {
	mu     sync.Mutex
	events []Event
	last   uint64
	more   chan struct{} // closed when an event is added
}

func newLog() log { return log{more: make(chan struct{})} }

// add stores an event and gives it an ID.
func (l *log) add(e Event) {
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

// newest returns the ID of the last event, or 0 if there is none.
func (l *log) newest() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last
}

func (l *log) after(ctx context.Context, id uint64) (events []Event, lost bool, err error) {
	for {
		l.mu.Lock()
		first, last, more := l.last-uint64(len(l.events)), l.last, l.more
		if id < last {
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
