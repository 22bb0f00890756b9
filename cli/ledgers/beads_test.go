package ledgers

import (
	"slices"
	"strings"
	"testing"
)

func TestNearBeads(t *testing.T) {
	t.Parallel()
	ids := []string{"tea-29", "tea-37", "tea-38", "tea-41", "beads_rust-lr74.2"}
	for typed, want := range map[string]string{
		"tea-14": "tea-41", "TEA-41": "tea-41", "41": "tea-41", "tea-3": "tea-37 tea-38", "lr74": "beads_rust-lr74.2",
		"tee-37": "tea-37", "quite-another": "", "": "", "x": "", strings.Repeat("x", 1000): "",
	} {
		if got := nearBeads(ids, typed); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("near %.20q are %v, want %s", typed, got, want)
		}
	}
}
