package task

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// FuzzRead writes any bytes to all files. Verify must find each invalid file.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"section-1.2.json", "section-3.2.json", "emergency-checkpoint.json"} {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(`{"version":1,"checkpoints":[{"checkpoint_id":"ckpt-a","timestamp":"2025-12-04T10:30:00Z","sha256":"x","missing":true,"k":[1]}]}`))
	f.Add([]byte(`{"status":"blocked","blockers":[{"title":"a"}],"next_steps":["b",7],"current_gate":"G12","state":{"files_changed":[{}],"tests":[]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, c := parseSession("s", text), parseCheckpoint("ckpt-a", text)
		task := &Task{Slug: "s", Sessions: []*Session{s}, Checkpoints: []*Checkpoint{c}, Status: parseStatus(text), Index: parseIndex(text), Emergency: parseEmergency(text)}
		if len(task.Verify()) == 0 { // the same text can't be valid for all files
			t.Error("no finding")
		}
		task.Timeline()
		c.Wanted()
		c.Handover()
		if again := parseIndex(task.rebuilt(false)); len(again.Problems) > 0 {
			t.Errorf("%v in:\n%s", again.Problems, task.rebuilt(false))
		}
		if s.Problems == nil {
			if again := parseSession("s", s.file()); again.Problems != nil || again.ID != s.ID || again.Count != s.Count || !again.Active.Equal(s.Active) {
				t.Errorf("%v in:\n%s", again.Problems, s.file())
			}
		}
		if content, err := ParseContent(text); err == nil {
			content.ID, content.Session, content.Type, content.Gate, content.At = "ckpt-a", "s", Decided, "G1", time.Unix(0, 0)
			content.complete(nil)
			if again := parseCheckpoint("ckpt-a", content.file()); again.Problems != nil {
				t.Errorf("%v in:\n%s", again.Problems, content.file())
			}
		}
	})
}
