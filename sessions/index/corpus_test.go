package index

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/sessions/query"
)

// TestCorpus checks searches in the real transcripts of $CONTINUO_CORPUS.
func TestCorpus(t *testing.T) {
	t.Parallel()
	drilltest.SkipUnderRace(t)
	dirs := filepath.SplitList(os.Getenv("CONTINUO_CORPUS"))
	if len(dirs) == 0 {
		t.Skip("CONTINUO_CORPUS isn't set")
	}
	var files []File
	said := map[string]string{} // path and offset of each user and assistant record → its text
	for _, dir := range dirs {
		err := filepath.WalkDir(filepath.Join(dir, "projects"), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || filepath.Ext(path) != ".jsonl" {
				return err
			}
			info, err := e.Info()
			if err != nil {
				return err
			}
			files = append(files, File{Path: path, Info: info})
			return decode(path, said)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	x := Open(t.TempDir())
	defer x.Close()
	if err := x.Update(t.Context(), files); err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, text := range []string{"error", "Test", "the function", `"go test"`, "方法", "ップデー", "naïve", "-the commit", "/func [a-z]+\\(/", "refactor -test", "e", "qqqzzzyyy"} {
		q, err := query.Parse(text, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]bool{}
		var mu sync.Mutex
		err = x.Search(t.Context(), q, func(*File) bool { return true }, func(m *Message) bool {
			mu.Lock()
			defer mu.Unlock()
			key := keyOf(m.File.Path, m.Offset)
			if _, ok := said[key]; ok && found[key] {
				t.Errorf("%q: %s is found twice", text, key)
			}
			found[key] = true
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		wrong, want := 0, 0
		for key, s := range said {
			_, ok := q.Match([]byte(s))
			if ok {
				want++
			}
			if ok != found[key] && wrong < 3 {
				wrong++
				t.Errorf("%q: found %v, want %v in %s: %.80q", text, found[key], ok, key, s)
			}
		}
		t.Logf("%-20s %d", text, want)
		total += want
	}
	if total < 1000 {
		t.Errorf("only %d matches in all", total)
	}
}

func keyOf(path string, offset int64) string { return fmt.Sprint(path, " ", offset) }

// decode adds the texts of a transcript to said. It skips lines that aren't one record.
func decode(path string, said map[string]string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	lines := bufio.NewReader(bytes.NewReader(b))
	for offset := int64(0); ; {
		line, err := lines.ReadBytes('\n')
		if len(line) == 0 {
			return nil
		}
		at := offset + int64(len(line)-len(bytes.TrimLeft(line, " \t\ufeff")))
		offset += int64(len(line))
		var r struct {
			Type    string
			IsMeta  bool
			Message struct{ Content json.RawMessage }
		}
		if json.Unmarshal(line, &r) == nil && (r.Type == "user" || r.Type == "assistant") && !r.IsMeta {
			if text := textOf(r.Message.Content); text != "" {
				said[keyOf(path, at)] = text
			}
		}
		if err != nil {
			return nil
		}
	}
}

func textOf(content json.RawMessage) string {
	var s string
	if json.Unmarshal(content, &s) == nil {
		return s
	}
	var blocks []struct{ Type, Text string }
	if json.Unmarshal(content, &blocks) != nil {
		return ""
	}
	var list []string
	for _, b := range blocks {
		if b.Type == "text" {
			list = append(list, b.Text)
		}
	}
	return strings.Join(list, "\n")
}
