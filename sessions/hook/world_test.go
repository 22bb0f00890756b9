package hook

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// world is a project with a memory. Its transcript is outside the project.
type world struct {
	t          *testing.T
	project    string
	home       string
	transcript string
	env        map[string]string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	root := t.TempDir()
	w := &world{
		t: t, project: filepath.Join(root, "my  code"), home: filepath.Join(root, "home"),
		transcript: filepath.Join(root, "home", ".claude", "projects", "-code", "s-1.jsonl"),
		env:        map[string]string{"CLAUDE_CODE_SESSION_ID": "s-env"},
	}
	makePath(t, w.memory())
	makePath(t, filepath.Join(w.project, ".git"))
	w.write(w.transcript, sayings(3))
	return w
}

// sayings returns a transcript with n records.
func sayings(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"type":"user","uuid":"u-%d","sessionId":"s-1","message":{"role":"user","content":"é %d"}}`+"\n", i, i)
	}
	return b.String()
}

func (w *world) memory(names ...string) string {
	return filepath.Join(append([]string{w.project, ".claude", "memory"}, names...)...)
}

func (w *world) write(path, text string) {
	w.t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o600)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) read(path string) string {
	w.t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		w.t.Fatal(err)
	}
	return string(text)
}

// in returns the inputs of a hook. In the payload, $T is the transcript and $P the project.
func (w *world) in(payload string) In {
	payload = strings.NewReplacer("$T", w.transcript, "$P", w.project).Replace(payload)
	return In{
		Payload: strings.NewReader(payload), Env: func(name string) string { return w.env[name] },
		Dir: w.project, Home: w.home, Now: noon, Discard: discardPlan,
	}
}

func (w *world) handle(event, payload string) Result {
	w.t.Helper()
	r := Handle(w.t.Context(), event, w.in(payload))
	if r.Run.Time != noon() || r.Run.Event != event || r.Run.Result == "" || r.Out != "" && event != EventStart {
		w.t.Errorf("%s: %+v", event, r)
	}
	return r
}

// backups returns the names of the backups. Each is a copy of the transcript.
func (w *world) backups() []string {
	w.t.Helper()
	paths, err := filepath.Glob(filepath.Join(strings.ReplaceAll(w.memory("raw"), "[", `\[`), "*.jsonl"))
	if err != nil {
		w.t.Fatal(err)
	}
	names := []string{}
	for _, path := range paths {
		names = append(names, filepath.Base(path))
	}
	return names
}

// markers maps each marker to its backup. An empty marker maps to "".
func (w *world) markers() map[string]string {
	w.t.Helper()
	paths, err := filepath.Glob(w.memory(".pending-backup*"))
	if err != nil {
		w.t.Fatal(err)
	}
	found := map[string]string{}
	for _, path := range paths {
		name := filepath.Base(path)
		text := w.read(path)
		target, ok := strings.CutSuffix(text, "\n")
		if found[name] = ""; ok {
			found[name] = filepath.Base(target)
		}
		if ok && target != w.memory("raw", filepath.Base(target)) {
			w.t.Errorf("%s names %q", name, text)
		}
	}
	return found
}

func (w *world) remove(path string) {
	w.t.Helper()
	if err := os.RemoveAll(path); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) absent(path string) {
	w.t.Helper()
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		w.t.Errorf("%s exists (%v)", path, err)
	}
}

func (w *world) mark(kind, text string) {
	w.t.Helper()
	w.write(w.memory(".pending-backup"+kind), text)
}
