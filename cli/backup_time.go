package cli

import (
	"strings"
	"time"
)

// madeAt reads a time as backup list prints it, or as the name of a file has it, in the place of now. It says which
// times are meant: those of that minute, of that day, or, of a clock alone, of any day. It is nil for what is no time.
func madeAt(word string, now time.Time) func(time.Time) bool {
	words := strings.Fields(word)
	if len(words) == 0 {
		return nil
	}
	switch strings.ToLower(words[0]) {
	case "today":
		words[0] = now.Format(time.DateOnly)
	case "yesterday":
		words[0] = now.AddDate(0, 0, -1).Format(time.DateOnly)
	}
	word = strings.Join(words, " ")
	for _, text := range []string{word, now.Format("2006 ") + word} {
		for _, layout := range []string{
			"2006-01-02 15:04", time.DateOnly, "2006 Jan 2 15:04", "2006 Jan 2", "15:04", "20060102_1504", "20060102_150405",
		} {
			t, err := time.ParseInLocation(layout, text, now.Location())
			if err != nil {
				continue
			}
			want := t.Format(layout)
			return func(made time.Time) bool { return made.In(now.Location()).Format(layout) == want }
		}
	}
	return nil
}

// backupWords makes one word of a time that a shell took apart: Nov 17 15:19.
func backupWords(args []string, now time.Time) []string {
	const most = 4 // 2025 Nov 17 15:19
	var words []string
	for len(args) > 0 {
		n := min(len(args), most)
		for n > 1 && madeAt(strings.Join(args[:n], " "), now) == nil {
			n--
		}
		words = append(words, strings.Join(args[:n], " "))
		args = args[n:]
	}
	return words
}
