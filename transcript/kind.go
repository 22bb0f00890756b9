package transcript

import (
	"bytes"
	"strings"
	"time"
)

// kind classifies the record.
func (e *Envelope) kind() Kind {
	switch string(e.Type) {
	case "assistant":
		return KindAssistant
	case "user":
		return e.userKind()
	case "system":
		switch string(e.Subtype) {
		case "compact_boundary":
			return KindBoundary
		case "turn_duration", "stop_hook_summary":
			return KindOther // statistics without text
		}
		return KindSystem
	case "attachment":
		return e.attachmentKind()
	case "queue-operation":
		if e.queuesTask() {
			return KindEvent
		}
	}
	return KindOther
}

func (e *Envelope) userKind() Kind {
	results := 0
	for _, t := range e.Tools {
		if t.Result {
			results++
		}
	}
	switch {
	case e.CompactSummary:
		return KindSummary
	case e.Meta && e.repeatsImage():
		return KindOther
	case e.Blocks > 0 && results == e.Blocks:
		return KindToolResult
	case e.Meta || string(e.PromptSource) == "system" || !e.byPerson() || e.Blocks == 0:
		return KindNotice
	case e.promptText().End > 0:
		if results > 0 && !e.Sidechain {
			return KindToolResult // the record is also a prompt; see FlagFeedback
		}
		return KindPrompt
	case results > 0 && e.Blocks == results+len(e.Text):
		return KindToolResult // the text was added by the client
	case len(e.Text) > 0 && e.Blocks == len(e.Text):
		return KindNotice // the client wrote all of the text
	}
	return KindPrompt // only images or documents
}

// repeatsImage reports whether a record only names the file of an image in the previous prompt.
func (e *Envelope) repeatsImage() bool {
	if e.Blocks != 1 || len(e.Text) != 1 {
		return false
	}
	text := e.Line[e.Text[0].Start:e.Text[0].End]
	return bytes.HasPrefix(text, []byte("[Image: source: ")) && bytes.IndexByte(text, ']') == len(text)-1
}

// attachmentKind classifies an attachment (clients 2.1.101 to 2.1.330). A queued prompt is a KindPrompt. Failed
// hooks, other queued commands and context of the user are KindEvent. All others are only for the model.
func (e *Envelope) attachmentKind() Kind {
	switch typ := string(e.AttachmentType); {
	case typ == "queued_command":
		asked := string(e.AttachmentMode) == "prompt" && !e.Meta && e.byPerson()
		switch {
		case asked && e.promptText().End > 0:
			return KindPrompt
		case e.Blocks > 0 && string(e.AttachmentMode) != "bash": // a shell command gets another record when it runs
			return KindEvent
		}
	case typ == "async_hook_response" || typ == "hook_cancelled":
		if e.AttachmentBad {
			return KindEvent
		}
	case isHookError(typ), isContextAttachment(typ):
		return KindEvent
	}
	return KindAttachment
}

// byPerson reports whether a record can be from the user. Clients before 2.1.119 write no origin.
func (e *Envelope) byPerson() bool { return len(e.Origin) == 0 || string(e.Origin) == fromPerson }

// promptText returns the first text that the user wrote; the zero Span if there is none.
func (e *Envelope) promptText() Span {
	for _, s := range e.Text {
		if !machineText(e.Line[s.Start:s.End], string(e.Origin)) && s.End > s.Start {
			return s
		}
	}
	return Span{}
}

// UnixMilli returns the time of the record in Unix milliseconds; 0 if unknown.
func (e *Envelope) UnixMilli() int64 { return e.ms }

// parseTime returns an RFC 3339 time in Unix milliseconds; 0 if it is invalid. For the form of the client,
// 2026-01-02T03:04:05.678Z, it is 15 times as fast as time.Parse.
func parseTime(b []byte) int64 {
	const first, last = -62135596800000, 253402300799999 // years 1 to 9999, the range of RFC 3339
	if n, ok := timeFields(b); ok && n[0] > 0 {
		return days(n[0], n[1], n[2])*86_400_000 + int64(n[3])*3_600_000 + int64(n[4])*60_000 + int64(n[5])*1000 + int64(n[6])
	}
	if len(b) == 0 {
		return 0 // an error would be allocated
	}
	t, err := time.Parse(time.RFC3339Nano, string(b))
	if ms := t.UnixMilli(); err == nil && ms >= first && ms <= last {
		return ms
	}
	return 0
}

// timeFields parses a time in the form of the client. Package time checks days after the 28th and leap seconds.
func timeFields(b []byte) (n [7]int, ok bool) {
	const form = "0000-00-00T00:00:00.000Z"
	if len(b) != len(form) {
		return n, false
	}
	k := 0
	for i, c := range b {
		switch {
		case form[i] != '0':
			if c != form[i] {
				return n, false
			}
			k++
		case c < '0' || c > '9':
			return n, false
		default:
			n[k] = n[k]*10 + int(c-'0')
		}
	}
	return n, n[1] >= 1 && n[1] <= 12 && n[2] >= 1 && n[2] <= 28 && n[3] <= 23 && n[4] <= 59 && n[5] <= 59
}

// days returns the number of days since 1970-01-01 in the proleptic Gregorian calendar.
func days(y, m, d int) int64 {
	if m <= 2 {
		y--
		m += 12
	}
	return int64(365*y+y/4-y/100+y/400+(153*(m-3)+2)/5+d-1) - 719468
}

// PromptText returns a prompt as the user typed it, without the tags of the client around slash and shell commands
// (clients 1.0.0 to 2.1.330).
func PromptText(s string) string {
	t := strings.TrimSpace(s)
	if name, ok := tagged(t, "command-name"); ok && (strings.HasPrefix(t, "<command-message>") || strings.HasPrefix(t, "<command-name>")) {
		args, _ := tagged(t, "command-args")
		if !strings.HasPrefix(name, "/") {
			name = "/" + name
		}
		return strings.TrimSpace(name + " " + args)
	}
	if strings.HasPrefix(t, "<bash-input>") {
		if in, ok := tagged(t, "bash-input"); ok {
			return "! " + in
		}
	}
	return s
}

// tagged returns the text between <tag> and </tag>.
func tagged(s, tag string) (string, bool) {
	_, rest, ok := strings.Cut(s, "<"+tag+">")
	in, _, end := strings.Cut(rest, "</"+tag+">")
	return strings.TrimSpace(in), ok && end
}
