package sessions

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// AgentType returns the type of a sub-agent, such as Explore, or "". The type is in a .meta.json file beside the
// transcript (clients 2.1.71 to 2.1.330).
func AgentType(transcript string) string {
	const limit = 64 << 10
	path := strings.TrimSuffix(transcript, ".jsonl") + ".meta.json"
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() > limit {
		return ""
	}
	b, err := os.ReadFile(path)
	var meta struct {
		AgentType string `json:"agentType"`
	}
	if err != nil || json.Unmarshal(b, &meta) != nil {
		return ""
	}
	return meta.AgentType
}

// AgentPath returns the path of a sub-agent's transcript, or "" for an unknown ID.
func (s *Session) AgentPath(id string) string {
	for _, path := range s.Agents {
		if strings.TrimSuffix(filepath.Base(path), ".jsonl") == "agent-"+id {
			return path
		}
	}
	return ""
}
