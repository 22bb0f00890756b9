package survey

import (
	"testing"

	"github.com/continuo-tui/continuo/sessions"
)

func TestItems(t *testing.T) {
	t.Parallel()
	row := func(path string) sessions.Row {
		var r sessions.Row
		r.Path = path
		return r
	}
	p := &Project{Sessions: []sessions.Row{row("/a"), row("/b")}, Needs: []Need{{Kind: NeedQuestion, N: 1}, {Kind: NeedPurge, N: 1}}}
	if p.Row(Item{ItemSession, "/b"}) != &p.Sessions[1] || p.Row(Item{ItemNeed, "question"}) != nil || p.Need(Item{ItemNeed, "question"}).N != 1 {
		t.Error("an item leads to another need or row")
	}
}
