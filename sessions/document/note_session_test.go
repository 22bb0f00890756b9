package document

import "testing"

// TestContextNoteWrite: the user's lines in continuo's section stay.
func TestContextNoteWrite(t *testing.T) {
	t.Parallel()
	n := ContextNote{stamp: "2026-11-21T14:05:00Z", lines: []string{leadWritten + " now", leadStands + " well"}}
	for before, want := range map[string]string{
		"":                              "## Last Session (by continuo)\n\n- Written: now\n- Stands: well\n",
		"# A":                           "# A\n\n## Last Session (by continuo)\n\n- Written: now\n- Stands: well\n",
		"# A\n\n":                       "# A\n\n## Last Session (by continuo)\n\n- Written: now\n- Stands: well\n",
		"## Last Session (by continuo)": "## Last Session (by continuo)\n- Written: now\n- Stands: well\n",
		"## Last Session (by continuo)\n\n- Written: x\nmine\n- Document: `old`\n\n## B\nb": "## Last Session (by continuo)\n\n- Written: now\n- Stands: well\nmine\n\n## B\nb",
		"## Last Session (by continuo)\n## B\n":                                             "## Last Session (by continuo)\n- Written: now\n- Stands: well\n\n## B\n",
		"## Last Session (by continuo)\n\nmine\n":                                           "## Last Session (by continuo)\n\n- Written: now\n- Stands: well\n\nmine\n",
		"> last updated:\n> Last Session Doc: a.md\n":                                       "> last updated: 2026-11-21T14:05:00Z\n> Last Session Doc: a.md\n\n## Last Session (by continuo)\n\n- Written: now\n- Stands: well\n",
		"## Last Session (by continuo)\n\n- Written: y\n\n## Session Exit\n\n- Last exit: x\n- Transcript backup: y\n- Written: his\n": "## Last Session (by continuo)\n\n- Written: now\n- Stands: well\n\n## Session Exit\n\n- Last exit: x\n- Transcript backup: y\n- Written: his\n",
	} {
		if got := string(n.Write([]byte(before), "")); got != want {
			t.Errorf("%q: %q, not %q", before, got, want)
		}
	}
}
