package handover

import (
	"slices"
	"strconv"
	"strings"
)

// pairs calls pair for each entry of all and its equal entry in the list in. It returns the number of entries without
// an equal one. An entry of in is used once.
func pairs[T any](all, in []T, same func(a, b *T) bool, pair func(a, b *T)) (missing int) {
	used := make([]bool, len(in))
	for i := range all {
		k := 0
		for k < len(in) && (used[k] || !same(&all[i], &in[k])) {
			k++
		}
		if k == len(in) {
			missing++
			continue
		}
		used[k] = true
		pair(&all[i], &in[k])
	}
	return missing
}

// countMissing returns the number of entries of all that the list in lacks.
func countMissing[T any](all, in []T, same func(a, b *T) bool) int {
	return pairs(all, in, same, func(*T, *T) {})
}

// Without returns a copy of v without the entries that are in back. Writers use it to add only new entries to a file.
func Without(v, back *Handover) *Handover {
	left := *v
	left.Items = without(v.Items, back.Items, (*Item).is)
	left.Decisions = without(v.Decisions, back.Decisions, sameDecision)
	left.Questions = without(v.Questions, back.Questions, sameQuestion)
	left.Refs = without(v.Refs, back.Refs, sameReference)
	left.Tests = without(v.Tests, back.Tests, sameTest)
	return &left
}

func without[T any](all, in []T, same func(a, b *T) bool) []T {
	var left []T
	for i := range all {
		if !slices.ContainsFunc(in, func(b T) bool { return same(&all[i], &b) }) {
			left = append(left, all[i])
		}
	}
	return left
}

// sameDecision compares two decisions by title, or by text if the title was lost.
func sameDecision(a, b *Decision) bool {
	return Key(a.Headline()) == Key(b.Headline()) || a.Text != "" && Key(a.Text) == Key(b.Text)
}

func sameQuestion(a, b *Question) bool { return Key(a.Text) == Key(b.Text) }

func sameReference(a, b *Reference) bool { return a.Ref.String() == b.Ref.String() }

func sameTest(a, b *Test) bool { return Key(a.Name) == Key(b.Name) }

func (l *losses) items(v, back *Handover) {
	l.missing("task", pairs(v.Items, back.Items, (*Item).is, func(a, b *Item) {
		title := a.Title
		if title == "" {
			title = a.ID
		}
		if a.ID != "" && a.ID != b.ID {
			l.of("ID", "task", title)
		}
		if a.Title != "" && b.Title == "" {
			l.of("title", "task", title)
		}
		if a.Status.or() != b.Status.or() {
			l.of("status", "task", title)
		} else if _, known := normal(a.Written); !known && a.Written != b.Written {
			l.of("word “"+a.Written+"”", "task", title) // the word is more exact than the status: "deferred"
		}
		if a.Priority != "" && !strings.EqualFold(a.Priority, b.Priority) {
			l.of("priority", "task", title)
		}
	}))
}

func (l *losses) questions(v, back *Handover) {
	l.missing("question", pairs(v.Questions, back.Questions, sameQuestion, func(a, b *Question) {
		l.field("answer", "question", a.Text, a.Answer, b.Answer)
		l.exact("question", a.Text, b.Text)
	}))
}

func (l *losses) refs(v, back *Handover) {
	l.missing("reference", pairs(v.Refs, back.Refs, sameReference, func(a, b *Reference) {
		l.field("purpose", "reference", a.Ref.String(), a.Purpose, b.Purpose)
	}))
}

func (l *losses) tests(v, back *Handover) {
	l.missing("test scenario", pairs(v.Tests, back.Tests, sameTest, func(a, b *Test) {
		l.exact("test scenario", a.Name, b.Name)
		l.field("type", "test scenario", a.Name, a.Type, b.Type)
		l.field("expected result", "test scenario", a.Name, a.Expected, b.Expected)
	}))
	if v.Ran != (Ran{}) && v.Ran != back.Ran {
		l.add("the result of the test run")
	}
}

func (l *losses) gate(v, back *Handover) {
	l.named("gate", v.Gate.Name, back.Gate.Name)
	l.named("verdict", v.Gate.Verdict, back.Gate.Verdict)
	if v.Gate.Counted && (!back.Gate.Counted || v.Gate.Ratio != back.Gate.Ratio) {
		l.add("grounding ratio " + strconv.FormatFloat(v.Gate.Ratio, 'f', -1, 64))
	}
}

func (l *losses) decisions(v, back *Handover) {
	l.missing("decision", pairs(v.Decisions, back.Decisions, sameDecision, func(a, b *Decision) {
		title := a.Headline()
		if !sameTime(a.When, b.When) {
			l.of("time", "decision", title)
		}
		l.field("title", "decision", title, a.Title, b.Title)
		l.field("text", "decision", title, a.Text, b.Text)
		l.field("reason", "decision", title, a.Why, b.Why)
		if countMissing(a.Evidence, b.Evidence, func(a, b *Evidence) bool { return a.Ref.String() == b.Ref.String() && sameText(a.Quote, b.Quote) }) > 0 {
			l.of("evidence", "decision", title)
		}
		if countMissing(a.Alternatives, b.Alternatives, func(a, b *string) bool { return sameText(*a, *b) }) > 0 {
			l.of("alternatives", "decision", title)
		}
	}))
}
