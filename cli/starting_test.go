package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/sessions"
)

func startingRow(t *testing.T, home string) sessions.Row {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(home, ".claude", "sessions"), 0o700); err != nil {
		t.Fatal(err)
	}
	return row(resumeID, "x", func(r *sessions.Row) { r.Dir = filepath.Join(home, ".claude") })
}

// sleeper starts a process that runs until the test ends.
func sleeper(t *testing.T) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Skip("the program sleep is not installed")
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return cmd
}

func TestClaimOnce(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	r := startingRow(t, home)
	var may, refused atomic.Int32
	var all sync.WaitGroup
	for range 12 {
		all.Go(func() {
			switch _, err := place.ClaimStart(t.Context(), resumeDeps(home).Env, &r, false, false); {
			case err == nil:
				may.Add(1)
			case errors.Is(err, place.ErrTaken):
				refused.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	all.Wait()
	if may.Load() != 1 || refused.Load() != 11 {
		t.Errorf("%d may, %d are refused", may.Load(), refused.Load())
	}
	if _, err := place.ClaimStart(t.Context(), resumeDeps(home).Env, &r, true, false); err != nil {
		t.Errorf("a second writer on purpose: %v", err)
	}
	info, err := os.Stat(filepath.Join(home, ".local", "state", "continuo", "starting.json"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the list: %v, %v", info, err)
	}
}

// TestClaimLive: the registry has the session, although its row isn't live.
func TestClaimLive(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	r := startingRow(t, home)
	entry := filepath.Join(r.Dir, "sessions", fmt.Sprint(os.Getpid())+".json")
	if err := os.WriteFile(entry, fmt.Appendf(nil, `{"pid":%d,"sessionId":%q}`, os.Getpid(), r.ID), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := place.ClaimStart(t.Context(), resumeDeps(home).Env, &r, false, false); !errors.Is(err, place.ErrTaken) {
		t.Errorf("a live session: %v", err)
	}
	linked := r
	linked.Dir = filepath.Join(home, "linked")
	if err := os.Symlink(r.Dir, linked.Dir); err == nil {
		if _, err := place.ClaimStart(t.Context(), resumeDeps(home).Env, &linked, false, false); !errors.Is(err, place.ErrTaken) {
			t.Errorf("a live session, by a link: %v", err)
		}
	}
	if _, err := place.ClaimStart(t.Context(), resumeDeps(home).Env, &r, true, false); err != nil {
		t.Errorf("a second writer on purpose: %v", err)
	}
}

// TestClaimWaited: the claim reads the registry after it has waited for the lock.
func TestClaimWaited(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	r := startingRow(t, home)
	state := filepath.Join(home, ".local", "state", "continuo")
	root, err := disk.Make(state, 0o700)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	unlock, err := root.Lock(t.Context(), "starting.json")
	if err != nil {
		t.Fatal(err)
	}
	claimed := make(chan error, 1)
	go func() {
		_, err := place.ClaimStart(t.Context(), resumeDeps(home).Env, &r, false, false)
		claimed <- err
	}()
	time.Sleep(300 * time.Millisecond) // lets the claim wait for the lock; otherwise, the test passes as well
	entry := filepath.Join(r.Dir, "sessions", fmt.Sprint(os.Getpid())+".json")
	if err := os.WriteFile(entry, fmt.Appendf(nil, `{"pid":%d,"sessionId":%q}`, os.Getpid(), r.ID), 0o600); err != nil {
		t.Fatal(err)
	}
	unlock()
	if err := <-claimed; !errors.Is(err, place.ErrTaken) {
		t.Errorf("a session that went live while the lock was waited for: %v", err)
	}
}

// TestClaimLocked: another program keeps the lock.
func TestClaimLocked(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	r := startingRow(t, home)
	state := filepath.Join(home, ".local", "state", "continuo")
	root, err := disk.Make(state, 0o700)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	unlock, err := root.Lock(t.Context(), "starting.json")
	if err != nil {
		t.Fatal(err)
	}
	_, err = place.ClaimStart(t.Context(), resumeDeps(home).Env, &r, false, false)
	unlock()
	if !errors.Is(err, place.ErrLocked) {
		t.Errorf("under a lock: %v", err)
	}
	if _, err = place.ClaimStart(t.Context(), resumeDeps(home).Env, &r, false, false); err != nil {
		t.Errorf("after it: %v", err)
	}
	if held := place.StartingOf(t.Context(), resumeDeps(home).Env, &r); len(held) != 1 {
		t.Errorf("%d are held: the failed claim was recorded", len(held))
	}
}

// TestClaimEnds: a claim ends with its client, or when its client is in the registry.
func TestClaimEnds(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	r := startingRow(t, home)
	d := resumeDeps(home)
	held := func() int { return len(place.StartingOf(t.Context(), d.Env, &r)) }
	settle, err := place.ClaimStart(t.Context(), d.Env, &r, false, false)
	if err != nil || held() != 1 {
		t.Fatalf("%d held, %v", held(), err)
	}
	settle(0, "")
	if held() != 0 {
		t.Error("a claim without a process is held")
	}
	client := sleeper(t)
	if settle, err = place.ClaimStart(t.Context(), d.Env, &r, false, false); err != nil {
		t.Fatal(err)
	}
	settle(client.Process.Pid, "%5")
	path := filepath.Join(home, ".local", "state", "continuo", "starting.json")
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var list []place.Starting
	if err := json.Unmarshal(old, &list); err != nil || len(list) != 1 || list[0].PID != client.Process.Pid {
		t.Fatalf("%s, %v", old, err)
	}
	list[0].At = time.Now().Add(-time.Hour) // the client may still ask whether to trust the folder
	data, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if held() != 1 {
		t.Error("a client that is not in the registry after an hour is not held")
	}
	start, _, _ := sessions.SystemProbe().Start(t.Context(), client.Process.Pid)
	entry := filepath.Join(r.Dir, "sessions", fmt.Sprint(client.Process.Pid)+".json")
	text := fmt.Sprintf(`{"pid":%d,"procStart":%q,"sessionId":"another"}`, client.Process.Pid, start)
	if err := os.WriteFile(entry, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if held() != 0 {
		t.Error("a client that switched to another session is held")
	}
	if err := os.Remove(entry); err != nil {
		t.Fatal(err)
	}
	if err := client.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = client.Wait()
	if held() != 0 {
		t.Error("a client that has ended is held")
	}
}

// TestClaimWithoutState: the state directory can't be written.
func TestClaimWithoutState(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	r := startingRow(t, home)
	if err := os.WriteFile(filepath.Join(home, ".local"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	settle, err := place.ClaimStart(t.Context(), resumeDeps(home).Env, &r, false, false)
	if err != nil {
		t.Fatal(err)
	}
	settle(os.Getpid(), "")
	if err := os.Remove(filepath.Join(home, ".local")); err != nil {
		t.Fatal(err)
	}
	state := filepath.Join(home, ".local", "state", "continuo")
	if err := os.MkdirAll(state, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(state, "starting.json"), []byte("{no list"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := place.ClaimStart(t.Context(), resumeDeps(home).Env, &r, false, false); err != nil {
		t.Errorf("a list that cannot be read: %v", err)
	}
	if held := place.StartingOf(t.Context(), resumeDeps(home).Env, &r); len(held) != 1 {
		t.Errorf("%d are held", len(held))
	}
}
