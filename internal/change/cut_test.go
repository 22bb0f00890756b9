package change_test

import (
	"slices"
	"testing"

	"github.com/continuo-tui/continuo/internal/change"
)

func TestTakeOut(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text, inserted string
		at             int
		want           string
		ok             bool
	}{
		{"a\nb\nc\n", "b\n", 0, "a\nc\n", true},
		{"a\nb\nc\nb\n", "b\n", 0, "", false},
		{"a\nb\nc\nb\n", "b\n", 2, "a\nc\nb\n", true},
		{"a\nb\nc\nb\n", "b\n", 6, "a\nb\nc\n", true},
		{"ab\nc\n", "b\n", 1, "", false},
		{"ab\nb\n", "b\n", 1, "ab\n", true},
		{"a\n", "b\n", 0, "", false},
		{"a", "", 0, "", false},
		{"", "b\n", 0, "", false},
		{"a\n\nb\n", "\nb\n", 2, "a\n", true},
		{"ab\n", "ab\n", 0, "", true},
		{"\xef\xbb\xbfb\n", "b\n", 3, "\xef\xbb\xbf", true},

		// The last line had no line ending, and text was added below it later.
		{"last\n\n# Q\n- b\n## Mine\n", "\n\n# Q\n- b\n", 4, "last\n## Mine\n", true},
		{"last\n- b\nmine", "\n- b\n", 4, "last\nmine", true},
		{"last\n- b\n\nmine", "\n- b\n", 4, "last\n\nmine", true},
		{"last\r\n- b\r\nmine", "\r\n- b\r\n", 4, "last\r\nmine", true},
		{"last\n- bmine", "\n- b", 4, "last\nmine", true},
		{"last\n- b\nmine\n", "\n- b", 4, "last\nmine\n", true},
		{"last\n- b\n", "\n- b\n", 4, "last", true},
	}
	for _, test := range tests {
		got, gone, from, ok := change.TakeOut([]byte(test.text), []byte(test.inserted), test.at)
		if ok != test.ok || ok && string(got) != test.want || !ok && string(got) != test.text {
			t.Errorf("%q without %q is %q %v, want %q %v", test.text, test.inserted, got, ok, test.want, test.ok)
		}
		if back := slices.Concat(got[:from], gone, got[from:]); string(back) != test.text {
			t.Errorf("%q without %q, and inserted again: %q", test.text, test.inserted, back)
		}
	}
}
