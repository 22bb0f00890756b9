package trajectory

import (
	"encoding/json"
	"path"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/handover"
)

// HandoffOf converts a handover to a record (spec 002, synthesis checkpoint, step 5). Open items become hints, and
// the first item in progress becomes the bead. Decisions and test scenarios are only counted. handover.Lost returns
// the lost fields.
func HandoffOf(h *handover.Handover) Handoff {
	d := Handoff{
		Agent: h.Agent, Phase: PhaseHandoff, SessionID: h.Session, NotesRefs: []string{}, Decisions: len(h.Decisions), Scenarios: len(h.Tests),
		Ready: h.Session != "", Status: h.Gate.Verdict,
	}
	if !h.When.IsZero() {
		d.TS = h.When.UTC().Format(time.RFC3339)
	}
	if h.Gate.Counted {
		d.Ratio = h.Gate.Ratio
	}
	for i := range h.Items {
		item := &h.Items[i]
		if d.Bead == "" && item.Status == handover.InProgress {
			d.Bead = item.ID
		}
		if item.Status.IsOpen() {
			d.Hints = append(d.Hints, handover.Named(item.Title, item.ID))
		}
	}
	for _, r := range h.Refs {
		if path.Base(r.Ref.Path) == "NOTES.md" {
			d.NotesRefs = append(d.NotesRefs, r.Ref.String())
		}
	}
	return d
}

// Handover converts a record to a handover. ok is false if the record isn't a handoff. A grounding ratio of 0 counts
// as unknown.
func (r *Record) Handover() (h *handover.Handover, ok bool) {
	if r.Phase != PhaseHandoff && r.Phase != phaseHandedOver {
		return nil, false
	}
	h = &handover.Handover{When: r.At, Agent: r.Agent, Session: r.Text("session_id")}
	h.Gate.Verdict = r.Text("checkpoint_status")
	h.Gate.Ratio, _ = r.Number("grounding_ratio")
	h.Gate.Counted = h.Gate.Ratio != 0
	for _, text := range texts(r.Fields["next_session_hints"]) {
		if title, id := handover.CutID(text); title != "" {
			h.Items = append(h.Items, handover.Item{ID: id, Title: title, Status: handover.Open})
		}
	}
	if bead := r.Text("bead_id"); bead != "" {
		at := slices.IndexFunc(h.Items, func(i handover.Item) bool { return i.ID == bead || i.ID == "" && i.Title == bead })
		if at < 0 {
			h.Items = slices.Insert(h.Items, 0, handover.Item{})
			at = 0
		}
		if h.Items[at].ID == "" { // the hint is only an ID
			h.Items[at] = handover.Item{ID: bead}
		}
		h.Items[at].Status = handover.InProgress
	}
	for _, text := range texts(r.Fields["notes_refs"]) {
		if ref, ok := ledger.ParseRef(text); ok {
			h.Refs = append(h.Refs, handover.Reference{Ref: ref})
		}
	}
	return h, true
}

// texts returns the strings in an array.
func texts(value json.RawMessage) []string {
	var all []any
	if json.Unmarshal(value, &all) != nil {
		return nil
	}
	var some []string
	for _, v := range all {
		if s, ok := v.(string); ok {
			some = append(some, s)
		}
	}
	return some
}
