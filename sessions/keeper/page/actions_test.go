package page

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestActions checks what a person can do on the page, apart from reading.
func TestActions(t *testing.T) {
	b := onDemand(t)
	open := func(t *testing.T, state string) (*standIn, *tab, string) {
		t.Helper()
		s, p := newStandIn(t), b.newTab(t, 1280, 800, false, "dark")
		id := s.seed("first prompt", state)
		p.open(s.url + "/#token=secret&session=" + id)
		p.see("article", "Answer to first prompt")
		return s, p, id
	}

	t.Run("deny with a reason", func(t *testing.T) {
		s, p, _ := open(t, "ok")
		p.say("run rm -rf \u202eevil")
		p.see(".ask .command", "<U+202E>evil")
		p.eval("document.querySelector('.denial input').focus()")
		p.write("Not here.")
		p.click(".ask button", "Deny")
		p.see("article", "Resolved: deny")
		s.requested(t, `{"behavior":"deny","message":"Not here."}`)
	})
	t.Run("allow always", func(t *testing.T) {
		s, p, _ := open(t, "ok")
		p.say("run go test ./...")
		p.click(".ask button", "Always allow Bash(go test *) in .claude/settings.local.json")
		p.see("article", "Resolved: allowAlways")
		s.requested(t, `{"behavior":"allowAlways","suggestion":0}`)
	})
	t.Run("allow after an edit", func(t *testing.T) {
		s, p, _ := open(t, "ok")
		p.say("edit a file")
		p.see(".ask .del", "two")
		p.see(".ask .add", "2")
		p.click(".ask button", "Edit")
		p.eval("document.querySelector('.ask textarea').select()")
		p.write("one\nII\nthree")
		p.click(".ask button", "Allow once")
		p.see("article", "Resolved: allow")
		s.requested(t, `{"behavior":"allow","updatedInput":{"file_path":"/home/dev/code/teahouse/a.go","new_string":"one\nII\nthree","old_string":"one\ntwo\nthree"}}`)
	})
	t.Run("answer questions", func(t *testing.T) {
		s, p, _ := open(t, "ok")
		p.say("question please")
		p.click(".ask button", "Answer")
		p.see(".ask .problem", "Choose an option for each question.")
		p.click(".ask label", "SQLite")
		p.click(".ask label", "Read")
		p.click(".ask label", "Delete")
		p.click(".ask button", "Answer")
		p.see("article", "Resolved: allow")
		if got := s.sent(); !strings.Contains(got[len(got)-1], `"answers":{"Which parts?":"Read, Delete","Which store?":"SQLite"}`) {
			t.Errorf("the answers are not in %s", got[len(got)-1])
		}
	})
	t.Run("a plan", func(t *testing.T) {
		s, p, _ := open(t, "ok")
		p.say("plan it")
		p.see(".ask li", "Write")
		p.click(".ask button", "Keep planning")
		p.see("article", "Resolved: deny")
		s.requested(t, `{"behavior":"deny","message":""}`)
	})
	t.Run("a question that was answered elsewhere goes away", func(t *testing.T) {
		s, p, id := open(t, "ok")
		p.say("run one")
		p.see(".ask .command", "one")
		s.mu.Lock()
		s.ask(id, "permission", "Bash", object{"command": "two"})
		first := s.attention[0]["id"]
		s.mu.Unlock()
		p.see(".ask .count", "1 of 2")
		s.mu.Lock()
		s.attention = s.attention[1:]
		s.event(object{"type": "attention:resolved", "attentionId": first, "resolution": "deny"})
		s.mu.Unlock()
		p.see(".ask .command", "two")
	})
	t.Run("queue and interrupt", func(t *testing.T) {
		s, p, _ := open(t, "ok")
		p.say("hold on")
		p.see("#send", "Queue")
		p.click("#stop", "Interrupt")
		p.see("#send", "Send")
		s.requested(t, `{}`)
	})
	t.Run("several lines", func(t *testing.T) {
		s, p, _ := open(t, "ok")
		p.write("one")
		p.press("Shift+Enter")
		p.write("two")
		p.press("Enter")
		p.see("article.user", "one\ntwo")
		s.requested(t, `{"message":"one\ntwo"}`)
	})
	t.Run("fork a session that is open elsewhere", func(t *testing.T) {
		s, p, id := open(t, "live")
		p.say("go on")
		p.see("#notice", "This session is open in another client (process 4711")
		if got := p.eval("document.getElementById('message').value"); got != "go on" {
			t.Errorf("the field has %q, want the message that was refused", got)
		}
		p.click("#notice button", "Fork it and send")
		p.see("article.assistant", "Answer to go on")
		p.count("article.user", "go on", 1)
		s.requested(t, `{"fork":true,"message":"go on"}`)
		if p.eval("location.hash") == "#session="+id {
			t.Error("the address still has the session that is open elsewhere")
		}
	})
	t.Run("start a session", func(t *testing.T) {
		s, p, _ := open(t, "ok")
		start := func(dir, prompt string) {
			p.click("#new", "")
			p.eval("document.querySelector('[name=workdir]').select()")
			p.write(dir)
			p.eval("document.querySelector('[name=prompt]').focus()")
			p.write(prompt)
			p.click("dialog button", "Start")
		}
		start("/etc", "no")
		p.see("dialog .problem", "The folder is outside the allowed roots.")
		p.click("dialog button", "Cancel")
		start("/home/dev/code/ferry", "a new one")
		p.see("article.assistant", "Answer to a new one")
		p.count("article.user", "a new one", 1)
		p.see("#rows a.open", "a new one")
		s.requested(t, `{"prompt":"a new one","workdir":"/home/dev/code/ferry"}`)
	})
	t.Run("rename", func(t *testing.T) {
		s, p, _ := open(t, "ok")
		p.click("#head button", "Rename")
		p.see("dialog", "Name")
		p.write("A better name")
		p.press("Enter")
		p.see("#head h1", "A better name")
		p.see("#rows a", "A better name")
		s.requested(t, `{"name":"A better name"}`)
	})
	t.Run("a client that fails", func(t *testing.T) {
		_, p, _ := open(t, "ok")
		p.say("fail now")
		p.see("#failure", "claude: exit status 1")
	})
	t.Run("read earlier messages while new ones arrive", func(t *testing.T) {
		s, p := newStandIn(t), b.newTab(t, 1280, 800, false, "dark")
		id := s.seed("message 0", "ok")
		var want []string
		s.mu.Lock()
		s.messages[id] = nil
		for i := range 95 {
			want = append(want, fmt.Sprintf("message %d", i))
			s.say(id, "assistant", want[i])
		}
		s.mu.Unlock()
		p.open(s.url + "/#token=secret&session=" + id)
		p.see("article", "message 94")
		for i := 95; p.eval("Boolean(document.querySelector('#earlier button'))") == true; i++ {
			s.mu.Lock()
			want = append(want, fmt.Sprintf("message %d", i))
			s.say(id, "assistant", want[i])
			s.mu.Unlock()
			p.eval("document.getElementById('scroll').scrollTop = 0")
			p.see("article", want[i])
			p.wait("!document.querySelector('#earlier button:disabled')")
		}
		if got := p.messages(); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
	t.Run("a keeper that was started again", func(t *testing.T) {
		s, p, id := open(t, "ok")
		s.mu.Lock()
		s.events, s.lost = nil, true
		s.messages[id] = append(s.messages[id], object{"id": "missed", "role": "assistant", "content": "while nobody looked"})
		s.mu.Unlock()
		s.cut()
		p.see("article", "while nobody looked")
		p.say("still there?")
		p.see("article", "Answer to still there?")
		p.count("article", "still there?", 2) // with the answer
	})
	t.Run("a token that is no longer valid", func(t *testing.T) {
		_, p, _ := open(t, "ok")
		p.eval("sessionStorage.setItem('continuo.token', 'old')")
		p.reload()
		p.see("dialog", "Connect to the keeper")
		p.write("secret")
		p.press("Enter")
		p.see("article", "Answer to first prompt")
	})
}

// requested checks the body of the last request that changes something.
func (s *standIn) requested(t *testing.T, want string) {
	t.Helper()
	got := s.sent()
	_, body, _ := strings.Cut(got[len(got)-1], "{")
	var a, b any
	if json.Unmarshal([]byte("{"+body), &a) != nil || json.Unmarshal([]byte(want), &b) != nil || fmt.Sprint(a) != fmt.Sprint(b) {
		t.Errorf("sent {%s, want %s", body, want)
	}
}
