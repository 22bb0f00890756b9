package project

import (
	"testing"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/screen"
)

func TestChanges(t *testing.T) {
	t.Parallel()
	p := New(Options{Context: t.Context(), Dir: "/p"})
	p.Open()
	row := sessions.Row{}
	row.Project = "/p"
	news := screen.Rows{Came: []sessions.Row{row}}
	if len(p.Took(news)) != 1 || len(p.Took(news)) != 0 {
		t.Error("two changes don't cause exactly one read")
	}
}
