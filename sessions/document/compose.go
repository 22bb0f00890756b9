package document

import (
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/transcript/digest"
)

// Known has the facts for a session document. Its texts from the transcript can't be trusted.
type Known struct {
	At       time.Time // time of writing
	Session  string    // session ID
	Name     string    // name of the session; "" if none
	Live     bool      // a client has the session open
	Project  string    // name of the project
	Root     string    // absolute path of the project, to which paths are relative
	Status   string    // "" means in-progress, because completed needs the user
	Tags     []string
	Previous string // file name of the previous document; "" if none
	Digest   digest.Digest
	Git      *Git // nil if the project isn't a repository
}

// Git describes the repository of a project.
type Git struct {
	Branch      string          // "" if HEAD is detached
	Commits     []digest.Commit // commits on the branch since the session began, newest first
	CommitsLeft int             // number of older commits that aren't in Commits
	Changed     []string        // paths with uncommitted changes, relative to the root of the repository
	ChangedLeft int             // number of paths that aren't in Changed
	Unsure      bool            // git didn't tell which files have uncommitted changes
}

// unknown is the text of a section for the user or Claude.
const unknown = "_Left open._"

// unknownRest is the last line of a section that the transcript fills in part.
const unknownRest = "_The rest is left open._"

// openMeans explains unknown and unknownRest to the reader of the document.
const openMeans = "Only you or Claude can fill in the open parts: run /document-and-save in the session, or write them here."

// front writes the front matter. Its time is in UTC, as in later versions of the spec.
func (p *composer) front(k *Known) {
	status := k.Status
	if status == "" {
		status = "in-progress"
	}
	previous := "null"
	if k.Previous != "" {
		previous = yamlName(k.Previous)
	}
	tags := make([]string, 0, len(k.Tags))
	for _, t := range k.Tags {
		tags = append(tags, yamlText(t))
	}
	p.lines("---",
		"date: "+k.At.UTC().Format(Stamp),
		"project: "+yamlText(k.Project),
		"status: "+yamlText(status),
		"tags: ["+strings.Join(tags, ", ")+"]",
		"previous_session: "+previous)
	if k.Git != nil && k.Git.Branch != "" {
		p.lines("branch: " + yamlText(k.Git.Branch))
	}
	p.lines("session: "+yamlText(k.Session), "---", "")
}

func (p *composer) summary(k *Known) {
	d := &k.Digest
	first := strconv.Itoa(d.Asked) + " prompts and " + strconv.Itoa(d.Answered) + " answers"
	if d.Asked == 1 {
		first = "1 prompt and " + strconv.Itoa(d.Answered) + " answers"
	}
	if !d.Start.IsZero() {
		first += ", " + span(d.Start, d.End)
	}
	if k.Name != "" {
		first = quoted(k.Name) + ": " + first
	}
	p.lines(strings.TrimSpace(first + ". " + endingText(k)))
	if d.Prompts.Len() > 0 {
		p.lines("", "Prompts, in order:", "")
	}
	some(p, "", &d.Prompts, func(a digest.Prompt) string {
		switch images := counted(a.Images, "image"); {
		case a.Text == "":
			return images + " without text"
		case a.Images > 0:
			return quoted(a.Text) + ", with " + images
		}
		return quoted(a.Text)
	})
	p.lines("", unknownRest)
}

func (p *composer) decision(a *digest.Decision) {
	about := quoted(a.About)
	switch a.Kind {
	case digest.Answered:
		p.lines("- **Asked:** "+about, "  **Answered:** "+quoted(a.Said))
	case digest.Unanswered:
		p.lines("- **Asked, not answered:** " + about)
		if a.Said != "" {
			p.lines("  **Reply:** " + quoted(a.Said))
		}
	case digest.Approved:
		p.lines("- **Approved plan:** "+about, "")
		p.quote("  ", a.Said)
	case digest.Refused:
		p.lines("- **" + labelRefused + ":** " + about)
		if a.Said != "" {
			p.lines("  **Reason:** " + quoted(a.Said))
		}
	}
}

func (p *composer) failures(d *digest.Digest) {
	if d.Failures.Len() > 0 {
		p.lines("Failed calls, including those that were fixed later:", "")
		some(p, "", &d.Failures, failureText)
		p.lines("", unknownRest)
		return
	}
	p.lines(unknown)
}

func failureText(f digest.Failure) string {
	what := "API"
	if f.Tool != "" {
		what = opening(f.Tool)
	}
	if f.About != "" {
		what += " " + code(f.About)
	}
	if f.Text == "" {
		return what
	}
	return what + ": " + quoted(f.Text)
}

func (p *composer) git(k *Known) {
	g := k.Git
	branch := "- Branch: none, HEAD is detached"
	if g.Branch != "" {
		branch = "- Branch: " + code(g.Branch)
	}
	if b := k.Digest.Branch; b != "" && b != g.Branch {
		branch += "; the session was on " + code(b)
	}
	p.lines(branch)
	if len(g.Commits) == 0 {
		p.lines("- Commits since the session began: none")
	} else {
		p.lines("- Commits since the session began, by all authors, newest first:")
	}
	for _, c := range g.Commits {
		p.lines("  - " + commitText(c))
	}
	p.left("  ", g.CommitsLeft)
	switch {
	case g.Unsure:
		p.lines("- Uncommitted files: unknown")
	case len(g.Changed) == 0:
		p.lines("- Uncommitted files: none")
	default:
		p.lines("- Uncommitted files:")
	}
	for _, f := range g.Changed {
		p.lines("  - " + code(f))
	}
	p.left("  ", g.ChangedLeft)
}

// endingText returns a sentence on how the session ended.
func endingText(k *Known) string {
	text := map[digest.Ending]string{
		digest.EndNone:        "There is no answer.",
		digest.EndAnswered:    "The last prompt was answered.",
		digest.EndAsked:       "The last prompt was not answered.",
		digest.EndOpen:        "The last answer ends in a tool call without a result.",
		digest.EndInterrupted: "The user interrupted the last answer.",
	}[k.Digest.Ending]
	if k.Live {
		text += " The session was still live."
	}
	return text
}
