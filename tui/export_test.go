package tui

import (
	"fmt"
	"testing"
)

func TestExport(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		name := fmt.Sprintf("export-%dx%d", size[0], size[1])
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				m, c, _ := handoverModel(t, size[0], size[1], nil)
				press(t, m, "enter", "E", "x")
				golden(t, name, plain(t, m))
				press(t, m, "h")
				golden(t, "export-file-"+name[len("export-"):], plain(t, m))
				press(t, m, "x", "enter")
				if len(c.asks) != 1 || c.asks[0].Kind != ChangeExport || *c.asks[0].Export != (ExportAs{Format: "html", Redact: true, File: "session-3f9ac1e0.htmlx"}) || c.asks[0].Rows[0].ID != m.subject().ID {
					t.Errorf("asked %+v", c.asks)
				}
				if !m.hasDialog() {
					t.Error("no plan is shown")
				}
			})
		})
	}
}
