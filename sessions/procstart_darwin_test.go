package sessions

import (
	"os"
	"testing"
)

func TestProcessStart(t *testing.T) {
	t.Parallel()
	start, alive, known := processStart(t.Context(), os.Getpid())
	if _, ok := parseStart(start); !ok || !alive || !known {
		t.Errorf("own process: %q, %v, %v", start, alive, known)
	}
	for _, pid := range []int{0, -1, 1<<22 + 12345} {
		if start, alive, known := processStart(t.Context(), pid); start != "" || alive || !known {
			t.Errorf("pid %d: %q, %v, %v; want it gone", pid, start, alive, known)
		}
	}
}
