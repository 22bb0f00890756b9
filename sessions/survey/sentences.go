package survey

import (
	"strings"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/transcript"
)

// Sentences returns the parts of a joined error, each as a sentence on one line.
func Sentences(err error) []string {
	var list []string
	for _, err := range ledger.Parts(err) {
		text := strings.ReplaceAll(transcript.Clean(err.Error()), "\n", " ")
		list = append(list, words.Sentence(words.CutMiddle(text, factCells)))
	}
	return list
}

// factCells is the limit of an error text in terminal cells. A path from a transcript can have any length.
const factCells = 400
