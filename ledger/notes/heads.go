package notes

import (
	"bytes"
	"slices"
)

// HeadsMore reports whether text[from:to] has a heading whose section continues after to. A title of the file (level
// 1) doesn't count.
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
