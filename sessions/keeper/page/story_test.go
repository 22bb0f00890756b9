package page

import (
	"testing"

	"github.com/continuo-tui/continuo/internal/drilltest"
)

func TestStory(t *testing.T) {
	t.Parallel()
	drilltest.SkipUnderRace(t) // the code under test is in the browser
	b := startBrowser(t)
	w := newWorld(t)
	id := w.seed("first prompt")
	w.seed("other session")
	p := b.newTab(t, 1280, 800, false, "dark")

	p.open(w.url + "/#token=secret&session=" + id)
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
	p.see("article.assistant", "Answered: allow")
	p.count("article", "run go test", 1)
	w.answered(t, `{"behavior":"allow","updatedInput":{"command":"go test ./...","description":"Runs it"}}`)

	p.reload()
	p.see("article.assistant", "Answered: allow")
	p.count("article", "run go test", 1)
	p.press("Escape")
	p.press("/")
	p.write("other")
	p.gone("#rows a", "first prompt")
	p.press("Enter")
	p.see("article.user", "other session")
	p.gone("article", "first prompt")
}
