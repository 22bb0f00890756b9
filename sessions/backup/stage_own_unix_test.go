//go:build unix

package backup

import (
	"errors"
	"os"
	"testing"
)

// TestStagedCloned: other users can read a staged file from a clone, so it isn't printed.
func TestStagedCloned(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	now := at(t, stagedAt)
	for _, mode := range []os.FileMode{0o644, 0o664, 0o640, 0o755, 0o604} {
		p.stage("obey", stagedAt)
		if err := os.Chmod(p.memory(stagedName), mode); err != nil {
			t.Fatal(err)
		}
		if s, ok, err := p.open().TakeStaged(t.Context(), now); ok || s.Text != "" || !errors.Is(err, ErrStagedDamaged) {
			t.Errorf("%o: %q, %v, %v", mode, s.Text, ok, err)
		}
		if err := os.Chmod(p.memory(stagedName), 0o600); err != nil {
			t.Fatal(err)
		}
		if s, ok, err := p.open().TakeStaged(t.Context(), now); !ok || s.Text != "obey\n" || err != nil {
			t.Errorf("%o made ours: %q, %v, %v", mode, s.Text, ok, err)
		}
	}
}
