package writing

import (
	"errors"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/sessions/act"
)

// TestHalfDone: the message names files that weren't restored. It names continuo undo only if the journal has
// the action.
func TestHalfDone(t *testing.T) {
	t.Parallel()
	env := &place.Env{Home: t.TempDir()}
	o := change.Op{Verb: change.Insert, Dir: filepath.Join(env.Home, "tea"), Name: "NOTES.md"}
	nothing := func(err error) error {
		return &out.Failure{What: "Nothing was changed: " + err.Error() + ". Try again.", Cause: err}
	}
	for _, id := range []string{"20261121_155200Z-note", ""} {
		err := Failure(env, &act.HalfError{Err: o.Fail(syscall.EIO), Left: []string{o.Path()}, ID: id}, "a note", nothing)
		f := out.AsFailure(err)
		if f.What != "It failed halfway: ~/tea/NOTES.md: input/output error." || strings.Join(f.Facts, " ") != "Not restored: ~/tea/NOTES.md" || !errors.Is(err, syscall.EIO) {
			t.Errorf("%+v", f)
		}
		if hint := strings.Join(f.Hints, " "); (id == "") != (hint == "") || !strings.Contains(hint, id) {
			t.Errorf("%q: %q", id, hint)
		}
	}
}
