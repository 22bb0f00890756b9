package act_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/journal"
)

// around returns the named file's op of every, between ops that create "first" and "last".
func (b *bench) around(t *testing.T, name string) []change.Op {
	t.Helper()
	rubbish := b.move(t, "rubbish", "")
	rubbish.Verb = change.Delete
	ops := append(b.every(t), rubbish)
	i := slices.IndexFunc(ops, func(o change.Op) bool { return o.Name == name })
	one := func(name string) change.Op {
		return change.Op{Verb: change.Make, Dir: b.dir, Name: name, Text: []byte(name), Mode: 0o600}
	}
	return []change.Op{one("first"), ops[i], one("last")}
}

func newFilled(t *testing.T) *bench {
	t.Helper()
	b := newBench(t)
	b.fill(t)
	b.write(t, "rubbish", "rubbish")
	return b
}

// at makes the store call do once, at the first such step on the named file. An empty name is any file after "first".
func (b *bench) at(step, name string, do func()) {
	begun, done := name != "", false
	b.store.Step = func(s, n string) error {
		if begun && !done && s == step && (name == "" || n == name) {
			done = true
			do()
		}
		begun = begun || s == "rename" && n == "first"
		return nil
	}
}

// cut carries out ops and stops at the given step, as if the process were killed.
func (b *bench) cut(t *testing.T, step, name string, ops []change.Op) {
	t.Helper()
	b.at(step, name, runtime.Goexit)
	ended := make(chan bool)
	go func() {
		defer close(ended)
		_, err := b.do(t, ops...)
		t.Errorf("it was not cut off: %v", err)
	}()
	<-ended
}

func (b *bench) list(t *testing.T) []journal.Entry {
	t.Helper()
	list, problems := journal.Open(b.store.Journal).List(t.Context())
	if len(problems) > 0 {
		t.Error(problems)
	}
	return list
}

func matches(err, want error) bool {
	if want, ok := errors.AsType[*change.TakenError](want); ok {
		got, ok := errors.AsType[*change.TakenError](err)
		return ok && strings.HasSuffix(got.Paths[0], want.Paths[0])
	}
	return errors.Is(err, want) && (err == nil) == (want == nil)
}

func taken(name string) error { return &change.TakenError{Paths: []string{name}} }

// TestChangedMeanwhile: another program writes to a file before or during a change. Its text stays.
func TestChangedMeanwhile(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		file, theirs, text string // file of the op; file that the other program writes, and its text
		err                error
		last               string // last step before the op compares the file
	}{
		{"trash/1/deed", "trash/1/deed", "theirs", taken("trash/1/deed"), "rename"},
		{"trash/1/deed", "trash/1/deed", "{}", taken("trash/1/deed"), "rename"},
		{"raw/a", "raw/a", "theirs", change.ErrChanged, ""},
		{"raw/a", "trash/1/raw/a", "theirs", taken("trash/1/raw/a"), ""},
		{"notes", "notes", "theirs", change.ErrChanged, "sync"},
		{"notes", "notes", "one\n1.5\ntwo\n", change.ErrChanged, "sync"},
		{"new/notes", "new/notes", "theirs", change.ErrChanged, "rename"},
		{"new/notes", "new/notes", "first\n", change.ErrChanged, "rename"},
		{"whole", "whole", "theirs", change.ErrChanged, "sync"},
		{"whole", "whole", "new", change.ErrChanged, "sync"},
		{"gone", "gone", "theirs", change.ErrChanged, ""},
		{"cut", "cut", "theirs", change.ErrChanged, "sync"},
		{"deep/copy", "deep/copy", "theirs", taken("deep/copy"), "rename"},
		{"deep/copy", "deep/copy", "copied", taken("deep/copy"), "rename"},
		{"taken", "taken-2", "theirs", nil, "rename"},
		{"second", "second", "theirs", change.ErrChanged, ""},
		{"rubbish", "rubbish", "theirs", change.ErrChanged, ""},
	} {
		for _, moment := range []string{"before", "begun", "last"} {
			if moment == "last" && test.last == "" {
				continue
			}
			t.Run(test.theirs+" "+test.text+" "+moment, func(t *testing.T) {
				t.Parallel()
				twin, b := newFilled(t), newFilled(t)
				twin.write(t, test.theirs, test.text)
				ops := b.around(t, test.file)
				theirs := func() { b.write(t, test.theirs, test.text) }
				switch moment {
				case "before":
					theirs()
				case "begun":
					b.at("rename", "first", theirs)
				default:
					b.at(test.last, "", theirs)
				}
				_, err := b.do(t, ops...)
				if !matches(err, test.err) {
					t.Errorf("error %v, want %v", err, test.err)
				}
				want, entries := "", 0
				if test.err == nil {
					want, entries = "+ first: first\n+ last: last\n+ taken-3: copied", 1
				}
				if is := difference(b.tree(t), twin.tree(t)); is != want || len(b.list(t)) != entries {
					t.Errorf("%v, %d entries:\n%s", err, len(b.list(t)), is)
				}
			})
		}
	}
}

// TestChangedSince: another program writes to a file after a change. Undo and recovery don't overwrite that text.
func TestChangedSince(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		file, theirs, text string
		err                error
		undone             string // changes of the undo
		recovers           string // changes of the recovery; "stuck" if it fails
	}{
		{"trash/1/deed", "trash/1/deed", "theirs", change.ErrChanged, "", "stuck"},
		{"raw/a", "raw/a", "theirs", taken("raw/a"), "", "stuck"},
		{
			"raw/a", "trash/1/raw/a", "theirs", nil, "+ raw/,+ raw/a: theirs,- trash/,- trash/1/,- trash/1/raw/,- trash/1/raw/a: theirs",
			"+ raw/,+ raw/a: theirs,- trash/,- trash/1/,- trash/1/raw/,- trash/1/raw/a: theirs",
		},
		{"notes", "notes", "one\nand\n1.5\ntwo\n", nil, "- 1.5", "stuck"},
		{"notes", "notes", "one\n1.5\n1.5\n", nil, "- 1.5", "stuck"}, // the second 1.5 is at the offset of the insertion
		{"notes", "notes", "1.5\ntwo\n1.5\n", change.ErrTwice, "", "stuck"},
		{"notes", "notes", "one\n1.5\n# below\n", change.ErrBelow, "", "stuck"},
		{"notes", "notes", "one\n", change.ErrChanged, "", ""},
		{"new/notes", "new/notes", "theirs\n", change.ErrChanged, "", ""},
		{"new/notes", "new/notes", "first\nmore\n", nil, "+ new/notes: more,- more,- new/notes: first", "stuck"},
		{"whole", "whole", "theirs", change.ErrChanged, "", "stuck"},
		{"gone", "gone", "theirs", taken("gone"), "", "stuck"},
		{"cut", "cut", "x\n", change.ErrChanged, "", "stuck"},
		{"deep/copy", "deep/copy", "theirs", change.ErrChanged, "", "stuck"},
		{"deep/copy", "from", "theirs", change.ErrChanged, "", "stuck"},
		{"taken", "taken-2", "theirs", change.ErrChanged, "", "stuck"},
		{"second", "second", "theirs", taken("second"), "", "stuck"},
		{"second", "from", "theirs", change.ErrChanged, "", "stuck"},
	} {
		for _, cut := range []string{"", "last", "first"} { // file at whose rename the change is killed; "" if it isn't killed
			t.Run(test.theirs+" "+test.text+" "+cut, func(t *testing.T) {
				t.Parallel()
				b := newFilled(t)
				b.store.Heads = func(text []byte, _, to int) bool { return strings.HasPrefix(string(text[to:]), "# below") }
				ops := b.around(t, test.file)
				if cut != "" {
					b.cut(t, "rename", cut, ops)
				} else if _, err := b.do(t, ops...); err != nil {
					t.Fatal(err)
				}
				b.write(t, test.theirs, test.text)
				before, want := b.tree(t), ""
				switch {
				case cut == "last":
					want = test.recovers + ",- first: first"
				case cut == "" && test.err == nil:
					want = test.undone + ",- first: first,- last: last"
				}
				if cut == "" {
					w, err := b.store.Undo(t.Context(), &b.list(t)[0])
					if err != nil || (len(w.Refused) > 0) != (test.err != nil) {
						t.Errorf("refused: %+v, %v", w.Refused, err)
					}
					if _, err := b.undo(t, b.list(t)[0].ID); !matches(err, test.err) {
						t.Errorf("error %v, want %v", err, test.err)
					}
				} else {
					b.store.MayRead = func(int64) bool { return false } // only plans call this
					b.store.FinishInterrupted(t.Context())
					stuck := test.recovers == "stuck"
					if list := b.list(t); len(list) > 0 && !list[0].Stuck || cut == "last" && (len(list) > 0) != stuck {
						t.Errorf("the journal has %+v", list)
					}
				}
				list := strings.Split(strings.TrimPrefix(strings.TrimPrefix(want, "stuck"), ","), ",")
				slices.Sort(list)
				if is := difference(b.tree(t), before); is != strings.Join(list, "\n") {
					t.Errorf("%s\nwant:\n%s", is, want)
				}
			})
		}
	}
}

// TestCutBetween: a change is killed between two steps of one op.
func TestCutBetween(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		file, to string
		how      func(from, to string) error // nil: the change is killed while it removes the file
		want     string
	}{
		{"raw/a", "trash/1/raw/a", os.Link, ""},
		{"second", ".continuo-second", os.Link, ""},
		{"second", ".continuo-second", nil, ""},
		{"raw/a", "raw", nil, "+ trash/\n+ trash/1/\n+ trash/1/raw/\n+ trash/1/raw/a: aaa\n- raw/\n- raw/a: aaa"},
	} {
		b := newFilled(t)
		before, to := b.tree(t), filepath.Join(b.dir, test.to)
		if test.how == nil {
			b.cut(t, "remove", test.to, b.around(t, test.file)[1:2])
		} else {
			b.cut(t, "rename", "first", b.around(t, test.file))
			if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), test.how(filepath.Join(b.dir, test.file), to)); err != nil {
				t.Fatal(err)
			}
		}
		b.store.FinishInterrupted(t.Context())
		list := b.list(t)
		if is := difference(b.tree(t), before); is != test.want || (len(list) == 1 && list[0].Done) != (is != "") {
			t.Errorf("%s: %+v\n%s", test.file, list, is)
		}
	}
}

// TestHalfDone: a change fails, and one op can't be undone. The next action tries again.
func TestHalfDone(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		theirs []string // files that another program writes after the first op
		full   int      // number of following steps that fail
		want   string
	}{
		{"one is theirs", []string{"whole"}, 1, "+ whole: theirs\n- whole: old"},
		{"both are theirs", []string{"whole", "notes"}, 0, "+ notes: theirs\n+ whole: theirs\n- \n- notes: one\n- two\n- whole: old"},
		{"full for long", nil, 100, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := newFilled(t)
			before, ops, n := b.tree(t), []change.Op{b.around(t, "whole")[1], b.around(t, "notes")[1]}, 0
			b.store.Step = func(step, _ string) error {
				if text, _ := os.ReadFile(ops[0].Path()); n == 0 && (step != "sync" || string(text) != "new") {
					return nil
				}
				if n++; n == 1 {
					for _, name := range test.theirs {
						b.write(t, name, "theirs")
					}
				}
				if n <= test.full {
					return errors.New("full")
				}
				return nil
			}
			_, err := b.do(t, ops...)
			half, ok := errors.AsType[*act.HalfError](err)
			if !ok || half.Left[len(half.Left)-1] != ops[0].Path() || b.entry(t, half.ID).Done {
				t.Errorf("error %v", err)
			}
			b.store.Step = nil
			b.store.FinishInterrupted(t.Context())
			list := b.list(t)
			if is := difference(b.tree(t), before); is != test.want || (is == "") != (len(list) == 0) || is != "" && !list[0].Stuck {
				t.Errorf("%s\n%+v", is, list)
			}
		})
	}
}

// TestPlannedAnew: only a Loose op may appear or disappear between the two plans.
func TestPlannedAnew(t *testing.T) {
	t.Parallel()
	one := func(name string, loose bool) change.Op {
		return change.Op{Verb: change.Make, Name: name, Lock: ".lock-" + name, Mode: 0o600, Loose: loose}
	}
	for _, test := range []struct {
		shown, now []change.Op
		locked     string // path that another program has locked
		want       string
		err        error
	}{
		{[]change.Op{one("firm", false)}, []change.Op{one("firm", false), one("loose", true)}, "", "firm: \nloose: ", nil},
		{[]change.Op{one("loose", true), one("firm", false)}, []change.Op{one("firm", false)}, "", "firm: ", nil},
		{[]change.Op{one("firm", false)}, []change.Op{one("firm", false), one("other", false)}, "", "", change.ErrChanged},
		{[]change.Op{one("firm", false)}, []change.Op{one("firm", true)}, "", "", change.ErrChanged},
		{[]change.Op{one("firm", false)}, []change.Op{one("firm", false), one("loose", true)}, ".lock-loose", "", context.DeadlineExceeded},
	} {
		b := newBench(t)
		for _, ops := range [][]change.Op{test.shown, test.now} {
			for i := range ops {
				ops[i].Dir = b.dir
			}
		}
		root, err := disk.Open(b.dir)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		ctx := t.Context()
		if test.locked != "" {
			var cancel func()
			ctx, cancel = context.WithTimeout(ctx, 300*time.Millisecond)
			defer cancel()
			unlock, err := root.Lock(t.Context(), test.locked)
			if err != nil {
				t.Fatal(err)
			}
			defer unlock()
		}
		c := change.Change{Kind: "note", What: "Noted it", Ops: test.shown}
		done, err := b.store.Do(ctx, &c, func(context.Context) (change.Change, error) {
			now := c
			now.Ops = test.now
			return now, nil
		})
		if got := b.tree(t); !matches(err, test.err) || got != test.want || err == nil && len(done.Ops) != len(test.now) {
			t.Errorf("%v: %v\n%s", test.now, err, got)
		}
	}
}

// TestLive: a transcript of an open session stays. So does one of a session in an unknown state.
func TestLive(t *testing.T) {
	t.Parallel()
	for _, live := range []func(context.Context, string) bool{nil, func(_ context.Context, id string) bool { return id == "s" }} {
		b := newFilled(t)
		b.store.Live = live
		done, err := b.do(t, b.copy(t, "from", "live"), b.copy(t, "from", "other"))
		if err != nil {
			t.Fatal(err)
		}
		before := b.tree(t)
		if _, err := b.undo(t, done.ID); !errors.Is(err, change.ErrLive) || difference(b.tree(t), before) != "" {
			t.Errorf("error %v\n%s", err, b.tree(t))
		}
	}
}
