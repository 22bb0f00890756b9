package ledger

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

func (p place) project() *Project { return &Project{Root: p.dir} }

func TestCheck(t *testing.T) {
	t.Parallel()
	p, out := newPlace(t), newPlace(t)
	out.write("o.go", "package o\n")
	p.write("src/a.go", "package a\r\n\r\nfunc A() {\r\n\treturn f(1)\r\n}\r\n\r\nfunc B() {\r\n\treturn f(1)\r\n}\r\n")
	p.write("empty.go", "")
	p.write("last.go", "no end")
	p.write("lib/moved.go", "x\nfunc Moved() {}\n")
	p.write("two/x.go", "x\n")
	p.write("too/x.go", "y\nhere\n")
	p.write("node_modules/gone.go", "x\n")
	p.write("binary.go", "a\x00")
	p.write("latin.go", "// gr\xfc\xdfe\nfunc L() {}\n")
	p.mkdir("dir.go")
	p.link(out.path("o.go"), "out.go")
	p.link("src/a.go", "in.go")
	for _, tt := range []struct {
		ref, quote string
		want       Check
	}{
		{"${PROJECT_ROOT}/src/a.go:3", "", Check{Status: Holds}},
		{"${PROJECT_ROOT}/src/a.go:9", "", Check{Status: Holds}},
		{"${PROJECT_ROOT}/src/a.go", "", Check{Status: Holds}},
		{"src/a.go:9", "", Check{Status: Holds}},
		{p.path("src/a.go") + ":9", "", Check{Status: Holds}},
		{"${PROJECT_ROOT}/in.go:9", "", Check{Status: Holds}},
		{"${PROJECT_ROOT}/src/a.go:10", "", Check{Status: NoLine, Lines: 9}},
		{"${PROJECT_ROOT}/src/a.go:8-10", "", Check{Status: NoLine, Lines: 9}},
		{"${PROJECT_ROOT}/empty.go:1", "", Check{Status: NoLine}},
		{"${PROJECT_ROOT}/empty.go", "", Check{Status: Holds}},
		{"${PROJECT_ROOT}/last.go:1", "  no end\n", Check{Status: Holds, Quoted: true}},

		{"${PROJECT_ROOT}/src/a.go:3", "func A()", Check{Status: Holds, Quoted: true}},
		{"${PROJECT_ROOT}/src/a.go:3", "A() {\nreturn f(1)\n    }\n", Check{Status: Holds, Quoted: true}},
		{"${PROJECT_ROOT}/src/a.go:1-9", "return f(1)", Check{Status: Holds, Quoted: true}},
		{"${PROJECT_ROOT}/src/a.go:5-9", "return f(1)", Check{Status: Holds, Quoted: true}}, // the other match is nearer to line 5, but outside the lines 5-9
		{"${PROJECT_ROOT}/src/a.go", "func B", Check{Status: Holds, Quoted: true}},
		{"${PROJECT_ROOT}/src/a.go:5", "return f(1)", Check{Status: Moved, Quoted: true, At: 4}},
		{"${PROJECT_ROOT}/src/a.go:7", "return f(1)", Check{Status: Moved, Quoted: true, At: 8}},
		{"${PROJECT_ROOT}/src/a.go:6", "return f(1)", Check{Status: Moved, Quoted: true, At: 8}}, // as near as line 4
		{"${PROJECT_ROOT}/src/a.go:1", "package a\n\nfunc B", Check{Status: NoQuote, Quoted: true}},
		{"${PROJECT_ROOT}/src/a.go:99", "func A", Check{Status: Moved, Quoted: true, At: 3}},
		{"${PROJECT_ROOT}/src/a.go:99", "func C", Check{Status: NoLine, Quoted: true, Lines: 9}},
		{"${PROJECT_ROOT}/src/a.go:3", "func C", Check{Status: NoQuote, Quoted: true}},
		{"${PROJECT_ROOT}/src/a.go:3", "return f( 1 )", Check{Status: NoQuote, Quoted: true}},
		{"${PROJECT_ROOT}/src/a.go:3", " \n\n ", Check{Status: Holds}},
		{"${PROJECT_ROOT}/latin.go:2", "func L()", Check{Status: Holds, Quoted: true}},
		{"${PROJECT_ROOT}/src/a.go:3", strings.Repeat("long", 1000), Check{Status: NoQuote, Quoted: true}},

		{"${PROJECT_ROOT}/src/moved.go:2", "", Check{Status: NoFile, To: "lib/moved.go"}},
		{"${PROJECT_ROOT}/src/moved.go:1", "func Moved()", Check{Status: NoFile, Quoted: true, To: "lib/moved.go", At: 2}},
		{"${PROJECT_ROOT}/src/moved.go:1", "func Other()", Check{Status: NoFile, Quoted: true}},
		{"${PROJECT_ROOT}/x.go:1", "", Check{Status: NoFile}},
		{"${PROJECT_ROOT}/x.go:1", "here", Check{Status: NoFile, Quoted: true, To: "too/x.go", At: 2}},
		{"${PROJECT_ROOT}/gone.go:1", "", Check{Status: NoFile}},
		{"${PROJECT_ROOT}/src/a.go/b.go:1", "", Check{Status: NoFile}},

		{"${PROJECT_ROOT}/../x.go:1", "", Check{Status: Outside}},
		{"../x.go:1", "q", Check{Status: Outside, Quoted: true}},
		{"${PROJECT_ROOT}/out.go:1", "package o", Check{Status: Outside, Quoted: true}},
		{out.path("o.go") + ":1", "", Check{Status: Outside}},
		{"~/o.go:1", "", Check{Status: Outside}},
		{`Q:\x\o.go:1`, "", Check{Status: Outside}},
		{"${PROJECT_ROOT}/dir.go:1", "", Check{Status: Unreadable, Problem: "not a regular file"}},
		{"${PROJECT_ROOT}/binary.go:1", "", Check{Status: Unreadable, Problem: "not a text file"}},
	} {
		ref, ok := ParseRef(tt.ref)
		if !ok {
			t.Fatalf("%s isn't an identifier", tt.ref)
		}
		got := p.project().NewChecker().Check(t.Context(), ref, tt.quote)
		if got != tt.want {
			t.Errorf("%s %.30q:\ngot  %+v\nwant %+v", tt.ref, tt.quote, got, tt.want)
		}
		if got.Bad() != (tt.want.Status != Holds) {
			t.Errorf("%s: bad %v", tt.ref, got.Bad())
		}
	}
	for _, ref := range []Ref{{}, {Form: FormHard, Path: "a.go"}, {Path: "."}} {
		if got := p.project().NewChecker().Check(t.Context(), ref, ""); !got.Bad() {
			t.Errorf("%+v: %+v", ref, got)
		}
	}
	if got := (&Project{Root: p.path("no root")}).NewChecker().Check(t.Context(), Ref{Path: "a.go", From: 1, To: 1}, "x"); got != (Check{Status: NoFile, Quoted: true}) {
		t.Errorf("%+v", got)
	}
}

func TestCheckerWork(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("a.go", strings.Repeat("line\n", 2000))
	for i := range 50 {
		p.write(fmt.Sprintf("d/%d.go", i), "x\n")
	}
	c := p.project().NewChecker()
	for i := range 1000 {
		if got := c.Check(t.Context(), Ref{Path: "a.go", From: i + 1, To: i + 1}, "line"); got.Bad() {
			t.Fatalf("%+v", got)
		}
		if got := c.Check(t.Context(), Ref{Path: fmt.Sprintf("gone%d.go", i%7), From: 1, To: 1}, "x"); got.Status != NoFile {
			t.Fatalf("%+v", got)
		}
	}
	if c.reads != 1 || c.entries != 52 {
		t.Errorf("%d reads, %d entries", c.reads, c.entries)
	}
}

func TestCheckerBounds(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	for i := range maxSources + 10 {
		p.write(fmt.Sprintf("n/%d.go", i), "x\n")
	}
	large := strings.Repeat(strings.Repeat("x", 1023)+"\n", maxSource/1024)
	for i := range 4 {
		p.write(fmt.Sprintf("l/%d.go", i), large)
	}
	p.write("over.go", large+"x")

	c := p.project().NewChecker()
	held := 0
	for i := range maxSources + 10 {
		got := c.Check(t.Context(), Ref{Path: fmt.Sprintf("n/%d.go", i), From: 1, To: 1}, "")
		if got.Status == Holds {
			held++
		} else if got.Status != Unreadable || !strings.HasPrefix(got.Problem, "not checked") {
			t.Errorf("%+v", got)
		}
	}
	if held != maxSources || c.reads != maxSources {
		t.Errorf("%d valid, %d reads", held, c.reads)
	}
	if got := c.Check(t.Context(), Ref{Path: "n/0.go", From: 1, To: 1}, ""); got.Bad() {
		t.Errorf("a cached file: %+v", got)
	}

	c = p.project().NewChecker()
	if got := c.Check(t.Context(), Ref{Path: "over.go", From: 1, To: 1}, ""); got.Status != Unreadable || !strings.Contains(got.Problem, ErrTooLong.Error()) {
		t.Errorf("%+v", got)
	}
	c.sums = 4 * maxSource // for 16 files
	for i := range 4 {
		got := c.Check(t.Context(), Ref{Path: fmt.Sprintf("l/%d.go", i), From: 1, To: 1}, "")
		// Each line costs 8 bytes in addition to its text.
		if want := map[bool]Status{true: Holds, false: Unreadable}[i < 3]; got.Status != want {
			t.Errorf("%d: %+v", i, got)
		}
	}
}

func TestCheckCancelled(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("a.go", "x\n")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := p.project().NewChecker()
	if got := c.Check(ctx, Ref{Path: "a.go", From: 1, To: 1}, ""); got.Status != Unreadable || got.Problem == "" {
		t.Errorf("%+v", got)
	}
	if got := c.Check(t.Context(), Ref{Path: "a.go", From: 1, To: 1}, ""); got.Bad() {
		t.Errorf("then %+v", got)
	}
}
