package tui

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/reader"
	"github.com/continuo-tui/continuo/tui/rowtest"
	"github.com/continuo-tui/continuo/tui/screen"
)

var update = flag.Bool("update", false, "write the golden files anew") //nolint:gochecknoglobals // a flag

func testNow() time.Time { return rowtest.Now() }

func testRow(path, name string, age time.Duration, more func(*sessions.Row)) sessions.Row {
	return rowtest.Row(path, name, age, more)
}

func triageRows() []sessions.Row { return rowtest.Backups() }

func chainedDocs() []sessions.Row { return rowtest.Documents() }

// testRows returns the sessions of the mock screens.
func testRows() []sessions.Row {
	const h, d = time.Hour, 24 * time.Hour
	messages := func(n int) func(*sessions.Row) { return func(r *sessions.Row) { r.Messages = n } }
	flag := func(n int, branch string, f sessions.Flag) func(*sessions.Row) {
		return func(r *sessions.Row) { r.Messages, r.Branch, r.Flags = n, branch, []sessions.Flag{f} }
	}
	rows := []sessions.Row{
		testRow("3f9ac1e0", "Fix refresh token race at midnight", 2*time.Minute, func(r *sessions.Row) {
			r.Messages, r.Branch, r.Flags = 142, "fix/token-race", []sessions.Flag{sessions.FlagLive}
			r.Prompt = "Tokens issued right before midnight cannot be refreshed. Find out why and fix it."
			r.Tokens = transcript.Usage{Input: 40_000, Output: 8_200}
			r.Live = &sessions.Live{Status: sessions.StatusBusy, Started: testNow().Add(-142 * time.Minute)}
		}),
		testRow("b81d22f7", "Move the slot picker to the server", 11*time.Minute, func(r *sessions.Row) {
			r.Messages, r.Branch = 64, "slots"
			r.Live = &sessions.Live{Status: sessions.StatusWaiting, WaitingFor: "permission to run make"}
		}),
		testRow("90e4c5aa", "Add a cancellation window to bookings", h, messages(88)),
		testRow("5d07be13", "Why is the nightly export slow?", 3*h, messages(31)),
		testRow("e2c8810f", "Split the booking handler from the router", 25*h, messages(207)),
		testRow("0b9f4d62", "Rewrite the waitlist e-mails", 26*h, flag(119, "waitlist", sessions.FlagHiddenBranch)),
		testRow("a1b1b1b1", "Review open migrations", 27*h, messages(22)),
		testRow("a2b2b2b2", "Rate limit for the public calendar", 3*d, messages(176)),
		testRow("a3b3b3b3", "Flaky TestWaitlistPromotion", 4*d, func(r *sessions.Row) { r.Exact = false }),
		testRow("c7715e08", "Seed data for the demo tenant", 5*d, func(r *sessions.Row) {
			r.Messages, r.Branch, r.State, r.Reason = 47, "demo", sessions.StateDamaged, "line 12 is no JSON"
		}),
		testRow("a4b4b4b4", "Bump the toolchain, fix what vet finds", 6*d, messages(54)),
		testRow("a5b5b5b5", "", 12*d, func(r *sessions.Row) { r.State = sessions.StateStub }),
		testRow("a6b6b6b6", "Import the old guest book from CSV files", 17*d, messages(135)),
		testRow("18d3fa90", "Postgres or SQLite for the archive", 21*d, flag(77, "main", sessions.FlagPurgeSoon)),
		testRow("7c41e9d2", "First sketch of the booking flow", 41*d, flag(318, "main", sessions.FlagBackupOnly)),
		testRow("a7b7b7b7", "Tenant settings page, second try", 98*d, messages(12_098)),
		testRow("a8b8b8b8", "say hello", 2*d, flag(2, "main", sessions.FlagSDK)),
		testRow("d1d1d1d1", "Teapot firmware", 5*h, func(r *sessions.Row) {
			r.Project, r.Workdir, r.Messages = "/home/ada/code/pantry", "/home/ada/code/pantry", 9
		}),
	}
	return rows
}

func testOptions() Options {
	return Options{
		Home: "/home/ada", Project: "/home/ada/code/teahouse", Folder: "/home/ada/code/teahouse", Dirs: []string{"/home/ada/.claude"}, Now: testNow,
	}
}

func testSource() *fakeSource {
	return &fakeSource{batches: []sessions.Batch{{Rows: testRows(), Done: true}}, doc: testDoc()}
}

// testModel returns a settled model.
func testModel(t *testing.T, s *fakeSource, o Options, w, h int) *model {
	t.Helper()
	m := newModel(t.Context(), World{Searcher: fakeSearcher{}, Source: s, Actions: &fakeActions{run: &fakeRun{}}}, o)
	settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: w, Height: h} })
	settle(t, m, m.load())
	return m
}

// settle runs a command and all commands that follow from it. Waits end at once. Ticks of the clock aren't followed.
func settle(t *testing.T, m *model, cmd tea.Cmd) {
	t.Helper()
	queue := []tea.Cmd{cmd}
	for n := 0; len(queue) > 0; n++ {
		if n > 10_000 {
			t.Fatal("the program doesn't settle")
		}
		cmd, queue = queue[0], queue[1:]
		if cmd == nil {
			continue
		}
		switch msg := cmd().(type) {
		case nil:
		case answerMsg:
			switch msg.msg.(type) {
			case screen.Second, reader.LookDue: // the clock never stops
				continue
			}
			_, next := m.Update(msg)
			queue = append(queue, next)
		case tea.BatchMsg:
			queue = append(queue, msg...)
		default:
			_, next := m.Update(msg)
			queue = append(queue, next)
		}
	}
}

func where(m *model) string {
	return fmt.Sprintf("%T %s", m.front().screen, m.front().screen.Name())
}

func at(m *model) int {
	if list := peek(m, "list"); list.IsValid() {
		return int(list.FieldByName("At").Int())
	}
	return int(peek(m, "at").Int())
}

// press types keys: characters, or names such as "enter".
func press(t *testing.T, m *model, keys ...string) {
	t.Helper()
	for _, k := range keys {
		settle(t, m, func() tea.Msg { return keyPress(k) })
	}
}

func keyPress(k string) tea.KeyPressMsg {
	named := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "up": tea.KeyUp, "down": tea.KeyDown, "pgup": tea.KeyPgUp,
		"tab": tea.KeyTab, "left": tea.KeyLeft, "right": tea.KeyRight, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd, "backspace": tea.KeyBackspace, "f1": tea.KeyF1,
	}
	if code, ok := named[k]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	if k == "shift+tab" {
		return tea.KeyPressMsg{Code: tea.KeyTab, Mod: tea.ModShift}
	}
	if c, ok := strings.CutPrefix(k, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: rune(c[0]), Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: []rune(k)[0], Text: k}
}

// plain returns the screen without colours. It fails if a line is too wide or a line is missing.
func plain(t *testing.T, m *model) string {
	t.Helper()
	lines := m.screen()
	if len(lines) != m.height {
		t.Errorf("the screen has %d lines, want %d", len(lines), m.height)
	}
	for i, l := range lines {
		if w := ansi.StringWidth(l); w > m.width {
			t.Errorf("line %d is %d wide, want at most %d: %q", i, w, m.width, ansi.Strip(l))
		}
		lines[i] = strings.TrimRight(ansi.Strip(l), " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

// screenSizes returns the sizes at which screens are tested. Two of them have golden files.
func screenSizes() [][2]int {
	return [][2]int{{80, 24}, {120, 36}, {1, 1}, {2, 78}, {3, 13}, {40, 10}, {31, 58}, {60, 18}, {200, 60}}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	if sized := regexp.MustCompile(`\d+x\d+`).FindString(name); sized != "" && sized != "80x24" && sized != "120x36" {
		return
	}
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (-update writes it):\n%s", file, diff(string(want), got))
	}
}

func diff(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	var out strings.Builder
	for i := range max(len(a), len(b)) {
		var x, y string
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			fmt.Fprintf(&out, "%3d want %q\n    got  %q\n", i, x, y)
		}
	}
	return out.String()
}

func shows[D screen.Dialog](m *model) bool {
	_, ok := m.front().screen.(D)
	return ok
}

// peek reads an unexported field of the front dialog. path has names of fields and indices of elements.
func peek(m *model, path ...any) reflect.Value { return peekIn(m.front().screen, path...) }

func askPast(m *model) tea.Cmd { return m.actionRequest(screen.AskPast{}) }

func past(m *model) []PastAction { return m.acts.change.Past().Actions }

// answers runs a command and returns its messages. The model hasn't handled them yet.
func answers(cmd tea.Cmd) []tea.Msg {
	if cmd == nil {
		return nil
	}
	msg := cmd()
	batch, ok := msg.(tea.BatchMsg)
	if !ok {
		return []tea.Msg{msg}
	}
	var all []tea.Msg
	for _, cmd := range batch {
		all = append(all, answers(cmd)...)
	}
	return all
}

func peekIn(s any, path ...any) reflect.Value {
	v := reflect.ValueOf(s)
	for _, p := range path {
		for v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		switch p := p.(type) {
		case string:
			v = v.FieldByName(p)
		case int:
			v = v.Index(p)
		}
	}
	return v
}

func keysIn(m *model, s shown) []screen.Binding { return m.keymap().of(s.screen.Keys()) }

func pattern(m *model) string { return runes(peekIn(m.lists, "pane", "field", "in", "value")) }

// onHead reports whether the bar is on the project's line above the list.
func onHead(m *model) bool {
	return m.onBase() && m.subject() == nil && peekIn(m.lists, "pane", "onHead").Bool()
}

func marked(m *model) []sessions.Row {
	if s := m.lists.Subject(); s.Marks > 0 {
		return s.Marked()
	}
	return nil
}

func previewed(m *model) []string {
	var lines []string
	v := peekIn(m.lists, "preview", "Lines")
	for i := range v.Len() {
		lines = append(lines, v.Index(i).String())
	}
	return lines
}

func typedIn(m *model, path ...any) string {
	return runes(peek(m, append(path, "in", "value")...))
}

func linesIn(m *model, path ...any) string {
	var lines []string
	v := peek(m, append(path, "in", "value")...)
	for i := range v.Len() {
		lines = append(lines, runes(v.Index(i)))
	}
	return strings.Join(lines, "\n")
}

func runes(v reflect.Value) string {
	text := make([]rune, v.Len())
	for i := range text {
		text[i] = rune(v.Index(i).Int())
	}
	return string(text)
}
