package jsonlex

import (
	"strings"
	"testing"
)

// TestSkipQuoted compares SkipQuoted with skipEnd, which tests one byte at a time. Each piece is at each offset of the
// 64 bytes that are tested in one step, alone and after a series of backslashes, and is cut at the end of the line.
func TestSkipQuoted(t *testing.T) {
	t.Parallel()
	pieces := []string{`"`, `\"`, `\n`, `\t\r`, `\b\f\/`, `\\`, `\u00e9`, `\u12g4`, `\x`, "\x01", "\x1f", "\x7f", "é", `\` + "\n"}
	for offset := range 67 {
		for _, piece := range pieces {
			for _, slashes := range []string{"", `\\`, `\\\\\\`, `\"\\`} {
				line := []byte(strings.Repeat("a", offset) + slashes + piece + strings.Repeat(" ", 70) + `"` + strings.Repeat(`\`, 40))
				for _, b := range [][]byte{line, line[:offset+len(slashes)+len(piece)], line[:offset+len(slashes)+1]} {
					end, escaped := SkipQuoted(b, 0)
					wantEnd, wantEscaped := skipEnd(b, 0, false)
					if end != wantEnd || end != Invalid && escaped != wantEscaped {
						t.Fatalf("SkipQuoted(%q) = %d, %v, want %d, %v", b, end, escaped, wantEnd, wantEscaped)
					}
				}
			}
		}
	}
}
