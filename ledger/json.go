package ledger

import "bytes"

// StringEnd returns the offset after the JSON string at the start of s, or -1 if there is no complete string.
func StringEnd(s []byte) int {
	if len(s) == 0 || s[0] != '"' {
		return -1
	}
	for i := 1; ; i++ {
		n := bytes.IndexByte(s[i:], '"')
		if n < 0 {
			return -1
		}
		i += n
		back := i
		for s[back-1] == '\\' {
			back--
		}
		if (i-back)%2 == 0 {
			return i + 1
		}
	}
}

// ValueEnd returns the offset after the JSON value at the start of s, or -1 if it isn't complete. It doesn't validate
// s.
func ValueEnd(s []byte) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			n := StringEnd(s[i:])
			if n < 0 {
				return -1
			}
			if i += n - 1; depth == 0 {
				return i + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i // this byte ends the object that contains the value
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
		}
	}
	return -1
}
