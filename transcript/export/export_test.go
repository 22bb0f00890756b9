package export_test

import (
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/export"
)

var update = flag.Bool("update", false, "rewrite the golden files") //nolint:gochecknoglobals // a flag of the test binary

// teahouse has a record of each kind, a damaged line and a hidden branch. Some texts have control characters, or
// HTML.
const teahouse = `{"type":"user","uuid":"u1","parentUuid":null,"cwd":"/srv/tea","gitBranch":"main","timestamp":"2026-11-21T13:20:00Z","message":{"role":"user","content":"Fix <b>it</b>\n\nplease"}}
{"type":"assistant","uuid":"u2","parentUuid":"u1","timestamp":"2026-11-21T13:21:00Z","message":{"id":"m1","role":"assistant","model":"opus","content":[{"type":"thinking","thinking":"Hm."}]}}
{"type":"assistant","uuid":"u3","parentUuid":"u2","timestamp":"2026-11-21T13:21:01Z","message":{"id":"m1","role":"assistant","model":"opus","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"go test"}}]}}
not a record
{"type":"user","uuid":"u4","parentUuid":"u3","timestamp":"2026-11-21T13:22:00Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"` + "```" + `\n\u001b[31mFAIL"}]}}
{"type":"assistant","uuid":"b1","parentUuid":"u1","timestamp":"2026-11-21T13:20:30Z","message":{"id":"m0","role":"assistant","model":"opus","content":[{"type":"text","text":"Or not"}]}}
{"type":"assistant","uuid":"u5","parentUuid":"u4","timestamp":"2026-11-21T13:23:00Z","message":{"id":"m2","role":"assistant","model":"opus","content":[{"type":"tool_use","id":"t2","name":"Edit","input":{"file_path":"a.go","old_string":"x","new_string":"y"}}]}}
{"type":"user","uuid":"u6","parentUuid":"u5","timestamp":"2026-11-21T13:24:00Z","toolUseResult":{"structuredPatch":[{"oldStart":1,"oldLines":1,"newStart":1,"newLines":1,"lines":["-x","+y"]}]},"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","content":"done"}]}}
{"type":"assistant","uuid":"u7","parentUuid":"u6","timestamp":"2026-11-21T13:25:00Z","message":{"id":"m3","role":"assistant","model":"opus","content":[{"type":"text","text":"Done: **y**. [doc](https://example.com/a?b=1&c=2) [no](javascript:x) <i>raw</i>"}]}}
{"type":"user","uuid":"u8","parentUuid":"u7","timestamp":"2026-11-21T13:26:00Z","message":{"role":"user","content":"<local-command-stdout>Compacted</local-command-stdout>"}}
{"type":"user","uuid":"u9","parentUuid":"u8","timestamp":"2026-11-21T13:27:00Z","message":{"role":"user","content":"<command-name>/review</command-name><command-message>review</command-message><command-args>a.go</command-args>"}}
{"type":"user","uuid":"u10","parentUuid":"u9","timestamp":"2026-11-21T13:28:00Z","message":{"role":"user","content":[{"type":"text","text":"# Look"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}]}}
`

// TestGolden compares the exports of a transcript with golden files.
func TestGolden(t *testing.T) {
	t.Parallel()
	for _, format := range []export.Format{export.Markdown, export.HTML, export.JSON} {
		got, path := exported(t, teahouse, format, nil), filepath.Join("testdata", "teahouse."+string(format)+".golden")
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s differs from %s:\n%s", format, path, got)
		}
	}
}

// TestJSON checks that the JSON has every message, with its number and all blocks.
func TestJSON(t *testing.T) {
	t.Parallel()
	var got struct {
		Format   string
		Version  int
		Messages []struct {
			N      int
			ID     string
			Kind   string
			Thread string
			Blocks []transcript.Block
		}
	}
	if err := json.Unmarshal([]byte(exported(t, teahouse, export.JSON, nil)), &got); err != nil {
		t.Fatal(err)
	}
	tr, err := transcript.New(t.Context(), strings.NewReader(teahouse))
	if err != nil {
		t.Fatal(err)
	}
	if got.Format != "continuo" || got.Version != export.Version || len(got.Messages) != len(tr.Outline().Messages) {
		t.Fatalf("%s %d with %d messages", got.Format, got.Version, len(got.Messages))
	}
	for i, m := range got.Messages {
		want := tr.Message(i)
		if m.N != i+1 || m.ID != want.ID || m.Kind != want.Kind.String() || m.Thread != want.Thread || len(m.Blocks) != len(want.Blocks) {
			t.Errorf("message %d is %+v", i+1, m)
		}
	}
}

// TestPage checks the golden page with an HTML parser.
func TestPage(t *testing.T) {
	t.Parallel()
	tr, err := transcript.New(t.Context(), strings.NewReader(teahouse))
	if err != nil {
		t.Fatal(err)
	}
	checkPage(t, exported(t, teahouse, export.HTML, nil), len(tr.Outline().Messages))
}

// TestDeterministic checks that two exports of the same transcript are identical.
func TestDeterministic(t *testing.T) {
	t.Parallel()
	for _, format := range []export.Format{export.Markdown, export.HTML, export.JSON, export.JSONL} {
		if a, b := exported(t, teahouse, format, nil), exported(t, teahouse, format, nil); a != b {
			t.Errorf("%s differs between two exports", format)
		}
	}
}

// TestErrors checks that an export ends at the first error of a message or of the writer.
func TestErrors(t *testing.T) {
	t.Parallel()
	bad := errors.New("bad")
	items := func(yield func(export.Item, error) bool) {
		if !yield(export.Item{Number: 1, Message: &transcript.Message{}}, nil) {
			return
		}
		yield(export.Item{}, bad)
	}
	for _, format := range []export.Format{export.Markdown, export.HTML, export.JSON} {
		if err := export.Write(io.Discard, format, &export.Session{}, items); !errors.Is(err, bad) {
			t.Errorf("%s: got error %v", format, err)
		}
		if err := export.Write(failing{}, format, &export.Session{}, items); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("%s: got error %v", format, err)
		}
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrShortWrite }
