//go:build unix

package backup

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/disk"
)

// trashDrillDir is the environment of the process that is killed: the directory of its world.
const trashDrillDir = "CONTINUO_DRILL_TRASH"

// drillNames are the backups of the drill; the first two are pending.
func drillNames() []string {
	return []string{
		"raw/20260101_000000Z_exit.jsonl", "sessions/raw/20260201_000000Z_compact.jsonl",
		"raw/20260301_000000Z_exit.jsonl", "raw/20260401_000000Z_exit.jsonl", "raw/20260501_000000Z_exit.jsonl",
	}
}

// TestTrashDrill kills a process that discards, prunes, takes back, and restores or empties the trash, at random
// points, and now and then several times before anything is put in order. No backup is lost that emptying was not to
// delete, nothing half-written has a final name, and in the end all of the rest can be taken back.
func TestTrashDrill(t *testing.T) {
	t.Parallel()
	rounds := *drillRounds
	seed := rand.Uint64()
	t.Logf("%d rounds, seed %d", rounds, seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	dir := t.TempDir()
	w := worldIn(t, dir)
	for i, name := range drillNames() {
		w.backup(name, fmt.Sprintf("5e0c1f7a-93bb-4d0e-a3f4-%012d", i), strings.Repeat(string(rune('a'+i)), 300_000*(i+1)))
	}
	w.mark(".pending-backup", w.memory(drillNames()[0])+"\n")
	w.mark(".pending-backup-exit", w.memory(drillNames()[0]))
	w.mark(".pending-backup-compact", w.memory(drillNames()[1])+"\n")
	before := w.tree()
	unfinished, deeds, deleted, empties := 0, 0, 0, false
	for round := range rounds {
		killTrashWorker(t, dir, time.Duration(rnd.Int64N(int64(60*time.Millisecond))), rnd.Uint64(), empties)
		planned := w.emptied()
		checkTrash(t, w, before, planned)
		found, err := w.m.Deeds(t.Context())
		if err != nil {
			t.Errorf("round %d: %v", round, err)
		}
		deeds += len(found)
		if slices.ContainsFunc(found, func(d Deed) bool { return d.Unfinished }) {
			unfinished++
		}
		if round+1 < rounds && rnd.IntN(2) == 0 {
			continue // the next one finds it as it is
		}
		for err = nil; err == nil; {
			_, err = w.m.Undo(t.Context(), "", w.client)
		}
		if !errors.Is(err, ErrNoDeed) {
			t.Errorf("round %d: %v", round, err)
		}
		if _, err := w.m.EmptyTrash(t.Context(), Emptied{}); err != nil { // what is hollow goes
			t.Errorf("round %d: %v", round, err)
		}
		deleted += w.goOn(before, planned)
		same(t, fmt.Sprintf("round %d", round), finished(w.tree()), before)
		same(t, fmt.Sprintf("projects, round %d", round), finished(tree(t, w.projects)), map[string]string{})
		if left, err := os.ReadDir(w.memory("trash")); err != nil || len(left) != 1 { // .gitignore
			t.Errorf("round %d: left %v, %v", round, left, err)
		}
		if t.Failed() {
			t.Fatalf("round %d", round)
		}
		empties = !empties // a restored file outlives the way back from it, which would be another beginning
	}
	t.Logf("%d deeds, %d rounds ended in the middle of moving, %d files were deleted", deeds, unfinished, deleted)
}

// emptied are the files that the workers said they would delete.
func (w world) emptied() map[string]bool {
	w.t.Helper()
	text, err := os.ReadFile(w.path("emptied"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.t.Fatal(err)
	}
	planned := make(map[string]bool)
	for _, name := range strings.Fields(string(text)) {
		planned[name] = true
	}
	return planned
}

// goOn puts back what was to be deleted, and is.
func (w world) goOn(before map[string]string, planned map[string]bool) (deleted int) {
	w.t.Helper()
	now := w.tree()
	for name := range planned {
		if _, there := now[name]; there {
			continue
		}
		deleted++
		text := before[name]
		if strings.HasSuffix(name, backupSuffix) {
			text, _, _ = strings.Cut(text, "\n")
			text += "\n"
		}
		w.write(".claude/memory/"+name, text)
	}
	if err := os.Remove(w.path("emptied")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.t.Fatal(err)
	}
	return deleted
}

// finished leaves out files in the making.
func finished(files map[string]string) map[string]string {
	maps.DeleteFunc(files, func(name, _ string) bool { return disk.IsTemp(filepath.Base(name)) })
	return files
}

// checkTrash holds what lies around to what there was at first, but for what was to be deleted.
func checkTrash(t *testing.T, w world, before map[string]string, planned map[string]bool) {
	t.Helper()
	lost := make(map[string]bool)
	for name, text := range before {
		if strings.HasSuffix(name, backupSuffix) {
			lost[text] = true
		}
	}
	known := maps.Clone(lost)
	for _, dir := range []string{w.memory("raw"), w.memory("sessions/raw"), w.memory("trash"), w.projects} {
		for name, text := range tree(t, dir) {
			if !strings.HasSuffix(name, backupSuffix) {
				continue
			}
			if dir == w.projects { // its time is set after it has its name
				text = drillText(known, text)
			}
			if !known[text] {
				t.Errorf("%s is no whole backup", filepath.Join(dir, name))
			}
			if dir != w.projects {
				delete(lost, text)
			}
		}
	}
	for name, text := range before {
		if lost[text] && !planned[name] {
			t.Errorf("the backup %s is lost", name)
		}
	}
}

// drillText is the known file that a made one has the bytes of, whatever its time.
func drillText(known map[string]bool, made string) string {
	bytes := func(s string) string { s, _, _ = strings.Cut(s, "\n"); return s }
	for text := range known {
		if bytes(text) == bytes(made) && strings.Contains(made, "\n") {
			return text
		}
	}
	return ""
}

// killTrashWorker starts a worker and kills it.
func killTrashWorker(t *testing.T, dir string, after time.Duration, seed uint64, empties bool) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestTrashDrillWorker$", "-test.count=1")
	cmd.Env = append(os.Environ(), trashDrillDir+"="+dir, trashDrillDir+"_SEED="+strconv.FormatUint(seed, 10), trashDrillDir+"_EMPTIES="+strconv.FormatBool(empties))
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	if lines.Scan(); lines.Text() != "ready" {
		t.Errorf("the worker says %q", lines.Text())
	}
	time.Sleep(after)
	if err := cmd.Process.Kill(); err != nil {
		t.Errorf("the worker ended by itself: %v", err)
	}
	for lines.Scan() {
		t.Errorf("the worker says %q", lines.Text())
	}
	_ = cmd.Wait() // it was killed
}

// TestTrashDrillWorker is the process that is killed.
func TestTrashDrillWorker(t *testing.T) {
	dir := os.Getenv(trashDrillDir)
	if dir == "" {
		t.Skip("the drill starts it")
	}
	seed, err := strconv.ParseUint(os.Getenv(trashDrillDir+"_SEED"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(seed, 1))
	w := worldIn(t, dir)
	empties := os.Getenv(trashDrillDir+"_EMPTIES") == "true"
	fmt.Println("ready")
	for {
		err := w.drill(t.Context(), rnd, empties)
		_, taken := errors.AsType[*TakenError](err)
		if err != nil && !taken && !errors.Is(err, ErrNoDeed) && !errors.Is(err, fs.ErrNotExist) {
			fmt.Println(err)
			t.FailNow()
		}
	}
}

// drillEmpty says what it will delete, and does.
func (w world) drillEmpty(ctx context.Context) error {
	plan, err := w.m.PlanEmpty(ctx)
	if err != nil {
		return err
	}
	var names []byte
	for i := range plan.Deeds {
		for _, v := range plan.Deeds[i].Moves {
			names = append(names, v.Name+"\n"...)
		}
		for _, k := range plan.Deeds[i].Markers {
			names = append(names, k.Name+"\n"...)
		}
	}
	f, err := os.OpenFile(w.path("emptied"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(names)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	_, err = w.m.EmptyTrash(ctx, plan)
	return err
}

// drill does one thing, at random.
func (w world) drill(ctx context.Context, rnd *rand.Rand, empties bool) error {
	name := w.memory(drillNames()[rnd.IntN(len(drillNames()))])
	var plan DiscardPlan
	var err error
	switch rnd.IntN(6) {
	case 0:
		plan, err = w.m.PlanDiscard(ctx, nil)
	case 1:
		plan, err = w.m.PlanDiscard(ctx, []string{name})
	case 2:
		plan, err = w.m.PlanPrune(ctx, PruneRule{Keep: 1, Before: time.Now(), Only: true})
	case 3:
		if empties {
			return w.drillEmpty(ctx)
		}
		f, err := w.m.LookRestore(ctx, name)
		if err != nil {
			return err
		}
		f.Dir, f.Now = filepath.Join(w.projects, "-tea"), time.Now()
		p, err := PlanRestore(f)
		if err != nil {
			return err
		}
		_, err = w.m.Restore(ctx, p, time.Now())
		return err
	default:
		_, err = w.m.Undo(ctx, "", w.client)
		return err
	}
	if err != nil {
		return err
	}
	_, err = w.m.Discard(ctx, plan, time.Now())
	return err
}
