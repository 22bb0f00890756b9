package task

import (
	"slices"
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/ledger/handover"
)

// Handover converts a checkpoint to a handover. The next steps become open items. Changed files are left out, because
// a handover refers to files to read.
func (c *Checkpoint) Handover() *handover.Handover {
	h := &handover.Handover{
		When: c.At, Session: c.Session, Git: handover.Git{Branch: c.Branch, Commit: c.Commit}, State: c.Summary,
		Ran: handover.Ran(c.Tests), Gate: handover.Gate{Name: string(c.Gate)}, Resume: c.Resume,
	}
	if c.Step > 0 {
		h.Step = strconv.Itoa(c.Step)
	}
	for _, text := range c.Next {
		title, id := handover.CutID(strings.Join(strings.Fields(text), " "))
		h.Items = append(h.Items, handover.Item{ID: id, Title: title, Status: handover.Open, Marks: []handover.Mark{handover.MarkTask}, At: c.At})
	}
	for _, d := range c.Decisions {
		h.Decisions = append(h.Decisions, handover.Decision{When: c.At, Text: d.Text, Why: d.Rationale, Alternatives: slices.Clone(d.Alternatives)})
	}
	return h
}

// FromHandover converts a handover to the content of a checkpoint. Fields that a checkpoint can't store are in
// handover.Lost.
func FromHandover(h *handover.Handover) *Checkpoint {
	o, state := object{}, object{}
	if step, err := strconv.Atoi(h.Step); err == nil && step >= 0 {
		o.set("step", step)
	}
	o.set("summary", h.State)
	if h.Ran != (handover.Ran{}) {
		tests := object{}
		tests.set("passing", max(h.Ran.Passing, 0))
		tests.set("failing", max(h.Ran.Failing, 0))
		tests.set("pending", max(h.Ran.Pending, 0))
		state.set("tests", tests)
	}
	var decisions []object
	for i := range h.Decisions {
		v := &h.Decisions[i]
		d := object{}
		text := v.Text
		if text == "" {
			text = v.Title
		}
		if strings.TrimSpace(text) == "" {
			continue
		}
		d.set("decision", text)
		d.set("rationale", v.Why)
		d.set("alternatives_considered", orEmpty(v.Alternatives))
		decisions = append(decisions, d)
	}
	if len(decisions) > 0 {
		state.set("decisions", decisions)
	}
	o.set("state", state)
	next := []string{}
	for i := range h.Items {
		if item := &h.Items[i]; item.Status.IsOpen() && handover.Named(item.Title, item.ID) != "" {
			next = append(next, handover.Named(item.Title, item.ID))
		}
	}
	o.set("next_steps", next)
	o.set("resume_instructions", h.Resume)
	if _, ok := Gate(h.Gate.Name).Number(); ok {
		o.set("gate", h.Gate.Name)
	}
	if h.Git.Branch != "" {
		o.set("git_branch", h.Git.Branch)
	}
	if h.Git.Commit != "" {
		o.set("git_commit", h.Git.Commit)
	}
	c, _ := newContent(o) // all values have the right types
	return c
}
