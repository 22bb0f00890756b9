package notes

import (
	"bytes"
	"slices"
)

// HeadsMore reports whether the section of a heading in text[from:to] has text after to. For a heading of level 1, the
// title of a file, subsections don't count: they can be read without the title.
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
