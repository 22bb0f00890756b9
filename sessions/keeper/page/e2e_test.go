package page

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/resume"
)

// TestAcceptance has the visible acceptance criteria of spec 001, in their order.
func TestAcceptance(t *testing.T) {
	b := onDemand(t)
	desktop := func(t *testing.T) (*world, *tab) {
		t.Helper()
		return newWorld(t), b.newTab(t, 1280, 800, false, "dark")
	}

	t.Run("1 history persists", func(t *testing.T) {
		w, p := desktop(t)
		id := w.seed("first prompt")
		p.open(w.url + "/#token=secret&session=" + id)
		p.say("second prompt")
		p.see("article.assistant", "Answer to second prompt")
		p.reload()
		p.see("article.assistant", "Answer to second prompt")
		want := []string{"first prompt", "Answer to first prompt", "second prompt", "Answer to second prompt"}
		if got := p.messages(); !slices.Equal(got, want) {
			t.Errorf("after a reload: %q, want %q", got, want)
		}
	})

	t.Run("2 each session has its own messages", func(t *testing.T) {
		w, p := desktop(t)
		ids := make([]string, 6)
		for i := range ids {
			ids[i] = w.seed(fmt.Sprintf("prompt %d", i))
		}
		p.open(w.url + "/#token=secret")
		p.see("#rows a", "prompt 5")
		for i := range 12 { // faster than the answers
			p.eval(fmt.Sprintf("location.hash = 'session=%s'", ids[i%6]))
		}
		p.see("article.assistant", "Answer to prompt 5")
		if got, want := p.messages(), []string{"prompt 5", "Answer to prompt 5"}; !slices.Equal(got, want) {
			t.Errorf("the last session shows %q, want %q", got, want)
		}
		w.order(ids[0], func(c *client) { c.say("to another session") })
		w.order(ids[5], func(c *client) { c.say("to this session") })
		p.see("article", "to this session")
		p.gone("article", "to another session")
	})

	t.Run("3 new messages appear", func(t *testing.T) {
		w, p := desktop(t)
		id := w.seed("first prompt")
		other := b.newTab(t, 390, 844, true, "light")
		for _, tab := range []*tab{p, other} {
			tab.open(w.url + "/#token=secret&session=" + id)
			tab.see("article", "Answer to first prompt")
		}
		p.say("hold on")
		other.see("article.user", "hold on")
		other.see("#partial", "Half an") // the answer so far
		w.order(id, func(c *client) { c.say("Half an **answer**, and the rest.") })
		other.see("article.assistant strong", "answer")
		other.gone("#partial", "Half")
		p.count("article", "hold on", 1)
	})

	t.Run("4 no message appears twice", func(t *testing.T) {
		w, p := desktop(t)
		id := w.seed("first prompt")
		p.open(w.url + "/#token=secret&session=" + id)
		for range 2 {
			p.say("again")
			p.see("article.assistant", "Answer to again")
			p.eval("stream.socket.close()")
			p.say("again")
			p.wait("document.querySelectorAll('#sent article').length === 0")
			p.reload()
			p.see("article.assistant", "Answer to again")
		}
		if got, want := p.messages(), slices.Concat([]string{"first prompt", "Answer to first prompt"}, slices.Repeat([]string{"again", "Answer to again"}, 4)); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})

	t.Run("5 all sessions are listed", func(t *testing.T) {
		w, p := desktop(t)
		for i := range 250 {
			w.seed(fmt.Sprintf("prompt %03d", i))
		}
		p.open(w.url + "/#token=secret")
		p.click("#rows button", "Show 50 more sessions")
		p.wait("document.querySelectorAll('#rows a').length === 250")
		if _, err := w.keeper.Start(&resume.Launch{Argv: []string{"claude"}, Dir: w.root}, nil); err != nil {
			t.Fatal(err)
		}
		for _, s := range w.keeper.Sessions() {
			w.order(s.ID, func(c *client) { c.record(w.uuid(), "user", "a session of another program") })
		}
		p.see("#rows li:first-child", "a session of another program")
	})

	t.Run("6 the address has the session", func(t *testing.T) {
		w, p := desktop(t)
		id, other := w.seed("first prompt"), w.seed("other prompt")
		p.open(w.url + "/#token=secret")
		p.click("#rows a", "other prompt")
		p.see("article", "Answer to other prompt")
		p.wait("location.hash === '#session=" + other + "'")
		p.reload()
		p.see("article", "Answer to other prompt")
		p.click("#rows a", "first prompt")
		p.see("article", "Answer to first prompt")
		p.wait("location.hash === '#session=" + id + "'")
		p.eval("history.back()")
		p.see("article", "Answer to other prompt")
	})

	t.Run("7 a damaged session shows its error", func(t *testing.T) {
		w, p := desktop(t)
		broken, partial := w.seed("broken"), w.seed("partial")
		w.change(broken, func(row *sessions.Row) { row.State, row.Reason = sessions.StateUnreadable, "permission denied" })
		w.change(partial, func(row *sessions.Row) {
			row.State, row.Reason = sessions.StateDamaged, "3 lines could not be parsed."
		})
		p.open(w.url + "/#token=secret&session=" + broken)
		p.see("#failure", "permission denied")
		p.see("#rows a", "unreadable")
		p.wait("document.getElementById('message').disabled")
		p.click("#rows a", "partial")
		p.see("#failure", "3 lines could not be parsed.")
		p.see("article", "Answer to partial")
		p.eval("location.hash = 'session=nowhere'")
		p.see("#failure", "The session doesn't exist.")
	})
}

// onDemand starts a browser if CONTINUO_E2E is set.
func onDemand(t *testing.T) *browser {
	t.Helper()
	if os.Getenv("CONTINUO_E2E") == "" {
		t.Skip("set CONTINUO_E2E=1 to run this")
	}
	return startBrowser(t)
}

func (p *tab) say(text string) {
	p.t.Helper()
	p.wait("!document.getElementById('message').disabled")
	p.eval("document.getElementById('message').focus()")
	p.write(text)
	p.press("Enter")
}

// messages returns the texts of the messages, without times.
func (p *tab) messages() []string {
	var all []string
	for _, text := range p.texts("article > :is(p, .text)") {
		all = append(all, strings.TrimSpace(text))
	}
	return all
}
