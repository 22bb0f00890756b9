package page

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/keeper"
)

func TestActions(t *testing.T) {
	b := onDemand(t)
	open := func(t *testing.T) (*world, *tab, string) {
		t.Helper()
		w, p := newWorld(t), b.newTab(t, 1280, 800, false, "dark")
		id := w.seed("first prompt")
		p.open(w.url + "/#token=secret&session=" + id)
		p.see("article", "Answer to first prompt")
		return w, p, id
	}

	t.Run("deny with a reason", func(t *testing.T) {
		w, p, _ := open(t)
		p.say("run rm -rf \u202eevil")
		p.see(".ask .command", "<U+202E>evil")
		p.eval("document.querySelector('.denial input').focus()")
		p.write("Not here.")
		p.click(".ask button", "Deny")
		p.see("article", "Answered: deny")
		w.answered(t, `{"behavior":"deny","message":"Not here."}`)
	})
	t.Run("allow always", func(t *testing.T) {
		w, p, _ := open(t)
		p.say("run go test ./...")
		p.click(".ask button", "Always allow Bash(go test *) in .claude/settings.local.json")
		p.see("article", "Answered: allow")
		w.answered(t, `{"behavior":"allow","updatedInput":{"command":"go test ./...","description":"Runs it"},"updatedPermissions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"go test *"}],"behavior":"allow","destination":"localSettings"}]}`)
	})
	t.Run("allow after an edit", func(t *testing.T) {
		w, p, _ := open(t)
		p.say("edit a file")
		p.see(".ask .del", "two")
		p.see(".ask .add", "2")
		p.click(".ask button", "Edit")
		p.eval("document.querySelector('.ask textarea').select()")
		p.write("one\nII\nthree")
		p.click(".ask button", "Allow once")
		p.see("article", "Answered: allow")
		w.answered(t, `{"behavior":"allow","updatedInput":{"file_path":"`+w.root+`/teahouse/a.go","new_string":"one\nII\nthree","old_string":"one\ntwo\nthree"}}`)
	})
	t.Run("answer questions", func(t *testing.T) {
		w, p, _ := open(t)
		p.say("question please")
		p.click(".ask button", "Answer")
		p.see(".ask .problem", "Choose an option for each question.")
		p.click(".ask label", "SQLite")
		p.click(".ask label", "Read")
		p.click(".ask label", "Delete")
		p.click(".ask button", "Answer")
		p.see("article", "Answered: allow")
		if got := w.lastAnswer(); !strings.Contains(got, `"answers":{"Which store?":"SQLite","Which parts?":"Read, Delete"}`) {
			t.Errorf("the answers are not in %s", got)
		}
	})
	t.Run("a plan", func(t *testing.T) {
		w, p, _ := open(t)
		p.say("plan it")
		p.see(".ask li", "Write")
		p.click(".ask button", "Keep planning")
		p.see("article", "Answered: deny")
		w.answered(t, `{"behavior":"deny","message":"The user denied this."}`)
	})
	t.Run("a question that was answered elsewhere goes away", func(t *testing.T) {
		w, p, id := open(t)
		p.say("run one")
		p.see(".ask .command", "one")
		w.order(id, func(c *client) { c.ask("Bash", object{"command": "two"}) })
		p.see(".ask .count", "1 of 2")
		state, _ := w.keeper.Session(id)
		if err := w.keeper.Answer(id, state.Open[0].ID, keeper.Answer{Allow: true}); err != nil {
			t.Fatal(err)
		}
		p.see(".ask .command", "two")
	})
	t.Run("queue and interrupt", func(t *testing.T) {
		_, p, _ := open(t)
		p.say("hold on")
		p.see("#send", "Queue")
		p.say("and then?")
		p.see("#sent article.user", "and then?")
		p.see("#sent time", "queued")
		p.click("#stop", "Interrupt")
		p.see("article.assistant", "Answer to and then?")
		p.count("article.user", "and then?", 1)
		p.see("#send", "Send")
	})
	t.Run("no parameter is hidden", func(t *testing.T) {
		w, p, id := open(t)
		w.order(id, func(c *client) {
			c.ask("mcp__x", object{
				"content": "p1", "new_string": "p2", "old_string": object{"a": "p3"}, "command": []string{"p4"}, "new_source": "p5", "plan": "p6",
				"edits": []object{{"old_string": "p7", "new_string": "p8", "replace_all": "p9"}}, "other": object{"deep": []int{10}},
			})
		})
		for _, text := range []string{"p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "10"} {
			p.see(".ask .body", text)
		}
		p.click(".ask button", "Deny")
		w.order(id, func(c *client) {
			c.ask("mcp__y", object{"edits": []object{{"old_string": "p1", "new_string": "p2", "other": "p3"}, {"old_string": "p4", "new_string": "p5"}}})
		})
		for _, text := range []string{"p1", "p2", "p3", "p4", "p5"} {
			p.see(".ask .body", text)
		}
	})
	t.Run("several lines", func(t *testing.T) {
		_, p, _ := open(t)
		p.write("one")
		p.press("Shift+Enter")
		p.write("two")
		p.press("Enter")
		p.see("#history article.user", "one\ntwo")
	})
	t.Run("fork a session that is open elsewhere", func(t *testing.T) {
		w, p, id := open(t)
		w.change(id, func(row *sessions.Row) { row.Live = &sessions.Live{PID: 4711, Started: time.Now()} })
		p.say("go on")
		p.see("#notice", "This session is open in another client (process 4711")
		if got := p.eval("document.getElementById('message').value"); got != "go on" {
			t.Errorf("the field has %q, want the message that was refused", got)
		}
		p.click("#notice button", "Fork it and send")
		p.see("article.assistant", "Answer to go on")
		p.count("article.user", "go on", 1)
		if p.eval("location.hash") == "#session="+id {
			t.Error("the address still has the session that is open elsewhere")
		}
	})
	t.Run("start a session", func(t *testing.T) {
		w, p, _ := open(t)
		start := func(dir, prompt string) {
			p.click("#new", "")
			p.eval("document.querySelector('[name=workdir]').select()")
			p.write(dir)
			p.eval("document.querySelector('[name=prompt]').focus()")
			p.write(prompt)
			p.click("dialog button", "Start")
		}
		start("/etc", "no")
		p.see("dialog .problem", "The folder is outside of the folders")
		p.click("dialog button", "Cancel")
		start(w.root+"/ferry", "a new one")
		p.see("article.assistant", "Answer to a new one")
		p.count("article.user", "a new one", 1)
		p.see("#rows a.open", "a new one")
	})
	t.Run("rename", func(t *testing.T) {
		_, p, _ := open(t)
		p.click("#head button", "Rename")
		p.see("dialog", "Name")
		p.write("A better name")
		p.press("Enter")
		p.see("#head h1", "A better name")
		p.see("#rows a", "A better name")
		p.reload()
		p.see("#head h1", "A better name")
	})
	t.Run("a client that fails", func(t *testing.T) {
		_, p, _ := open(t)
		p.say("fail now")
		p.see("#failure", "claude: exit status 1")
	})
	t.Run("read earlier messages while new ones arrive", func(t *testing.T) {
		w, p := newWorld(t), b.newTab(t, 1280, 800, false, "dark")
		id := w.seed("message 0")
		want := []string{"message 0", "Answer to message 0"}
		w.order(id, func(c *client) {
			for i := 2; i < 1200; i++ {
				want = append(want, fmt.Sprintf("message %d", i))
				c.say(want[i])
			}
		})
		p.open(w.url + "/#token=secret&session=" + id)
		p.see("article", "message 1199")
		for i := 1200; p.eval("Boolean(document.querySelector('#earlier button'))") == true; i++ {
			want = append(want, fmt.Sprintf("message %d", i))
			w.order(id, func(c *client) { c.say(want[i]) })
			p.eval("document.getElementById('scroll').scrollTop = 0")
			p.see("article", want[i])
			p.wait("!document.querySelector('#earlier button:disabled')")
		}
		if got := p.messages(); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
	t.Run("a keeper that was started again", func(t *testing.T) {
		w, p, id := open(t)
		w.restart(func() { w.write(id, w.root, w.uuid(), "assistant", "while nobody looked") })
		p.see("article", "while nobody looked")
		p.say("still there?")
		p.see("article", "Answer to still there?")
		p.count("article", "still there?", 2) // with the answer
	})
	t.Run("a token that is no longer valid", func(t *testing.T) {
		_, p, _ := open(t)
		p.eval("sessionStorage.setItem('continuo.token', 'old')")
		p.reload()
		p.see("dialog", "Connect to the keeper")
		p.write("secret")
		p.press("Enter")
		p.see("article", "Answer to first prompt")
	})
}

// answered checks the last answer to a question that a client got.
func (w *world) answered(t *testing.T, want string) {
	t.Helper()
	var a, b any
	if json.Unmarshal([]byte(w.lastAnswer()), &a) != nil || json.Unmarshal([]byte(want), &b) != nil || fmt.Sprint(a) != fmt.Sprint(b) {
		t.Errorf("the client got %s, want %s", w.lastAnswer(), want)
	}
}

func (w *world) lastAnswer() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.answer
}
