package transcript_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/transcript"
)

// TestImage reads images of a prompt, of a second record of a prompt, and of a queued prompt, also of a record longer than
// the reader keeps.
func TestImage(t *testing.T) {
	t.Parallel()
	image := func(data string) string {
		return `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + base64.StdEncoding.EncodeToString([]byte(data)) + `"}}`
	}
	text := `{"type":"text","text":"Look."}`
	long := strings.Repeat("long", 3<<20)
	lines := []string{
		`{"type":"user","uuid":"u1","message":{"role":"user","content":[` + text + `,` + image("one") + `,` + image("two") + `]}}`,
		`{"type":"attachment","uuid":"u2","parentUuid":"u1","attachment":{"type":"queued_command","commandMode":"prompt","prompt":[` + text + `,` + image("three") + `]}}`,
		`{"type":"user","uuid":"u3","parentUuid":"u2","message":{"role":"user","content":[` + image(long) + `,` + text + `]}}`,
		`{"type":"user","uuid":"u4","parentUuid":"u3","message":{"role":"user","content":[` + text + `,{"type":"image","source":{"type":"base64","media_type":"image/png","data":"!"}}]}}`,
		`{"type":"user","uuid":"u5","parentUuid":"u4","message":{"role":"user","content":[` + text + `,{"type":"image","source":{"type":"url","url":"https://x"}}]}}`,
	}
	tr, err := transcript.New(t.Context(), strings.NewReader(strings.Join(lines, "\n")+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		message, block int
		want           string // "" an error
	}{{0, 1, "one"}, {0, 2, "two"}, {0, 0, ""}, {0, 3, ""}, {0, -1, ""}, {1, 1, "three"}, {2, 0, long}, {3, 1, ""}, {4, 1, ""}} {
		got, err := tr.Image(&tr.Outline().Messages[test.message], test.block)
		if string(got) != test.want || (err == nil) != (test.want != "") {
			t.Errorf("message %d, block %d: %d bytes, %v", test.message, test.block, len(got), err)
		}
	}
}
