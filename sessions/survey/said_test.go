package survey_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
)

func TestSaidWithoutTexts(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	line := `{"type":"assistant","uuid":"u","parentUuid":null,"timestamp":"2999-01-01T00:00:00Z","sessionId":"s","message":{"id":"m","role":"assistant","usage":{"input_tokens":7},"content":[{"type":"text","text":"DECISION: x"}]}}` + "\n"
	if err := os.WriteFile(path, []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	r := &sessions.Row{}
	r.Path = path
	for texts, want := range map[bool]int{true: 1, false: 0} {
		if s, err := survey.SaidIn(t.Context(), r, texts, time.Time{}); err != nil || len(s.List) != want || s.Row.ContextTokens != 7 {
			t.Errorf("with texts %v: %+v, %v", texts, s, err)
		}
	}
}
