package keeper

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Status is the status of a driven session.
type Status string

// The statuses.
const (
	StatusIdle    Status = "idle" // also before the first prompt
	StatusBusy    Status = "busy"
	StatusWaiting Status = "waiting" // a question is open
	StatusEnded   Status = "ended"   // the client has ended
)

// Session is the state of a driven session. Callers may keep its slices, because the Keeper never modifies them.
type Session struct {
	ID      string
	Dir     string
	PID     int
	Status  Status
	Since   time.Time // time of the last change of Status
	Started time.Time
	Active  bool              // the session was resumed, or its client has written the first record
	Mode    string            // permission mode; "" until the client reports it
	Model   string            // "" until the client reports it
	Queued  []string          // prompts that are sent after the current turn
	Open    []Attention       // oldest first
	Partial string            // text of the unfinished answer
	Records []json.RawMessage // the last messages as records of a transcript; see Join
	Err     string            // for StatusEnded: why the client ended; "" if the Keeper ended it
}

// Ending returns how the client ended: "ended", "killed" or "failed". For "failed", why is the first line of the
// error.
func (s *Session) Ending() (how, why string) {
	switch {
	case s.Err == "":
		return "ended", ""
	case strings.HasPrefix(s.Err, errorBegin+"signal: killed"):
		return "killed", ""
	}
	why, _, _ = strings.Cut(strings.TrimPrefix(s.Err, errorBegin), "\n")
	return "failed", why
}

// errorBegin begins Session.Err.
const errorBegin = "claude: "

// RecordsKept is the limit of records in memory. The client writes records to the transcript within a turn.
const RecordsKept = 256

// session is a Session with the state to drive it. Its methods need Keeper.mu.
type session struct {
	Session
	keeper  *Keeper
	process Process
	out     *outbox
	stderr  *tail
	limits  map[string]*time.Timer // timers of questions with a limit, by question ID
	waiting map[string]chan reply  // receive the responses of the client, by request ID
	uuids   map[string]bool        // UUIDs in Records
	ending  bool                   // end was called
	cut     bool                   // end was called during a turn
	timer   *time.Timer            // terminates the client, then kills it
}

func newSession(k *Keeper, id, dir string) *session {
	now := k.opts.Now()
	return &session{
		Session: Session{ID: id, Dir: dir, Status: StatusIdle, Since: now, Started: now}, keeper: k,
		out: newOutbox(), stderr: &tail{}, limits: map[string]*time.Timer{}, waiting: map[string]chan reply{}, uuids: map[string]bool{},
	}
}

func (s *session) snapshot() Session { return s.Session }

func (s *session) event(e Event) {
	e.Session = s.ID
	s.keeper.events.Add(e)
}

func (s *session) send(line object) {
	text, err := json.Marshal(line)
	if err != nil {
		panic(err) // can't happen: raw messages of the client and of answers are valid JSON
	}
	s.out.add(text)
}

func (s *session) setStatus(to Status) {
	if s.Status != to {
		s.Status, s.Since = to, s.keeper.opts.Now()
		s.event(Event{Kind: EventUpdated})
	}
}

// settle sets the status during a turn: waiting if a question is open, otherwise busy.
func (s *session) settle() {
	if slices.ContainsFunc(s.Open, func(o Attention) bool { return o.Asks() }) {
		s.setStatus(StatusWaiting)
	} else {
		s.setStatus(StatusBusy)
	}
}

// prompt sends a prompt to the client and publishes it as a message. The client repeats the prompt later, with the
// same UUID.
func (s *session) prompt(text string) {
	uuid := newUUID()
	line := userMessage(uuid, text)
	s.send(line)
	line["timestamp"] = s.keeper.opts.Now().UTC().Format(time.RFC3339Nano)
	record, _ := json.Marshal(line) // it was just encoded
	s.publish(uuid, record)
	s.seen()
	s.setStatus(StatusBusy)
}

// publish stores a message and sends it to subscribers, once per UUID.
func (s *session) publish(uuid string, line []byte) {
	if uuid == "" || s.uuids[uuid] {
		return
	}
	record := asRecord(line, s.lastUUID(), s.ID, s.Dir)
	if len(s.Records) == RecordsKept {
		delete(s.uuids, uuidOf(s.Records[0]))
		s.Records = slices.Clone(s.Records[1:])
	}
	s.uuids[uuid] = true
	s.Records = append(s.Records, record)
	s.event(Event{Kind: EventMessage, Record: record})
}

func (s *session) lastUUID() string {
	if n := len(s.Records); n > 0 {
		return uuidOf(s.Records[n-1])
	}
	return ""
}

// end asks the client to end. If that takes too long, the client is terminated and then killed.
func (s *session) end() {
	if s.ending {
		return
	}
	s.ending, s.cut = true, s.Status != StatusIdle
	for _, o := range s.Open {
		if o.Asks() {
			s.answer(o, Answer{Message: "The session was ended.", Interrupt: true})
		}
	}
	if s.Status == StatusBusy {
		s.send(controlRequest(newUUID(), object{"subtype": "interrupt"}))
	}
	s.out.close()
	p, grace := s.process, s.keeper.opts.Grace
	s.timer = time.AfterFunc(grace, func() {
		p.Terminate()
		s.keeper.mu.Lock()
		defer s.keeper.mu.Unlock()
		if s.Status != StatusEnded {
			s.timer = time.AfterFunc(grace, p.Kill)
		}
	})
}

// ended is called when the client has ended.
func (s *session) ended(err error) {
	if s.timer != nil {
		s.timer.Stop()
	}
	for _, o := range s.Open {
		if o.Asks() {
			s.resolve(o.ID, ResolvedDeny, "The session has ended.")
		}
	}
	for id, c := range s.waiting {
		close(c)
		delete(s.waiting, id)
	}
	s.Partial, s.Queued = "", nil
	if !s.ending {
		how := "it has ended"
		if err != nil {
			how = err.Error()
		}
		s.Err = strings.TrimSpace(fmt.Sprintf("%s%s. %s", errorBegin, how, s.stderr.text()))
		s.attend(Attention{ID: newUUID(), Kind: AttentionError, Message: s.Err})
	}
	s.setStatus(StatusEnded)
	s.event(Event{Kind: EventEnded, Text: s.Err, Cut: s.cut})
}

// failure returns the text of a failed turn.
func (l *incoming) failure() string {
	return cmp.Or(l.Result, strings.Join(l.Errors, "; "), l.Subtype)
}
