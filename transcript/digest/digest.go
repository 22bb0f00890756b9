// Package digest extracts facts from a session: prompts, changed files, commands, decisions and remaining todos. It
// uses no model.
//
// It reads the main thread of an open transcript, one message at a time. The size of a digest is limited, and omitted
// entries are counted. All texts are clean (transcript.Clean), and all except paths are masked (Mask).
package digest

import (
	"context"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/transcript"
)

// Digest has the facts about a session.
type Digest struct {
	Start, End time.Time // times of the first and last prompt or answer; zero if unknown
	Cwd        string    // working directory at the start
	Branch     string    // the last branch; "" if none
	Version    string    // version of the client
	Models     []string
	Tokens     transcript.Usage

	Asked, Answered int // numbers of prompts and answers
	Prompts         Some[Prompt]
	Files           []File
	Elsewhere       int // number of changes to files beyond the limit of Files
	Ran, RanBadly   int // numbers of commands and of failed commands
	Commands        Some[Command]
	Failures        Some[Failure]
	Todos           []Todo
	TodosLeft       int // number of todos beyond the limit of Todos or without text
	Decisions       Some[Decision]
	Commits         Some[Commit]
	Compactions     int
	Summaries       Some[string] // summaries of compactions
	Agents          int          // number of started sub-agents, whose work isn't in the digest

	Answer string // first paragraph of the last answer with text; "" if none
	Ending Ending
	Hidden bool // there are branches that the client doesn't show
	Unread int  // number of messages with an undecodable record
}

// Ending says how the conversation ends.
type Ending string

// The endings.
const (
	EndNone        Ending = ""            // no messages
	EndAnswered    Ending = "answered"    // the last message is an answer
	EndAsked       Ending = "asked"       // the last message is a prompt
	EndOpen        Ending = "open"        // the last tool call has no result
	EndInterrupted Ending = "interrupted" // the user interrupted the session
)

// Prompt is a prompt of the user.
type Prompt struct {
	At     time.Time
	Text   string
	Images int // number of images and documents
}

// File is a file that successful calls have changed.
type File struct {
	Path           string // path as written in the calls
	Added, Removed int    // number of lines
	Changes        int    // number of calls
	Created        bool
}

// Command is a shell command.
type Command struct {
	Text   string // one line
	Times  int
	Failed bool   // the last run failed
	Exit   string // exit code of the last run, or a message of the client; "" if none
}

// Failure is a failed tool call or an API error.
type Failure struct {
	Tool  string // "" for an API error
	About string // file, command, or ""
	Text  string // message of the tool on one line; "" if none
}

// Todo is an entry of the last todo list.
type Todo struct {
	ID       string // ID of a task; "" for a TodoWrite
	Text     string // "" if the transcript doesn't have the text
	Status   string // pending, in_progress or completed; may be another word
	Priority string // high, medium, low; "" if none
}

// Done reports whether the todo is completed.
func (t *Todo) Done() bool { return t.Status == "completed" }

// DecisionKind is the kind of a decision.
type DecisionKind string

// The kinds of decisions of the user.
const (
	Answered   DecisionKind = "answered"   // a question of AskUserQuestion was answered
	Unanswered DecisionKind = "unanswered" // a question has no answer or timed out
	Approved   DecisionKind = "approved"   // a plan was approved (ExitPlanMode)
	Refused    DecisionKind = "refused"    // a tool call, such as that of a plan, was refused
)

// Decision is a decision of the user about a question or a request.
type Decision struct {
	Kind  DecisionKind
	About string // the question, the title of the plan, or the call
	Said  string // the answer, the plan, or the reason for a refusal; may have several lines
}

// Commit is a commit in the output of `git commit`.
type Commit struct{ Hash, Subject string }

// Some is a list that keeps only some first and last entries.
type Some[T any] struct {
	First []T
	Left  int // number of omitted entries between First and Last
	Last  []T
}

// Len returns the number of all entries, including omitted ones.
func (s *Some[T]) Len() int { return len(s.First) + s.Left + len(s.Last) }

// add appends an entry, and keeps the given numbers of first and last entries.
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

// Limits for each list. A list is at most two pages long.
const (
	promptsFirst, promptsLast     = 3, 17
	promptRunes                   = 400
	filesMost                     = 60
	pathBytes                     = 1000 // a longer path isn't listed
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

// Read digests an open transcript. The caller must not call t.Follow during Read. The error is ctx.Err().
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
			r.failed(Failure{Text: "the API did not respond; the client repeated the request"})
		}
	}
}

// prompt adds the text of a prompt, but not a shell command.
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

// synthetic is the model name of a text that the client writes instead of an answer. unasked is the text without
// anything to answer (client 2.1.330).
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
