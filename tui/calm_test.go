package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/continuo-tui/continuo/sessions"
)

func calmModel(t *testing.T, w, h int, all bool, more ...sessions.Row) *model {
	t.Helper()
	s := testSource()
	s.batches[0].Rows = append(append(s.batches[0].Rows, triageRows()[3:]...), more...)
	m := testModel(t, s, testOptions(), w, h)
	if all {
		press(t, m, "a")
	}
	press(t, m, "tab")
	return m
}

func TestGoldenCalm(t *testing.T) {
	t.Parallel()
	for _, size := range screenSizes() {
		name := fmt.Sprintf("triage-calm-%dx%d", size[0], size[1])
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { golden(t, name, plain(t, calmModel(t, size[0], size[1], true))) })
		})
	}
}

// TestNothingPending: a line says that no backup is pending. The bar skips this line.
func TestNothingPending(t *testing.T) {
	bubble(t, func(t *testing.T) {
		elsewhere := triageRows()[1]
		for _, test := range []struct {
			all     bool
			more    []sessions.Row
			message string
		}{
			{true, nil, "    Nothing is pending"},
			{false, nil, "    Nothing is pending"},
			{false, []sessions.Row{elsewhere}, "    Nothing is pending here, 1 elsewhere"},
			{true, []sessions.Row{elsewhere}, "    Pending 1"},
		} {
			m := calmModel(t, 80, 24, test.all, test.more...)
			top := func() []string { return strings.Split(plain(t, m), "\n")[2:8] }
			lines := top()
			if strings.Contains(lines[0], "project   ") != test.all || !strings.Contains(lines[0], "live file") {
				t.Errorf("no columns: %q", lines[0])
			}
			if !slices.Contains(lines, test.message) {
				t.Errorf("no %q:\n%s", test.message, plain(t, m))
			}
			if m.lists.Subject().Row == nil {
				t.Errorf("the bar isn't on a row:\n%s", plain(t, m))
			}
			sel := m.lists.Subject().Row.Path
			press(t, m, "k", "k")
			if m.lists.Subject().Row.Path != sel {
				t.Errorf("the bar went to %q", m.lists.Subject().Row.Path)
			}
			m.resize(80, 12)
			if press(t, m, "G", "g"); !slices.Contains(top(), test.message) {
				t.Errorf("%q isn't visible with the bar on the first row:\n%s", test.message, plain(t, m))
			}
		}
	})
}
