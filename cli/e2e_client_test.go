//go:build unix

package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// clientWorld is a home with the real client, a mock API and a real clock.
type clientWorld struct {
	*world
	api  *mockAPI
	code string // ~/code, a folder that the client trusts
	sh   string // starts a shell
}

// realClient returns the path of the client. Without CONTINUO_E2E=1, it skips the test.
func realClient(t *testing.T) string {
	t.Helper()
	if os.Getenv("CONTINUO_E2E") != "1" {
		t.Skip("CONTINUO_E2E=1 runs the stories with the real client")
	}
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Fatal(err)
	}
	path := os.Getenv("CONTINUO_E2E_CLAUDE")
	if path == "" {
		path = "claude"
	}
	path, err := exec.LookPath(path)
	if err != nil {
		t.Fatalf("CONTINUO_E2E_CLAUDE names no client, and there is none on the PATH: %v", err)
	}
	if path, err = filepath.Abs(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// newClientWorld creates a home and a tmux shell in ~/elsewhere. Programs there reach only the mock.
func newClientWorld(t *testing.T) *clientWorld {
	t.Helper()
	client, bin := realClient(t), t.TempDir()
	if err := os.Symlink(client, filepath.Join(bin, "claude")); err != nil {
		t.Fatal(err)
	}
	program, err := exec.LookPath("continuo")
	if err != nil {
		t.Fatal(err)
	}
	w := &clientWorld{api: newMockAPI(t, heard)}
	const key = "dummy"
	path := strings.Join([]string{bin, filepath.Dir(program), os.Getenv("PATH")}, string(filepath.ListSeparator))
	w.sh = "exec env PS1='$ ' PATH='" + path + "' sh" // tmux takes the caller's PATH; sh doesn't inherit PS1
	w.world = newWorld(t, 120, 36, func(t *testing.T, config string) {
		t.Cleanup(func() { endClients(t, config) }) // after tmux ends, before the home is removed
		home := filepath.Dir(config)
		w.code = filepath.Join(home, "code")
		for _, dir := range []string{w.code, filepath.Join(home, "elsewhere")} {
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
		}
		settings, err := json.Marshal(map[string]any{
			"hasCompletedOnboarding": true,
			"customApiKeyResponses":  map[string]any{"approved": []string{key}, "rejected": []string{}},
			"projects":               map[string]any{w.code: map[string]any{"hasTrustDialogAccepted": true}},
		})
		if err == nil {
			err = os.WriteFile(filepath.Join(home, ".claude.json"), settings, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	},
		"TEST_NOW=", "PATH="+path,
		"ANTHROPIC_BASE_URL="+w.api.URL, "ANTHROPIC_API_KEY="+key, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		"DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1", "DISABLE_ERROR_REPORTING=1",
		"http_proxy=http://127.0.0.1:9", "https_proxy=http://127.0.0.1:9", "no_proxy=127.0.0.1",
	)
	w.insideTmux()
	return w
}

func heard(prompt string) string { return "I heard: " + prompt }

// insideTmux restarts the shell with TMUX set. The tmux server knows the real home, so its environment is replaced.
func (w *clientWorld) insideTmux() {
	w.t.Helper()
	file := w.in("notes", "env")
	w.text("env >'" + file + "'; echo do''ne")
	w.keys("Enter")
	w.wait(`^done$`)
	var words []string
	for line := range strings.Lines(w.tmux("show-environment", "-g")) {
		if name, _, ok := strings.Cut(line, "="); ok {
			words = append(words, "set-environment", "-gu", name, ";")
		}
	}
	for line := range strings.Lines(readFile(w.t, file)) {
		if name, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "="); ok && name != "PWD" && name != "_" && name != "TERM" {
			words = append(words, "set-environment", "-g", name, value, ";")
		}
	}
	w.tmux(append(words, "set-option", "-g", "default-shell", "/bin/sh", ";",
		"respawn-pane", "-k", "-c", filepath.Join(w.home, "elsewhere"), w.sh)...)
	w.tmux("clear-history")
	w.gone(`done`)
	w.wait(`^\$ *$`)
}

func (w *clientWorld) window(dir string) {
	w.t.Helper()
	w.tmux("new-window", "-c", dir, w.sh)
	w.wait(`^\$ *$`)
}

func (w *clientWorld) run(command string) { w.t.Helper(); w.text("clear; " + command); w.keys("Enter") }

// ready waits until the client accepts input. It first waits for the answer to a non-empty prompt.
func (w *clientWorld) ready(prompt string) string {
	w.t.Helper()
	if prompt != "" {
		w.wait(`^● ` + regexp.QuoteMeta(heard(prompt)))
	}
	w.wait(`^ +.*auto mode on`)
	return w.wait(`^❯[ \x{a0}]*$`)
}

func (w *clientWorld) say(prompt string) {
	w.t.Helper()
	w.text(prompt)
	w.wait(`^❯[ \x{a0}]` + regexp.QuoteMeta(prompt))
	w.keys("Enter")
	w.ready(prompt)
}

func (w *clientWorld) exit() {
	w.t.Helper()
	w.text("/exit")
	w.wait(`^❯[ \x{a0}]/exit`)
	w.keys("Enter")
}

// session creates a session in ~/code, and returns its ID.
func (w *clientWorld) session(prompts ...string) string {
	w.t.Helper()
	w.run("cd '" + w.code + "'; claude")
	w.ready("")
	for _, prompt := range prompts {
		w.say(prompt)
	}
	w.exit()
	id := w.match(`^claude --resume ([0-9a-f-]{36})$`)[1]
	w.wait(`^\$ *$`)
	w.run("cd ../elsewhere")
	w.wait(`^\$ *$`)
	return id
}

// browse opens the browser and selects the session whose name contains word.
func (w *clientWorld) browse(word string, of int) {
	w.t.Helper()
	w.run("continuo; echo code $?")
	w.wait(fmt.Sprintf(`all projects · %d session`, of))
	w.wait(`^ enter read `)
	for range of {
		if regexp.MustCompile(`(?m)^▌ \S .*` + word).MatchString(w.look()) {
			return
		}
		at := w.place()
		w.keys("Down")
		w.until("moved from "+at, func(string) bool { return w.place() != at })
	}
	w.t.Fatalf("no row has %q", word)
}

// place returns the selected row with its line number.
func (w *clientWorld) place() string {
	w.t.Helper()
	var place strings.Builder
	for i, line := range strings.Split(w.wait(`^▌`), "\n") {
		if m := regexp.MustCompile(`^▌ . (.*?) {2}.*│`).FindStringSubmatch(line); m != nil {
			fmt.Fprintln(&place, i, m[1])
		}
	}
	return place.String()
}

func (w *clientWorld) out() {
	w.t.Helper()
	w.leave()
	w.wait(`^code 0$`)
	w.wait(`^\$ *$`)
	w.raced()
}

// transcripts returns the paths of transcripts by session ID.
func (w *clientWorld) transcripts() map[string]string {
	w.t.Helper()
	paths, err := filepath.Glob(filepath.Join(w.config, "projects", "*", "*.jsonl"))
	if err != nil {
		w.t.Fatal(err)
	}
	all := map[string]string{}
	for _, path := range paths {
		id := strings.TrimSuffix(filepath.Base(path), ".jsonl")
		if all[id] != "" {
			w.t.Errorf("two transcripts of %s", id)
		}
		all[id] = path
	}
	return all
}

func (w *clientWorld) transcript(id string) string {
	w.t.Helper()
	return readFile(w.t, w.transcripts()[id])
}

// writers returns the PIDs of clients that have registered the session.
func (w *clientWorld) writers(id string) []int {
	w.t.Helper()
	live, err := sessions.ReadRegistry(w.t.Context(), w.config, sessions.SystemProbe())
	if err != nil {
		w.t.Logf("registry: %v", err) // a file may be removed or incomplete
	}
	var pids []int
	for _, l := range live {
		if l.SessionID == id {
			pids = append(pids, l.PID)
		}
	}
	return pids
}

// turns parses a part of a transcript. Every record must belong to the session and to ~/code.
func (w *clientWorld) turns(text, id string) (turns []apiTurn, uuids []string) {
	w.t.Helper()
	for line := range strings.Lines(text) {
		var record struct {
			Type, UUID, SessionID, Cwd string
			IsMeta                     bool
			Message                    struct {
				Role    string
				Content json.RawMessage
			}
		}
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			w.t.Fatalf("record %.200q: %v", line, err)
		}
		if record.SessionID != "" && record.SessionID != id || record.Cwd != "" && record.Cwd != w.code {
			w.t.Errorf("a record %s of session %s in %s", record.Type, record.SessionID, record.Cwd)
		}
		if record.UUID != "" {
			uuids = append(uuids, record.UUID)
		}
		turn := turnText(record.Message.Content)
		if turn != "" && !record.IsMeta && (record.Type == "user" || record.Type == "assistant") {
			turns = append(turns, apiTurn{record.Message.Role, turn})
		}
	}
	return turns, uuids
}

// forked checks that the session has one fork. The session must still have the text before.
func (w *clientWorld) forked(id, before string, prompts []string, since string) {
	w.t.Helper()
	if w.transcript(id) != before {
		w.t.Error("the session that was forked is not as it was")
	}
	all := w.transcripts()
	delete(all, id)
	if len(all) != 1 {
		w.t.Fatalf("the forks: %v", all)
	}
	for fork, path := range all {
		turns, uuids := w.turns(readFile(w.t, path), fork)
		sameTurns(w.t, "the fork", turns, turnsOf(append(slices.Clone(prompts), since)...))
		_, old := w.turns(before, id)
		for _, uuid := range old {
			if !slices.Contains(uuids, uuid) {
				w.t.Errorf("record %s is not in the fork", uuid)
			}
		}
	}
	sameTurns(w.t, "the model got", w.lastAsked(), append(turnsOf(prompts...), apiTurn{"user", since}))
}

func turnsOf(prompts ...string) []apiTurn {
	var turns []apiTurn
	for _, prompt := range prompts {
		turns = append(turns, apiTurn{"user", prompt}, apiTurn{"assistant", heard(prompt)})
	}
	return turns
}

// lastAsked returns the conversation of the newest request to the model.
func (w *clientWorld) lastAsked() []apiTurn {
	w.t.Helper()
	all := w.api.requests()
	if len(all) == 0 {
		w.t.Fatal("the model was never asked")
	}
	return all[len(all)-1].Turns
}

// endClients waits until all clients have ended. After 5 s, it kills them and fails.
func endClients(t *testing.T, config string) {
	const tries = 100
	for try := range tries {
		live, _ := sessions.ReadRegistry(context.Background(), config, sessions.SystemProbe()) // a file may be removed
		live = slices.DeleteFunc(live, func(l sessions.Live) bool { return !l.Verified })
		if len(live) == 0 {
			return
		}
		if try == tries-1 {
			for _, l := range live {
				t.Errorf("client %d still runs: %v", l.PID, syscall.Kill(l.PID, syscall.SIGKILL))
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func sameTurns(t *testing.T, what string, got, want []apiTurn) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n%s\nwant\n%s", what, turnLines(got), turnLines(want))
	}
}

func turnLines(turns []apiTurn) string {
	var b strings.Builder
	for _, turn := range turns {
		fmt.Fprintf(&b, "  %s: %q\n", turn.Role, turn.Text)
	}
	return b.String()
}
