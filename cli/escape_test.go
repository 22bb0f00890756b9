package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/transcript"
)

// hostile returns texts that change a terminal, or imitate other text.
func hostile() []string {
	return []string{
		"plain", "", "\x1b[31mred\x1b[0m", "\x1b]0;title\a", "\x1b]8;;http://x\x1b\\link", "\x1bP1;2|dcs\x1b\\", "\u009b31mred", "\x9b31m\xff\xc2",
		"over\rwritten", "a\x00b\x07c\x08d\x7f", "\u202eevil\u2066", "\u2028line\u2029", "\ufeff\U000e0041", "a\u200bb\u00adc\u3164d\U000e0100", "\x1b", "\x1b[", "tab\there\nnew\r\nline",
		strings.Repeat("\x1b[", 40), "\xe2\x80", "\\u001b[31m", `"quoted"\`, "../../etc/passwd", "-rf", "{}", "\ud7ff\ue000\uffff",
	}
}

func TestNoEscape(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	for i, s := range hostile() {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			noEscape(t, newHostileFields(s), false, false, true)
			noEscape(t, newHostileFields(s), true, i%2 == 0)
			fields := newHostileFields(s)
			fields.uuid = "plain" // so that completion offers the session
			noEscape(t, fields, false, i%2 != 0)
		})
	}
}

func FuzzNoEscape(f *testing.F) {
	texts := hostile()
	for i, s := range texts[:3] { // TestNoEscape uses all of them
		next := texts[(i+1)%len(texts)]
		f.Add(s, next, s, next, s, next, s, next, s, i%2 == 0)
	}
	f.Fuzz(func(t *testing.T, name, prompt, branch, cwd, version, typ, tool, result, uuid string, raw bool) {
		t.Parallel()
		noEscape(t, hostileFields{
			name: name, prompt: prompt, branch: branch, cwd: cwd, version: version, typ: typ, tool: tool, result: result, uuid: uuid,
		}, raw, false, true)
	})
}

type hostileFields struct{ name, prompt, branch, cwd, version, typ, tool, result, uuid string }

func newHostileFields(s string) hostileFields { return hostileFields{s, s, s, s, s, s, s, s, s} }

// noEscape runs the commands over a transcript with the fields. terminals: whether stdout is a terminal, for each run.
func noEscape(t *testing.T, fields hostileFields, raw bool, terminals ...bool) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "projects", "p", fileName(fields.uuid)+".jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(fields.transcript(raw)), 0o600); err != nil {
		t.Skip("no such file name here") // no such file name on this system
	}
	copied := fields.backup(t, dir, raw)
	fields.agent(t, path)
	for _, args := range [][]string{
		{"list", "--all"},
		{"list", "--all", "--json"},
		{"list", "--all", "--quick"},
		{"show", path},
		{"show", path, "--json"},
		{"show", fields.name},
		{"show", fields.uuid},
		{"list", "--project", fields.cwd},
		{"path", path, "--json"},
		{"copy", path, "answer", "--print"},
		{"copy", path, "path", "--print"},
		{"copy", fields.name, "code", "--json", "--print"},
		{fields.typ},
		{"__complete", fields.tool},
		{"__complete", fields.tool, "--" + fields.prompt, ""},
		{"__complete", "list", "--state=" + fields.name},
		{"__complete", "list", "--" + fields.prompt + "=" + fields.name},
		{"__complete", "--claude-dir", dir, "show", ""},
		{"__complete", "--claude-dir", fields.cwd, "show", ""},
		{"completion", fields.name},
		{"help", fields.name},
		{"list", "--state", fields.name},
		{"list", "--since", fields.prompt},
		{"show", "--" + fields.tool},
		{"backup", fields.typ},
		{"backup", "list", "--all"},
		{"backup", "list", "--json"},
		{"backup", "show", copied},
		{"backup", "show", fields.name, "--json"},
		{"backup", "discard"},
		{"backup", "discard", copied, "--json"},
		{"backup", "discard", fields.prompt},
		{"backup", "keep", copied},
		{"backup", "verify"},
		{"backup", "restore", copied, "--new-id"},
		{"backup", "prune", "--keep", "1", "--older-than", "0s"},
		{"backup", "undo", fields.name},
		{"backup", "create", path, "--dry-run"},
		{"__complete", "backup", "show", ""},
		{"search", "x", "--scope", "all"},
		{"search", "x", "--json", "--context", "1"},
		{"search", "--", fields.prompt},
		{"index"},
	} {
		completes := strings.HasPrefix(args[0], "__complete") && len(args) > 1 // flags would change the word to complete
		for i, terminal := range terminals {
			if completes && i > 0 {
				break
			}
			var stdout, stderr bytes.Buffer
			d := newDeps(Program{
				Env: []string{"HOME=" + dir}, Dir: dir, Now: now, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
			})
			d.Out.Terminal = terminal
			if completes {
				code := execute(t.Context(), d.Env, d.Output, args)
				checkCandidates(t, args, code, stdout.String(), stderr.String())
				continue
			}
			code := execute(t.Context(), d.Env, d.Output, append(args[:len(args):len(args)], "--color", "never", "--claude-dir", dir))
			where := fmt.Sprintf("%q (terminal %v, exit code %d)", args, terminal, code)
			checkNoEscape(t, where+" stdout", stdout.String())
			checkNoEscape(t, where+" stderr", stderr.String())
		}
	}
}

// backup writes two backups and three markers from the fields. It returns the path of the first backup.
func (h hostileFields) backup(t *testing.T, dir string, raw bool) string {
	t.Helper()
	memory := filepath.Join(dir, ".claude", "memory")
	path := filepath.Join(memory, "raw", "20261121_110213Z_"+fileName(h.name)+".jsonl")
	for name, text := range map[string]string{
		path: h.transcript(raw), filepath.Join(memory, "raw", fileName(h.uuid)+".jsonl"): h.transcript(raw),
		filepath.Join(memory, ".pending-backup"):                 path + "\n",
		filepath.Join(memory, ".pending-backup-compact"):         h.cwd,
		filepath.Join(memory, ".pending-backup-exit"):            filepath.Join(memory, "raw", h.prompt),
		filepath.Join(memory, "raw", ".sums"):                    h.result + "  " + filepath.Base(path) + "\n",
		filepath.Join(memory, "session-"+fileName(h.name)+".md"): "# " + h.name + "\n\nx " + h.result + "\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Skip("no such file name here")
		}
	}
	return path
}

// agent writes the transcript of a sub-agent, with a field as its type.
func (h hostileFields) agent(t *testing.T, session string) {
	t.Helper()
	path := filepath.Join(strings.TrimSuffix(session, ".jsonl"), "subagents", "agent-1.jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	text := `{"type":"user","isSidechain":true,"agentId":"1","uuid":"1","timestamp":"2026-11-21T15:00:00Z","message":{"role":"user","content":` +
		quoteJSON("x "+h.prompt, false) + "}}\n"
	for name, text := range map[string]string{path: text, strings.TrimSuffix(path, ".jsonl") + ".meta.json": `{"agentType":` + quoteJSON(h.typ, false) + "}"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// checkCandidates allows only words without special meaning in a shell.
func checkCandidates(t *testing.T, args []string, code int, stdout, stderr string) {
	t.Helper()
	checkNoEscape(t, fmt.Sprintf("%q stdout", args), stdout)
	checkNoEscape(t, fmt.Sprintf("%q stderr", args), stderr)
	lines := strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
	if last := lines[len(lines)-1]; code != out.ExitDone || !strings.HasPrefix(last, ":") || !strings.HasPrefix(stderr, "Completion ended with directive: ") {
		t.Errorf("%q: exit code %d, %q, %q", args, code, stdout, stderr)
	}
	for _, line := range lines[:len(lines)-1] {
		word, _, _ := strings.Cut(line, "\t")
		if !find.IsPlainWord(strings.TrimLeft(strings.ReplaceAll(word, ",", ""), "-")) {
			t.Errorf("%q offers %q", args, word)
		}
	}
}

func fileName(s string) string {
	s = strings.NewReplacer("/", "_", "\x00", "_").Replace(s)
	return "x" + s[:min(len(s), 200)]
}

// transcript puts the fields wherever printed text can come from. raw: see quoteJSON.
func (h hostileFields) transcript(raw bool) string {
	str := func(s string) string { return quoteJSON(s, raw) }
	common := `"cwd":` + str(h.cwd) + `,"sessionId":` + str(h.uuid) + `,"version":` + str(h.version) + `,"gitBranch":` + str(h.branch) +
		`,"timestamp":"2026-11-21T15:00:00Z"`
	uuid := func(n string) string { return `"uuid":` + str(h.uuid+n) }
	call := str("t" + h.tool)
	return strings.Join([]string{
		`{"type":"user","parentUuid":null,` + uuid("1") + `,` + common + `,"message":{"role":"user","content":` + str(h.prompt) + `}}`,
		`{"type":"assistant","parentUuid":` + str(h.uuid+"1") + `,` + uuid("2") + `,` + common + `,"requestId":"r","message":{"id":` + str(h.uuid) +
			`,"role":"assistant","model":` + str(h.version) + `,"content":[{"type":"text","text":` + str(h.result) + `},{"type":"thinking","thinking":` + str(h.result) +
			`},{"type":"tool_use","id":` + call + `,"name":` + str(h.tool) + `,"input":{"command":` + str(h.prompt) + `,` + str(h.tool) + `:` + str(h.result) +
			`}},{"type":` + str(h.typ) + `,` + str(h.name) + `:` + str(h.result) + `},{"type":"image","source":{"type":"base64","media_type":` + str(h.typ) + `,"data":"AA=="}}]}}`,
		`{"type":"user","parentUuid":` + str(h.uuid+"2") + `,` + uuid("3") + `,` + common + `,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":` + call +
			`,"content":` + str(h.result) + `,"is_error":true}]}}`,
		`{"type":"system","subtype":"compact_boundary","parentUuid":null,"logicalParentUuid":` + str(h.uuid+"3") + `,` + uuid("4") + `,` + common + `,"content":` + str(h.prompt) + `}`,
		`{"type":"user","isCompactSummary":true,"parentUuid":` + str(h.uuid+"4") + `,` + uuid("5") + `,` + common + `,"message":{"role":"user","content":` + str(h.result) + `}}`,
		`{"type":"user","isSidechain":true,"agentId":` + str(h.name) + `,"parentUuid":null,` + uuid("6") + `,` + common + `,"message":{"role":"user","content":` + str(h.prompt) + `}}`,
		`{"type":"system","subtype":` + str(h.typ) + `,"parentUuid":` + str(h.uuid+"5") + `,` + uuid("7") + `,` + common + `,"content":` + str(h.result) + `}`,
		`{"type":` + str(h.typ) + `,` + str(h.name) + `:` + str(h.result) + `}`,
		`{"type":"custom-title","customTitle":` + str(h.name) + `,"sessionId":` + str(h.uuid) + `}`,
		h.result,
	}, "\n")
}

// quoteJSON returns s as a JSON string. A raw string has only the required escapes.
func quoteJSON(s string, raw bool) string {
	if !raw {
		text, err := json.Marshal(s)
		if err != nil {
			return `""`
		}
		return string(text)
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteString("\\" + string(rune(c)))
		case c < 0x20:
			fmt.Fprintf(&b, "\\u%04x", c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + `"`
}

// TestHostileTranscript: invalid UTF-8 must stay, or these tests would check nothing.
func TestHostileTranscript(t *testing.T) {
	t.Parallel()
	for line := range strings.Lines(newHostileFields("\x1b[31m\x7f\u009b").transcript(true)) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "{") && !json.Valid([]byte(line)) {
			t.Errorf("no JSON: %q", line)
		}
	}
	if text := newHostileFields("\x9b\xff").transcript(true); utf8.ValidString(text) {
		t.Error("invalid UTF-8 was lost")
	}
}

// checkNoEscape rejects every character that a terminal interprets.
func checkNoEscape(t *testing.T, where, text string) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Errorf("%s is not UTF-8: %q", where, text)
	}
	for i, r := range text {
		if r < 0x20 && r != '\n' && r != '\t' || r == 0x7f || r >= 0x80 && transcript.IsUnsafe(r) {
			t.Fatalf("%s has %U at %d: %q", where, r, i, text[max(0, i-40):min(len(text), i+40)])
		}
	}
}
