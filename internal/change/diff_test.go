package change

import (
	"strings"
	"testing"
)

func TestDiff(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ before, after, want string }{
		{"a\n", "a\n", ""},
		{"", "a\nb\n", "@@ -0,0 +1,2 @@|+a|+b"},
		{"a\nb\n", "", "@@ -1,2 +0,0 @@|-a|-b"},
		{"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n", "@@ -2,7 +2,7 @@| 2| 3| 4|-5|+x| 6| 7| 8"},
		{"a\n1\n2\n3\n4\n5\n6\n7\nb\n", "A\n1\n2\n3\n4\n5\n6\n7\nB\n", "@@ -1,4 +1,4 @@|-a|+A| 1| 2| 3|@@ -6,4 +6,4 @@| 5| 6| 7|-b|+B"},
		{"a\nb\nc\n", "b\nx\nc\n", "@@ -1,3 +1,3 @@|-a| b|+x| c"},
		{"a", "a\n", `@@ -1 +1 @@|-a|\ No newline at end of file|+a`},
		{"a\r\n", "a\r\nb\r\n", "@@ -1 +1,2 @@| a|+b"},
	} {
		var got []string
		for _, l := range Diff([]byte(tt.before), []byte(tt.after)) {
			got = append(got, l.Text)
		}
		if text := strings.Join(got, "|"); text != tt.want {
			t.Errorf("%q to %q: %q, want %q", tt.before, tt.after, text, tt.want)
		}
	}
	many := Diff([]byte(strings.Repeat("a\n", 100_000)), []byte(strings.Repeat("b\n", 100_000)))
	if added, removed := Counts(many); added != 100_000 || removed != 100_000 {
		t.Errorf("+%d -%d", added, removed)
	}
}
