package list

import (
	"slices"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
)

func TestOrder(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 15, 42, 0, 0, time.UTC)
	row := func(id, project string, days, created int, bytes int64, messages int) sessions.Row {
		return sessions.Row{Kind: sessions.KindSession, Session: sessions.Session{
			Path: id, ID: id, Project: project, Name: id, State: sessions.StateOK, Exact: true, Bytes: bytes, Messages: messages,
			Last: now.AddDate(0, 0, -days), Created: now.AddDate(0, 0, -created),
		}}
	}
	rows := []sessions.Row{
		row("a", "/code/tea", 0, 30, 4_800, 7),
		row("b", "/code/ferry", 1, 1, 1_200_000, 12_000),
		row("c", "/code/tea", 40, 41, 10, 9),
	}
	tests := []struct {
		order   order
		grouped bool
		want    []string
	}{
		{byRecent, false, []string{"[Today]", "a 0s", "[Yesterday]", "b 1d", "[October 2026]", "c 40d"}},
		{byCreated, false, []string{"[Yesterday]", "b 1d", "[October 2026]", "a 30d", "c 41d"}},
		{bySize, false, []string{"b 1.2M", "a 4.8k", "c 10B"}},
		{byMessages, false, []string{"b 12k", "c 9", "a 7"}},
		{byProject, false, []string{"b 1d", "a 0s", "c 40d"}},
		{byRecent, true, []string{"[ferry]", "b 1d", "[tea]", "a 0s", "c 40d"}},
		{byMessages, true, []string{"[ferry]", "b 12k", "[tea]", "c 9", "a 7"}},
	}
	for _, test := range tests {
		p := NewPage(Options{})
		p.scope.order, p.scope.grouped = test.order, test.grouped
		p.Add(sessions.Batch{Rows: rows, Done: true}, 1, false)
		p.pane.build(now, 80, 20, false)
		var got []string
		for _, it := range p.pane.items {
			switch {
			case it.row != nil:
				figure, _ := p.scope.figure(it.row, now)
				got = append(got, render.Title(it.row)+" "+figure)
			case it.heading != "":
				got = append(got, "["+it.heading+"]")
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("order %d, grouped %v: %q, want %q", test.order, test.grouped, got, test.want)
		}
	}
}
