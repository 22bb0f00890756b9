package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// These tests check the import rules in docs/ARCHITECTURE.md for all systems. Test files may import any package.
// .golangci.yml has the same rules for editors, except the order in cli.

const module = "github.com/continuo-tui/continuo"

// maxLines is the maximum number of lines in a file. Consider splitting a file at 400 lines.
const maxLines = 600

// pkg is a package of the module. Its path is relative to the module; "." is main.
type pkg struct {
	path  string
	files map[string]*ast.File // by path in the module, without test files
	fset  *token.FileSet
}

// mayImport reports whether a package may import another one. Imports point down; siblings don't import each
// other.
func mayImport(from, to string) bool {
	lower := to == "sessions" || to == "ledger" || within(to, "transcript") && to != "transcript/digest"
	switch {
	case from == "sessions/act":
		return to == "internal/disk" || to == "internal/change" || to == "sessions/journal"
	case to == "internal/drilltest", to == "ledger/handover/handovertest", to == "tui/rowtest": // for tests
		return false
	case within(from, "tui") && to != "internal/words":
		return mayImportInTUI(from, to)
	case to == "internal/disk", to == "internal/change":
		return from != "sessions/document" && from != "cli" && (within(from, "cli") || within(from, "sessions") || within(from, "ledger"))
	case to == "internal/mark":
		return within(from, "sessions") || within(from, "ledger") || from == "transcript"
	case from == ".":
		return to == "cli"
	case from == "docs/bench/keys":
		return within(to, "sessions")
	case to == "internal/words":
		return from != "." && !within(from, "transcript") && !within(from, "internal")
	case from == "cli/host":
		return to == "transcript"
	case from == "cli/out":
		return to == "sessions" || to == "ledger" || to == "transcript" || to == "tui/render"
	case within(from, "cli"):
		return mayImportInCLI(from, to)
	case from == "sessions/document":
		return to == "sessions" || to == "transcript" || to == "transcript/digest" || to == "ledger" || to == "ledger/handover"
	case from == "sessions/backup":
		return to == "sessions" || to == "transcript" || to == "sessions/document"
	case from == "sessions/stores":
		return lower || to == "transcript/digest" || to == "sessions/backup" || to == "sessions/document" || to == "sessions/journal" || within(to, "ledger")
	case from == "sessions/survey" && to == "transcript/digest", from == "sessions/index" && to == "sessions/query",
		from == "sessions/search" && (to == "sessions/query" || to == "sessions/index"):
		return true
	case from == "sessions/catalog", from == "sessions/survey":
		return lower || within(to, "sessions") && to != "sessions/demo" || within(to, "ledger")
	case from == "ledger/handover":
		return to == "ledger"
	case from == "ledger/handover/handovertest":
		return to == "ledger" || to == "ledger/handover"
	case to == "ledger/handover" && slices.Contains([]string{"ledger/notes", "ledger/beads", "ledger/trajectory", "ledger/snapshot", "ledger/task"}, from):
		return true
	case within(from, "sessions/hook") && to == "sessions/backup", from == "sessions/hook/setup" && to == "sessions/hook",
		from == "sessions/keeper" && to == "sessions/resume", strings.HasPrefix(from, "sessions/keeper/") && (to == "sessions/keeper" || to == "sessions/keeper/api" || to == "sessions/resume"),
		from == "ledger/recovery" && (to == "ledger/notes" || to == "ledger/beads" || to == "ledger/handover" || to == "ledger/gate"),
		from == "ledger/truth" && (to == "ledger/notes" || to == "ledger/beads"),
		from == "ledger/gate" && (to == "ledger/notes" || to == "ledger/beads" || to == "ledger/trajectory"):
		return true
	case from == "transcript/export" && (to == "transcript/digest" || to == "transcript/dropped"), from == "transcript/dropped" && to == "transcript/digest":
		return true
	case within(from, "transcript") && (to == "transcript/jsonlex" || to == "transcript/mask" || to == "transcript/grep"):
		return true
	case from == "sessions", from == "ledger", within(from, "transcript") && from != "transcript":
		return to == "transcript"
	case within(from, "sessions"), within(from, "ledger"):
		return lower
	}
	return false // main may import any package, transcript none; add a rule here for a new package
}

// mayImportInCLI is the import rule within cli: a package may import those before it in the order, and cli all
// of them. Packages that draw may import tui/render. Packages of the browser may import tui.
func mayImportInCLI(from, to string) bool {
	order := []string{
		"cli/place", "cli/find", "cli/searching", "cli/show", "cli/export", "cli/stats", "cli/organise", "cli/writing", "cli/deleting", "cli/backups", "cli/launch",
		"cli/entries", "cli/handing", "cli/tasks", "cli/keeping", "cli/snapshots", "cli/undoing", "cli/ledgers",
		"cli/mcp", "cli/hooks", "cli/doctor", "cli/browse", "cli",
	}
	at := slices.Index(order, from)
	switch {
	case at < 0: // add a new package to the order
		return false
	case within(to, "cli"):
		return to == "cli/host" || to == "cli/out" || slices.Contains(order[:at], to)
	case to == "tui":
		return slices.Contains([]string{"cli", "cli/browse", "cli/find", "cli/launch", "cli/ledgers", "cli/place"}, from)
	case to == "tui/match":
		return from == "cli/find"
	case within(to, "tui"):
		return within(to, "tui/render")
	}
	return to != "." // all packages below cli
}

// mayImportInTUI is the import rule within tui: tui imports its screens. A screen must not import tui or another
// screen.
func mayImportInTUI(from, to string) bool {
	value := slices.Contains([]string{"internal/change", "internal/mark", "sessions", "sessions/annotate", "sessions/family", "sessions/index", "sessions/keeper", "sessions/query", "sessions/resume", "sessions/search", "sessions/stores", "sessions/survey", "transcript", "transcript/dropped", "transcript/export", "transcript/grep", "transcript/stats", "transcript/turn"}, to) || within(to, "ledger")
	switch from {
	case "tui":
		return value || within(to, "tui")
	case "tui/render":
		return value || to == "tui/match"
	case "tui/render/talk", "tui/render/ledgerlines":
		return value || to == "tui/render"
	case "tui/screen":
		return value || to == "tui/match" || to == "tui/render"
	case "tui/blocks", "tui/match":
		return false
	case "tui/field":
		return to == "transcript"
	case "tui/action", "tui/live", "tui/reader": // these ask questions in a dialog
		if to == "tui/dialog" || from == "tui/reader" && to == "tui/reader/outline" {
			return true
		}
	case "tui/list": // a part of the list
		if to == "tui/filter" {
			return true
		}
	case "tui/opened":
		return value || within(to, "tui/render")
	case "tui/reader/outline":
		return value || to == "tui/opened" || within(to, "tui/render")
	}
	return value || slices.Contains([]string{"tui/blocks", "tui/field", "tui/match", "tui/opened", "tui/preview", "tui/screen"}, to) || within(to, "tui/render")
}

func within(path, dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") }

// outside reports whether tui must not import a package. tui does I/O only through Source, Doc and Actions.
func outside(path string) bool {
	return slices.Contains([]string{"os", "io/fs", "net", "syscall", "database/sql"}, path) ||
		within(path, "os/exec") || within(path, "net/http") || path == "os/signal"
}

// pureFuncs returns the functions of lower packages that tui may call: they do no I/O and depend only on their
// arguments. It includes error variables. Types, constants, fields and methods need no entry.
func pureFuncs() []string {
	return []string{
		"ledger.ParseRef",
		"ledger.Parts",
		"ledger/handover.Lines",
		"ledger/recovery.Tokens",
		"sessions.Chains",
		"sessions.LastBackups",
		"sessions.OpenTodos",
		"sessions.ParseTodo",
		"sessions.Plain",
		"sessions.StillOpen",
		"sessions/keeper.Answered",
		"sessions/keeper.Editable",
		"sessions/keeper.Edited",
		"sessions/keeper.Join",
		"sessions/keeper.Messages",
		"sessions/family.Of",
		"sessions/family.With",
		"sessions/query.FieldNames",
		"sessions/query.IsValues",
		"sessions/query.Parse",
		"sessions/query.Words",
		"sessions/survey.BackingOf",
		"transcript/dropped.Spans",
		"transcript/export.MarkdownOf",
		"transcript/stats.CacheShare",
		"transcript/turn.Stretches",
		"transcript.At",
		"transcript.Clean",
		"transcript.CleanLine",
		"transcript.ErrNoImage",
		"transcript.ErrRewritten",
		"transcript.Frames",
		"transcript.IsMachine",
		"transcript/grep.Match",
	}
}

func TestArchitecture(t *testing.T) {
	t.Parallel()
	pkgs := loadPackages(t)

	t.Run("imports point down", func(t *testing.T) {
		t.Parallel()
		eachImport(pkgs, func(p pkg, file, path string) {
			if to, ok := inModule(path); ok && !mayImport(p.path, to) {
				t.Errorf("%s: %s must not import %s", file, p.path, to)
			}
		})
	})
	t.Run("tui does no I/O", func(t *testing.T) {
		t.Parallel()
		eachImport(pkgs, func(p pkg, file, path string) {
			if within(p.path, "tui") && outside(path) {
				t.Errorf("%s imports %s: only commands of a Source, Doc or Actions do I/O", file, path)
			}
		})
	})
	t.Run("render knows no Bubble Tea", func(t *testing.T) {
		t.Parallel()
		eachImport(pkgs, func(p pkg, file, path string) {
			if (within(p.path, "tui/render") || p.path == "tui/match") && (within(path, "charm.land/bubbletea") || within(path, "charm.land/bubbles")) {
				t.Errorf("%s imports %s: commands use it without a program", file, path)
			}
		})
	})
	t.Run("packages stay small", func(t *testing.T) { // a reader of a package starts with its files
		t.Parallel()
		const mostFiles, mostLines = 30, 6000
		for _, p := range pkgs {
			lines := 0
			for _, file := range p.files {
				lines += p.fset.File(file.Pos()).LineCount()
			}
			if len(p.files) > mostFiles || lines > mostLines {
				t.Errorf("%s has %d files and %d lines; the limits are %d and %d", p.path, len(p.files), lines, mostFiles, mostLines)
			}
		}
	})
	t.Run("types stay small", func(t *testing.T) { // a type with more methods holds several things
		t.Parallel()
		const most = 60
		for _, p := range pkgs {
			for name, n := range methods(p) {
				if n > most {
					t.Errorf("%s.%s has %d methods; the limit is %d", p.path, name, n, most)
				}
			}
		}
	})
	t.Run("one place writes", func(t *testing.T) {
		t.Parallel()
		checkWriters(t, pkgs)
	})
	t.Run("domain packages show nothing", func(t *testing.T) {
		t.Parallel()
		eachImport(pkgs, func(p pkg, file, path string) {
			domain := slices.ContainsFunc([]string{"internal", "ledger", "sessions", "transcript"}, func(dir string) bool { return within(p.path, dir) })
			if domain && (within(path, "charm.land") || within(path, "github.com/spf13/cobra")) {
				t.Errorf("%s imports %s: whoever calls it draws", file, path)
			}
			if within(p.path, "sessions/survey") && (path == "os" || path == "os/exec") {
				t.Errorf("%s imports %s: the packages that it asks open files", file, path)
			}
		})
	})
	t.Run("render declares no facts", func(t *testing.T) {
		t.Parallel()
		checkDrawings(t, pkgs)
	})
	t.Run("programs are started in cli/host only", func(t *testing.T) {
		t.Parallel()
		eachImport(pkgs, func(p pkg, file, path string) {
			started := filepath.Base(file) == "procstart_darwin.go" // on macOS, ps prints the start time
			if path == "os/exec" && p.path != "cli/host" && p.path != "internal/drilltest" && !started {
				t.Errorf("%s imports %s: only cli/host starts programs", file, path)
			}
		})
	})
	t.Run("only the keeper uses the network", func(t *testing.T) {
		t.Parallel()
		keeper := []string{"sessions/keeper/server", "sessions/keeper/remote", "sessions/keeper/page", "cli/keeping"}
		eachImport(pkgs, func(p pkg, file, path string) {
			if (path == "net" || within(path, "net/http") || path == "github.com/coder/websocket") && !slices.Contains(keeper, p.path) {
				t.Errorf("%s imports %s: only the keeper uses the network", file, path)
			}
		})
	})
	t.Run("no cgo", func(t *testing.T) {
		t.Parallel()
		eachImport(pkgs, func(_ pkg, file, path string) {
			if path == "C" {
				t.Errorf("%s uses cgo: the binary is static", file)
			}
		})
	})
	t.Run("files", func(t *testing.T) {
		t.Parallel()
		checkFiles(t, pkgs)
	})
}

// drawings returns the exported types of tui/render and below. Each describes a drawing. A type for a fact or a
// plan belongs in the package that computes it.
func drawings() []string {
	return []string{
		"Chained", "Days", "Drawing", "Ending", "EntryOptions", "Fold", "GateLook", "GateOptions", "Ground", "Highlighter", "Ink", "LedgerOptions", "Line", "Needle", "Options",
		"Part", "ProjectOptions", "ProjectPage", "ProjectSpot", "Rail", "Recovered", "RecoveredOptions", "RowOptions", "RunPart", "Span", "Styles", "Theme",
	}
}

func checkDrawings(t *testing.T, pkgs []pkg) {
	t.Helper()
	for _, p := range pkgs {
		for _, file := range p.files {
			if !within(p.path, "tui/render") {
				continue
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if spec, ok := n.(*ast.TypeSpec); ok && spec.Name.IsExported() && !slices.Contains(drawings(), spec.Name.Name) {
					t.Errorf("%s: %s is no drawing: facts and plans are types of the packages that know them", p.fset.Position(n.Pos()), spec.Name)
				}
				return true
			})
		}
	}
}

// mayWrite returns the files and packages that may write files, with the reasons.
func mayWrite() map[string]string {
	return map[string]string{
		"internal/disk":      "other packages write through it",
		"internal/drilltest": "it fills the disks of tests",
		"sessions/demo":      "it writes a complete demo home, which may be lost",
		"cli/browse/demo.go": "it creates and removes the directory of the demo home",
	}
}

// checkWriters checks that only mayWrite's packages change files. Others use internal/disk, so that a crash
// leaves no incomplete file.
func checkWriters(t *testing.T, pkgs []pkg) {
	t.Helper()
	writes := []string{
		"Chmod", "Chown", "Chtimes", "CopyFS", "Create", "CreateTemp", "Lchown", "Link", "Mkdir", "MkdirAll", "MkdirTemp",
		"NewFile", "O_APPEND", "O_CREATE", "O_EXCL", "O_RDWR", "O_TRUNC", "O_WRONLY", "OpenInRoot", "OpenRoot", "Remove", "RemoveAll",
		"Rename", "Root", "Symlink", "Truncate", "WriteFile",
	}
	for _, p := range pkgs {
		for name, file := range p.files {
			if mayWrite()[p.path] != "" || mayWrite()[filepath.ToSlash(name)] != "" {
				continue
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if sel, ok := n.(*ast.SelectorExpr); ok && slices.Contains(writes, sel.Sel.Name) {
					if id, ok := sel.X.(*ast.Ident); ok && id.Name == "os" {
						t.Errorf("%s: os.%s: only internal/disk writes", p.fset.Position(n.Pos()), sel.Sel.Name)
					}
				}
				return true
			})
		}
	}
	eachImport(pkgs, func(p pkg, file, path string) {
		if strings.HasSuffix(path, "/lockedfile") && p.path != "internal/disk" {
			t.Errorf("%s imports %s: only internal/disk locks", file, path)
		}
	})
}

// checkFiles checks that packages have comments, and files have specific names, no init function and at most
// maxLines lines.
func checkFiles(t *testing.T, pkgs []pkg) {
	t.Helper()
	vague := []string{"utils", "util", "common", "helpers", "types", "constants", "manager", "misc"}
	for _, p := range pkgs {
		documented := false
		for name, file := range p.files {
			if file.Doc != nil {
				documented = documented || file.Name.Name == "main" ||
					strings.HasPrefix(file.Doc.Text(), "Package "+file.Name.Name+" ")
			}
			if n := p.fset.File(file.Pos()).LineCount(); n > maxLines {
				t.Errorf("%s has %d lines, the limit is %d", name, n, maxLines)
			}
			if slices.Contains(vague, strings.TrimSuffix(filepath.Base(name), ".go")) ||
				slices.Contains(vague, file.Name.Name) {
				t.Errorf("%s: the name says nothing of what is inside", name)
			}
			for _, decl := range file.Decls {
				if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
					t.Errorf("%s has an init function: it would run in every process", name)
				}
			}
		}
		if !documented {
			t.Errorf("package %s has no package comment", p.path)
		}
	}
}

func TestTopLevel(t *testing.T) {
	t.Parallel()
	allowed := []string{
		"cli", "docs", "internal", "ledger", "sessions", "testdata", "transcript", "tui",
		"CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md", "go.mod", "go.sum", "main.go", "main_test.go", "release_test.go",
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	ignored := []string{"continuo", "continuo.exe", ".test", ".prof", ".out"} // by .gitignore
	for _, e := range entries {
		if slices.ContainsFunc(ignored, func(s string) bool { return strings.HasSuffix(e.Name(), s) }) {
			continue
		}
		if !strings.HasPrefix(e.Name(), ".") && !slices.Contains(allowed, e.Name()) {
			t.Errorf("%s: the top level is %s", e.Name(), strings.Join(allowed, ", "))
		}
	}
}

// TestTranscriptStandsAlone: transcript reads one conversation, so it must not import a package that reads
// directories.
func TestTranscriptStandsAlone(t *testing.T) {
	t.Parallel()
	for path := range strings.Lines(goList(t, "-deps", "./transcript")) {
		if to, ok := inModule(strings.TrimSpace(path)); ok && !slices.Contains([]string{"transcript", "transcript/jsonlex", "transcript/grep", "internal/mark"}, to) {
			t.Errorf("transcript depends on %s", to)
		}
	}
}

// TestTUITakesValues: other functions and variables of lower packages would bypass the interfaces of tui.
func TestTUITakesValues(t *testing.T) {
	t.Parallel()
	export := make(map[string]string)
	for line := range strings.Lines(goList(t, "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}", "./tui/...")) {
		if path, file, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			export[path] = file
		}
	}
	fset := token.NewFileSet()
	compiled := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(export[path])
	})
	for _, p := range listPackages(t, "./tui/...") {
		var files []*ast.File
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
		info := &types.Info{Uses: make(map[*ast.Ident]types.Object)}
		if _, err := (&types.Config{Importer: compiled}).Check(p.ImportPath, fset, files, info); err != nil {
			t.Fatalf("check %s: %v", p.ImportPath, err)
		}
		for ident, obj := range info.Uses {
			if name, ok := pathOutsideTUI(obj); ok && !slices.Contains(pureFuncs(), name) {
				t.Errorf("%s: tui takes only values of %s, not %s", fset.Position(ident.Pos()), obj.Pkg().Name(), name)
			}
		}
	}
}

// pathOutsideTUI returns the path and name of a function or variable. ok is false for objects of tui, of other
// modules and of pure packages.
func pathOutsideTUI(obj types.Object) (name string, ok bool) {
	if obj.Pkg() == nil || obj.Parent() != obj.Pkg().Scope() { // methods and fields have no parent scope
		return "", false
	}
	path, ok := inModule(obj.Pkg().Path())
	if !ok || within(path, "tui") || path == "internal/words" || path == "internal/mark" { // all are pure
		return "", false
	}
	switch obj.(type) {
	case *types.Func, *types.Var:
		return path + "." + obj.Name(), true
	}
	return "", false
}

// inModule returns the path within the module; false for another module.
func inModule(path string) (string, bool) {
	if path == module {
		return ".", true
	}
	return strings.CutPrefix(path, module+"/")
}

// methods counts the methods of a package by type.
func methods(p pkg) map[string]int {
	count := map[string]int{}
	for _, file := range p.files {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
				of := f.Recv.List[0].Type
				if star, ok := of.(*ast.StarExpr); ok {
					of = star.X
				}
				if name, ok := of.(*ast.Ident); ok {
					count[name.Name]++
				}
			}
		}
	}
	return count
}

func eachImport(pkgs []pkg, visit func(p pkg, file, path string)) {
	for _, p := range pkgs {
		for name, file := range p.files {
			for _, spec := range file.Imports {
				visit(p, name, strings.Trim(spec.Path.Value, "`\""))
			}
		}
	}
}

// listed has the fields of the output of `go list -json` that these tests use.
type listed struct {
	Dir            string
	ImportPath     string
	GoFiles        []string
	CgoFiles       []string
	IgnoredGoFiles []string // files for other systems
}

// listPackages returns the packages that match a pattern.
func listPackages(t *testing.T, pattern string) []listed {
	t.Helper()
	var pkgs []listed
	dec := json.NewDecoder(strings.NewReader(goList(t, "-json", pattern)))
	for {
		var p listed
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			return pkgs
		}
		if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
}

// loadPackages parses the packages of the module without test files.
func loadPackages(t *testing.T) []pkg {
	t.Helper()
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	var pkgs []pkg
	for _, l := range listPackages(t, "./...") {
		path, _ := inModule(l.ImportPath)
		p := pkg{path: path, files: make(map[string]*ast.File), fset: token.NewFileSet()}
		for _, name := range slices.Concat(l.GoFiles, l.CgoFiles, l.IgnoredGoFiles) {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			full := filepath.Join(l.Dir, name)
			file, err := parser.ParseFile(p.fset, full, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			if rel, err := filepath.Rel(root, full); err == nil {
				full = rel
			}
			p.files[full] = file
		}
		pkgs = append(pkgs, p)
	}
	if len(pkgs) == 0 {
		t.Fatal("go list found no package")
	}
	return pkgs
}

// goList runs go list in the module and returns what it prints.
func goList(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"list"}, args...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return string(out)
}
