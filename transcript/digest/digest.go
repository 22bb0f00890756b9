// Package digest extracts facts from a session without a model: the prompts, the files changed, the commands run and
// refused, the remaining todos. It only quotes and counts.
//
// It reads the main thread of an open transcript, one message at a time, in the order of the conversation. The size of
// a digest is limited for a file of any length, and entries left out are counted. All texts are clean
// (transcript.Clean), and all except paths are masked (Mask).
package digest

import (
	"context"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/transcript"
)

// Digest holds the facts about a session.
type Digest struct {
	Start, End time.Time // times of the first and last prompt or answer; zero unknown
	Cwd        string    // working directory at the start
	Branch     string    // the last one in the records; "" none
	Version    string    // version of the client
	Models     []string
	Tokens     transcript.Usage

	Asked, Answered int // number of all prompts and answers
	Prompts         Some[Prompt]
	Files           []File
	Elsewhere       int // changes in files beyond the limit of Files
	Ran, RanBadly   int // number of all commands, and of those that failed
	Commands        Some[Command]
	Failures        Some[Failure]
	Todos           []Todo
	TodosLeft       int // todos beyond the limit of Todos, or without text
	Decisions       Some[Decision]
	Commits         Some[Commit]
	Compactions     int
	Summaries       Some[string] // summaries of compactions
	Agents          int          // started sub-agents; their work isn't included

	Answer string // first paragraph of the last answer with text; "" none
	Ending Ending
	Hidden bool // there are branches that the client doesn't show; their work isn't included
	Unread int  // messages that couldn't be decoded completely
}

// Ending is how the conversation ends.
type Ending string

// The endings.
const (
	EndNone        Ending = ""            // no messages
	EndAnswered    Ending = "answered"    // ends with an answer
	EndAsked       Ending = "asked"       // ends with a prompt
	EndOpen        Ending = "open"        // ends with a tool call without a result
	EndInterrupted Ending = "interrupted" // interrupted by the person
)

// Prompt is a prompt of the user.
type Prompt struct {
	At     time.Time
	Text   string
	Images int // number of images and documents
}

// File is a file that calls of the session changed. Failed and refused calls don't count.
type File struct {
	Path           string // as in the calls
	Added, Removed int    // lines
	Changes        int    // calls
	Created        bool
}

// Command is a shell command.
type Command struct {
	Text   string // one line
	Times  int
	Failed bool   // the last run failed
	Exit   string // for the last run: its exit code, or the message of the client, one line; "" none
}

// Failure is a failed tool call, or an API error.
type Failure struct {
	Tool  string // "" for an API error
	About string // file, command, or ""
	Text  string // message of the tool, one line; "" none
}

// Todo is an entry of the last todo list.
type Todo struct {
	ID       string // ID of a task, from the client; "" for a TodoWrite
	Text     string // "" if it isn't in this transcript
	Status   string // pending, in_progress, completed; other values are possible
	Priority string // high, medium, low; "" none
}

// Done reports whether the todo is completed.
func (t *Todo) Done() bool { return t.Status == "completed" }

// DecisionKind is the kind of a decision.
type DecisionKind string

// The kinds of decisions. The user makes all of them.
const (
	Answered   DecisionKind = "answered"   // a question of AskUserQuestion
	Unanswered DecisionKind = "unanswered" // left open by the user, or timed out
	Approved   DecisionKind = "approved"   // a plan (ExitPlanMode)
	Refused    DecisionKind = "refused"    // a tool call, plans included
)

// Decision is a decision of the user on a question or a request.
type Decision struct {
	Kind  DecisionKind
	About string // the question, the title of the plan, or the call
	Said  string // the answer, the plan, or the reason of a refusal; may have several lines, "" none
}

// Commit is a commit in the output of git commit.
type Commit struct{ Hash, Subject string }

// Some is a list whose middle may be left out.
type Some[T any] struct {
	First []T
	Left  int // number of entries left out between First and Last
	Last  []T
}

// Len returns the number of all entries, including those left out.
func (s *Some[T]) Len() int { return len(s.First) + s.Left + len(s.Last) }

// add appends an entry. First keeps the first entries and Last the last ones; add leaves out those between.
func (s *Some[T]) add(first, last int, v T) {
	switch {
	case len(s.First) < first:
		s.First = append(s.First, v)
		return
	case len(s.Last) == last:
		s.Left++
		copy(s.Last, s.Last[1:])
		s.Last = s.Last[:last-1]
	}
	s.Last = append(s.Last, v)
}

// Limits per kind. They allow one or two pages of each: enough to continue the work, and quick to read.
const (
	promptsFirst, promptsLast     = 3, 17
	promptRunes                   = 400
	filesMost                     = 60
	pathBytes                     = 1000 // a longer path counts in Elsewhere: a shortened one would name another file
	commandsFirst, commandsLast   = 3, 17
	commandRunes                  = 200
	failuresFirst, failuresLast   = 3, 12
	failureRunes                  = 300
	todosMost                     = 60
	todoRunes                     = 300
	decisionsFirst, decisionsLast = 5, 20
	decisionRunes                 = 400
	planRunes                     = 1200
	commitsFirst, commitsLast     = 5, 25
	summaryRunes                  = 3000
	answerRunes                   = 1200
)

// Read digests an open transcript. The caller must not call Follow meanwhile. The error is ctx.Err().
func Read(ctx context.Context, t *transcript.Transcript) (Digest, error) {
	o := t.Outline()
	r := reading{tasks: map[string]int{}, files: map[string]int{}}
	f := &o.Facts
	r.Start, r.End = transcript.At(f.First), transcript.At(f.Last)
	r.Cwd, r.Branch, r.Version = line(f.Cwd, pathBytes), line(f.Branch, commandRunes), line(f.Version, commandRunes)
	r.Tokens, r.Hidden = o.Tokens, o.Hidden
	for _, m := range f.Models[:min(len(f.Models), 8)] {
		r.Models = append(r.Models, line(m, 80))
	}
	for n, i := range o.Threads[0].Messages {
		if n%64 == 0 && ctx.Err() != nil {
			return r.Digest, ctx.Err()
		}
		m := t.Message(i)
		r.message(&m)
	}
	return r.Digest, ctx.Err()
}

// reading is the state of a Read.
type reading struct {
	Digest
	files map[string]int // path to index in Files
	tasks map[string]int // ID to index in Todos
}

func (r *reading) message(m *transcript.Message) {
	if m.Err != "" {
		r.Unread++
	}
	switch m.Kind {
	case transcript.Prompt:
		r.prompt(m)
	case transcript.Answer:
		r.answer(m)
	case transcript.Notice:
		for i := range m.Blocks {
			if isInterruption(m.Blocks[i].Text) {
				r.Ending = EndInterrupted
			}
		}
	case transcript.Boundary:
		r.Compactions++
	case transcript.Summary:
		for i := range m.Blocks {
			if b := &m.Blocks[i]; b.Kind == transcript.BlockText {
				r.Summaries.add(0, 1, text(b.Text, summaryRunes))
			}
		}
	case transcript.System:
		for range m.APIErrors() {
			r.failed(Failure{Text: "the API did not respond; the request was retried"})
		}
	}
}

// prompt adds the text of a prompt. A shell command of the user doesn't count as a prompt.
func (r *reading) prompt(m *transcript.Message) {
	p := Prompt{At: m.Time}
	var texts []string
	for i := range m.Blocks {
		switch b := &m.Blocks[i]; b.Kind {
		case transcript.BlockImage, transcript.BlockDocument:
			p.Images++
		case transcript.BlockText:
			if !isMachine(b.Text) && !strings.HasPrefix(strings.TrimSpace(b.Text), "<bash-input>") {
				texts = append(texts, transcript.PromptText(b.Text))
			}
		default:
		}
	}
	if p.Text = text(strings.Join(texts, "\n"), promptRunes); p.Text == "" && p.Images == 0 {
		return
	}
	r.Asked++
	r.Ending = EndAsked
	r.Prompts.add(promptsFirst, promptsLast, p)
}

// synthetic is the model name of texts that the client writes instead of an answer. unasked is the client's text if
// there was nothing to answer (client 2.1.330).
const (
	synthetic = "<synthetic>"
	unasked   = "No response requested."
)

func (r *reading) answer(m *transcript.Message) {
	if m.Model == synthetic {
		for i := range m.Blocks {
			if s := line(m.Blocks[i].Text, failureRunes); s != "" && s != unasked {
				r.failed(Failure{Text: s})
			}
		}
		return
	}
	r.Answered++
	if said := m.Said(); said != "" {
		r.Answer = text(paragraph(said), answerRunes)
	}
	r.Ending = EndAnswered
	for i := range m.Blocks {
		if m.Blocks[i].Kind != transcript.BlockToolUse {
			continue
		}
		c := m.Call(i)
		r.call(&c)
	}
}

func (r *reading) failed(f Failure) { r.Failures.add(failuresFirst, failuresLast, f) }
