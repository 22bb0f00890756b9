package transcript

import (
	"bytes"
	"time"
)

// Origin has the facts in a transcript about the session that it comes from.
type Origin struct {
	Kind    OriginKind
	Session string    // ID of that session, untrusted; "" if the transcript doesn't name it
	Cleared time.Time // for OriginClear: time of the command
	Copied  int       // for OriginFork: number of copied messages; they come first
	Prompts []OriginPrompt
}

// OriginKind is the way in which a session comes from another one.
type OriginKind string

// The kinds of origins (clients 2.1.6 to 2.1.330).
const (
	OriginNone    OriginKind = ""        // not recorded; a fork with --fork-session can only be seen by its Prompts
	OriginFork    OriginKind = "fork"    // its first messages are copies, with the ID of the other session in forkedFrom
	OriginPlan    OriginKind = "plan"    // it begins with a plan from the other session
	OriginSummary OriginKind = "summary" // it begins with a summary of the other session
	OriginClear   OriginKind = "clear"   // it begins with /clear; the client doesn't record the previous session
)

// OriginPrompt is a prompt of the main thread. The client's own fork copies records with their UUIDs, so the sessions
// begin with the same prompts.
type OriginPrompt struct {
	ID     uint64    // hash of its UUID
	Number int       // number of the message in the session, counted from 1
	Time   time.Time // zero: unknown
}

// maxOrigins is the maximum number of prompts in an Origin: prompts of a longer session are compared only up to there.
const maxOrigins = 4096

// originFacts collects the records for an Origin.
type originFacts struct {
	kind    OriginKind
	session string
	cleared int64 // Unix milliseconds
	copied  int64 // offset of the last copied record
	begun   bool  // a prompt, an answer or a summary was read
}

// add adds the next record.
func (f *originFacts) add(e *Envelope, kind Kind, offset int64) {
	if len(e.ForkedFrom) > 0 {
		f.kind, f.session, f.copied = OriginFork, string(e.ForkedFrom), offset
	}
	if f.begun || f.kind == OriginFork || e.Sidechain {
		return
	}
	switch kind {
	case KindNotice, KindPrompt, KindSummary:
		f.begun = kind != KindNotice
		for _, s := range e.Text {
			f.addText(e, e.Line[s.Start:s.End], kind)
		}
	case KindAssistant:
		f.begun = true
	default:
	}
}

// addText looks for /clear, and for the name of a transcript at the end of a plan or a summary.
func (f *originFacts) addText(e *Envelope, raw []byte, kind Kind) {
	switch plan := bytes.HasPrefix(raw, []byte("Implement the following plan:")); {
	case kind == KindNotice && bytes.HasPrefix(raw, []byte("<command-name>/clear</command-name>")):
		f.kind, f.cleared = OriginClear, e.UnixMilli()
	case plan || kind == KindSummary:
		f.begun = true
		if id := transcriptID(raw); id != "" {
			if f.kind, f.session = OriginSummary, id; plan {
				f.kind = OriginPlan
			}
		}
	}
}

// transcriptID returns the session ID in "read the full transcript at: /…/ID.jsonl", "" if a text doesn't have it.
func transcriptID(raw []byte) string {
	const lead, ext, length = "full transcript at: ", ".jsonl", 36
	_, path, ok := bytes.Cut(raw, []byte(lead))
	if path, _, found := bytes.Cut(path, []byte(ext)); ok && found && len(path) > length {
		return string(path[len(path)-length:])
	}
	return ""
}

// Origin returns the origin of the transcript.
func (o *Outline) Origin() Origin {
	f := &o.Facts.origin
	origin := Origin{Kind: f.kind, Session: f.session, Cleared: At(f.cleared)}
	number := 0
	for i := range o.Messages {
		m := &o.Messages[i]
		if !m.Turn || m.Thread != 0 {
			continue
		}
		if number++; f.kind == OriginFork && o.Records[m.Records[0]].Offset <= f.copied {
			origin.Copied = number
		}
		if m.Kind == Prompt && len(origin.Prompts) < maxOrigins {
			origin.Prompts = append(origin.Prompts, OriginPrompt{digest(0, []byte(o.Name(m.ID))), number, At(m.Time)})
		}
	}
	return origin
}
