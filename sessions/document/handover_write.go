package document

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/digest"
)

// writtenFrom is the first line of the body of a written handover.
const writtenFrom = "<!-- Written by continuo from a handover. " + openMeans + " -->"

// The labels of fields that documents of the spec don't have.
const (
	labelWhen     = "Decided"
	labelWhy      = "Why"
	labelEvidence = "Evidence"
	labelInstead  = "Instead of"
	labelAgent    = "Agent"
	labelGate     = "Gate"
	labelVerdict  = "Verdict"
	labelRatio    = "Grounding ratio"
	labelStep     = "Step"
	labelResume   = "To resume"
	labelRan      = "Test run"
	labelTest     = "Test scenario"
	labelType     = "Type"
	labelExpected = "Expected"
	labelAsked    = "Asked"
	labelOpen     = "Asked, not answered"
	labelAnswered = "Answered"
	labelRefused  = "Refused"
)

// ComposeHandover returns a session document (spec 000) for a handover. Reading.Handover can read the document. k has
// the project, the tags and the previous document. It may have facts from the transcript and git: prompts, plans,
// failures, commits, files and commands. handover.Lost has everything that the document leaves out.
func ComposeHandover(h *handover.Handover, k *Known) []byte {
	p := &composer{}
	p.front(&Known{
		At: h.When, Session: h.Session, Project: k.Project, Status: h.Outcome, Tags: k.Tags, Previous: k.Previous, Git: &Git{Branch: h.Git.Branch},
	})
	p.lines(writtenFrom)
	p.section("Session Summary")
	p.first(handover.Lines(h.State))
	d := &k.Digest
	known := d.Asked > 0 || d.Answered > 0
	if known {
		p.lines("")
		p.summary(k)
	}
	p.section("Accomplishments")
	p.entries(h.Done)
	p.section("Key Decisions & Patterns")
	for i := range h.Decisions {
		p.handedDecision(&h.Decisions[i])
	}
	plans := decisionsOf(d, digest.Approved)
	for i := range plans {
		p.decision(&plans[i])
	}
	p.orUnknown(len(h.Decisions) + len(plans))
	p.section("Clarifications & Decisions")
	for _, q := range h.Questions {
		kind := digest.Answered
		if q.Answer == "" {
			kind = digest.Unanswered
		}
		p.decision(&digest.Decision{Kind: kind, About: q.Text, Said: q.Answer})
	}
	refused := decisionsOf(d, digest.Refused)
	for i := range refused {
		p.decision(&refused[i])
	}
	p.orUnknown(len(h.Questions) + len(refused))
	p.section("Failed Approaches")
	p.failures(d)
	p.handedGit(h, k)
	p.section("Current State")
	p.entries(handover.Lines(h.State))
	p.section("Remaining Todos")
	p.items(h.Items)
	p.section("Next Steps")
	p.steps(h.Items)
	p.section("Key Files")
	for _, r := range h.Refs {
		p.handedRef(&r)
	}
	if len(d.Files) > 0 {
		p.files(k)
	}
	p.orUnknown(len(h.Refs) + len(d.Files))
	p.section("Environment Notes")
	if known {
		p.environment(k)
	} else {
		p.lines(unknown)
	}
	p.section("Code Context")
	p.lines(unknown)
	p.section("Context & Notes")
	p.handedNotes(h)
	if known {
		p.notes(d)
	} else {
		p.lines("", "_"+openMeans+"_")
	}
	return []byte(p.b.String())
}

// handedGit writes the section Git Context, from git if possible, otherwise from the handover.
func (p *composer) handedGit(h *handover.Handover, k *Known) {
	switch {
	case k.Git != nil:
		p.section("Git Context")
		p.git(k)
		if h.Git.Commit != "" {
			p.lines("- Commit: " + code(h.Git.Commit))
		}
	case h.Git != (handover.Git{}):
		p.section("Git Context")
		for _, f := range [][2]string{{"- Branch: ", h.Git.Branch}, {"- Commit: ", h.Git.Commit}} {
			if f[1] != "" {
				p.lines(f[0] + code(f[1]))
			}
		}
	}
}

// decisionsOf returns the decisions of one kind.
func decisionsOf(d *digest.Digest, kind digest.DecisionKind) []digest.Decision {
	return slices.DeleteFunc(slices.Concat(d.Decisions.First, d.Decisions.Last), func(a digest.Decision) bool { return a.Kind != kind })
}

func (p *composer) orUnknown(n int) {
	if n == 0 {
		p.lines(unknown)
	}
}

// first writes the first line of a text as the summary.
func (p *composer) first(lines []string) {
	if len(lines) == 0 {
		p.lines(unknown)
		return
	}
	p.lines(opening(lines[0]))
}

// entries writes a list.
func (p *composer) entries(texts []string) {
	n := 0
	for _, t := range texts {
		if lines := cleanLines(t); len(lines) > 0 {
			p.entry("- "+opening(lines[0]), lines[1:])
			n++
		}
	}
	p.orUnknown(n)
}

// entry writes a list item with several lines.
func (p *composer) entry(first string, more []string) {
	p.lines(first)
	for _, l := range more {
		p.lines("  " + opening(l))
	}
}

// labelled writes a labelled field of a list item.
func (p *composer) labelled(lead, label, text string) {
	if lines := cleanLines(text); len(lines) > 0 {
		p.entry(lead+"**"+label+":** "+escaped(lines[0]), lines[1:])
	}
}

// cleanLines returns the cleaned lines of a text that aren't empty.
func cleanLines(text string) []string {
	lines := handover.Lines(text)
	for i := range lines {
		lines[i] = transcript.CleanLine(lines[i])
	}
	return slices.DeleteFunc(lines, func(l string) bool { return l == "" })
}

func (p *composer) handedDecision(d *handover.Decision) {
	lines := cleanLines(d.Text)
	title := escapedText(transcript.CleanLine(d.Title))
	switch {
	case title != "" && len(lines) > 0:
		p.entry("- **"+title+":** "+escaped(lines[0]), lines[1:])
	case title != "":
		p.lines("- **" + title + ":**")
	case len(lines) > 0:
		p.entry("- "+opening(lines[0]), lines[1:])
	default:
		return
	}
	if !d.When.IsZero() {
		p.labelled("  ", labelWhen, d.When.UTC().Format(time.RFC3339))
	}
	p.labelled("  ", labelWhy, d.Why)
	for _, e := range d.Evidence {
		text := "[" + e.Ref.String() + "]"
		if e.Quote != "" {
			text = code(e.Quote) + " " + text
		}
		p.lines("  **" + labelEvidence + ":** " + text)
	}
	for _, a := range d.Alternatives {
		p.labelled("  ", labelInstead, a)
	}
}

// handedRef writes a file reference, relative to the root of the project if possible.
func (p *composer) handedRef(r *handover.Reference) {
	path := r.Ref.String()
	if rel, ok := strings.CutPrefix(path, "${PROJECT_ROOT}/"); ok {
		if _, ok := ledger.ParseRef(rel); ok {
			path = rel
		}
	}
	if lines := cleanLines(r.Purpose); len(lines) > 0 {
		p.entry("- "+code(path)+" - "+escaped(lines[0]), lines[1:])
		return
	}
	p.lines("- " + code(path))
}

func (p *composer) handedNotes(h *handover.Handover) {
	p.labelled("- ", labelAgent, h.Agent)
	p.labelled("- ", labelGate, h.Gate.Name)
	p.labelled("- ", labelVerdict, h.Gate.Verdict)
	if h.Gate.Counted {
		p.labelled("- ", labelRatio, strconv.FormatFloat(h.Gate.Ratio, 'f', -1, 64))
	}
	p.labelled("- ", labelStep, h.Step)
	if r := h.Ran; r != (handover.Ran{}) {
		p.labelled("- ", labelRan, fmt.Sprintf(ranForm, r.Passing, r.Failing, r.Pending))
	}
	p.labelled("- ", labelResume, h.Resume)
	for _, t := range h.Tests {
		p.labelled("- ", labelTest, t.Name)
		p.labelled("  ", labelType, t.Type)
		p.labelled("  ", labelExpected, t.Expected)
	}
}

const ranForm = "%d passing, %d failing, %d pending"
