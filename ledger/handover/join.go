package handover

import (
	"slices"
	"strings"
	"unicode"
)

// Join joins the lists of items of several stores into one list, in the order of the first occurrences. Equal items
// become one item with the marks of all their stores. Two items are equal in these cases:
//
//   - They have the same title (Key), and no store has both titles with different IDs.
//   - They have the same ID, IsID accepts the ID, and they are in different stores. Stores may word a title in
//     different ways.
//   - They have no title and the same ID.
//
// The joined item has the title of the first store, and the newest status and priority. If no time is known, the
// first store decides.
func Join(lists ...[]Item) []Item {
	var all []Item
	at := map[string][]int{} // by title, or by ID without a title
	for _, list := range lists {
		for _, item := range list {
			keys := keysOf(&item)
			i := -1
			for _, key := range keys {
				for _, k := range at[key] {
					if i < 0 && all[k].is(&item) {
						i = k
					}
				}
			}
			if i < 0 {
				i = len(all)
				item.Marks = slices.Clone(item.Marks)
				all = append(all, item)
			} else {
				all[i].add(&item)
			}
			for _, key := range keys {
				if !slices.Contains(at[key], i) {
					at[key] = append(at[key], i)
				}
			}
		}
	}
	return all
}

// keysOf returns the keys by which Join finds an item: the title and the ID.
func keysOf(i *Item) []string {
	keys := []string{"title " + Key(i.Title)}
	if Key(i.Title) == "" {
		keys = nil
	}
	if i.ID != "" {
		keys = append(keys, "id "+i.ID)
	}
	return keys
}

// is reports whether two items are the same.
func (i *Item) is(other *Item) bool {
	a, b := Key(i.Title), Key(other.Title)
	if a == "" || b == "" || i.ID == other.ID && IsID(i.ID) && !i.shares(other) {
		return i.ID == other.ID && (i.ID != "" || a == b)
	}
	return a == b && (i.ID == "" || other.ID == "" || i.ID == other.ID || !i.shares(other))
}

// shares reports whether two items have a store in common.
func (i *Item) shares(other *Item) bool {
	return len(i.Marks) == 0 || len(other.Marks) == 0 || slices.ContainsFunc(i.Marks, func(m Mark) bool { return slices.Contains(other.Marks, m) })
}

// add merges an equal item of another store into i: its marks, and a newer status and priority.
func (i *Item) add(other *Item) {
	if i.ID == "" {
		i.ID = other.ID
	}
	if i.Title == "" {
		i.Title = other.Title
	}
	if newer := other.At.After(i.At); newer {
		i.Status, i.Written, i.At = other.Status, other.Written, other.At
		if other.Priority != "" {
			i.Priority = other.Priority
		}
	}
	if i.Priority == "" {
		i.Priority = other.Priority
	}
	for _, m := range other.Marks {
		if !slices.Contains(i.Marks, m) {
			i.Marks = append(i.Marks, m)
		}
	}
}

// Key returns a title in the form for comparisons: in lower case, without Markdown marks and final punctuation. A
// title with nothing else stays as it is.
func Key(title string) string {
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
	var b strings.Builder
	runes := []rune(strings.ReplaceAll(title, "<br>", " "))
	for i, r := range runes {
		switch {
		case strings.ContainsRune("*`~\\", r), !unicode.IsSpace(r) && unicode.In(r, unicode.Cc, unicode.Cf): // formats can't store control characters
		case r == '_' && (i == 0 || i == len(runes)-1 || !inWord(runes[i-1]) && runes[i-1] != '\\' || !inWord(runes[i+1])): // _ inside a word isn't a Markdown mark
		default:
			b.WriteRune(r)
		}
	}
	words := strings.Fields(b.String())
	for len(words) > 1 && strings.Trim(words[0], "#>+-") == "" { // the mark of a heading, a quotation or a list item
		words = words[1:]
	}
	key := strings.ToLower(strings.Join(words, " "))
	if cut := strings.TrimRight(key, " .,:;!?…。！？："); cut != "" {
		return cut
	}
	if key != "" {
		return key
	}
	return strings.Join(strings.Fields(title), " ")
}

// Named returns a title followed by an ID in parentheses, for formats that have no field for the ID. CutID is the
// reverse.
func Named(title, id string) string {
	switch {
	case id == "":
		return title
	case title == "":
		return id
	}
	return title + " (" + id + ")"
}

// CutID splits a title such as "Rotate tokens (beads-x7y8)" into the title and the ID. A word in parentheses is an ID
// only if it has a digit, has a hyphen or underscore, and has no blanks. So "(follow-up)" stays in the title.
func CutID(text string) (title, id string) {
	text = strings.TrimSpace(text)
	before, ok := strings.CutSuffix(text, ")")
	at := strings.LastIndexByte(before, '(')
	if !ok || at <= 0 || strings.TrimSpace(before[:at]) == "" || !IsID(before[at+1:]) {
		return text, ""
	}
	return strings.TrimSpace(before[:at]), before[at+1:]
}

// IsID reports whether a word looks like the ID of an item, such as beads-x7y8 or TASK_001. An ID needs a digit, unless
// it starts with beads-, br- or bd-.
func IsID(word string) bool {
	mark, digit := strings.IndexAny(word, "-_"), false
	if mark <= 0 || mark == len(word)-1 {
		return false
	}
	for _, c := range word {
		switch {
		case c >= '0' && c <= '9':
			digit = true
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '-', c == '_', c == '.':
		default:
			return false
		}
	}
	return digit || slices.Contains([]string{"beads-", "br-", "bd-"}, word[:mark+1])
}
