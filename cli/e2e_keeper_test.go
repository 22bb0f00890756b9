//go:build unix

package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/launch"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/sessions/keeper/remote"
	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/tui"
)

// eachKeeper runs a test with a Keeper in this process, and again over HTTP.
func eachKeeper(t *testing.T, test func(w *keeperWorld)) {
	t.Parallel()
	for _, name := range []string{"in process", "over HTTP"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newKeeperWorld(t)
			if name == "over HTTP" {
				server := httptest.NewServer(remote.Handler(w.keeper.(*keeper.Keeper)))
				t.Cleanup(server.Close)
				r, err := remote.Dial(t.Context(), server.URL, "")
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(r.Close)
				w.keeper = r
			}
			test(w)
		})
	}
}

// keeperWorld has a Keeper with the real client and a mock API.
type keeperWorld struct {
	t      *testing.T
	keeper interface {
		tui.LiveDriver
		launch.Driver
	}
	env    *place.Env
	api    *mockAPI
	config string
	code   string
	seen   map[string]uint64 // by session: the last event that wait has returned
}

// newKeeperWorld makes the model call a tool on the prompt "tool NAME INPUT".
func newKeeperWorld(t *testing.T) *keeperWorld {
	t.Helper()
	client, home := realClient(t), t.TempDir()
	w := &keeperWorld{t: t, config: filepath.Join(home, ".claude"), code: filepath.Join(home, "code"), seen: map[string]uint64{}}
	if err := os.Mkdir(w.code, 0o700); err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(home, "bin")
	if err := os.Mkdir(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(client, filepath.Join(bin, "claude")); err != nil {
		t.Fatal(err)
	}
	w.api = newMockAPI(t, func(prompt string) string {
		if strings.HasPrefix(prompt, "slow") {
			time.Sleep(time.Minute / 4) // an interrupt ends this sleep
		}
		return heard(prompt)
	})
	w.api.call = func(prompt string) (name, input string) {
		if rest, ok := strings.CutPrefix(prompt, "tool "); ok {
			name, input, _ = strings.Cut(rest, " ")
		}
		return name, input
	}
	w.env = newEnv(Program{Dir: home, Env: []string{
		"HOME=" + home, "PATH=" + bin + ":/usr/bin:/bin", "ANTHROPIC_BASE_URL=" + w.api.URL, "ANTHROPIC_API_KEY=dummy",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1", "DISABLE_ERROR_REPORTING=1",
		"http_proxy=http://127.0.0.1:9", "https_proxy=http://127.0.0.1:9", "no_proxy=127.0.0.1", "LANG=C.UTF-8",
	}})
	k := keeper.New(keeper.Options{Start: launch.Clients{}, Now: time.Now})
	w.keeper = k
	t.Cleanup(func() {
		k.Close()
		endClients(t, w.config)
	})
	return w
}

func (w *keeperWorld) start() string {
	w.t.Helper()
	return w.drive(resume.Plan{Launch: &resume.Launch{Argv: []string{"claude"}, Dir: w.code}})
}

func (w *keeperWorld) drive(plan resume.Plan) string {
	w.t.Helper()
	path, err := w.env.Host.LookPath("claude")
	if err != nil {
		w.t.Fatal(err)
	}
	plan.Launch.Argv[0] = path
	id, err := launch.Drive(w.t.Context(), w.env, w.keeper, plan.Launch)
	if err != nil {
		w.t.Fatal(err)
	}
	return id
}

// wait waits for the next event that want accepts.
func (w *keeperWorld) wait(id string, want func(keeper.Event) bool) keeper.Event {
	w.t.Helper()
	for {
		events, _, err := w.keeper.Events(w.t.Context(), w.seen[id])
		if err != nil {
			w.t.Fatal(err)
		}
		for _, e := range events {
			if w.seen[id] = e.ID; e.Session == id && want(e) {
				return e
			}
		}
	}
}

func (w *keeperWorld) attention(id string, kind keeper.AttentionKind) *keeper.Attention {
	w.t.Helper()
	return w.wait(id, func(e keeper.Event) bool { return e.Kind == keeper.EventRequested && e.Attention.Kind == kind }).Attention
}

func (w *keeperWorld) say(id, prompt string) {
	w.t.Helper()
	w.send(id, prompt)
	w.attention(id, keeper.AttentionCompletion)
}

func (w *keeperWorld) send(id, prompt string) {
	w.t.Helper()
	if err := w.keeper.Send(id, prompt); err != nil {
		w.t.Fatal(err)
	}
}

func (w *keeperWorld) answer(q *keeper.Attention, a keeper.Answer) {
	w.t.Helper()
	if err := w.keeper.Answer(q.Session, q.ID, a); err != nil {
		w.t.Fatal(err)
	}
	w.attention(q.Session, keeper.AttentionCompletion)
}

func (w *keeperWorld) result(id string) string {
	w.t.Helper()
	s, _ := w.keeper.Session(id)
	for _, record := range slices.Backward(s.Records) {
		var r struct {
			Message struct {
				Content []struct{ Type, Content string }
			}
		}
		if json.Unmarshal(record, &r) == nil && len(r.Message.Content) > 0 && r.Message.Content[0].Type == "tool_result" {
			return r.Message.Content[0].Content
		}
	}
	return ""
}

func (w *keeperWorld) row(id string) sessions.Row {
	w.t.Helper()
	paths, err := filepath.Glob(filepath.Join(w.config, "projects", "*", id+".jsonl"))
	if err != nil || len(paths) != 1 {
		w.t.Fatalf("transcripts of %s: %v, %v", id, paths, err)
	}
	return sessions.Row{Session: sessions.Read(w.t.Context(), paths[0], time.Now()), Kind: sessions.KindSession}
}

// written returns the UUIDs of a transcript's messages, in order.
func (w *keeperWorld) written(id string) (uuids []string) {
	w.t.Helper()
	for line := range strings.Lines(readFile(w.t, w.row(id).Path)) {
		var r struct{ Type, UUID, Entrypoint string }
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			w.t.Fatal(err)
		}
		if r.Type == "user" || r.Type == "assistant" {
			if uuids = append(uuids, r.UUID); r.Entrypoint != keeper.Entrypoint {
				w.t.Errorf("entry point %q", r.Entrypoint)
			}
		}
	}
	return uuids
}

// streamed checks that the transcript ends with the messages of the stream.
func (w *keeperWorld) streamed(id string) {
	w.t.Helper()
	s, _ := w.keeper.Session(id)
	var got []string
	for _, record := range s.Records {
		var r struct{ UUID string }
		if err := json.Unmarshal(record, &r); err != nil {
			w.t.Fatal(err)
		}
		got = append(got, r.UUID)
	}
	for try := 0; ; try++ { // the client writes the transcript with a delay
		all := w.written(id)
		if last := all[max(0, len(all)-len(got)):]; slices.Equal(last, got) {
			return
		} else if try == 100 {
			w.t.Fatalf("streamed\n%q\nwritten\n%q", got, last)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func TestE2EKeeperAnswers(t *testing.T) { eachKeeper(t, testKeeperAnswers) }

func testKeeperAnswers(w *keeperWorld) {
	t := w.t
	id := w.start()
	made := func(name string) bool { _, err := os.Stat(filepath.Join(w.code, name)); return err == nil }
	bash := func(command string) *keeper.Attention {
		w.send(id, fmt.Sprintf(`tool Bash {"command":%q,"description":"Make a file"}`, command))
		return w.attention(id, keeper.AttentionPermission)
	}

	q := bash("touch allowed")
	if s, _ := w.keeper.Session(id); made("allowed") || s.Status != keeper.StatusWaiting || q.Tool != "Bash" {
		t.Errorf("before the answer: %+v", s)
	}
	w.answer(q, keeper.Answer{Allow: true})
	if !made("allowed") {
		t.Error("an allowed command didn't run")
	}

	w.answer(bash("touch denied"), keeper.Answer{Message: "Not that file."})
	if got := w.result(id); made("denied") || !strings.Contains(got, "Not that file.") {
		t.Errorf("a denied command: %q", got)
	}

	w.answer(bash("touch other"), keeper.Answer{Allow: true, Input: json.RawMessage(`{"command":"touch edited"}`)})
	if made("other") || !made("edited") {
		t.Error("the edited command didn't run in place of the other")
	}

	q = bash("touch always1")
	if len(q.Suggestions) == 0 {
		t.Fatal("no suggestions")
	}
	w.answer(q, keeper.Answer{Allow: true, Always: q.Suggestions})
	w.say(id, `tool Bash {"command":"touch always2","description":"Make a file"}`) // without a question
	if !made("always2") {
		t.Error("a command that is always allowed didn't run")
	}

	w.send(id, `tool AskUserQuestion {"questions":[{"question":"Which tea?","header":"Tea","options":[{"label":"Green","description":"g"},{"label":"Black","description":"b"}],"multiSelect":false}]}`)
	q = w.attention(id, keeper.AttentionQuestion)
	input, err := keeper.Answered(q.Input, map[string]string{"Which tea?": "Black"})
	if err != nil {
		t.Fatal(err)
	}
	w.answer(q, keeper.Answer{Allow: true, Input: input})
	if got := w.result(id); !strings.Contains(got, `"Which tea?"="Black"`) {
		t.Errorf("the answer to a question: %q", got)
	}

	if err := w.keeper.SetMode(t.Context(), id, "plan"); err != nil {
		t.Fatal(err)
	}
	w.send(id, `tool ExitPlanMode {"plan":"1. Boil water"}`)
	w.answer(w.attention(id, keeper.AttentionPlan), keeper.Answer{Allow: true})
	if got := w.result(id); !strings.Contains(got, "has approved") {
		t.Errorf("an approved plan: %q", got)
	}
	w.streamed(id)
}

func TestE2EKeeperInterrupt(t *testing.T) { eachKeeper(t, testKeeperInterrupt) }

func testKeeperInterrupt(w *keeperWorld) {
	t := w.t
	id, other := w.start(), w.start()
	const tool = `tool Bash {"command":"touch never","description":"Make a file"}`
	w.send(id, tool)
	w.attention(id, keeper.AttentionPermission)
	w.send(other, tool)
	w.attention(other, keeper.AttentionPermission)
	if err := w.keeper.Interrupt(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	w.wait(id, func(e keeper.Event) bool {
		return e.Kind == keeper.EventResolved && e.Attention.Resolution == keeper.ResolvedCancelled
	})
	w.say(id, "after the interrupt")

	w.send(id, "slow answer")
	w.wait(id, func(e keeper.Event) bool { return e.Kind == keeper.EventMessage })
	if err := w.keeper.Interrupt(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	w.wait(id, func(e keeper.Event) bool {
		s, _ := w.keeper.Session(id)
		return e.Kind == keeper.EventUpdated && s.Status == keeper.StatusIdle
	})
	w.say(id, "and again")

	s, _ := w.keeper.Session(other)
	if s.Status != keeper.StatusWaiting {
		t.Errorf("the other session is %s", s.Status)
	}
	if err := syscall.Kill(s.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	w.wait(other, func(e keeper.Event) bool {
		return e.Kind == keeper.EventResolved && e.Attention.Resolution == keeper.ResolvedDeny
	})
	w.wait(other, func(e keeper.Event) bool { return e.Kind == keeper.EventEnded })
	if s, _ = w.keeper.Session(other); !strings.Contains(s.Err, "killed") || len(s.Open) != 1 || s.Open[0].Kind != keeper.AttentionError {
		t.Errorf("killed: %+v", s)
	}
	if _, err := os.Stat(filepath.Join(w.code, "never")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a command ran without an answer: %v", err)
	}
}

// TestE2EKeeperTurns has many turns, of which two are equal.
func TestE2EKeeperTurns(t *testing.T) { eachKeeper(t, testKeeperTurns) }

func testKeeperTurns(w *keeperWorld) {
	t := w.t
	hook := fmt.Sprintf(`{"hooks":{"SessionEnd":[{"hooks":[{"type":"command","command":"printf %%s \"$CLAUDE_CODE_ENTRYPOINT\" > '%s/ended'"}]}]}}`, w.code)
	err := os.MkdirAll(w.config, 0o700)
	if err == nil {
		err = os.WriteFile(filepath.Join(w.config, "settings.json"), []byte(hook), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	id := w.start()
	for turn := range 50 {
		w.send(id, fmt.Sprint("prompt ", turn/2)) // the later prompts wait in the queue
	}
	w.attention(id, keeper.AttentionCompletion)
	w.streamed(id)
	if n := len(w.written(id)); n != 100 {
		t.Errorf("%d messages, not 100", n)
	}

	row := w.row(id)
	if row.Has(sessions.FlagSDK) {
		t.Error("a driven session counts as a headless run")
	}
	plan, err := launch.PlanResume(t.Context(), w.env, row, resume.Ask{})
	if err != nil || plan.Launch != nil || !plan.Has(resume.FindingLive) || !slices.ContainsFunc(plan.Choices, func(c resume.Choice) bool { return c.Ask.Fork }) {
		t.Errorf("while it is open, the plan is %+v, %v", plan, err)
	}

	if err := w.keeper.End(id); err != nil {
		t.Fatal(err)
	}
	w.wait(id, func(e keeper.Event) bool { return e.Kind == keeper.EventEnded })
	endClients(t, w.config)
	if s, _ := w.keeper.Session(id); s.Err != "" {
		t.Errorf("ended with %s", s.Err)
	}
	if got := readFile(t, filepath.Join(w.code, "ended")); got != keeper.Entrypoint { // only with this entry point is the backup pending
		t.Errorf("the hook got the entry point %q", got)
	}
	if plan, err = launch.PlanResume(t.Context(), w.env, row, resume.Ask{}); err != nil || plan.Launch == nil {
		t.Fatalf("afterwards, the plan is %+v, %v", plan, err)
	}
	if got := w.drive(plan); got != id {
		t.Errorf("resumed %s as %s", id, got)
	}
	w.say(id, "after resuming")
	w.streamed(id)

	if plan, err = launch.PlanResume(t.Context(), w.env, row, resume.Ask{Fork: true}); err != nil || plan.Launch == nil {
		t.Fatalf("the plan of a fork is %+v, %v", plan, err)
	}
	before := readFile(t, row.Path)
	fork := w.drive(plan)
	w.say(fork, "after forking")
	w.streamed(fork)
	turns := w.api.requests()
	if last := turns[len(turns)-1].Turns; len(last) < 100 || last[0].Text != "prompt 0" || last[len(last)-1].Text != "after forking" {
		t.Errorf("the model got %d turns for the fork", len(last))
	}
	if fork == id || readFile(t, row.Path) != before {
		t.Error("the fork changed its session")
	}
}
