package export_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/export"
)

func TestRedactText(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text, want string
		count      int
	}{
		{"nothing to hide in src/home/view.go", "nothing to hide in src/home/view.go", 0},
		{"mail anna.lee+x@mail.example.com now", "mail [masked] now", 1},
		{"?to=anna%40example.com&x", "?to=[masked]&x", 1},
		{"npm i left-pad@1.2.3", "npm i left-pad@1.2.3", 0},
		{"/home/anna/app /Users/bob/x:/home/eve", "~/app ~/x:~", 3},
		{`C:\Users\Anna\app and D:\\Users\\bob\\x`, `~\app and ~\\x`, 2},
		{"file:///home/anna/x https://example.com/home/page", "file://~/x https://example.com/home/page", 1},
		{".claude/projects/-home-anna-src-app/x.jsonl", ".claude/projects/~-src-app/x.jsonl", 1},
		{"/srv/people/kim/app /srv/people/kimberly", "~/app /srv/people/kimberly", 1},
		{"/root/app ./root/app src/root /rootfs x=/root", "~/app ./root/app src/root /rootfs x=~", 2},
		{"projects/-srv-people-kim-app", "projects/~-app", 1},
		{"export API_KEY=abc123 and ghp_0123456789abcdef", "export API_KEY=[masked] and [masked]", 2},
	} {
		r := export.NewRedactor("/srv/people/kim")
		if got := r.Text(test.text); got != test.want || r.Count != test.count {
			t.Errorf("%q: got %q, %d masked; want %q, %d", test.text, got, r.Count, test.want, test.count)
		}
	}
}

func TestRedactJSON(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, raw, want string
		count           int
	}{
		{"unchanged", `{"a" : [1, "b\u0041", null],"c":{}}`, `{"a" : [1, "b\u0041", null],"c":{}}`, 0},
		{"a value under the name of a secret", `{"password": "hunter2","n":{"api_key":"q","tokens":"7"}}`, `{"password": "[masked]","n":{"api_key":"[masked]","tokens":"7"}}`, 2},
		{"not a string under the name of a secret", `{"token":12,"x":"y","secret":["z"]}`, `{"token":12,"x":"y","secret":["z"]}`, 0},
		{"escaped", `{"x":"mail a\u0040example.com \"q\""}`, `{"x":"mail [masked] \"q\""}`, 1},
		{"a key", `{"/home/anna/x":1}`, `{"~/x":1}`, 1},
		{
			"the lines of a private key", `{"lines":["+-----BEGIN RSA PRIVATE KEY-----","+MIIabc","+-----END RSA PRIVATE KEY-----","+next"],"y":"MIIabc"}`,
			`{"lines":["+[masked]","+[masked]","+[masked]","+next"],"y":"MIIabc"}`, 1,
		},
		{"not JSON", `{"password":"hunter2`, `{"password":[masked]`, 1},
	} {
		r := export.NewRedactor("")
		if got := string(r.JSON([]byte(test.raw))); got != test.want || r.Count != test.count {
			t.Errorf("%s: got %s, %d masked; want %s, %d", test.name, got, r.Count, test.want, test.count)
		}
	}
}

// secrets returns texts that no format may contain.
func secrets() []string {
	return []string{"hunter2x", "ghp_0123456789abcdef", "anna@example.com", "/home/anna", "MIIEow-line"}
}

func withSecrets(t *testing.T) string {
	t.Helper()
	text := "password=hunter2x ghp_0123456789abcdef anna@example.com /home/anna/x\n-----BEGIN PRIVATE KEY-----\nMIIEow-line\n-----END PRIVATE KEY-----"
	quoted, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, l := range strings.Split(text, "\n") {
		lines = append(lines, "+"+l)
	}
	patch, err := json.Marshal(lines)
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer("SECRETS", string(quoted), "PATCH", string(patch)).Replace(
		`{"type":"user","uuid":"u1","parentUuid":null,"cwd":"/home/anna/app","timestamp":"2026-11-21T13:20:00Z","message":{"role":"user","content":SECRETS}}
{"type":"assistant","uuid":"u2","parentUuid":"u1","timestamp":"2026-11-21T13:21:00Z","message":{"id":"m1","role":"assistant","model":"opus","content":[{"type":"thinking","thinking":SECRETS},{"type":"text","text":SECRETS},{"type":"tool_use","id":"t1","name":"Edit","input":{"file_path":"/home/anna/app/x","old_string":"","new_string":SECRETS,"password":"hunter2x"}},{"type":"tide","x":SECRETS}]}}
{"type":"user","uuid":"u3","parentUuid":"u2","timestamp":"2026-11-21T13:22:00Z","toolUseResult":{"structuredPatch":[{"oldStart":1,"oldLines":0,"newStart":1,"newLines":4,"lines":PATCH}]},"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":SECRETS}]}}
`)
}

func TestRedactAllFormats(t *testing.T) {
	t.Parallel()
	raw := withSecrets(t)
	for _, format := range []export.Format{export.Markdown, export.HTML, export.JSON, export.JSONL} {
		plain, masked := exported(t, raw, format, nil), exported(t, raw, format, export.NewRedactor(""))
		for _, secret := range secrets() {
			if !strings.Contains(plain, secret) {
				t.Errorf("%s: %q isn't in the plain export", format, secret)
			}
			if strings.Contains(masked, secret) {
				t.Errorf("%s: %q is in the masked export:\n%s", format, secret, masked)
			}
		}
	}
}

func TestRecords(t *testing.T) {
	t.Parallel()
	raw := withSecrets(t) + "torn {\n\n{\"a\":1}{\"b\":2}\r\n" + `{"type":"x"}`
	if got := exported(t, raw, export.JSONL, nil); got != raw {
		t.Errorf("got %q, want the bytes of the file", got)
	}
	masked := exported(t, raw, export.JSONL, export.NewRedactor(""))
	if strings.Count(masked, "\n") != strings.Count(raw, "\n") || !strings.HasSuffix(masked, "torn {\n\n{\"a\":1}{\"b\":2}\r\n"+`{"type":"x"}`) {
		t.Errorf("other lines changed:\n%s", masked)
	}
	for line := range strings.Lines(masked) {
		if strings.HasPrefix(line, `{"type"`) && !json.Valid([]byte(line)) {
			t.Errorf("%s isn't JSON", line)
		}
	}
}

func exported(t *testing.T, raw string, format export.Format, r *export.Redactor) string {
	t.Helper()
	var b bytes.Buffer
	if format == export.JSONL {
		if err := export.Records(t.Context(), &b, strings.NewReader(raw), r); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	tr, err := transcript.New(t.Context(), strings.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	o := tr.Outline()
	var items []export.Item
	thread := -1
	for i := range o.Messages {
		m := tr.Message(i)
		r.Message(&m)
		item := export.Item{Number: i + 1, Message: &m}
		if k := o.Messages[i].Thread; k != thread {
			thread, item.Thread = k, &o.Threads[k]
		}
		items = append(items, item)
	}
	s := export.Session{ID: "3f9", Title: "Tea", Dir: o.Facts.Cwd, Messages: o.Turns, Counts: o.Counts, First: transcript.At(o.Facts.First), Last: transcript.At(o.Facts.Last)}
	r.Session(&s)
	if err := export.Write(&b, format, &s, all(items)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
