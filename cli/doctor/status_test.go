package doctor

import (
	"testing"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
)

func TestStatusLine(t *testing.T) {
	t.Parallel()
	live := func(states ...sessions.Status) []sessions.Live {
		var list []sessions.Live
		for i, state := range states {
			list = append(list, sessions.Live{PID: i + 2, Status: state, Cwd: "/code/tea#(x)"})
		}
		return list
	}
	for want, s := range map[string]Status{
		"":                                     {Machine: survey.Machine{Folders: 4}},
		"2 live · 1 waits: tea(x) · 3 pending": {Machine: survey.Machine{Live: live("busy", "waiting"), Pending: []survey.PendingProject{{Path: "/a", Count: 1}, {Path: "/b", Count: 2}}}},
		"1 live · 1 delta due · 1 pending":     {Machine: survey.Machine{Live: live("busy"), Due: make([]survey.Due, 1), Pending: []survey.PendingProject{{Path: "/a", Count: 1}}}},
		"3 live · 2 wait: tea(x)":              {Machine: survey.Machine{Live: live("waiting", "waiting", "later")}},
		"1 live":                               {Machine: survey.Machine{Live: live("")}},
		"1 pending · 1 unknown":                {Machine: survey.Machine{Pending: []survey.PendingProject{{Path: "/#(x)", Count: 1}}, Unknown: 1}},
		"1,200 pending":                        {Machine: survey.Machine{Pending: []survey.PendingProject{{Path: "/a", Count: 1200}}}},
		"1 pending · 2 unsaved":                {Machine: survey.Machine{Pending: []survey.PendingProject{{Path: "/a", Count: 1, Unsaved: 2}}, Unsaved: make([]survey.Unsaved, 2)}},
	} {
		if got := s.line(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
