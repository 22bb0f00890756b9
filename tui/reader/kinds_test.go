package reader

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/catalog"
)

var update = flag.Bool("update", false, "write the golden files anew") //nolint:gochecknoglobals // a flag

// TestEveryKind compares a transcript with each kind of record: as opened at first, and with every part open.
func TestEveryKind(t *testing.T) {
	t.Parallel()
	row := sessions.Row{Kind: sessions.KindSession, Session: sessions.Session{Name: "Strike in UTC", Workdir: "/home/ada/code/teahouse", Path: filepath.Join("..", "..", "transcript", "testdata", "kinds.jsonl")}}
	for name, keys := range map[string][]string{"kinds": {"g"}, "kinds-open": {".", "Z", "Z", "g"}} {
		for _, size := range [][2]int{{80, 24}, {120, 36}} {
			t.Run(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					c := catalog.New(catalog.Options{Now: testNow, Zone: testNow().Location()})
					s := open(t, Options{Source: catalogSource{c}, Row: row}, size[0], size[1])
					s.settle()
					s.press(keys...)
					var screens []string
					for last := ""; s.text() != last; s.press("pgdown") {
						last = s.text()
						screens = append(screens, last+"\n")
					}
					s.take(s.page.Close())
					s.settle()
					golden(t, fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), strings.Join(screens, strings.Repeat("═", size[0])+"\n"))
				})
			})
		}
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
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
		t.Errorf("%s differs (-update writes it); got:\n%s", file, got)
	}
}
