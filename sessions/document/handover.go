package document

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/sessions"
)

// Handover returns the handover in a session document or active-context.md (spec 000). g comes from ReadWhole. Items
// are todos, blockers, entries in progress and next steps, merged by title. Texts are unescaped, but keep emphasis
// and code. zone is for dates without a zone.
func (g *Reading) Handover(zone *time.Location) *handover.Handover {
	var d Document
	d.describe(g, zone)
	r := handoverReader{h: &handover.Handover{When: d.Date, Session: d.Session, Outcome: d.Status, Git: handover.Git{Branch: d.Branch}}}
	for _, t := range d.Todos {
		r.todos = append(r.todos, itemOfTodo(t))
	}
	for _, s := range d.Next {
		r.steps = append(r.steps, itemOf(s, handover.Open))
	}
	for i := range g.body.sections {
		r.section(&g.body.sections[i])
	}
	r.note.join(&r)
	r.h.Items = handover.Join(r.todos, r.steps)
	return r.h
}

// handoverReader reads the sections of a document.
type handoverReader struct {
	h            *handover.Handover
	todos, steps []handover.Item
	note         handedNote
}

func (r *handoverReader) section(s *section) {
	is := func(names ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return hasPrefixFold(s.heading, n) })
	}
	for _, e := range s.entries() {
		switch {
		case is("accomplishments", "completed this", "completed last"):
			r.h.Done = append(r.h.Done, unescapedLines(e))
		case is("key decisions", "clarifications", "user preferences"):
			r.decision(e)
		case is("git context"):
			r.git(e)
		case is("current state", "current task"):
			for i, l := range e {
				_, e[i], _ = sessions.CutBullet(l)
			}
			r.h.State = strings.TrimPrefix(r.h.State+"\n"+unescapedLines(e), "\n")
		case is("key files"):
			r.refs(e)
		case is("context & notes"):
			r.notes(e)
		case is("in progress"):
			r.todos = append(r.todos, itemOf(sessions.PlainText(strings.Join(e, " ")), handover.InProgress))
		case is("blockers"):
			r.todos = append(r.todos, itemOf(sessions.PlainText(strings.Join(e, " ")), handover.Blocked))
		case is(sessionHeading):
			r.note.line(e[0])
		}
	}
}

// decision reads a decision or a question.
func (r *handoverReader) decision(e []string) {
	if strings.HasPrefix(e[0], "**"+labelRefused+":**") {
		return // a refused tool call isn't a decision
	}
	all := cutFields(e)
	first := all[0]
	switch first.label {
	case labelAsked, labelOpen:
		q := handover.Question{Text: unquoted(first.text())}
		for _, f := range all[1:] {
			if f.label == labelAnswered {
				q.Answer = unquoted(f.text())
			}
		}
		r.h.Questions = append(r.h.Questions, q)
		return
	}
	d := handover.Decision{}
	if title, rest, ok := cutLabel(first.lines[0]); ok {
		d.Title = unescaped(title)
		first.lines[0] = rest
	}
	d.Text = first.text()
	if d.Text == "" {
		d.Title, d.Text = "", d.Title
	}
	for _, f := range all[1:] {
		switch f.label {
		case labelWhen:
			d.When, _ = time.Parse(time.RFC3339, f.text())
		case labelWhy:
			d.Why = f.text()
		case labelEvidence:
			if v, ok := evidenceOf(f.lines[0]); ok {
				d.Evidence = append(d.Evidence, v)
			}
		case labelInstead:
			d.Alternatives = append(d.Alternatives, f.text())
		}
	}
	r.h.Decisions = append(r.h.Decisions, d)
}

// git reads a branch or commit: "Branch: `main`" or "**Branch**: main".
func (r *handoverReader) git(e []string) {
	name, value, ok := strings.Cut(strings.ReplaceAll(e[0], "**", ""), ":")
	if value, _, _ = strings.Cut(value, ";"); !ok {
		return
	}
	value = sessions.PlainText(unquotedCode(strings.TrimSpace(value)))
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "branch":
		if r.h.Git.Branch == "" && !sessions.IsNone(value) && !strings.HasPrefix(value, "none,") {
			r.h.Git.Branch = value
		}
	case "commit":
		r.h.Git.Commit = value
	}
}

// refs reads an entry that begins with file names in code spans, or a table with file names in its first column.
func (r *handoverReader) refs(e []string) {
	if strings.HasPrefix(e[0], "|") {
		for _, row := range e {
			file, purpose, _ := strings.Cut(strings.Trim(row, "| "), "|")
			r.refs([]string{strings.TrimSpace(file) + " - " + strings.TrimSpace(purpose)})
		}
		return
	}
	rest := e[0]
	var found []ledger.Ref
	for {
		span, after, ok := cutSpan(rest)
		if !ok {
			break
		}
		if ref, ok := ledger.ParseRef(span); ok {
			found = append(found, ref)
		}
		if rest = strings.TrimSpace(after); !strings.HasPrefix(rest, ",") {
			break
		}
		rest = strings.TrimSpace(rest[1:])
	}
	lines := slices.Clone(e)
	lines[0] = strings.TrimLeft(rest, " -–—:")
	for _, ref := range found {
		if !slices.ContainsFunc(r.h.Refs, func(o handover.Reference) bool { return o.Ref.String() == ref.String() }) {
			r.h.Refs = append(r.h.Refs, handover.Reference{Ref: ref, Purpose: unescapedLines(lines)})
		}
	}
}

// notes reads the labelled fields that ComposeHandover writes to Context & Notes.
func (r *handoverReader) notes(e []string) {
	h := r.h
	for _, f := range cutFields(e) {
		text := f.text()
		switch f.label {
		case labelAgent:
			h.Agent = text
		case labelGate:
			h.Gate.Name = text
		case labelVerdict:
			h.Gate.Verdict = text
		case labelRatio:
			ratio, err := strconv.ParseFloat(text, 64)
			h.Gate.Ratio, h.Gate.Counted = ratio, err == nil
		case labelStep:
			h.Step = text
		case labelResume:
			h.Resume = text
		case labelRan:
			_, _ = fmt.Sscanf(text, ranForm, &h.Ran.Passing, &h.Ran.Failing, &h.Ran.Pending)
		case labelTest:
			h.Tests = append(h.Tests, handover.Test{Name: text})
		case labelType:
			if n := len(h.Tests); n > 0 {
				h.Tests[n-1].Type = text
			}
		case labelExpected:
			if n := len(h.Tests); n > 0 {
				h.Tests[n-1].Expected = text
			}
		}
	}
}
