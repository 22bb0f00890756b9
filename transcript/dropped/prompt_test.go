package dropped

import "testing"

func TestPrompt(t *testing.T) {
	t.Parallel()
	const missing = " Your summary of the conversation doesn't contain this."
	for want, it := range map[string]Item{
		"You asked: Which port?\nI answered: 8080\n" + missing[1:]:  {Kind: Decision, Text: "Which port?", Said: "8080"},
		"I approved this: Plan" + missing:                           {Kind: Decision, Text: "Plan"},
		"You ran `go test` 3 times. The last run failed." + missing: {Kind: Command, Text: "go test", Runs: 3, Failed: true},
		"You ran `make` once." + missing:                            {Kind: Command, Text: "make", Runs: 1},
		"You edited a.go 2 times." + missing:                        {Kind: File, Text: "a.go", Edits: 2, Reads: 1},
		"You read b.go once." + missing:                             {Kind: File, Text: "b.go", Reads: 1},
	} {
		if got := it.Prompt(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
