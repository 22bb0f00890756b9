package act_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/journal"
)

// snapshot lists all files below a directory with mode, size, time and contents.
func snapshot(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		fi, err := d.Info()
		if err != nil {
			return err
		}
		var text []byte
		if fi.Mode().IsRegular() && fi.Size() < 1<<20 {
			text, err = os.ReadFile(path)
		}
		fmt.Fprintln(&all, path, fi.Mode(), fi.Size(), fi.ModTime(), string(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// outsideOps returns ops for dir/name, a name that leads out of dir. An op that followed the name would change the
// file.
func outsideOps(dir, name string, text []byte, fi fs.FileInfo) map[string]change.Op {
	with := func(verb change.Verb, set func(o *change.Op)) change.Op {
		o := change.Op{
			Verb: verb, Dir: dir, Name: name, Text: text, Before: text, Mode: 0o600, Bytes: fi.Size(), Modified: fi.ModTime(),
			Was: change.Sum(text), Sum: change.Sum(text),
		}
		set(&o)
		return o
	}
	same, plain := func(*change.Op) {}, filepath.Join(dir, "plain")
	return map[string]change.Op{
		"make": with(change.Make, same), "replace": with(change.Replace, same), "insert": with(change.Insert, same),
		"cut": with(change.Cut, same), "remove": with(change.Remove, same), "delete": with(change.Delete, same),
		"made":     with(change.Insert, func(o *change.Op) { o.Was = change.Sum([]byte("other")) }),
		"replaced": with(change.Replace, func(o *change.Op) { o.Was = change.Sum([]byte("other")) }),
		"copy":     with(change.Make, func(o *change.Op) { o.From = plain }),
		"uncopy":   with(change.Remove, func(o *change.Op) { o.From = plain }),
		"from":     with(change.Move, func(o *change.Op) { o.To = "moved" }),
		"to":       with(change.Move, func(o *change.Op) { o.Name, o.To = "plain", name+"2" }),
		"moved":    with(change.Move, func(o *change.Op) { o.Name, o.To = "moved", name }),
		"dirs":     with(change.Make, func(o *change.Op) { o.Name, o.Dirs, o.Empty = "new", []string{name, "keep"}, []string{name, "keep"} }),
		"next":     with(change.Make, func(o *change.Op) { o.Name, o.Next = "plain", name }),
		"lock":     with(change.Make, func(o *change.Op) { o.Name, o.Lock = "new", name+".lock" }),
	}
}

// TestOutside: paths leave their directory through ".." or a link. Files outside the directory stay.
func TestOutside(t *testing.T) {
	t.Parallel()
	text := []byte("theirs\n")
	for _, path := range []string{"../out/file", "/", "dir/file", "link", "within/file", ""} {
		for what := range outsideOps("", "", nil, fileInfo(t, ".")) {
			t.Run(path+" "+what, func(t *testing.T) {
				t.Parallel()
				for _, how := range []string{"do", "recover", "undo"} {
					b := newBench(t)
					b.write(t, "../out/file", string(text))
					b.write(t, "plain", string(text))
					b.write(t, "keep", string(text))
					b.write(t, "inner/file", string(text))
					out, inner := filepath.Join(filepath.Dir(b.dir), "out"), filepath.Join(b.dir, "inner")
					for name, to := range map[string]string{"dir": out, "link": filepath.Join(out, "file"), "within": "inner"} {
						if err := os.Symlink(to, filepath.Join(b.dir, name)); err != nil {
							t.Skip(err)
						}
					}
					name := path
					if name == "/" {
						name = filepath.Join(out, "file")
					}
					before, o := snapshot(t, out)+snapshot(t, inner), outsideOps(b.dir, name, text, fileInfo(t, filepath.Join(out, "file")))[what]
					var err error
					if how == "do" {
						_, err = b.do(t, o)
					} else {
						e := journal.Entry{At: b.store.Now(), Kind: journal.Note, What: "Noted it", Ops: []change.Op{o}, Done: how == "undo"}
						if e, err = journal.Open(b.store.Journal).Begin(t.Context(), e); err != nil {
							t.Fatal(err)
						}
						if b.store.FinishInterrupted(t.Context()); how == "undo" {
							_, err = b.undo(t, e.ID)
						}
					}
					if now := snapshot(t, out) + snapshot(t, inner); now != before {
						t.Errorf("%s: %v\n%s", how, err, difference(now, before))
					}
					if fi := fileInfo(t, filepath.Join(b.dir, "keep")); fi.Size() != int64(len(text)) {
						t.Errorf("%s: %v, keep has %d bytes", how, err, fi.Size())
					}
				}
			})
		}
	}
}

func fileInfo(t *testing.T, path string) fs.FileInfo {
	t.Helper()
	fi, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return fi
}

// TestDamagedJournal: the journal has files that aren't entries. They stay, and everything works.
func TestDamagedJournal(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	b := newFilled(t)
	dead, first := b.around(t, "whole"), change.Op{Verb: change.Make, Dir: b.dir, Name: "noted", Mode: 0o600}
	empty := b.tree(t)
	done, err := b.do(t, first)
	if err != nil {
		t.Fatal(err)
	}
	at := func(n int) string {
		return filepath.Join(b.store.Journal, fmt.Sprintf("20260102_030405Z-note-%d.json", n))
	}
	valid, err := os.ReadFile(filepath.Join(b.store.Journal, done.ID+".json"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(valid)
	for i, damaged := range []string{
		text[:len(text)/2], "", "\x00\xff{[", strings.Replace(text, `"version": 2`, `"version": 3`, 1), strings.Replace(text, `"note"`, `"save"`, 1),
		strings.Replace(text, "03:04:05", "03:04:06", 1), strings.Replace(text, `"dir": "/`, `"dir": "`, 1), strings.Replace(text, `"ops": [`, `"ops": 7, "was": [`, 1),
	} {
		if damaged == text {
			t.Errorf("text %d isn't damaged:\n%s", i, text)
		}
		b.write(t, "../damaged", damaged)
		err = errors.Join(err, os.Rename(filepath.Join(b.dir, "../damaged"), at(2+i)))
	}
	outside := filepath.Join(filepath.Dir(b.dir), "valid")
	err = errors.Join(err, os.Mkdir(at(10), 0o755), os.WriteFile(outside, valid, 0o600), os.Symlink(outside, at(11)), os.WriteFile(at(12), valid, 0o600), os.Truncate(at(12), 1<<30))
	if err != nil {
		t.Fatal(err)
	}
	damaged, before := snapshot(t, b.store.Journal), b.tree(t)
	b.cut(t, "rename", "last", dead)
	b.store.FinishInterrupted(t.Context())
	if is := difference(b.tree(t), before); is != "" {
		t.Errorf("the killed action was not undone:\n%s", is)
	}
	list, problems := journal.Open(b.store.Journal).List(t.Context())
	if len(list) != 1 || list[0].ID != done.ID || len(problems) != 11 {
		t.Errorf("%d entries, problems %v", len(list), problems)
	}
	for n := 2; n < 13; n++ {
		if !strings.Contains(fmt.Sprint(problems), at(n)) {
			t.Errorf("%s is not named by %v", at(n), problems)
		}
	}
	if is := difference(snapshot(t, b.store.Journal), damaged); strings.Contains(is, ".json") {
		t.Errorf("the journal has changed:\n%s", is)
	}
	w, err := b.store.Undo(t.Context(), &list[0])
	if err == nil {
		_, err = b.store.Do(t.Context(), &w.Change, b.store.UndoPlan(&list[0]))
	}
	if is := difference(b.tree(t), empty); err != nil || is != "" {
		t.Errorf("undone: %v\n%s", err, is)
	}
}

// TestNoJournal: without a journal, a change must be one that can't be undone anyway.
func TestNoJournal(t *testing.T) {
	t.Parallel()
	for _, place := range []string{"", "files/whole", "files/whole/journal", "link"} {
		b := newFilled(t)
		home := filepath.Dir(b.dir)
		if err := os.Symlink(b.dir, filepath.Join(home, "link")); err != nil {
			t.Skip(err)
		}
		if b.store.Journal = filepath.Join(home, place); place == "" {
			b.store.Journal = ""
		}
		before := b.tree(t)
		_, err := b.do(t, b.around(t, "whole")...)
		if _, ok := errors.AsType[*act.NotKeptError](err); !ok || difference(b.tree(t), before) != "" {
			t.Errorf("%q: %v\n%s", place, err, difference(b.tree(t), before))
		}
		done, err := b.do(t, b.around(t, "rubbish")[1])
		if is := difference(b.tree(t), before); err != nil || done.Lost == nil || done.ID != "" || is != "- rubbish: rubbish" {
			t.Errorf("%q: %+v, %v\n%s", place, done, err, is)
		}
	}
}
