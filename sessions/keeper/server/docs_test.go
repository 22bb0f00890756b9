package server

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/keeper/api"
)

var update = flag.Bool("update", false, "write the answers in docs/keeper.md anew") //nolint:gochecknoglobals // a flag of the test binary

// TestDocs runs the examples of docs/keeper.md in order. The page has fixed UUIDs and a fixed folder.
func TestDocs(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(l *limits) { l.badBurst = 1e6 }) // requests are repeated
	w.add("3f9ac1e0-5b7d-4e21-9c0a-41d2b6e87f35", w.root, "Which tea is best in the morning?", "And in the evening?")
	w.add("6a0b7c44-0d1e-4f6a-8b2c-93e5d7f1a208", w.root, "Hello")
	w.change("6a0b7c44-0d1e-4f6a-8b2c-93e5d7f1a208", func(r *sessions.Row) {
		r.Modified = now().Add(-time.Hour)
		r.Live = &sessions.Live{PID: 4711, Started: now().Add(-time.Minute)}
	})
	s := w.dial("")

	name := filepath.Join("..", "..", "..", "docs", "keeper.md")
	page, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	d := docs{w: w, ids: map[string]string{}}
	examples, frames := 0, ""
	blocks := regexp.MustCompile("(?ms)^```(console|jsonl)\n(.*?)^```$")
	got := blocks.ReplaceAllStringFunc(string(page), func(block string) string {
		m := blocks.FindStringSubmatch(block)
		examples++
		if m[1] == "jsonl" {
			return "```jsonl\n" + frames + "```"
		}
		command, want, _ := strings.Cut(m[2], "\n")
		answer := d.run(command, want)
		if strings.Contains(command, "Heat the water.") {
			frames = d.frames(s)
		}
		return "```console\n" + command + "\n" + answer + "```"
	})
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got != string(page) || examples < 12 {
		t.Errorf("%d examples; the answers differ:\n%s", examples, got)
	}
}

// docs runs examples.
type docs struct {
	w   *world
	ids map[string]string // generated UUIDs → UUIDs in the page
}

// root returns the folder of the sessions as part of a JSON string.
func (d *docs) root() string {
	text, _ := json.Marshal(d.w.root)
	return strings.Trim(string(text), `"`)
}

// run runs a curl command. A GET is repeated, because a client may still be starting.
func (d *docs) run(command, want string) string {
	m := regexp.MustCompile(`^\$ curl( -X \w+)?( -H "Authorization: Bearer \$TOKEN")? "?\$URL([^ "]+)"?(?: -d '(.*)')?$`).FindStringSubmatch(command)
	if m == nil {
		d.w.t.Fatalf("this isn't an example that the test can run: %s", command)
	}
	method := http.MethodGet
	if m[4] != "" {
		method = http.MethodPost
	}
	if m[1] != "" {
		method = strings.TrimPrefix(m[1], " -X ")
	}
	path, body := m[3], strings.ReplaceAll(m[4], "/home/ada/tea", d.root())
	for id, shown := range d.ids {
		path = strings.ReplaceAll(path, shown, id)
	}
	for tries := 0; ; tries++ {
		before := maps.Clone(d.ids)
		_, answer := d.w.do(method, path, body, func(r *http.Request) {
			if m[2] == "" {
				r.Header.Del("Authorization")
			}
		})
		var b bytes.Buffer
		if err := json.Indent(&b, []byte(d.shown(answer)), "", "  "); err != nil {
			d.w.t.Fatalf("%s: %s", command, answer)
		}
		if got := b.String(); method != http.MethodGet || got == want || tries == 1000 || *update && tries == 50 {
			return got
		}
		d.ids = before
		time.Sleep(10 * time.Millisecond)
	}
}

// shown returns an answer as the page shows it.
func (d *docs) shown(answer string) string {
	answer = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`).ReplaceAllStringFunc(answer, func(id string) string {
		if strings.HasPrefix(id, "3f9ac1e0-") || strings.HasPrefix(id, "6a0b7c44-") {
			return id
		}
		if d.ids[id] == "" {
			d.ids[id] = "b1946ac9-2492-4d23-9c6f-00000000000" + strconv.Itoa(len(d.ids)+1)
		}
		return d.ids[id]
	})
	return strings.ReplaceAll(answer, d.root(), "/home/ada/tea")
}

// frames returns the frames up to the first question, without those that vary from run to run.
func (d *docs) frames(s *socket) string {
	hello, _ := json.Marshal(s.Hello)
	list := string(hello) + "\n"
	for _, e := range s.until(api.TypeRequested) {
		if e.Type == api.TypeUpdated {
			continue
		}
		if e.Session != nil {
			e.Session.State = api.StateBusy // or already waiting
		}
		text, _ := json.Marshal(e)
		list += string(text) + "\n"
	}
	return d.shown(list)
}
