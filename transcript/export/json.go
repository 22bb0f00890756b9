package export

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/dropped"
)

// Version is the version of the JSON format. It increases if a key is removed or changes its meaning.
const Version = 1

// Message is a message in JSON.
type Message struct {
	Number int                `json:"n,omitempty"` // number in the outline, from 1; 0 if unknown
	ID     string             `json:"id"`
	Role   transcript.Role    `json:"role"`
	Kind   string             `json:"kind"`
	Time   *time.Time         `json:"time"`
	Model  string             `json:"model"`
	Thread string             `json:"thread"`
	Gap    bool               `json:"gap"`
	Known  bool               `json:"known,omitempty"` // after a resume, the model knows the message
	Blocks []transcript.Block `json:"blocks"`
	// Dropped has the items that the summary of a compaction omits. Only `show --json` sets it.
	Dropped *dropped.List `json:"dropped,omitempty"`
	Error   string        `json:"error,omitempty"` // why the message is incomplete
}

// NewMessage returns the JSON form of a message. Invalid JSON in a block becomes a JSON string.
func NewMessage(m *transcript.Message) Message {
	j := Message{
		ID: m.ID, Role: m.Role, Kind: m.Kind.String(), Model: m.Model,
		Thread: m.Thread, Gap: m.Gap, Known: m.Known, Blocks: make([]transcript.Block, len(m.Blocks)), Error: m.Err,
	}
	j.Time = jsonTime(m.Time)
	for i, b := range m.Blocks {
		b.Input, b.Raw = validJSON(b.Input), validJSON(b.Raw)
		j.Blocks[i] = b
	}
	return j
}

// jsonTime returns a time in UTC; nil for the zero time or a year beyond RFC 3339.
func jsonTime(t time.Time) *time.Time {
	if t = t.UTC(); t.IsZero() || t.Year() < 0 || t.Year() > 9999 {
		return nil
	}
	return &t
}

// validJSON returns raw, or a JSON string if raw isn't valid JSON.
func validJSON(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || json.Valid(raw) {
		return raw
	}
	text, err := json.Marshal(strings.ToValidUTF8(string(raw), "\uFFFD"))
	if err != nil {
		return nil
	}
	return text
}

// jsonPage writes a JSON object, with each message on one line.
type jsonPage struct{ messages int }

func (p *jsonPage) head(s *Session) string {
	type tokens struct {
		Input      int64 `json:"input"`
		Output     int64 `json:"output"`
		CacheRead  int64 `json:"cacheRead"`
		CacheWrite int64 `json:"cacheWrite"`
	}
	type span struct {
		From int `json:"from"`
		To   int `json:"to"`
	}
	head := struct {
		ID         string         `json:"id"`
		Title      string         `json:"title"`
		Dir        string         `json:"dir"`
		Branch     string         `json:"branch"`
		First      *time.Time     `json:"first"`
		Last       *time.Time     `json:"last"`
		Messages   int            `json:"messages"`
		Tokens     tokens         `json:"tokens"`
		Part       *span          `json:"part"`
		Records    map[string]int `json:"records"`
		Unparsed   int            `json:"unparsed"`
		NotObjects int            `json:"notObjects"`
	}{
		ID: s.ID, Title: s.Title, Dir: s.Dir, Branch: s.Branch, First: jsonTime(s.First), Last: jsonTime(s.Last),
		Messages: s.Messages, Tokens: tokens(s.Tokens),
		Records: s.Counts.Types, Unparsed: s.Counts.Unparsed, NotObjects: s.Counts.NotObjects,
	}
	if head.Records == nil {
		head.Records = map[string]int{}
	}
	if s.From > 0 {
		head.Part = &span{s.From, s.To}
	}
	return `{"format":"continuo","version":` + encoded(Version) + `,"session":` + encoded(head) + ",\"messages\":[\n"
}

func (p *jsonPage) thread(*transcript.Thread) string { return "" }

func (p *jsonPage) message(number int, m *transcript.Message) string {
	j := NewMessage(m)
	j.Number = number
	line := encoded(j)
	if p.messages++; p.messages > 1 {
		return ",\n" + line
	}
	return line
}

func (p *jsonPage) foot() string { return "\n]}\n" }

// encoded returns a value as JSON on one line. The types of this package have no errors.
func encoded(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "null"
	}
	return strings.TrimSuffix(b.String(), "\n")
}
