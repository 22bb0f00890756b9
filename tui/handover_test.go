package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/sessions/stores"
	"github.com/continuo-tui/continuo/tui/dialog"
)

// testHandover has an entry of each kind. The trajectory can't be written.
func testHandover(ask Change) Handover {
	at := func(path string) ledger.Ref { return ledger.Ref{Path: path, From: 12, To: 12, Form: ledger.FormRooted} }
	clock, gone := at("src/auth/clock.go"), at("src/auth/gone.go")
	mark := func(m ...handover.Mark) []handover.Mark { return m }
	h := Handover{
		Title: "Fix refresh token race at midnight",
		Value: &handover.Handover{
			State: "Member, guest, admin and export tokens go through `Claims.Expired`. The whole suite passes.\nThe docs still name the old leeway.",
			Done:  []string{"Give the export job the shared check"},
			Items: []handover.Item{
				{ID: "tea-41", Title: "Describe the leeway in `docs/auth.md`", Status: handover.InProgress, Marks: mark('N', 'B')},
				{Title: "Agree on the leeway with the owners of the hosts", Status: handover.Blocked, Marks: mark('D')},
				{Title: "Bring the guest tokens over", Status: handover.Open, Marks: mark('C')},
			},
			Decisions: []handover.Decision{
				{Text: "Leeway stays at 30 s, not 60 s", Evidence: []handover.Evidence{{Ref: clock}}},
				{Title: "One clock", Text: "One clock, in UTC, passed in by the caller", Evidence: []handover.Evidence{{Ref: gone}}},
			},
			Questions: []handover.Question{{Text: "Do guest tokens keep their own issuer after the merge?"}, {Text: "Leeway?", Answer: "30 s"}},
			Refs:      []handover.Reference{{Ref: clock}, {Ref: gone}},
		},
		Checks: map[string]ledger.Check{clock.String(): {Status: ledger.Holds}, gone.String(): {Status: ledger.NoFile}},
		Held:   ask.Dir,
	}
	for i, name := range []stores.Name{stores.Context, stores.Notes, stores.Document, stores.Trajectory} {
		s := HandoverStore{Store: stores.Store{Name: name, File: string(name), Does: "what is written to it"}, On: i < 3, Size: "+0.9 kB"}
		if i == 2 {
			s.New, s.Does = true, "new: session-2026-11-21-1552Z.md"
		}
		if name == stores.Trajectory {
			s.Off = "the agent log has no entry today"
		}
		h.Stores = append(h.Stores, s)
	}
	return h
}

func TestGoldenHandover(t *testing.T) {
	t.Parallel()
	for _, size := range screenSizes() {
		name := fmt.Sprintf("handover-%dx%d", size[0], size[1])
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				golden(t, name, plain(t, ledgerModel(t, &fakeLedgers{ledger: testLedger(t), logged: testLogged()}, size[0], size[1], "c", "j", "j")))
			})
		})
	}
}

func TestHandover(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		keys []string
		want string // substring of the request, or ""
		said string // substring of the screen
	}{
		"plan":           {[]string{"enter"}, "active-context notes document", "Discard"},
		"tick":           {append(downs(11), "space", "enter"), "active-context document", "Discard"},
		"off":            {append(downs(15), "space"), "", "trajectory: the agent log has no entry today"},
		"no store":       {[]string{"space"}, "", "Select a store below to tick it."},
		"edit a store":   {append(downs(10), "e"), "", "Select an entry of the handover to edit it."},
		"edit the state": {[]string{"e", "!", "enter", "enter"}, "The whole suite passes.!\nThe docs", "Discard"},
		"edit an item":   {append(downs(6), "e", "!", "enter", "enter"), "hosts!", "Discard"},
		"add a decision": {append(downs(2), "a", "N", "e", "w", "enter", "enter"), "/One clock]\n[New/]", "Discard"},
		"add an item":    {append(downs(4), "a", "N", "e", "w", "enter", "enter"), "tokens over\nNew", "Discard"},
		"add a line":     {[]string{"a", "N", "e", "w", "enter", "e", "!", "enter", "enter"}, "leeway.\nNew!", "Discard"},
		"remove":         {append(downs(2), "e", "ctrl+u", "enter", "enter"), "leeway.\n[One clock, in UTC, passed in by the caller/One clock]", "Discard"},
		"cancel an edit": {[]string{"e", "!", "esc", "enter"}, "passes.\nThe docs", "Discard"},
		"back":           {[]string{"e", "!", "enter", "enter", "esc"}, "passes.!", "passes.!"},
		"closed":         {[]string{"esc"}, "", "Sessions"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				m, changes, _ := handoverModel(t, 120, 36, nil)
				press(t, m, append([]string{"c"}, test.keys...)...)
				var got string
				for _, a := range changes.asks {
					if a.Kind == ChangeHandover {
						got += handed(a)
					}
				}
				if test.want == "" && got != "" || !strings.Contains(got, test.want) {
					t.Errorf("requested %s", got)
				}
				if screen := plain(t, m); !strings.Contains(screen, test.said) {
					t.Errorf("%q is not on the screen:\n%s", test.said, screen)
				}
				if len(changes.did) > 0 || len(changes.fills) == 0 || changes.fills[0].Kind != ChangeHandover || len(changes.fills[0].Rows) != 1 {
					t.Errorf("did %v, filled %+v", changes.did, changes.fills)
				}
			})
		})
	}
}

func downs(n int) []string { return slices.Repeat([]string{"down"}, n) }

// handed returns a request as one string.
func handed(a Change) string {
	var on []string
	for _, s := range a.Handover.Stores {
		if s.On {
			on = append(on, string(s.Name))
		}
	}
	v := a.Handover.Value
	var texts []string
	for _, d := range v.Decisions {
		texts = append(texts, "["+d.Text+"/"+d.Title+"]")
	}
	for _, i := range v.Items {
		texts = append(texts, i.Title)
	}
	return strings.Join(on, " ") + "\n" + v.State + "\n" + strings.Join(texts, "\n")
}

func TestHandoverFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m, changes, actions := handoverModel(t, 120, 36, nil)
		changes.err = fmt.Errorf("there is no folder")
		if press(t, m, "c", "enter"); !shows[*dialog.Handover](m) || strings.Count(plain(t, m), "There is no folder.") != 2 {
			t.Errorf("the error isn't shown:\n%s", plain(t, m))
		}
		if press(t, m, "B"); len(actions.backups) != 1 {
			t.Errorf("B backed up %v", actions.backups)
		}
	})
}
