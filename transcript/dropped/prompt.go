package dropped

import (
	"strconv"
	"strings"
)

// Prompt returns a text that tells the model about an omitted item.
func (it *Item) Prompt() string {
	const missing = " Your summary of the conversation doesn't contain this."
	times := func(n int) string {
		if n == 1 {
			return "once"
		}
		return strconv.Itoa(n) + " times"
	}
	switch {
	case it.Kind == Decision && it.Said == "":
		return "I approved this: " + it.Text + missing
	case it.Kind == Decision:
		return "You asked: " + it.Text + "\nI answered: " + it.Said + "\n" + strings.TrimSpace(missing)
	case it.Kind == Command && it.Failed:
		return "You ran `" + it.Text + "` " + times(it.Runs) + ". The last run failed." + missing
	case it.Kind == Command:
		return "You ran `" + it.Text + "` " + times(it.Runs) + "." + missing
	case it.Edits > 0:
		return "You edited " + it.Text + " " + times(it.Edits) + "." + missing
	}
	return "You read " + it.Text + " " + times(it.Reads) + "." + missing
}
