package index

import "testing"

// TestValues: field names aren't values. A syntax error ends the list.
func TestValues(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"a":"one","b":{"c":["two","three"],"d":"x: \"q\" \u00fc"},"e" : 7,"f":"last"}`: "one\ntwo\nthree\nx: \"q\" ü\nlast\n",
		`{"a":"one","b":"torn`: "one\n",
		`not JSON`:             "",
		``:                     "",
		`"alone"`:              "alone\n",
	} {
		got := ""
		for at, part := range values([]byte(text)) {
			if got += string(part); at != 0 {
				t.Errorf("%s: at %d", text, at)
			}
		}
		if got != want {
			t.Errorf("%s: %q, not %q", text, got, want)
		}
	}
}
