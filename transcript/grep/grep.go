// Package grep reads the output of grep, ripgrep or the tool Grep of Claude Code. A match has the form path:12:text,
// 12:text or path:text. A context line has "-" instead of ":".
package grep

import "strings"

// Line reports whether a line is a match, and returns the file; "" if the line has none. around means that the output
// has context lines. A match then needs a line number.
func Line(l string, around bool) (path string, match bool) {
	if rest := strings.TrimLeft(l, "0123456789"); len(rest) < len(l) && rest != "" && (rest[0] == ':' || rest[0] == '-') {
		return "", rest[0] == ':'
	}
	at := strings.IndexByte(l, ':')
	if at == 1 && len(l) > 2 && l[2] == '\\' { // at is behind the drive letter of a path, such as C:\
		if at = strings.IndexByte(l[2:], ':'); at >= 0 {
			at += 2
		}
	}
	if at < 0 {
		return "", !around
	}
	rest := strings.TrimLeft(l[at+1:], "0123456789")
	numbered := len(rest) < len(l)-at-1 && strings.HasPrefix(rest, ":")
	return l[:at], numbered || !around
}

// Match splits a matching line of a search. place is the line number, with or without the file, such as "a.go:12"; ""
// for any other line.
func Match(l string) (place, text string) {
	path, match := Line(l, true)
	if !match {
		return "", l
	}
	rest := strings.TrimPrefix(l[len(path):], ":")
	number, text, _ := strings.Cut(rest, ":")
	return l[:len(l)-len(rest)+len(number)], text
}
