package transcript

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestEveryKind: testdata/kinds.jsonl must have everything for which this package has code. The golden files of
// tui/reader show this transcript.
func TestEveryKind(t *testing.T) {
	t.Parallel()
	const file = "testdata/kinds.jsonl"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	tr, err := Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tr.Close() })
	found := map[string]bool{}
	for i := range tr.Outline().Records {
		found[fmt.Sprintf("Kind %d", tr.Outline().Records[i].Kind)] = true
	}
	for i := range tr.Outline().Messages {
		m := tr.Message(i)
		found[fmt.Sprintf("MessageKind %d", m.Kind)] = true
		for _, b := range m.Blocks {
			found["BlockKind "+string(b.Kind)], found["NoticeKind "+string(b.Notice)], found["DenialKind "+string(b.Denied)] = true, true, true
		}
	}
	source := parseSource(t)
	for _, typ := range []string{"Kind", "MessageKind", "BlockKind", "NoticeKind", "DenialKind"} {
		values := source.values(typ)
		if len(values) < 3 {
			t.Errorf("%s has %d values", typ, len(values))
		}
		for _, v := range values {
			if !found[typ+" "+v] {
				t.Errorf("%s has no %s %s", file, typ, v)
			}
		}
	}
	words := source.cases("kind", "attachmentKind", "isHookError", "isContextAttachment", "hookNotice", "contextNotice", "decodeInto", "blockOf", "servedBlock", "add")
	if len(words) < 30 {
		t.Errorf("only %d cases: %q", len(words), words)
	}
	for _, word := range words {
		if !strings.Contains(string(text), word+`"`) {
			t.Errorf("%s has no %q", file, word)
		}
	}
	tags := machineTags()
	for tag := range senderKeys() {
		tags = append(tags, tag)
	}
	for _, tag := range tags {
		if !strings.Contains(string(text), `"<`+tag) && !strings.Contains(string(text), `><`+tag) {
			t.Errorf("%s has no text that starts with <%s>", file, tag)
		}
	}
}

// TestEveryTool: testdata/tools.jsonl must call each tool. The golden files of tui/render/talk show this transcript.
func TestEveryTool(t *testing.T) {
	t.Parallel()
	const file = "testdata/tools.jsonl"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	tools := parseSource(t).cases("toolOf", "otherTool")
	if len(tools) < 50 {
		t.Errorf("only %d tools: %q", len(tools), tools)
	}
	for _, tool := range tools {
		if !strings.Contains(string(text), `"name":"`+tool+`"`) {
			t.Errorf("%s has no call of %s", file, tool)
		}
	}
}

// source is the syntax of this package, without its tests.
type source []*ast.File

func parseSource(t *testing.T) (s source) {
	t.Helper()
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		s = append(s, f)
	}
	return s
}

// values returns the values of the constants of a type. Values of a number type count from 0.
func (s source) values(typ string) (list []string) {
	for _, f := range s {
		for _, d := range f.Decls {
			consts, ok := d.(*ast.GenDecl)
			if !ok || consts.Tok != token.CONST {
				continue
			}
			inherited := false
			for n, c := range consts.Specs {
				spec := c.(*ast.ValueSpec) //nolint:forcetypeassert // the parser makes no other type
				if id, ok := spec.Type.(*ast.Ident); ok || len(spec.Values) > 0 {
					inherited = ok && id.Name == typ
				}
				switch text := literals(spec); {
				case inherited && len(text) > 0:
					list = append(list, text...)
				case inherited:
					list = append(list, strconv.Itoa(n))
				}
			}
		}
	}
	return list
}

// cases returns the texts in the cases of functions.
func (s source) cases(funcs ...string) (list []string) {
	for _, f := range s {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && slices.Contains(funcs, fn.Name.Name) {
				ast.Inspect(fn, func(n ast.Node) bool {
					if c, ok := n.(*ast.CaseClause); ok {
						for _, x := range c.List {
							list = append(list, literals(x)...)
						}
					}
					return true
				})
			}
		}
	}
	return list
}

func literals(n ast.Node) (list []string) {
	ast.Inspect(n, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			text, _ := strconv.Unquote(lit.Value)
			list = append(list, text)
		}
		return true
	})
	return list
}
