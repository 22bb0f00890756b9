// Package fork plans a new session that contains the conversation of another session up to one message.
package fork

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/jsonlex"
)

var (
	// ErrNoMessage is returned if the transcript has no message with the given ID or number.
	ErrNoMessage = errors.New("no such message")
	// ErrSeveral is returned if the given prefix of an ID matches several messages.
	ErrSeveral = errors.New("several messages match")
	// ErrSide is returned for a message of a sub-agent in an old client's transcript. It isn't part of the
	// conversation.
	ErrSide = errors.New("the message belongs to a sub-agent")
	// ErrTooLarge is returned if the new transcript would be larger than Most bytes.
	ErrTooLarge = errors.New("too large for a fork at a message")
)

// Most is the maximum size of the new transcript in bytes.
const Most = 32 << 20

// Fork is the part of a conversation up to one message.
type Fork struct {
	At       string // ID of the last message
	Messages int    // number of prompts and answers in the fork
	Of       int    // number of prompts and answers in the whole session
	Prompt   string // last prompt in the fork, as in the transcript; "" if none

	path    string
	session string // ID of the session
	o       *transcript.Outline
	records []int32 // in file order
}

// Read reads a transcript up to a message. message is its ID, a prefix of the ID, or the number of the prompt or
// answer, from 1.
func Read(ctx context.Context, path, message string) (*Fork, error) {
	t, err := transcript.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = t.Close() }() // the file was only read
	f := &Fork{path: path, session: strings.TrimSuffix(filepath.Base(path), ".jsonl"), o: t.Outline()}
	at, err := f.find(message)
	if err != nil {
		return nil, err
	}
	f.At, f.Of = f.o.Name(f.o.Messages[at].ID), f.o.Turns
	messages := f.upTo(at)
	for _, i := range slices.Backward(messages) {
		if f.o.Messages[i].Turn {
			f.Messages++
		}
		if f.Prompt == "" && f.o.Messages[i].Kind == transcript.Prompt {
			m := t.Message(i)
			for k := range m.Blocks {
				f.Prompt += m.Blocks[k].Text
			}
		}
	}
	f.collect(messages)
	return f, nil
}

// find returns the index of a message.
func (f *Fork) find(message string) (int, error) {
	found := -1
	n, err := strconv.Atoi(message)
	isNumber := err == nil && n > 0
	for i := range f.o.Messages {
		m := &f.o.Messages[i]
		if isNumber {
			if m.Turn {
				n--
			}
			if n == 0 {
				found = i
				break
			}
			continue
		}
		switch id := f.o.Name(m.ID); {
		case message == "" || !strings.HasPrefix(id, message):
		case id == message:
			found = i
		case found >= 0 && f.o.Name(f.o.Messages[found].ID) != message:
			return 0, fmt.Errorf("message %s: %w", message, ErrSeveral)
		case found < 0:
			found = i
		}
	}
	if found < 0 {
		return 0, fmt.Errorf("message %s: %w", message, ErrNoMessage)
	}
	if f.o.Threads[f.o.Messages[found].Thread].Kind == transcript.Sidechain {
		return 0, fmt.Errorf("message %s: %w", message, ErrSide)
	}
	return found, nil
}

// upTo returns the messages of a thread up to message at, and the earlier messages of the threads that it split off
// from.
func (f *Fork) upTo(at int) []int {
	var list []int
	for at >= 0 {
		t := &f.o.Threads[f.o.Messages[at].Thread]
		part := t.Messages[:slices.Index(t.Messages, at)+1]
		list = append(slices.Clone(part), list...)
		if at = t.From; t.Kind == transcript.Main {
			break
		}
	}
	return list
}

// collect adds the records of messages and all their ancestors, such as attachments.
func (f *Fork) collect(messages []int) {
	byUUID := map[transcript.ID]int32{}
	for i := range f.o.Records {
		if id := f.o.Records[i].UUID; id != 0 {
			if _, ok := byUUID[id]; !ok {
				byUUID[id] = int32(i) //nolint:gosec // the outline counts records in 32 bits
			}
		}
	}
	in := make([]bool, len(f.o.Records))
	for _, m := range messages {
		for _, r := range f.o.Messages[m].Records {
			for ok := true; ok && !in[r]; r, ok = byUUID[f.o.Records[r].Parent] {
				in[r] = true
			}
		}
	}
	for i := range in {
		if in[i] {
			f.records = append(f.records, int32(i)) //nolint:gosec // see above
		}
	}
}

// Text returns the new transcript. Each record gets the new session ID, and a forkedFrom field with session and ID of
// the original record, as in the SDK of client 2.1.330. title is the title of the new session, or "".
func (f *Fork) Text(src io.ReaderAt, id, title string) ([]byte, error) {
	var b bytes.Buffer
	for _, n := range f.records {
		r := &f.o.Records[n]
		if int64(b.Len())+r.Length > Most {
			return nil, fmt.Errorf("transcript %s: %w", f.path, ErrTooLarge)
		}
		line := make([]byte, r.Length)
		if _, err := src.ReadAt(line, r.Offset); err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("read transcript: %w", err)
		}
		b.Write(f.renamed(line, id, f.o.Name(r.UUID)))
		b.WriteByte('\n')
	}
	if title != "" {
		fmt.Fprintf(&b, `{"type":"custom-title","customTitle":%s,"sessionId":%q}`+"\n", quoted(title), id)
	}
	return b.Bytes(), nil
}

// Op returns the op that creates the new transcript beside the old one.
func (f *Fork) Op(src io.ReaderAt, id, title string) (change.Op, error) {
	text, err := f.Text(src, id, title)
	return change.Op{
		Verb: change.Make, Dir: filepath.Dir(filepath.Dir(f.path)), Name: filepath.Join(filepath.Base(filepath.Dir(f.path)), id+".jsonl"),
		Text: text, Mode: 0o600, DirMode: 0o700, Session: id,
	}, err
}

// renamed returns a record with the session ID id. It adds forkedFrom if that is missing.
func (f *Fork) renamed(line []byte, id, uuid string) []byte {
	open := jsonlex.SkipSpace(line, 0) + 1
	var out []byte
	origin := fmt.Sprintf(`"forkedFrom":{"sessionId":%s,"messageUuid":%s},`, quoted(f.session), quoted(uuid))
	from := open
	for i, last := jsonlex.SkipSpace(line, open), false; !last && i != jsonlex.Invalid && i < len(line) && line[i] == '"'; {
		key := i + 1
		end, _ := jsonlex.SkipQuoted(line, key)
		if end == jsonlex.Invalid {
			break
		}
		value := jsonlex.SkipColon(line, end)
		if value == jsonlex.Invalid {
			break
		}
		after := jsonlex.SkipValue(line, value, 1)
		if after == jsonlex.Invalid {
			break
		}
		switch string(line[key : end-1]) {
		case "sessionId":
			out = append(append(out, line[from:value]...), quoted(id)...)
			from = after
		case "forkedFrom":
			origin = ""
		}
		i, last = jsonlex.SkipComma(line, after, '}')
	}
	out = append(out, line[from:]...)
	return append(append(slices.Clone(line[:open]), origin...), out...)
}

func quoted(s string) string {
	b, _ := json.Marshal(s) // can't fail for a string
	return string(b)
}
