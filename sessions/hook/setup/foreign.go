package setup

import (
	"path/filepath"
	"strings"

	"github.com/continuo-tui/continuo/sessions/hook"
	"github.com/continuo-tui/continuo/transcript"
)

// OtherScript returns the path of a spec 000 script that doesn't call continuo, or "".
func OtherScript(project string) string {
	if project == "" {
		return ""
	}
	for _, event := range hook.Events() {
		path := filepath.Join(project, ".claude", "hooks", "on-"+event+".sh")
		src, _, err := transcript.OpenFile(path)
		if err != nil {
			continue
		}
		head := make([]byte, 4<<10)
		n, _ := src.ReadAt(head, 0)
		_ = src.Close() // the file was only read
		if !strings.Contains(string(head[:n]), "continuo hook") {
			return path
		}
	}
	return ""
}
