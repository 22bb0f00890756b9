package entries

import "testing"

// TestIsSecret: a text of only masked secrets isn't a finding.
func TestIsSecret(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"": false, "[masked]": true, " `[masked]`. ": true, "password: [masked]": false, "…": false} {
		if isSecret(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
