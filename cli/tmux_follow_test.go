//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/internal/words"
)

// TestStoryFollow reads a conversation while a client writes to it, starts another one, and deletes it.
func TestStoryFollow(t *testing.T) {
	t.Parallel()
	for name, fill := range map[string]func(*testing.T, string){"demo": writeDemo, "real": writeReal} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name != "demo" {
				drilltest.SkipUnderRace(t)
			}
			w := newWorld(t, 120, 36, fill)
			w.follow(w.rows())
		})
	}
}

// followed returns a session that isn't in the first row, and a session below it.
func followed(rows []listed) (read, other listed) {
	for _, r := range rows[1:min(len(rows), 20)] {
		switch {
		case r.State != "ok" || len(r.Flags) > 0 || distinct(r, rows) == "" || r.Messages < 4:
		case read.Path == "":
			read = r
		default:
			return read, r
		}
	}
	return read, other
}

func (w *world) follow(rows []listed) {
	w.t.Helper()
	read, other := followed(rows)
	if other.Path == "" {
		w.t.Skip("no two sessions fit this test")
	}
	name, writer := regexp.QuoteMeta(distinct(read, rows)), w.client(read.Path)
	w.start("continuo")
	w.wait(` 1 of ` + words.Count(len(rows)) + `(?:$|  )`)
	for n := 2; !regexp.MustCompile(`(?m)^▌ \S .*` + name).MatchString(w.look()); n++ {
		w.keys("Down")
		w.wait(` ` + words.Count(n) + ` of ` + words.Count(len(rows)) + `(?:$|  )`)
	}
	w.keys("Enter")
	w.wait(`^ ` + name)
	w.wait(fmt.Sprintf(` message %[1]s of %[1]s `, words.Count(read.Messages)))
	w.written(writer, read.Messages)

	w.keys("q")
	w.wait(`^ continuo +Sessions`)
	top := `^ +Today .*│.*\n▌ \S .*` + name + `.* now │`
	w.wait(top) // the row has moved to the top, and is still selected
	w.wait(`│ .*\b` + words.Count(read.Messages+3) + ` messages`)
	w.wait(` 1 of ` + words.Count(len(rows)) + `(?:$|  )`)

	two := w.client(other.Path)
	two.at = writer.at
	two.user("One more thing: is the kettle on?", "")
	above := `^ +Today .*│.*\n  \S .*` + regexp.QuoteMeta(distinct(other, rows)) + `.* now │.*\n▌ \S .*` + name
	// The selected row stays at its screen line, so a new row at the top isn't visible.
	w.wheel(wheelUp, above)

	fresh := &client{
		t: w.t, path: filepath.Join(filepath.Dir(read.Path), "0c0ffee0-1111-4222-8333-444455556666.jsonl"), cwd: writer.cwd, at: two.at,
	}
	fresh.user("A kettle for the tea room, please.", "")
	w.wheel(wheelUp, `^ +Today .*│.*\n  \S .*A kettle for the tea .* now │`)
	w.wait(`^▌ \S .*` + name)
	w.wait(` 3 of ` + words.Count(len(rows)+1) + `(?:$|  )`)
	if err := os.Remove(fresh.path); err != nil {
		w.t.Fatal(err)
	}
	w.wait(`^  ✗ .*A kettle for .*broken +now │`)
	w.wait(`^▌ \S .*` + name)
	w.keys("q")
	w.ended(0, read.Path, other.Path)
}

// written appends messages to the shown conversation.
func (w *world) written(c *client, messages int) {
	w.t.Helper()
	shown := func(n int, text string) {
		w.t.Helper()
		w.wait(regexp.QuoteMeta(text))
		w.wait(fmt.Sprintf(` message %[1]s of %[1]s `, words.Count(messages+n)))
	}
	c.user("Is the water for the tea on?", "")
	shown(1, "Is the water for the tea on?")
	c.assistant("The kettle is on, two minutes to go.")
	shown(2, "The kettle is on, two minutes to go.")
	c.user("Then bring cups for seven.", "cups")
	for range 10 { // the incomplete line must not be shown
		if now := w.look(); strings.Contains(now, "bring") || strings.Contains(now, "✗") {
			w.t.Fatalf("half a line is shown:\n%s", now)
		}
		time.Sleep(50 * time.Millisecond)
	}
	c.rest()
	shown(3, "Then bring cups for seven.")
}

// client appends to a transcript as Claude Code does: one write for each line.
type client struct {
	t       *testing.T
	path    string
	cwd     string
	last    string // uuid of the last record
	at      time.Time
	records int
	later   []byte // second half of an incomplete line
}

// client returns a client that continues a transcript.
func (w *world) client(path string) *client {
	w.t.Helper()
	c := &client{t: w.t, path: path, at: now().Add(time.Second)}
	for _, line := range bytes.Split([]byte(readFile(w.t, path)), []byte("\n")) {
		var r struct {
			UUID, Cwd string
			Sidechain bool `json:"isSidechain"`
		}
		if json.Unmarshal(line, &r) == nil && r.UUID != "" && !r.Sidechain {
			c.last, c.cwd = r.UUID, r.Cwd
		}
	}
	return c
}

// user writes a prompt. With until, it writes the line only up to that word.
func (c *client) user(text, until string) {
	c.t.Helper()
	c.record("user", map[string]any{"role": "user", "content": text}, until)
}

func (c *client) assistant(text string) {
	c.t.Helper()
	c.record("assistant", map[string]any{
		"id": "msg_" + strconv.Itoa(c.records), "type": "message", "role": "assistant", "model": "claude-opus-5-5",
		"content": []map[string]string{{"type": "text", "text": text}}, "stop_reason": "end_turn",
		"usage": map[string]int{"input_tokens": 3, "output_tokens": 12},
	}, "")
}

func (c *client) record(kind string, message map[string]any, until string) {
	c.t.Helper()
	c.records++
	c.at = c.at.Add(time.Second)
	id := fmt.Sprintf("7ea00000-0000-4000-8000-%012d", c.records)
	record := map[string]any{
		"parentUuid": nil, "isSidechain": false, "userType": "external", "cwd": c.cwd, "version": "2.1.329",
		"sessionId": strings.TrimSuffix(filepath.Base(c.path), ".jsonl"), "gitBranch": "main", "type": kind, "message": message,
		"uuid": id, "timestamp": c.at.Format("2006-01-02T15:04:05.000Z"), "requestId": "req_" + strconv.Itoa(c.records),
	}
	if c.last != "" {
		record["parentUuid"] = c.last
	}
	line, err := json.Marshal(record)
	if err != nil {
		c.t.Fatal(err)
	}
	c.last, line = id, append(line, '\n')
	if until != "" {
		at := bytes.Index(line, []byte(until))
		line, c.later = line[:at], line[at:]
	}
	c.write(line)
}

// rest writes the second half of the last line.
func (c *client) rest() { c.t.Helper(); c.write(c.later) }

func (c *client) write(text []byte) {
	c.t.Helper()
	f, err := os.OpenFile(c.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err = f.Write(text); err == nil {
		err = f.Close()
	}
	if err != nil {
		c.t.Fatal(err)
	}
}
