package hooks

import (
	"context"
	"encoding/json"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/snapshots"
)

// startOutput is the output of the snapshot hook (spec 004, fact sheet).
type startOutput struct {
	Continue       bool         `json:"continue"`
	SuppressOutput bool         `json:"suppressOutput"`
	SystemMessage  string       `json:"systemMessage"`
	Specific       startContext `json:"hookSpecificOutput"`
}

type startContext struct {
	Event   string `json:"hookEventName"`
	Context string `json:"additionalContext"` // a startAdvice in JSON
}

type startAdvice struct {
	Severity    string `json:"severity"`
	Action      string `json:"assistant_action"`
	Instruction string `json:"assistant_instruction"`
	Message     string `json:"user_message"`
}

// snapshotHook returns the text about a snapshot in the current folder, or "".
func snapshotHook(ctx context.Context, env *place.Env) (string, error) {
	text, err := snapshots.Loaded(ctx, env)
	advice := startAdvice{
		Severity: "info", Action: "inform_user", Message: text + "\n/load-session-protocol loads it.",
		Instruction: "Tell the user about the snapshot and offer /load-session-protocol. Don't load it unless the user asks for it.",
	}
	if err != nil {
		f := out.AsFailure(err)
		if f.Code == out.ExitNone {
			return "", nil
		}
		advice.Severity, advice.Message = "warning", f.What
		advice.Instruction = "Tell the user that session-protocol.json can't be loaded. Don't change the file."
	}
	inner, _ := json.Marshal(advice) // never fails for strings
	line, err := json.Marshal(startOutput{true, false, advice.Message, startContext{"SessionStart", string(inner)}})
	return string(line), err
}

// snapshotActs describes the installed snapshot commands and hook; "" without --snapshot.
func snapshotActs(env *place.Env, v *setupView) string {
	switch where := env.Tilde(v.plan.Snapshot); {
	case v.plan.Snapshot == "":
		return ""
	case v.waits(v.plan.Snapshot):
		return " The snapshot hook in " + where + " does nothing until then."
	case v.plan.Project == "":
		return " The snapshot hook in " + where + " tells Claude about a session-protocol.json."
	default:
		return " /save-session-protocol and /load-session-protocol work, and the hook in " + where + " tells Claude about a session-protocol.json."
	}
}
