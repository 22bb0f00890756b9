package remote

import (
	"cmp"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/continuo-tui/continuo/sessions/keeper"
)

// mirror has the state of a Keeper's sessions, and its own event log.
type mirror struct {
	log *keeper.Log

	mu       sync.Mutex
	keeper   string // ID of the Keeper; "" until the first batch, and after the Keeper has ended
	last     uint64 // ID of the last event of the Keeper that the mirror has
	sessions map[string]keeper.Session
}

// apply updates the state with a batch and then the log. So a reader of an event finds its state.
func (m *mirror) apply(b *batch) {
	m.mu.Lock()
	m.keeper, m.last = b.Keeper, b.Last
	records := map[string][]json.RawMessage{}
	if b.Lost {
		m.sessions = map[string]keeper.Session{}
	}
	for _, s := range b.Sessions {
		if !b.Lost {
			records[s.ID] = m.sessions[s.ID].Records
		} else {
			records[s.ID] = s.Records
		}
	}
	for _, e := range b.Events {
		switch old := records[e.Session]; e.Kind {
		case keeper.EventCreated: // also if an ended session is resumed
			records[e.Session] = nil
		case keeper.EventMessage:
			if len(old) == keeper.RecordsKept {
				old = slices.Clone(old[1:])
			}
			records[e.Session] = append(old, e.Record)
		default:
		}
	}
	for _, s := range b.Sessions {
		s.Records = records[s.ID]
		m.sessions[s.ID] = s
	}
	m.mu.Unlock()
	if b.Lost {
		m.log.Lose()
		m.log.Add(keeper.Event{Kind: keeper.EventUpdated}) // readers learn about lost events only with a new event
	}
	for _, e := range b.Events {
		m.log.Add(e)
	}
}

// started adds a new session, unless a batch has already added it.
func (m *mirror) started(s keeper.Session) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if old, ok := m.sessions[s.ID]; !ok || !old.Started.Equal(s.Started) {
		m.sessions[s.ID] = s
	}
}

// ended marks all sessions as ended, because their Keeper can't be reached.
func (m *mirror) ended(now time.Time, why string) {
	m.mu.Lock()
	m.keeper = ""
	var events []keeper.Event
	for id, s := range m.sessions {
		if s.Status != keeper.StatusEnded {
			s.Status, s.Since, s.Err, s.Open, s.Queued, s.Partial = keeper.StatusEnded, now, why, nil, nil, ""
			m.sessions[id] = s
			events = append(events, keeper.Event{Kind: keeper.EventEnded, Session: id})
		}
	}
	m.mu.Unlock()
	for _, e := range events {
		m.log.Add(e)
	}
}

// list returns the sessions in the order of their start.
func (m *mirror) list() []keeper.Session {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := make([]keeper.Session, 0, len(m.sessions))
	for _, s := range m.sessions {
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b keeper.Session) int {
		return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.ID, b.ID))
	})
	return list
}
