package ledger

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestParseRef(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in   string
		want Ref // without Raw
		spec string
	}{
		{"${PROJECT_ROOT}/src/a.go:45", Ref{Path: "src/a.go", From: 45, To: 45, Form: FormRooted}, "${PROJECT_ROOT}/src/a.go:45"},
		{"${PROJECT_ROOT}/src/a.go:45-67", Ref{Path: "src/a.go", From: 45, To: 67, Form: FormRooted}, "${PROJECT_ROOT}/src/a.go:45-67"},
		{"${PROJECT_ROOT}/src/a.go:45–67", Ref{Path: "src/a.go", From: 45, To: 67, Form: FormRooted}, "${PROJECT_ROOT}/src/a.go:45-67"},
		{"$PROJECT_ROOT/src/a.go:45", Ref{Path: "src/a.go", From: 45, To: 45, Form: FormRooted}, "${PROJECT_ROOT}/src/a.go:45"},
		{" [`${PROJECT_ROOT}/src/a.go:45-45`] ", Ref{Path: "src/a.go", From: 45, To: 45, Form: FormRooted}, "${PROJECT_ROOT}/src/a.go:45"},
		{"${PROJECT_ROOT}/src/a.go", Ref{Path: "src/a.go", Form: FormRooted}, "${PROJECT_ROOT}/src/a.go"},
		{"${PROJECT_ROOT}/bin/run:3", Ref{Path: "bin/run", From: 3, To: 3, Form: FormRooted}, "${PROJECT_ROOT}/bin/run:3"},
		{"${PROJECT_ROOT}/app/[id]/(main)/page.tsx:9", Ref{Path: "app/[id]/(main)/page.tsx", From: 9, To: 9, Form: FormRooted}, "${PROJECT_ROOT}/app/[id]/(main)/page.tsx:9"},
		{`${PROJECT_ROOT}\src\a.go:45`, Ref{Path: "src/a.go", From: 45, To: 45, Form: FormRooted}, "${PROJECT_ROOT}/src/a.go:45"},
		{"${PROJECT_ROOT}/a/../../x.go:1", Ref{Path: "../x.go", From: 1, To: 1, Form: FormRooted}, "${PROJECT_ROOT}/../x.go:1"},
		{"src/a.go:45", Ref{Path: "src/a.go", From: 45, To: 45, Form: FormRelative}, "${PROJECT_ROOT}/src/a.go:45"},
		{"./src/a.go:45", Ref{Path: "src/a.go", From: 45, To: 45, Form: FormRelative}, "${PROJECT_ROOT}/src/a.go:45"},
		{"../x/a.go:45", Ref{Path: "../x/a.go", From: 45, To: 45, Form: FormRelative}, "${PROJECT_ROOT}/../x/a.go:45"},
		{"Makefile:7", Ref{Path: "Makefile", From: 7, To: 7, Form: FormRelative}, "${PROJECT_ROOT}/Makefile:7"},
		{".gitignore:7", Ref{Path: ".gitignore", From: 7, To: 7, Form: FormRelative}, "${PROJECT_ROOT}/.gitignore:7"},
		{"src/größe.go:7", Ref{Path: "src/größe.go", From: 7, To: 7, Form: FormRelative}, "${PROJECT_ROOT}/src/größe.go:7"},
		{"/srv/x/file.go:45", Ref{Path: "/srv/x/file.go", From: 45, To: 45, Form: FormHard}, "/srv/x/file.go:45"},
		{`C:\code\x\a.go:45-46`, Ref{Path: `C:\code\x\a.go`, From: 45, To: 46, Form: FormHard}, `C:\code\x\a.go:45-46`},
		{`c:/code/a.go`, Ref{Path: `c:/code/a.go`, Form: FormHard}, `c:/code/a.go`},
		{"~/code/x/a.go:45", Ref{Path: "~/code/x/a.go", From: 45, To: 45, Form: FormHome}, "~/code/x/a.go:45"},
	} {
		tt.want.Raw = strings.Trim(tt.in, " []`")
		got, ok := ParseRef(tt.in)
		if !ok || got != tt.want || got.String() != tt.spec {
			t.Errorf("%s: %v %+v %s", tt.in, ok, got, got)
		}
	}
}

func TestParseRefNone(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		"", "`", "``", "[]", ":5432", "localhost:8080", "db.example.com:5432", "127.0.0.1:80", "14:25:00Z", "14:25",
		"node:20", "ghcr.io/x/y:12", "api.v1:8080", "https://example.com/a.ts:12", "a.go:0", "a.go:67-45", "a.go:45-",
		"a.go:12345678", "a.go:45px", "a.go:4.5", "a.go:line", "${PROJECT_ROOT}", "${PROJECT_ROOT}/", "${PROJECT_ROOT}/src/",
		"${PROJECT_ROOT}/[path/to/file.ext:lines]", "${PROJECT_ROOT}/${x}.go:3", "${HOME}/a.go:3", "$X/a.go:1", "${PROJECT_ROOT}/..",
		"src/.../a.go:3", "src/*.go:3", "a b.go:3", "me@example.go:22", "//x/a.go:1", "~a.go:1", "foo)/a.go:1", "(/)/../.A0:1", "(/)/../a.go:1",
		strings.Repeat("a/", 4096) + "a.go:1",
	} {
		if got, ok := ParseRef(in); ok {
			t.Errorf("%.40s: %+v", in, got)
		}
	}
}

func TestFindRefs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		line string
		want []string // as written
	}{
		{"thrown (`edge/adapters.ts:22,36`) → fixtures", []string{"edge/adapters.ts:22"}},
		{"- `code quote` [${PROJECT_ROOT}/file.ts:12]", []string{"${PROJECT_ROOT}/file.ts:12"}},
		{"| ${PROJECT_ROOT}/src/jwt.ts:45-67 | Token validation | 14:25:00Z |", []string{"${PROJECT_ROOT}/src/jwt.ts:45-67"}},
		{"| ${PROJECT_ROOT}/src/jwt.ts | whole | 14:25:00Z |", []string{"${PROJECT_ROOT}/src/jwt.ts"}},
		{"see ${PROJECT_ROOT}/a.go. And **${PROJECT_ROOT}/b.go**: it", []string{"${PROJECT_ROOT}/a.go", "${PROJECT_ROOT}/b.go"}},
		{"${PROJECT_ROOT}/a.go:12:3 and $PROJECT_ROOT/b:4, c.go:5–6;", []string{"${PROJECT_ROOT}/a.go:12", "$PROJECT_ROOT/b:4", "c.go:5–6"}},
		{"`packages/x/` and `./a_b-c.test.ts:1`, \"x/y.py:2\", (z.rs:3), **q/w.md:4**", []string{"./a_b-c.test.ts:1", "x/y.py:2", "z.rs:3", "q/w.md:4"}},
		{"in /srv/app/a.go:45 and ~/x/a.go:46 and C:\\x\\a.go:47 and (c:/x/a.go:48)", []string{"/srv/app/a.go:45", "~/x/a.go:46", `C:\x\a.go:47`, "c:/x/a.go:48"}},
		{"app/[id]/page.tsx:12 and [app/(g)/page.tsx:13]", []string{"app/[id]/page.tsx:12", "app/(g)/page.tsx:13"}},
		{"`@types/x.d.ts:3`, file=src/a.ts:12", []string{"@types/x.d.ts:3", "src/a.ts:12"}},
		{"`sprint-finn-score.md:104-189` — pre-registered", []string{"sprint-finn-score.md:104-189"}},
		{"a line — “src/a.ts:12” … →src/b.ts:13.", []string{"src/a.ts:12", "src/b.ts:13"}},

		{"[src/a.ts:12](src/a.ts#L12) and [text](src/b.ts:13) then c.ts:14", []string{"c.ts:14"}},
		{"![img](src/a.go:2 \"t\") [b](src/b.go:3 'u v') [c]( d.go:4", []string{"d.go:4"}},
		{"[ref]: src/a.go:2", nil},
		{"  [ref]: src/a.go:2 \"a title\"", nil},
		{"[^1]: src/a.go:2", []string{"src/a.go:2"}},
		{"[x]: see src/a.go:2", []string{"src/a.go:2"}},
		{"[![x](a.ts:1)](b.ts:2)[y] d.ts:3", []string{"d.ts:3"}},
		{"<https://example.com:8080/a.ts:12> https://x.io/?f=src/a.ts:12 (http://h/b.go:3) e.go:4", []string{"e.go:4"}},
		{"at 14:25:00Z, 2026-05-12T14:25:00Z, v1.2.3:4, node:20, :5432, 0.0.0.0:80, localhost:3000", nil},
		{"redis.internal:6379 example.com:443 user@host.go:22 a.go:1700000000 ratio 3.5:1 e.g.:5", nil},
		{"`${PROJECT_ROOT}/[path/to/file.ext:lines]` ${PROJECT_ROOT}/file.ts:line ${PROJECT_ROOT}/src/*.go ${PROJECT_ROOT}/src/", nil},
		{"cd \"${PROJECT_ROOT}\" && env PROJECT_ROOT=\"$(pwd)\" ${PROJECT_ROOT}/x/${n}.ts:12 ${HOME}/a.go:1 $X/b.go:2", nil},
		{"foo\\_bar.ts:12 x%20y.ts:3 a:b.ts:4 C:src/a.ts", nil},
	} {
		var got []string
		for _, r := range FindRefs(tt.line) {
			got = append(got, r.Raw)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s\ngot  %q\nwant %q", tt.line, got, tt.want)
		}
		checkRefs(t, tt.line)
	}
}

func checkRefs(t *testing.T, line string) {
	t.Helper()
	end := 0
	for _, r := range FindRefs(line) {
		if r.At < end || r.End <= r.At || r.End > len(line) || line[r.At:r.End] != r.Raw {
			t.Fatalf("%q: %+v after %d", line, r, end)
		}
		end = r.End
		if again, ok := ParseRef(r.Raw); !ok || again != r.Ref {
			t.Fatalf("%q: found %+v, read alone %v %+v", line, r.Ref, ok, again)
		}
		if r.Form != FormRooted && r.From == 0 || r.To < r.From || r.Path == "" {
			t.Fatalf("%q: %+v", line, r)
		}
		if spec, ok := ParseRef(r.String()); r.Form != FormHard && r.Form != FormHome && (!ok || spec.Form != FormRooted || spec.Path != r.Path) {
			t.Fatalf("%q: %+v is %q", line, r, r.String())
		}
	}
}

func FuzzFindRefs(f *testing.F) {
	f.Add("`a/b.ts:22,36` [${PROJECT_ROOT}/file.ts:12-13] [t](u.go:1) https://h:80/a.go:1 C:\\x\\a.go:47")
	f.Add("$PROJECT_ROOT/[a]/(b).go:1–2 ~/x.go:3 ./../a.go:4 **${PROJECT_ROOT}/a.go**")
	f.Add("./" + strings.Repeat("a", 4085) + ".c:1") // the longest accepted path below the root
	f.Fuzz(checkRefs)
}

// TestFindRefsHostile: in quadratic time, the line would take an hour.
func TestFindRefsHostile(t *testing.T) {
	t.Parallel()
	for _, part := range []string{"a", "[", "]", "](", "[a](", "$PROJECT_ROOT/", "${PROJECT_ROOT}/a", ":1", "a:1", "://", "a.go:1,", "(", "~", "[](a", "C:\\"} {
		line := strings.Repeat("[", 1000) + strings.Repeat(part, 1<<18/len(part))
		if n := len(FindRefs(line)); n > len(line) {
			t.Errorf("%s: %d", part, n)
		}
	}
}

// TestFindRefsSamples: real files have hundreds of colons, but few references.
func TestFindRefsSamples(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("CONTINUO_EXAMPLES")
	if dir == "" {
		t.Skip("CONTINUO_EXAMPLES is not set")
	}
	files, err := filepath.Glob(filepath.Join(dir, "002", "NOTES*.md"))
	if err != nil || len(files) < 7 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	found := map[string][]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			checkRefs(t, line)
			for _, r := range FindRefs(line) {
				found[filepath.Base(file)] = append(found[filepath.Base(file)], r.Raw)
			}
		}
	}
	want := map[string][]string{
		"NOTES.loa-2026-05-12.dated-decision-logs.md": strings.Fields("archive-cycle.sh:260 archive-cycle.sh:132-139 validate-model-error.py:91"),
		"NOTES.loa-finn.md": strings.Fields("edge/adapters.ts:22 screen.ts:5 screen.ts:37 sprint-finn-score.md:104-189 arch-finn-cost-of-play.md:16 " +
			"exp3-c2-settle.md:46-52 package.json:6 .claude/scripts/lib/invoke-diagnostics.sh:69 cheval.py:412 vitest.config.ts:12 src/x402/rpc-pool.ts:154"),
		"NOTES.loa-v0.9.0.md": strings.Fields("LOA_CK_INTEGRATION_PROMPT.md:72-94 LOA_CK_INTEGRATION_PROMPT.md:1386-1420 " +
			"LOA_CK_INTEGRATION_PROMPT.md:1542-1629 LOA_CK_INTEGRATION_PROMPT.md:1323-1378"),
		"NOTES.corona.md": strings.Fields("model-config.yaml:14 red-team-model-adapter.sh:47 protocols/flatline-protocol.md:227 " +
			"protocols/gpt-review-integration.md:244 model-permissions.yaml:59 adversarial-review.sh:635 flatline-orchestrator.sh:369 " +
			"model-adapter.sh:96 lib-curl-fallback.sh:124 adversarial-review.sh:74 tests/integration/probe-integration-sprint4.bats:42 " +
			"adversarial-review.sh:74 .claude/scripts/model-health-probe.sh:796 post-pr-audit.sh:258"),
	}
	if !reflect.DeepEqual(found, want) {
		t.Errorf("got  %q\nwant %q", found, want)
	}
}
