package transcript

import "testing"

// TestIsMachine checks that only a text entirely inside tags of the client counts as machine text.
func TestIsMachine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"<ide_opened_file>x</ide_opened_file>":                                            true,
		"\n <system-reminder>a</system-reminder>\n<ide_selection>b</ide_selection>\n":     true,
		"[Request interrupted by user]":                                                   true,
		"<system-reminder>a</system-reminder> and I <system-reminder>b</system-reminder>": false,
		"<system-reminder>a":                           false,
		"<b>mine</b>":                                  false,
		"<command-name>/init</command-name>":           false,
		"what is <system-reminder>a</system-reminder>": false,
		"": false, " ": false, "<": false, "plain": false,
	} {
		if got := IsMachine(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
