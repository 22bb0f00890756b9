package cli

import (
	"os"
	"strings"
	"testing"
)

// TestUndoPassedOver: what is newer than the action that is taken back, and stays, is named.
func TestUndoPassedOver(t *testing.T) {
	t.Parallel()
	k := newKeeping(t)
	older, newer := k.backup("20261121_110213Z_exit", 1, "tea", 2, ""), k.backup("20261121_120213Z_exit", 2, "tea", 2, "")
	k.must("tea", "backup discard "+older+" --yes")
	k.must("tea", "backup discard "+newer+" --yes")
	if out := k.must("tea", "undo --dry-run"); strings.Contains(out, "stays") || !strings.Contains(out, "20261121_120213Z_exit") {
		t.Error(out)
	}
	if err := os.WriteFile(newer, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out := k.must("tea", "undo --dry-run")
	if !strings.Contains(out, "But        △ Discarded 1 backup, today 15:52, stays: ") && !strings.Contains(out, "But        △ Discarded 1 backup, Today 15:52, stays: ") {
		t.Error(out)
	}
}
