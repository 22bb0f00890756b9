package transcript

import (
	"encoding/json"
	"fmt"
	"strings"
)

// isHookError reports whether an attachment is about a hook that failed, blocked or stopped the turn (clients 2.1.101
// to 2.1.330). For other hooks, attachmentKind checks AttachmentBad.
func isHookError(attachment string) bool {
	switch attachment {
	case "hook_blocking_error", "hook_non_blocking_error", "hook_error_during_execution", "hook_stopped_continuation",
		"async_hook_response", "hook_cancelled":
		return true
	}
	return false
}

// isContextAttachment reports whether an attachment added something to the context, such as files (clients 2.1.101 to
// 2.1.330).
func isContextAttachment(attachment string) bool {
	switch attachment {
	case "file", "directory", "diagnostics", "selected_lines_in_ide", "invoked_skills":
		return true
	}
	return false
}

// attachmentBlocks decodes an attachment: a queued command, or a notice for an event.
func attachmentBlocks(raw json.RawMessage) []Block {
	a := members(raw)
	typ := stringOf(a["type"])
	switch {
	case typ == "queued_command":
		return userBlocks(a["prompt"], a["origin"])
	case isHookError(typ):
		return []Block{hookNotice(typ, a)}
	case isContextAttachment(typ):
		return []Block{contextNotice(typ, a)}
	}
	return nil
}

// hookNotice returns the notice about a failed hook, with the ID of the call that triggered it.
func hookNotice(typ string, a map[string]json.RawMessage) Block {
	b := Block{
		Kind: BlockNotice, Notice: NoticeHook, Name: stringOf(a["hookName"]), CallID: stringOf(a["toolUseID"]), Failed: true,
		Title: "failed", Text: stringOf(a["stderr"]),
	}
	switch typ {
	case "hook_blocking_error":
		b.Title, b.Text = "blocked", stringOf(members(a["blockingError"])["blockingError"])
		if b.Text == "" {
			b.Text = stringOf(a["blockingError"])
		}
	case "async_hook_response":
		if response := members(a["response"]); stringOf(response["decision"]) == "block" {
			b.Title, b.Text = "blocked", stringOf(response["reason"])
		}
	case "hook_stopped_continuation":
		b.Title, b.Text = "stopped the turn", stringOf(a["message"])
	case "hook_error_during_execution":
		b.Text = stringOf(a["content"])
	case "hook_cancelled":
		b.Title = "timed out"
	}
	if b.Name == "" {
		b.Name = stringOf(a["hookEvent"])
	}
	if isBlank(b.Text) {
		b.Text = stringOf(a["stdout"])
	}
	b.Text = strings.TrimSpace(b.Text)
	return b
}

// contextNotice returns a notice that names the context that the client sent with a prompt.
func contextNotice(typ string, a map[string]json.RawMessage) Block {
	path := stringOf(a["displayPath"])
	for _, key := range [...]string{"filename", "path"} {
		if path == "" {
			path = stringOf(a[key])
		}
	}
	switch typ {
	case "selected_lines_in_ide":
		b := Block{Kind: BlockNotice, Notice: NoticeSelection, Name: path, Text: stringOf(a["content"])}
		if from, to := string(a["lineStart"]), string(a["lineEnd"]); from != "" && to != "" {
			b.Title = "lines " + from + " to " + to
		}
		return b
	case "diagnostics":
		return Block{Kind: BlockNotice, Notice: NoticeDiagnostics, Text: diagnostics(a["files"])}
	case "invoked_skills":
		var skills []struct {
			Name string `json:"name"`
		}
		var names []string
		if json.Unmarshal(a["skills"], &skills) == nil {
			for _, s := range skills {
				names = append(names, s.Name)
			}
		}
		return Block{Kind: BlockNotice, Notice: NoticeSkills, Name: strings.Join(names, ", ")}
	}
	return Block{Kind: BlockNotice, Notice: NoticeFile, Name: path}
}

// diagnostics formats the problems that an editor reported as "file:line: severity: message", one per line.
func diagnostics(raw json.RawMessage) string {
	var files []struct {
		URI         string `json:"uri"`
		Diagnostics []struct {
			Message  string `json:"message"`
			Severity string `json:"severity"`
			Range    struct {
				Start struct {
					Line int `json:"line"` // line number, from 0
				} `json:"start"`
			} `json:"range"`
		} `json:"diagnostics"`
	}
	if json.Unmarshal(raw, &files) != nil {
		return ""
	}
	var lines []string
	for _, f := range files {
		for _, d := range f.Diagnostics {
			lines = append(lines, fmt.Sprintf("%s:%d: %s: %s",
				strings.TrimPrefix(f.URI, "file://"), d.Range.Start.Line+1, strings.ToLower(d.Severity), CleanLine(d.Message)))
		}
	}
	return strings.Join(lines, "\n")
}
