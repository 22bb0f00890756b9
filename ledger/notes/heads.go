package notes

import (
	"bytes"
	"slices"
)

// HeadsMore reports whether a heading in text[from:to] has text of its section after to. Subsections of the title of a
// file don't count, because they don't need it.
func HeadsMore(text []byte, from, to int) bool {
	parsed := Parse(text)
	return slices.ContainsFunc(parsed.Sections, func(s Section) bool {
		end := s.End
		if s.Level == 1 {
			end = s.Own
		}
		return s.Start >= from && s.Start < to && end > to && len(bytes.TrimSpace(text[to:end])) > 0
	})
}
