package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/transcript"
)

// encodeJSON is v as JSON on one line, without a newline at its end. encoding/json escapes C0 controls; this
// also escapes DEL, C1, line separators, bidi controls and whatever else a terminal acts on or hides, so that
// the text can be looked at, and replaces bytes that are no UTF-8. A program reads the same strings.
func encodeJSON(v any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "", fmt.Errorf("encode json: %w", err)
	}
	return escapeJSON(strings.TrimSuffix(b.String(), "\n")), nil
}

// escapeJSON escapes characters inside valid JSON. Beyond ASCII they can only be inside its strings, and so
// can DEL.
func escapeJSON(s string) string {
	var b strings.Builder
	start := 0
	for i := 0; i < len(s); {
		r, n := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(s[i:])
		}
		switch {
		case r == utf8.RuneError && n == 1:
			b.WriteString(s[start:i] + "\uFFFD")
		case !mustEscape(r):
			i += n
			continue
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `%s\u%04x\u%04x`, s[start:i], hi, lo)
		default:
			fmt.Fprintf(&b, `%s\u%04x`, s[start:i], r)
		}
		i += n
		start = i
	}
	if start == 0 {
		return s
	}
	return b.String() + s[start:]
}

// mustEscape reports whether JSON allows a character and a terminal must not get it, or a reader cannot see it.
func mustEscape(r rune) bool {
	switch r {
	case 0x7f, 0x061c, 0x200e, 0x200f: // the last three are marks that transcript.Clean keeps
		return true
	}
	return r > 0x7f && transcript.IsUnsafe(r)
}
