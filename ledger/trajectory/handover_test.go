package trajectory

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/ledger/handover/handovertest"
)

func reread(t *testing.T, h *handover.Handover) *handover.Handover {
	t.Helper()
	line, err := json.Marshal(HandoffOf(h))
	if err != nil {
		t.Fatal(err)
	}
	var back *handover.Handover
	_, err = scan(t.Context(), bytes.NewReader(line), &File{}, Options{}, func(r *Record) bool {
		var ok bool
		if back, ok = r.Handover(); !ok {
			t.Fatalf("%s isn't a handoff", line)
		}
		return true
	})
	if err != nil || back == nil {
		t.Fatalf("%s: %v", line, err)
	}
	return back
}

// holds returns a handover without the fields that a record can't store.
func holds(h *handover.Handover) *handover.Handover {
	v := &handover.Handover{When: h.When, Agent: h.Agent, Session: h.Session, Gate: h.Gate}
	v.Gate.Name = ""
	current := false
	for _, i := range h.Items {
		if !i.Status.IsOpen() {
			continue
		}
		i.Priority = ""
		if i.Status != handover.InProgress || current || i.ID == "" {
			i.Status = handover.Open
		}
		current = current || i.Status == handover.InProgress
		v.Items = append(v.Items, i)
	}
	for _, r := range h.Refs {
		if strings.HasSuffix(r.Ref.Path, "/NOTES.md") {
			v.Refs = append(v.Refs, handover.Reference{Ref: r.Ref})
		}
	}
	return v
}

func TestHandoverRandom(t *testing.T) {
	t.Parallel()
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 3))
		for _, texts := range []handovertest.Texts{handovertest.Plain(), handovertest.Wild()} {
			v := handovertest.Random(r, texts)
			v.Refs = append(v.Refs, handover.Reference{Ref: ledger.Ref{Path: "grimoires/loa/NOTES.md", From: 1, To: 1 + r.IntN(9), Form: ledger.FormRooted}})
			handovertest.Equal(t, reread(t, v), holds(v))
		}
	}
}

// TestBeforeClearHandoff checks the record of spec 002 and the one of the original script.
func TestBeforeClearHandoff(t *testing.T) {
	t.Parallel()
	at := time.Date(2024, 1, 15, 14, 30, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		line string
		want *handover.Handover
	}{
		"spec": {
			`{"ts":"2024-01-15T14:30:00Z","agent":"implementing-tasks","phase":"session_handoff","session_id":"sess-002","bead_id":"beads-x7y8","notes_refs":["${PROJECT_ROOT}/grimoires/loa/NOTES.md:45-67", 3],"grounding_ratio":0.97,"next_session_hints":["Rotate tokens (beads-x7y8)","Clock skew"]}`,
			&handover.Handover{
				When: at, Agent: "implementing-tasks", Session: "sess-002", Gate: handover.Gate{Ratio: .97, Counted: true},
				Items: []handover.Item{{ID: "beads-x7y8", Title: "Rotate tokens", Status: handover.InProgress}, {Title: "Clock skew"}},
				Refs:  []handover.Reference{{Ref: ledger.Ref{Path: "grimoires/loa/NOTES.md", From: 45, To: 67, Form: ledger.FormRooted}}},
			},
		},
		"script": {
			"{\n\"timestamp\":\"2024-01-15T14:30:00Z\",\n\"phase\":\"session_handoff\",\"agent\":\"a\",\"grounding_ratio\":\"0.95\",\"checkpoint_status\":\"complete\"}",
			&handover.Handover{When: at, Agent: "a", Gate: handover.Gate{Ratio: .95, Counted: true, Verdict: "complete"}},
		},
		"bead only": {
			`{"ts":"2024-01-15T14:30:00Z","phase":"handoff","bead_id":"x","grounding_ratio":0}`,
			&handover.Handover{When: at, Items: []handover.Item{{ID: "x", Status: handover.InProgress}}},
		},
		"another phase": {`{"ts":"2024-01-15T14:30:00Z","phase":"cite"}`, nil},
	} {
		_, err := scan(t.Context(), strings.NewReader(c.line), &File{}, Options{}, func(r *Record) bool {
			h, ok := r.Handover()
			if ok != (c.want != nil) {
				t.Errorf("%s: is a handover: %v", name, ok)
			} else if ok {
				handovertest.Equal(t, h, c.want)
			}
			return true
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzHandover(f *testing.F) {
	f.Add(`{"ts":"2024-01-15T14:30:00Z","phase":"session_handoff","agent":"a","session_id":"s","bead_id":"b-1","notes_refs":["${PROJECT_ROOT}/NOTES.md:1"],"next_session_hints":["x (b-1)","(y)",""],"grounding_ratio":1e-3}`)
	f.Add(`{"time":1700000000,"type":"handoff","bead_id":7,"notes_refs":{},"next_session_hints":[[],null,"x"],"grounding_ratio":"NaN"}`)
	f.Fuzz(func(t *testing.T, line string) {
		_, _ = scan(t.Context(), strings.NewReader(line), &File{}, Options{}, func(r *Record) bool {
			h, ok := r.Handover()
			if !ok {
				return true
			}
			v := *h
			v.Refs = nil // a record can store only references to NOTES.md
			if lost := handover.Lost(&v, reread(t, &v)); len(lost) > 0 {
				t.Fatalf("%q of %+v is lost", lost, v)
			}
			return true
		})
	})
}
