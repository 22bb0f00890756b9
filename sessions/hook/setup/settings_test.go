package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tailscale/hujson"
)

// foreign is a hook of another program.
const foreign = `{"hooks":[{"type":"command","command":"say hello"}]}`

// settingsFiles returns unusual settings.json files by description.
func settingsFiles() map[string]string {
	pretty := `{
  "model": "opus",
  "env": {
    "A": "1"
  }
}
`
	return map[string]string{
		"blank":                  "",
		"only blanks":            " \n\n",
		"only a mark":            byteOrderMark,
		"empty object":           "{}",
		"empty object, line":     "{}\n",
		"empty, open":            "{\n}\n",
		"empty, blank":           "{ }",
		"pretty":                 pretty,
		"no last line end":       strings.TrimSuffix(pretty, "\n"),
		"two last line ends":     pretty + "\n",
		"four blanks":            strings.ReplaceAll(pretty, "  ", "    "),
		"tabs":                   strings.ReplaceAll(pretty, "  ", "\t"),
		"no indentation":         strings.ReplaceAll(pretty, "  ", ""),
		"CR LF":                  strings.ReplaceAll(pretty, "\n", "\r\n"),
		"byte order mark":        byteOrderMark + pretty,
		"minified":               `{"model":"opus","env":{"A":"1"}}`,
		"one line":               `{"model": "opus", "env": {"A": "1"}}` + "\n",
		"one line, one key":      `{ "model" : "opus" }`,
		"unknown, nested":        `{"x":{"hooks":{"SessionStart":[` + foreign + `]}},"y":[{"hooks":[]}]}`,
		"no hooks yet":           `{"hooks":{}}`,
		"no hooks yet, open":     "{\n  \"hooks\": {\n  }\n}\n",
		"no groups yet":          `{"hooks":{"SessionStart":[],"PreCompact": [ ]}}`,
		"no groups yet, open":    "{\n  \"hooks\": {\n    \"SessionEnd\": [\n    ],\n    \"Stop\": []\n  }\n}\n",
		"hooks of others":        `{"hooks":{"SessionStart":[` + foreign + `],"Stop":[` + foreign + `]},"model":"opus"}`,
		"hooks of others, open":  "{\n  \"hooks\": {\n    \"SessionStart\": [\n      " + foreign + "\n    ]\n  },\n  \"model\": \"opus\"\n}\n",
		"groups on one line":     "{\n  \"hooks\": {\n    \"SessionStart\": [" + foreign + ", " + foreign + "]\n  }\n}\n",
		"groups that are none":   `{"hooks":{"SessionStart":[1,"x",null,{"hooks":1},{"hooks":[1,{"command":2},{"args":3}]}]}}`,
		"keys twice":             `{"hooks":{"SessionStart":[` + foreign + `]},"hooks":{"SessionEnd":[],"SessionEnd":[` + foreign + `]}}`,
		"keys twice, last empty": `{"hooks":1,"hooks":{}}`,
		"key with an escape":     `{"h\u006foks":{"SessionStart":[` + foreign + `]}}`,
		"comments":               "// a\n{ // b\n  \"model\": \"opus\" // c\n  // d\n} // e\n",
		"comments on one line":   `/* a */{/* b */"model":"opus"/* c */}/* d */`,
		"comment in an empty":    "{\n  // nothing\n}\n",
		"comment in empty hooks": "{\n  \"hooks\": { // none\n  }\n}\n",
		"superfluous commas":     "{\n  \"hooks\": {\"SessionStart\": [" + foreign + ",],},\n  \"model\": \"opus\",\n}\n",
		"all of it":              "{\n  \"hooks\": {\"SessionStart\": [/* a */" + foreign + "/* b */,/* c */], // d\n  // e\n  }\n  // f\n}\n",
		"no blank at a comment":  "{\"a\":1,//\n\"b\":2//\n}",
		"other characters":       `{"naïve ☃":"\ud83d\ude00","a\u0000b":"<&>"}`,
		"large numbers":          `{"n":1e400,"m":12345678901234567890}`,
	}
}

// TestHooksComeAndGo: adding hooks changes no other value. Removing them restores every byte.
func TestHooksComeAndGo(t *testing.T) {
	t.Parallel()
	for name, before := range settingsFiles() {
		for _, scope := range []Scope{ScopeProject, ScopeUser} {
			t.Run(name+", "+string(scope), func(t *testing.T) {
				t.Parallel()
				comeAndGo(t, []byte(before), scope)
			})
		}
	}
}

// someShims returns shims of a project. Every script calls continuo.
func someShims() *shims { return &shims{project: "/p q", ours: func(string) bool { return true }} }

func comeAndGo(t *testing.T, before []byte, scope Scope) {
	t.Helper()
	want := wantedHooks(scope, `/opt/my tools/continuo`)
	after, made, err := addHooks(before, want, someShims())
	if err != nil {
		t.Fatal(err)
	}
	s, err := parseSettings(after)
	if err != nil {
		t.Fatalf("%v:\n%s", err, after)
	}
	found, _ := s.entries(someShims())
	if len(found) != len(want) {
		t.Fatalf("%d hooks:\n%s", len(found), after)
	}
	for _, w := range want {
		if !slices.ContainsFunc(found, w.is) {
			t.Errorf("%s is missing:\n%s", w.event, after)
		}
	}
	again, _, err := addHooks(after, want, someShims())
	if err != nil || !bytes.Equal(again, after) {
		t.Errorf("the second time: %v\n%s", err, again)
	}
	back, err := removeHooks(after, someShims(), made)
	if err != nil || !bytes.Equal(back, before) {
		t.Errorf("back: %v\n%q\nwant\n%q\nfrom\n%s", err, back, before, after)
	}
	// Without the trace, only empty objects and lists may be missing.
	plain, err := removeHooks(after, someShims(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := values(t, plain), values(t, before); !reflect.DeepEqual(got, want) {
		t.Errorf("without a trace: %v\nwant %v", got, want)
	}
}

// values returns a settings.json without an empty "hooks".
func values(t *testing.T, text []byte) map[string]any {
	t.Helper()
	text = bytes.TrimPrefix(text, []byte(byteOrderMark))
	if len(bytes.TrimSpace(text)) == 0 {
		return map[string]any{}
	}
	plain, err := hujson.Standardize(append([]byte{}, text...))
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	d := json.NewDecoder(bytes.NewReader(plain))
	d.UseNumber()
	if err := d.Decode(&all); err != nil {
		t.Fatal(err)
	}
	hooks, ok := all["hooks"].(map[string]any)
	for event, groups := range hooks {
		if list, ok := groups.([]any); ok && len(list) == 0 {
			delete(hooks, event)
		}
	}
	if ok && len(hooks) == 0 {
		delete(all, "hooks")
	}
	return all
}

// FuzzSettings: any file is restored after adding and removing hooks, or refused.
func FuzzSettings(f *testing.F) {
	for _, text := range settingsFiles() {
		f.Add([]byte(text))
	}
	f.Add([]byte(`{"hooks":{"SessionStart":[{"hooks":[{"command":"continuo hook session-start"}]}]}}`))
	f.Fuzz(func(t *testing.T, before []byte) {
		want := wantedHooks(ScopeUser, "/bin/continuo")
		after, made, err := addHooks(before, want, nil)
		if err != nil {
			if e, ok := errors.AsType[*settingsError](err); err.Error() == "" || ok && (e.what == "" || e.line < 0) {
				t.Errorf("no reason: %#v", err)
			}
			return
		}
		s, err := parseSettings(after)
		if err != nil {
			t.Fatalf("%v:\n%s", err, after)
		}
		if found, _ := s.entries(nil); len(found) < len(want) {
			t.Fatalf("%d hooks:\n%s", len(found), after)
		}
		if b, err := parseSettings(before); err == nil {
			if found, _ := b.entries(nil); len(found) > 0 {
				if _, err := removeHooks(after, nil, nil); err != nil {
					t.Fatal(err)
				}
				return
			}
		}
		back, err := removeHooks(after, nil, made)
		if err != nil || !bytes.Equal(back, before) {
			t.Fatalf("back: %v\n%q\nwant\n%q\nfrom\n%s", err, back, before, after)
		}
	})
}
