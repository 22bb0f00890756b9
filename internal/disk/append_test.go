package disk

import (
	"bytes"
	"testing"
)

// TestLineEnd: a line that another process is still writing isn't incomplete.
func TestLineEnd(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		texts []string // text of the file at first, and after each settle
		torn  bool
	}{
		{[]string{""}, false},
		{[]string{"old\n"}, false},
		{[]string{"old\nhalf", "old\nhalf a line\n"}, false},
		{[]string{"old\nhalf", "old\nhalf a", "old\nhalf a"}, true},
	} {
		file := bytes.NewReader([]byte(tt.texts[0]))
		later := tt.texts[1:]
		size := func() (int64, error) { return file.Size(), nil }
		end, torn, err := lineEnd(file, size, func() {
			file.Reset([]byte(later[0]))
			later = later[1:]
		})
		if end != file.Size() || torn != tt.torn || err != nil || len(later) > 0 {
			t.Errorf("%q: %d bytes, torn %v, %v, not read %q", tt.texts, end, torn, err, later)
		}
	}
}
