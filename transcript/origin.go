package transcript

import (
	"bytes"
	"time"
)

// Origin describes how the session of a transcript was started from another session.
type Origin struct {
	Kind    OriginKind
	Session string    // ID of the other session, untrusted; "" if unknown
	Cleared time.Time // for OriginClear: time of the command
	Copied  int       // for OriginFork: number of copied messages at the start
	Prompts []OriginPrompt
}

// OriginKind is how a session was started from another one.
type OriginKind string

// The kinds of origins (clients 2.1.6 to 2.1.330).
const (
	OriginNone    OriginKind = ""        // not recorded; a fork with --fork-session is recognised by its Prompts
	OriginFork    OriginKind = "fork"    // the first messages are copies; forkedFrom has the ID of the other session
	OriginPlan    OriginKind = "plan"    // the session starts with a plan of the other session
	OriginSummary OriginKind = "summary" // the session starts with a summary of the other session
	OriginClear   OriginKind = "clear"   // the session starts with /clear; the previous session isn't recorded
)

// OriginPrompt is a prompt of the main thread. A fork has the same UUIDs, because the client copies records.
type OriginPrompt struct {
	ID     uint64    // hash of the UUID
	Number int       // number of the message in the session, from 1
	Time   time.Time // zero: unknown
}

// maxOrigins is the maximum number of prompts in an Origin.
const maxOrigins = 4096

// originFacts collects the facts for an Origin.
type originFacts struct {
	kind    OriginKind
	session string
	cleared int64 // Unix milliseconds
	copied  int64 // offset of the last copied record
	begun   bool  // a prompt, an answer or a summary was added
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

// addText looks for /clear, and for the path of a transcript in a plan or a summary.
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

// transcriptID returns the ID in "read the full transcript at: /…/ID.jsonl".
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
