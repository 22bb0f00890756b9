package talk

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/transcript"
)

var update = flag.Bool("update", false, "write the golden files anew") //nolint:gochecknoglobals // a flag

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (-update writes it); got:\n%s", file, got)
	}
}

// unsafe returns the first control character or escape sequence of a line. Styles are safe.
func unsafe(line string) string {
	var state byte
	for len(line) > 0 {
		seq, width, n, next := ansi.DecodeSequence(line, state, nil)
		state = next
		style := strings.HasPrefix(seq, "\x1b[") && strings.HasSuffix(seq, "m") && strings.Trim(seq[2:len(seq)-1], "0123456789;") == ""
		if width == 0 && !style && transcript.Clean(seq) != seq || strings.ContainsAny(seq, "\n\t\r") {
			return seq
		}
		line = line[n:]
	}
	return ""
}
