package cli

import (
	"errors"
	"testing"

	"github.com/continuo-tui/continuo/sessions/journal"
)

// What was put into a ledger goes out of it, and nothing else, whatever else was written there since.
func TestLedgerBackOut(t *testing.T) {
	t.Parallel()
	const entry = "- [ ] Is it so?\n"
	there := []byte{}
	for name, c := range map[string]struct {
		before []byte // nil: the file was made
		added  string
		at     int64  // where it was put
		wrote  string // the file right after; "" it is now
		open   bool   // the action was interrupted
		begun  bool   // taking it back was
		now    string // "-" the file is gone
		want   string // "-" the file goes
		same   bool
		err    error
	}{
		"as it was":            {before: there, added: entry, now: "# N\n" + entry + "end\n", want: "# N\nend\n"},
		"changed elsewhere":    {before: there, added: entry, wrote: "# N\n" + entry, now: "# Not\n" + entry + "more\n", want: "# Not\nmore\n"},
		"its only content":     {added: "# Notes\n\n" + entry, now: "# Notes\n\n" + entry, want: "-"},
		"more in a new file":   {added: "# Notes\n\n" + entry, wrote: "# Notes\n\n" + entry, now: "# Notes\n\n" + entry + "more\n", err: errBelow},
		"more under another":   {added: "# Notes\n\n" + entry, wrote: "# Notes\n\n" + entry, now: "# Notes\n\n" + entry + "# More\n", want: "# More\n"},
		"more under its title": {added: "# Notes\n\n## Log\na\n", wrote: "x", now: "# Notes\n\n## Log\na\n\n## More\n", want: "\n## More\n"},
		"an entry below":       {before: there, added: "## Log\n\n### A\nb\n", wrote: "x\n## Log\n\n### A\nb\n", now: "x\n## Log\n\n### A\nb\n\n### B\n", err: errBelow},
		"a section below":      {before: there, added: "### A\nb\n", wrote: "x\n### A\nb\n", now: "x\n### A\nb\n### B\n", want: "x\n### B\n"},
		"edited":               {before: there, added: entry, now: "- [x] Is it so?\n", err: errSince},
		"twice":                {before: there, added: entry, at: 2, wrote: "x\n" + entry, now: entry + entry, err: errTwice},
		"twice from the start": {before: there, added: entry, at: 19, now: "x\n" + entry + "\n" + entry, want: "x\n" + entry + "\n"},
		"twice, and more":      {before: there, added: entry, at: 2, wrote: "x\n" + entry, now: "x\n" + entry + "\n" + entry, want: "x\n\n" + entry},
		"no last line end":     {before: there, added: "\n" + entry, at: 1, wrote: "x\n" + entry, now: "x\n" + entry + "mine\n", want: "x\nmine\n"},
		"gone":                 {before: there, added: entry, now: "-", err: errGoneSince},
		"a new file gone":      {added: entry, now: "-", want: "-", same: true},
		"never written":        {before: there, added: entry, open: true, now: "x\n", err: errNotDone},
		"interrupted, written": {before: there, added: entry, open: true, now: "x\n" + entry, want: "x\n"},
		"taken out already":    {before: there, added: entry, begun: true, now: "x\n", want: "x\n", same: true},
	} {
		wrote := c.wrote
		if wrote == "" {
			wrote = c.now
		}
		f := ledgerBack{made: journal.Made{Path: "/n", Before: c.before, Added: []byte(c.added), At: c.at, Sum: sumOf([]byte(wrote))}, over: !c.open, begun: c.begun}
		got, err := f.back(fileText(c.now))
		if !errors.Is(err, c.err) || err == nil && (textOf(got) != c.want || f.same != c.same) {
			t.Errorf("%s: %q, same %v, %v", name, textOf(got), f.same, err)
			continue
		}
		if err != nil || f.same {
			continue
		}
		// What takes that back puts it where it was, and only there.
		again := ledgerBack{made: f.was, taken: true, over: true}
		if back, err := again.back(got); err != nil || textOf(back) != c.now {
			t.Errorf("%s, again: %q, %v", name, textOf(back), err)
		}
		if again.was.Sum != sumOf([]byte(c.now)) || string(again.was.Added) != string(f.was.Added) {
			t.Errorf("%s, again: %+v", name, again.was)
		}
		if _, err := again.back([]byte("else\n")); !errors.Is(err, errSince) {
			t.Errorf("%s, again elsewhere: %v", name, err)
		}
		if _, err := again.back([]byte(c.now)); err != nil || !again.same {
			t.Errorf("%s, again where it is: %v", name, err)
		}
	}
}

// A file that was corrected as a whole comes back as a whole, and only while it is as it was written.
func TestLedgerBackWhole(t *testing.T) {
	t.Parallel()
	made := journal.Made{Path: "/n", Before: []byte("old\n"), Sum: sumOf([]byte("new\n")), Mode: 0o600}
	for name, c := range map[string]struct {
		now, want string
		same      bool
		err       error
	}{
		"as it was written": {now: "new\n", want: "old\n"},
		"as it was before":  {now: "old\n", want: "old\n", same: true},
		"written to":        {now: "new\nmore\n", err: errSince},
		"gone":              {now: "-", err: errGoneSince},
	} {
		f := ledgerBack{made: made, over: true}
		got, err := f.back(fileText(c.now))
		if !errors.Is(err, c.err) || err == nil && (textOf(got) != c.want || f.same != c.same) {
			t.Errorf("%s: %q, same %v, %v", name, textOf(got), f.same, err)
		}
		if err == nil && !f.same && (string(f.was.Before) != "new\n" || f.was.Sum != sumOf([]byte("old\n"))) {
			t.Errorf("%s: %+v", name, f.was)
		}
	}
}

// fileText is the text of a file, nil for "-": there is none.
func fileText(s string) []byte {
	if s == "-" {
		return nil
	}
	return []byte(s)
}

func textOf(b []byte) string {
	if b == nil {
		return "-"
	}
	return string(b)
}
