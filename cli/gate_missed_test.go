package cli

import (
	"bytes"
	"compress/gzip"
	"os"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/ledgers"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// strictWorld returns a project with strict enforcement and a trajectory of today.
func strictWorld(t *testing.T) *noteWorld {
	t.Helper()
	w := newNoteWorld(t)
	w.write(notesFile, gateLog)
	w.write(ledger.ConfigName, "grounding_enforcement: strict\n")
	w.write(gateFile, gateCited)
	return w
}

// uncounted checks that both trajectory steps are unknown, for the reason why.
func (w *noteWorld) uncounted(ask ledgers.GateAsk, what, why string) {
	w.t.Helper()
	r := w.look(ask).Report
	if r.Steps[0].Status != gate.Unknown || r.Steps[1].Status != gate.Unknown || r.Verdict != gate.Unsure || !strings.Contains(strings.Join(r.Reasons(), " "), why) {
		w.t.Errorf("%s: %s, %+v, reasons %q", what, r.Verdict, r.Steps[0], r.Reasons())
	}
}

// TestGateNoFile: today's trajectory is a directory or a link.
func TestGateNoFile(t *testing.T) {
	t.Parallel()
	w := strictWorld(t)
	w.write("grimoires/loa/a2a/trajectory/real.jsonl", gateAssumed)
	for _, name := range []string{gateFile, strings.Replace(gateFile, gateDay, "20261121", 1), "grimoires/loa/a2a/trajectory/" + gateDay + ".jsonl", gateFile + ".gz"} {
		if name == gateFile {
			if err := os.Remove(w.path(name)); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Mkdir(w.path(name), 0o700); err != nil {
			t.Fatal(err)
		}
		w.uncounted(ledgers.GateAsk{}, "a directory "+name, "cannot be read: a link, or not a regular file.")
		if err := os.Remove(w.path(name)); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("real.jsonl", w.path(name)); err != nil {
			continue // no symlinks on this system
		}
		w.uncounted(ledgers.GateAsk{}, "a link "+name, "cannot be read: a link, or not a regular file.")
		if err := os.Remove(w.path(name)); err != nil {
			t.Fatal(err)
		}
	}
	w.write(gateFile, gateCited)
	if err := os.Mkdir(w.path(strings.Replace(gateFile, "implementing", "other", 1)), 0o700); err != nil {
		t.Fatal(err)
	}
	if r := w.look(ledgers.GateAsk{}).Report; r.Verdict != gate.Passed {
		t.Errorf("that of another agent: %+v", r)
	}
}

// TestGateTooMuch: the trajectory is above the size limit.
func TestGateTooMuch(t *testing.T) {
	t.Parallel()
	w := strictWorld(t)
	const most = 8 << 20
	if err := os.Truncate(w.path(gateFile), most); err != nil { // NULs, as after a crash
		t.Fatal(err)
	}
	if r := w.look(ledgers.GateAsk{GateAsk: survey.GateAsk{Most: most}}).Report; strings.Contains(strings.Join(r.Reasons(), ""), "as a whole") {
		t.Errorf("of the bound: %q", r.Reasons())
	}
	if err := os.Truncate(w.path(gateFile), most+1); err != nil {
		t.Fatal(err)
	}
	w.uncounted(ledgers.GateAsk{GateAsk: survey.GateAsk{Most: most}}, "longer", "is too large to read")
}

// TestGateTooLongRecord: one record is too long to decode. All other records have citations.
func TestGateTooLongRecord(t *testing.T) {
	t.Parallel()
	w := strictWorld(t)
	w.write(gateFile, strings.Repeat(gateCited, 100)+`{"phase":"cite","claim":"`+strings.Repeat("x", 2<<20)+`"}`+"\n")
	w.uncounted(ledgers.GateAsk{}, "too long", "could not be parsed; the first is at implementing-tasks-"+gateDay+".jsonl:101")
}

// TestGateCopy: a trajectory also has a compressed copy.
func TestGateCopy(t *testing.T) {
	t.Parallel()
	w := strictWorld(t)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(gateCited)); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	w.write(gateFile+".gz", packed.String())
	w.write(gateFile, gateCited+gateAssumed)
	if k := w.look(ledgers.GateAsk{}).Report.Tally; k.Claims != 2 {
		t.Errorf("%+v", k)
	}
}
