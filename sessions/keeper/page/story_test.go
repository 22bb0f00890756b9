package page

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// seed adds a session with a prompt and an answer.
func (s *standIn) seed(prompt, state string) (id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id = s.uuid()
	s.sessions[id] = newSession(id, "/home/dev/code/teahouse", prompt, state, time.Hour)
	s.say(id, "user", prompt)
	s.say(id, "assistant", "Answer to "+prompt)
	return id
}

// TestStory opens a session, sends a message, allows a command and reads the page again.
func TestStory(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	s := newStandIn(t)
	id := s.seed("first prompt", "ok")
	s.seed("other session", "ok")
	p := b.newTab(t, 1280, 800, false, "dark")

	p.open(s.url + "/#token=secret&session=" + id)
	p.see("article.user", "first prompt")
	p.see("article.assistant", "Answer to first prompt")
	if hash := p.eval("location.hash"); hash != "#session="+id {
		t.Errorf("the address ends with %s, want only the session", hash)
	}

	p.write("run go test ./...")
	p.press("Enter")
	p.see(".ask .command", "go test ./...")
	p.see("#rows h2", "Waits for you")
	p.click(".ask button", "Allow once")
	p.see("article.assistant", "Resolved: allow")
	p.count("article", "run go test", 1)
	if !slices.ContainsFunc(s.sent(), func(r string) bool {
		return strings.HasSuffix(r, `/resolve {"behavior":"allow"}`)
	}) {
		t.Errorf("the command was not allowed: %q", s.sent())
	}

	p.reload()
	p.see("article.assistant", "Resolved: allow")
	p.count("article", "run go test", 1)
	p.press("Escape")
	p.press("/")
	p.write("other")
	p.gone("#rows a", "first prompt")
	p.press("Enter")
	p.see("article.user", "other session")
	p.gone("article", "first prompt")
}

// sent returns the requests that change something.
func (s *standIn) sent() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}
