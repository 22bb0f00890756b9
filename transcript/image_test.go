package transcript_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/internal/drilltest"

	"github.com/continuo-tui/continuo/transcript"
)

// TestImage reads images from prompts and results. Some records are longer than maxLine.
func TestImage(t *testing.T) {
	t.Parallel()
	drilltest.SkipUnderRace(t)
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
		`{"type":"assistant","uuid":"u6","parentUuid":"u5","message":{"id":"m6","role":"assistant","content":[{"type":"tool_use","id":"c1","name":"Shoot","input":{}}]}}`,
		`{"type":"user","uuid":"u7","parentUuid":"u6","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[` + text + `,` + image("four") + `,` + image("five") + `]}]}}`,
	}
	tr, err := transcript.New(t.Context(), strings.NewReader(strings.Join(lines, "\n")+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		message, block, n int
		want              string // "" means an error
	}{
		{0, 1, 0, "one"},
		{0, 2, 0, "two"},
		{0, 0, 0, ""},
		{0, 3, 0, ""},
		{0, -1, 0, ""},
		{0, 1, 1, ""},
		{0, 1, -1, ""},
		{1, 1, 0, "three"},
		{2, 0, 0, long},
		{3, 1, 0, ""},
		{4, 1, 0, ""},
		{5, 1, 0, "four"},
		{5, 1, 1, "five"},
		{5, 0, 0, ""},
		{5, 1, 2, ""},
	} {
		got, err := tr.Image(&tr.Outline().Messages[test.message], test.block, test.n)
		if string(got) != test.want || (err == nil) != (test.want != "") {
			t.Errorf("message %d, block %d, image %d: %d bytes, %v", test.message, test.block, test.n, len(got), err)
		}
	}
}
