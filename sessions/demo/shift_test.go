package demo

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/drilltest"
)

func eachFile(t *testing.T, f func(name string, text []byte)) {
	t.Helper()
	err := fs.WalkDir(files, "data", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := files.ReadFile(name)
		f(name, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestShiftIsExact: only times change. Durations stay, even over the start of daylight saving time.
func TestShiftIsExact(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	now := time.Date(2027, time.April, 2, 3, 4, 0, 0, zone) // five days after the beginning of daylight saving time
	w := &writer{Options: Options{Now: now, Root: adaCode}}
	span := now.Sub(dataTime())
	newest, total := time.Time{}, 0
	eachFile(t, func(name string, text []byte) {
		rel := strings.TrimPrefix(name, ada+"/")
		forms := formatsOf(rel)
		if strings.HasPrefix(rel, "code/") {
			forms = append(forms, names())
		}
		got, _, err := w.shifted(name, rel)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range forms {
			re := regexp.MustCompile(f.pattern)
			before, after := re.FindAllString(string(text), -1), re.FindAllString(string(got), -1)
			if len(before) != len(after) {
				t.Fatalf("%s: %d times of the format %s became %d", name, len(before), f.pattern, len(after))
			}
			in := time.UTC
			if f.local {
				in = zone
			}
			for i := range before {
				was, err := time.Parse(f.layout[:len(before[i])], before[i])
				if err != nil {
					t.Errorf("%s: %v", name, err)
				}
				is, err := time.ParseInLocation(f.layout[:len(after[i])], after[i], in)
				if err != nil || is.Sub(was) != span {
					t.Errorf("%s: %s became %s, which is %v later, not %v (%v)", name, before[i], after[i], is.Sub(was), span, err)
				}
				if is.After(newest) {
					newest = is
				}
				total++
			}
			text, got = re.ReplaceAll(text, nil), re.ReplaceAll(got, nil)
		}
		if !bytes.Equal(text, got) {
			t.Errorf("%s: more than its times has changed", name)
		}
	})
	if !newest.Equal(now) || total < 700 {
		t.Errorf("the newest of %d times is %v, want %v", total, newest, now)
	}
}

// TestDataParses: every line is a JSON object, except two lines that are damaged on purpose.
func TestDataParses(t *testing.T) {
	t.Parallel()
	var broken []string
	eachFile(t, func(name string, text []byte) {
		if ext := path.Ext(name); ext != ".jsonl" && ext != ".json" {
			return
		}
		for line := range bytes.Lines(text) {
			var object map[string]any
			if json.Unmarshal(line, &object) != nil {
				broken = append(broken, path.Base(name))
			}
		}
	})
	if want := []string{"147b753d-9bc9-4273-8513-fed181f8a169.jsonl", "c5d107c7-a668-45ae-a70c-084b1725c476.jsonl"}; !slices.Equal(broken, want) {
		t.Errorf("bad lines are in %v, want %v", broken, want)
	}
}

// TestDataIsMadeUp: the data has no real person or machine. File names are valid on every system.
func TestDataIsMadeUp(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	home, err := os.UserHomeDir()
	if err != nil {
		home = "/root"
	}
	private := regexp.MustCompile(`/(home|Users)/[\w.]+|-(home|Users)-\w+|\b[A-Z]:\\+\w+|/(root|tmp|work|private|mnt|opt)/[\w.]*`)
	address := regexp.MustCompile(`[\w.+-]+@[\w-]+\.[\w.]+|\bhttps?://[^/\s"\\)]+`)
	system := regexp.MustCompile(`[<>:"\\|?*\x00-\x1f]|[ .]($|/)|(?i)(^|/)(con|prn|aux|nul|com\d|lpt\d)(\.|/|$)`)
	eachFile(t, func(name string, text []byte) {
		if m := system.FindString(name); m != "" || len(name) > 160 {
			t.Errorf("%s: a name with %q, %d bytes", name, m, len(name))
		}
		text = append([]byte(name+"\n"), text...)
		for _, m := range private.FindAllString(string(text), -1) {
			if m != "/home/ada" && m != "-home-ada" {
				t.Errorf("%s: path %s", name, m)
			}
		}
		for _, m := range address.FindAllString(string(text), -1) {
			if !strings.HasSuffix(m, ".example") && m != "http://www.w3.org" {
				t.Errorf("%s: address %s", name, m)
			}
		}
		if len(filepath.ToSlash(home)) > 5 && bytes.Contains(text, []byte(home)) {
			t.Errorf("%s: the home directory of this machine", name)
		}
	})
}
