package tui

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/sessions/annotate"
)

func TestOrganise(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		keys []string
		want annotate.Note
		says string
	}{
		{"star", []string{"*"}, annotate.Note{Starred: true}, "Starred “Fix refresh token race at midnight”."},
		{"name", []string{"m", "ctrl+u", "R", "a", "c", "e", "enter"}, annotate.Note{Name: "Race"}, "Named “Race”."},
		{"no name", []string{"m", "ctrl+u", "enter"}, annotate.Note{}, "Removed the name of "},
		{"tags", []string{"t", "A", "u", "t", "h", ",", "b", "enter"}, annotate.Note{Tags: []string{"auth", "b"}}, "Tagged "},
		{"note", []string{"N", "h", "i", "enter"}, annotate.Note{Text: "hi"}, "Saved the note on "},
		{"archive", []string{":", "a", "r", "c", "h", "i", "v", "enter"}, annotate.Note{Archived: true}, "Archived "},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				m, actions := menuModel(t, nil, 120, 36)
				press(t, m, test.keys...)
				note := actions.notes["3f9ac1e0-71c4-4e0d"]
				if len(actions.notes) != 1 || !reflect.DeepEqual(note, test.want) {
					t.Errorf("wrote %+v, want %+v:\n%s", actions.notes, test.want, plain(t, m))
				}
				if !strings.Contains(plain(t, m), test.says) {
					t.Errorf("no message %q:\n%s", test.says, plain(t, m))
				}
			})
		})
	}
}

func TestOrganiseFails(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, actions := menuModel(t, nil, 80, 24)
		actions.err = errors.New("annotations.json is damaged")
		press(t, m, "*")
		if got := plain(t, m); !strings.Contains(got, "✗ Annotations.json is damaged.") {
			t.Errorf("no error:\n%s", got)
		}
		press(t, m, "esc", "m", "esc")
		if len(actions.notes) != 1 {
			t.Errorf("esc wrote %+v", actions.notes)
		}
	})
}
