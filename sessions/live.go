package sessions

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/transcript"
)

// Status is the status that a running client reports in the live registry.
type Status string

// The values of status in sessions/<pid>.json (client 2.1.330). Other clients may write others.
const (
	StatusIdle    Status = "idle"
	StatusBusy    Status = "busy"
	StatusWaiting Status = "waiting"
)

// Live is a running client in sessions/<pid>.json. Clean its texts before they reach a terminal.
type Live struct {
	PID        int
	SessionID  string
	Cwd        string
	Entrypoint string // "cli" for a client in a terminal, "sdk-cli" for claude -p; "" if not recorded
	Status     Status
	WaitingFor string // with StatusWaiting: the question
	Started    time.Time
	Updated    time.Time // newest time in the file, otherwise its modification time
	Verified   bool      // pid and start time match; false if the start time is unknown
}

const (
	// registryLimit is the limit of a registry file in bytes. Real files have less than 1 KB.
	registryLimit = 1 << 20

	// registryAgain is the pause before a half-written entry is read again. The client overwrites it in place (client
	// 2.1.330).
	registryAgain = 20 * time.Millisecond

	// foreignFor is how long an entry of another machine or container counts as live after its last update. Its
	// process can't be looked up, and a killed container leaves its file.
	foreignFor = 7 * 24 * time.Hour

	// lastMillisecond is the end of the year 9999 in Unix milliseconds, the last time of RFC 3339.
	lastMillisecond = 253402300799999
)

// Probe looks up processes. SystemProbe returns the Probe of this machine.
type Probe interface {
	// Start looks up a process. known is false after a failed lookup. alive reports whether the process exists. start
	// is its start time in Claude Code's format for this system, or "".
	Start(ctx context.Context, pid int) (start string, alive, known bool)
	// Domain returns the scope of unique pids, in the client's format for pidDomain.
	Domain() string
}

// SystemProbe returns the probe of this machine.
func SystemProbe() Probe { return systemProbe{domain: pidDomain()} }

type systemProbe struct{ domain string }

// Start implements Probe.
func (systemProbe) Start(ctx context.Context, pid int) (start string, alive, known bool) {
	return processStart(ctx, pid)
}

// Domain implements Probe.
func (p systemProbe) Domain() string { return p.domain }

// ReadRegistry returns the running clients, sorted by pid. It reads the files <dir>/sessions/<pid>.json of a Claude
// config dir (client 2.1.330). The *.key files there are secrets, so it opens no other files.
//
// A killed client leaves its file, and pids are reused. So an entry counts as live only if a process with its pid and
// start time exists. With an unknown start time, Verified is false. An entry of another pid domain (a container or
// another machine) counts as live for a week after its last update. An entry without a pidDomain is from an older
// client on this machine.
//
// Two clients with one session have two entries. The errors name invalid files, except those of processes that have
// exited. A missing directory has no clients and no errors.
func ReadRegistry(ctx context.Context, dir string, probe Probe) ([]Live, []error) {
	return readRegistry(ctx, dir, probe, time.Now())
}

func readRegistry(ctx context.Context, dir string, probe Probe, now time.Time) ([]Live, []error) {
	dir = filepath.Join(dir, "sessions")
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var errs []error
	if err != nil {
		errs = append(errs, &RegistryError{Path: dir, Err: disk.Cause(err)})
	}
	var found []Live
	for _, f := range files {
		if !isRegistryName(f.Name()) {
			continue
		}
		if err := ctx.Err(); err != nil {
			errs = append(errs, fmt.Errorf("live registry %s: %w", dir, err))
			break
		}
		path := filepath.Join(dir, f.Name())
		e, err := readRegistryEntry(path)
		runs := true
		for tries := 0; err != nil && !errors.Is(err, fs.ErrNotExist) && tries < 3; tries++ {
			if runs = mayRun(ctx, probe, f.Name()); !runs {
				break // the process has exited, so nobody will complete the file
			}
			wait(ctx, registryAgain)
			e, err = readRegistryEntry(path)
		}
		if !runs || errors.Is(err, fs.ErrNotExist) {
			continue // its client has ended
		}
		if err != nil {
			errs = append(errs, &RegistryError{Path: path, Err: disk.Cause(err)})
			continue
		}
		live := false
		if live, e.Verified = e.check(ctx, probe, now); live {
			found = append(found, e.Live)
		}
	}
	slices.SortStableFunc(found, func(a, b Live) int { return cmp.Compare(a.PID, b.PID) })
	return found, errs
}

// RegistryError is returned if the registry can't be listed, or if the entry of a possibly running process is
// invalid. A session may then be live without an entry.
type RegistryError struct {
	Path string
	Err  error
}

// Error implements error.
func (e *RegistryError) Error() string {
	return fmt.Sprintf("live registry %s: %v", e.Path, e.Err)
}

// Unwrap returns the wrapped error.
func (e *RegistryError) Unwrap() error { return e.Err }

// mayRun reports whether the process with the pid in the file name may exist.
func mayRun(ctx context.Context, probe Probe, name string) bool {
	pid, err := strconv.ParseInt(strings.TrimSuffix(name, ".json"), 10, 32)
	if err != nil || pid <= 0 {
		return false
	}
	_, alive, known := probe.Start(ctx, int(pid))
	return alive || !known
}

// wait waits for the duration d or until ctx ends.
func wait(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// isRegistryName reports whether a name consists of digits and ".json".
func isRegistryName(name string) bool {
	stem, ok := strings.CutSuffix(name, ".json")
	return ok && isDigits(stem)
}

// registryEntry is a Live with more fields for check.
type registryEntry struct {
	Live
	procStart string // "" if not recorded
	domain    string // "" if not recorded
}

// check reports whether the entry's process is running, and whether that is certain.
func (e *registryEntry) check(ctx context.Context, probe Probe, now time.Time) (live, verified bool) {
	if e.domain != "" && !sameDomain(e.domain, probe.Domain()) {
		return now.Sub(e.Updated) <= foreignFor, false
	}
	start, alive, known := probe.Start(ctx, e.PID)
	switch {
	case !known:
		return true, false
	case !alive:
		return false, false
	}
	same, comparable := sameStart(e.procStart, start)
	return same || !comparable, same
}

// sameDomain reports whether two pid domains are equal. On Linux, a domain is <system>:<machine id>:<pid namespace>.
// An empty machine id, or one of zeros, matches all.
func sameDomain(a, b string) bool {
	as, bs := strings.SplitN(a, ":", 3), strings.SplitN(b, ":", 3)
	if a == b || len(as) < 3 || len(bs) < 3 || as[0] != bs[0] || as[2] != bs[2] {
		return a == b
	}
	nameless := func(id string) bool { return strings.Trim(id, "0") == "" }
	return as[1] == bs[1] || nameless(as[1]) || nameless(bs[1])
}

// sameStart compares two recorded process starts. Clock ticks (Linux) and file times (Windows) must be equal. Dates
// (macOS: ps -o lstart=) are in local time or UTC. So they may differ by a multiple of 15 minutes up to 26 hours,
// with a tolerance of 2 seconds. comparable is false for different formats.
func sameStart(a, b string) (same, comparable bool) {
	if a == "" || b == "" {
		return false, false
	}
	if isDigits(a) && isDigits(b) {
		return a == b, true
	}
	at, aok := parseStart(a)
	bt, bok := parseStart(b)
	if !aok || !bok {
		return a == b, a == b
	}
	const slack, zone = 2 * time.Second, 15 * time.Minute
	d := at.Sub(bt).Abs()
	off := d % zone
	return d <= 26*time.Hour && min(off, zone-off) <= slack, true
}

// parseStart parses the date from ps: "Sat Nov 21 15:52:00 2026" or "Sat 21 Nov 15:52:00 2026".
func parseStart(s string) (time.Time, bool) {
	s = strings.Join(strings.Fields(s), " ")
	for _, layout := range []string{"Mon Jan 2 15:04:05 2006", "Mon 2 Jan 15:04:05 2006"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// readRegistryEntry reads one file. Only the session ID is required. Other invalid fields stay zero, so that sessions
// of newer clients are found.
func readRegistryEntry(path string) (*registryEntry, error) {
	data, modified, err := readRegistryFile(path)
	if err != nil {
		return nil, err
	}
	pid, err := strconv.ParseInt(strings.TrimSuffix(filepath.Base(path), ".json"), 10, 32)
	if err != nil || pid == 0 {
		return nil, errors.New("the file name is not a process ID")
	}
	var rec map[string]json.RawMessage
	// Decode the first JSON value. After an overwrite, the end of a longer entry may follow.
	if err := json.NewDecoder(bytes.NewReader(data)).Decode(&rec); err != nil {
		return nil, fmt.Errorf("not a JSON object: %w", err)
	}
	if n := jsonField[float64](rec, "pid"); n != 0 && n != float64(pid) {
		return nil, fmt.Errorf("the entry is for another process (%s)", rec["pid"])
	}
	e := &registryEntry{
		Live: Live{
			PID:        int(pid),
			SessionID:  jsonField[string](rec, "sessionId"),
			Cwd:        jsonField[string](rec, "cwd"),
			Entrypoint: jsonField[string](rec, "entrypoint"),
			Status:     jsonField[Status](rec, "status"),
			WaitingFor: jsonField[string](rec, "waitingFor"),
			Started:    jsonTime(rec, "startedAt"),
			Updated:    jsonTime(rec, "updatedAt"),
		},
		// On Windows, the start is in procStartFt, which the client prefers.
		procStart: cmp.Or(jsonText(rec, "procStartFt"), jsonText(rec, "procStart")),
		domain:    jsonField[string](rec, "pidDomain"),
	}
	if e.SessionID == "" {
		return nil, errors.New("the session ID is missing")
	}
	for _, t := range []time.Time{jsonTime(rec, "statusUpdatedAt"), e.Started} {
		if t.After(e.Updated) {
			e.Updated = t
		}
	}
	if e.Updated.IsZero() {
		e.Updated = modified
	}
	return e, nil
}

// readRegistryFile reads a small regular file without following links. It checks the type first, because opening a
// named pipe would block.
func readRegistryFile(path string) (data []byte, modified time.Time, err error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, time.Time{}, err
	}
	if !info.Mode().IsRegular() {
		return nil, time.Time{}, errors.New("not a regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, time.Time{}, err
	}
	defer f.Close()
	data, err = io.ReadAll(io.LimitReader(f, registryLimit+1))
	if err != nil {
		return nil, time.Time{}, err
	}
	if len(data) > registryLimit {
		return nil, time.Time{}, errors.New("larger than 1 MB")
	}
	return data, info.ModTime(), nil
}

// jsonField returns the value of one field, or the zero value for another type.
func jsonField[T any](rec map[string]json.RawMessage, key string) T {
	var v, zero T
	if json.Unmarshal(rec[key], &v) != nil {
		return zero
	}
	return v
}

// jsonText returns the text of a string or number, otherwise "".
func jsonText(rec map[string]json.RawMessage, key string) string {
	if s := jsonField[string](rec, key); s != "" {
		return s
	}
	if raw := string(bytes.TrimSpace(rec[key])); isDigits(raw) {
		return raw
	}
	return ""
}

// jsonTime parses a time in Unix milliseconds, or returns the zero time.
func jsonTime(rec map[string]json.RawMessage, key string) time.Time {
	ms := jsonField[float64](rec, key)
	if ms < 1 || ms > lastMillisecond {
		return time.Time{}
	}
	return transcript.At(int64(ms))
}
