package sessions

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// AgentType returns the type of a sub-agent, such as Explore, or "" if it is unknown. The type is in the .meta.json
// beside the sub-agent's transcript (clients 2.1.71 to 2.1.330).
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

// AgentPath returns the path of the transcript of the sub-agent with an ID, or "" if the session has no such
// sub-agent.
func (s *Session) AgentPath(id string) string {
	for _, path := range s.Agents {
		if strings.TrimSuffix(filepath.Base(path), ".jsonl") == "agent-"+id {
			return path
		}
	}
	return ""
}
