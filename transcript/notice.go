package transcript

import (
	"encoding/json"
	"html"
	"strconv"
	"strings"
)

// NoticeKind is the kind of a notice.
type NoticeKind string

// The kinds of notices. The comments describe the fields Name, Title and Text of the Block.
const (
	NoticePeer        NoticeKind = "message"      // a message of another agent, session or channel; Name is the sender
	NoticeTask        NoticeKind = "notification" // about a background task; Title is its summary, Text its result
	NoticeContinued   NoticeKind = "continuation" // a prompt that the client wrote, such as an approved plan; Title describes it
	NoticeHook        NoticeKind = "hook"         // a hook that failed or blocked; Name is the hook, Title the outcome
	NoticeFile        NoticeKind = "file"         // a file or folder that was sent to the model; Name is its path
	NoticeSelection   NoticeKind = "selection"    // lines selected in an editor; Name is the file, Title the lines
	NoticeDiagnostics NoticeKind = "diagnostics"  // problems that an editor reported; Text has one per line
	NoticeNote        NoticeKind = "note"         // text that the client added to the result of a call
	NoticeSkills      NoticeKind = "skills"       // skills that were loaded again after a compaction; Name lists them
)

const (
	// mainAgent is the Name of the notice with the task of a sub-agent.
	mainAgent = "the main agent"

	taskTag            = "task-notification"
	systemNotification = "[SYSTEM NOTIFICATION - NOT USER INPUT]"
)

// senderKeys maps each tag around text of other agents to the attribute with the sender (client 2.1.330).
func senderKeys() map[string]string {
	return map[string]string{
		"teammate-message": "teammate_id", "agent-message": "from", "cross-session-message": "from", "channel": "source",
		"slack-ping": "from",
	}
}

// noticesIn returns a notice for each frame in a text, with advice for the model between them. For any other text, it
// returns nil.
func noticesIn(text string) []Block {
	rest := withoutPreamble(strings.ReplaceAll(strings.TrimSpace(text), "\r\n", "\n"))
	var notices []Block
	for rest != "" {
		name := tagName(rest)
		sender, isPeer := senderKeys()[name]
		if !isPeer && name != taskTag {
			if len(notices) == 0 || !isAdvice(rest) {
				return nil
			}
			_, rest, _ = strings.Cut(rest, "\n\n")
			rest = strings.TrimSpace(rest)
			continue
		}
		head, body, _ := strings.Cut(rest, ">")
		body, behind, closed := cutFrame(body, name)
		switch {
		case !isPeer:
			notices = append(notices, taskNotice(body))
		case !closed:
			return nil
		default:
			notices = append(notices, peerNotice(attributes(head), sender, body))
		}
		rest = strings.TrimSpace(behind)
	}
	return notices
}

// cutFrame splits a text at the end tag of a frame, if possible one at the start of a line.
func cutFrame(text, name string) (body, rest string, ok bool) {
	end := "</" + name + ">"
	if body, rest, ok = strings.Cut(text, "\n"+end); !ok {
		body, rest, ok = strings.Cut(text, end)
	}
	return body, rest, ok
}

// withoutPreamble removes the announcement of a frame to the model.
func withoutPreamble(text string) string {
	if rest, ok := strings.CutPrefix(text, systemNotification); ok {
		if _, frame, ok := strings.Cut(rest, "\n\n"); ok {
			return strings.TrimSpace(frame)
		}
		return text
	}
	for _, sentence := range [...]string{
		"Another Claude session sent a message:", "Another Claude session sent a message while you were working:",
		"A peer session sent a message while you were working:",
	} {
		if frame, ok := strings.CutPrefix(text, sentence+"\n"); ok {
			return strings.TrimSpace(frame)
		}
	}
	return text
}

// isAdvice reports whether the first paragraph of a text tells the model what to do with a frame (client 2.1.330; the
// last entry is from 2.1.39).
func isAdvice(text string) bool {
	for _, opening := range [...]string{
		"This came from another Claude session", `That "other Claude session" is an agent`, "After completing your current task, decide",
		"Read the output file to retrieve the result",
	} {
		if strings.HasPrefix(text, opening) {
			return true
		}
	}
	return false
}

// peerNotice decodes a message of another agent. If the message is JSON, its type is the title. The report of a
// sub-agent loses the explanation for the model and the indentation.
func peerNotice(attr map[string]string, sender, body string) Block {
	b := Block{Kind: BlockNotice, Notice: NoticePeer, Name: attr[sender], Title: attr["summary"]}
	if attr["name"] != "" {
		b.Name = attr["name"]
	}
	if strings.HasPrefix(strings.TrimSpace(body), "[Subagent hand-back]") {
		if _, report, ok := strings.Cut(body, "The report follows:\n"); ok {
			body = report
		}
	}
	b.Text = strings.TrimSpace(dedent(body))
	var protocol struct {
		Type string `json:"type"`
	}
	if json.Unmarshal([]byte(b.Text), &protocol) == nil && protocol.Type != "" && b.Title == "" {
		b.Title = strings.ReplaceAll(protocol.Type, "_", " ")
	}
	return b
}

// dedent removes two blanks from the start of every line, if all lines with text have them.
func dedent(text string) string {
	lines := strings.Split(strings.Trim(text, "\n"), "\n")
	for i, l := range lines {
		if cut, ok := strings.CutPrefix(l, "  "); ok {
			lines[i] = cut
		} else if l != "" {
			return text
		}
	}
	return strings.Join(lines, "\n")
}

// taskNotice decodes the notification of a background task. Facts that are only for the model are omitted.
func taskNotice(body string) Block {
	field := func(name string) string {
		s, _ := tagged(body, name)
		return s
	}
	b := Block{Kind: BlockNotice, Notice: NoticeTask, Title: html.UnescapeString(field("summary")), Failed: field("status") == "failed"}
	b.CallID, b.details.Task, b.details.Status = field("tool-use-id"), field("task-id"), field("status")
	b.details.Tokens, _ = strconv.ParseInt(field("total_tokens"), 10, 64)
	b.details.Calls, _ = strconv.Atoi(field("tool_uses"))
	b.Text = strings.TrimSpace(field("result") + "\n" + field("event"))
	if b.Title == "" && b.Text == "" { // the frame is incomplete; use the text after the IDs
		b.Text = strings.TrimSpace(body)
		for name := tagName(b.Text); name != ""; name = tagName(b.Text) {
			_, after, ok := strings.Cut(b.Text, "</"+name+">")
			if !ok {
				break
			}
			b.Text = strings.TrimSpace(after)
		}
	}
	return b
}

// continuedNotice decodes a prompt that the client wrote, such as the plan after plan mode.
func continuedNotice(text string) Block {
	b := Block{Kind: BlockNotice, Notice: NoticeContinued, Text: text}
	if strings.HasPrefix(text, "Implement the following plan:") {
		b.Title = "the approved plan"
	}
	return b
}

// attributes returns the attributes of a tag: name="value", escaped as in XML.
func attributes(tag string) map[string]string {
	found := map[string]string{}
	for {
		at := strings.IndexAny(tag, " \t\r\n")
		if at < 0 {
			return found
		}
		name, value, quoted := strings.Cut(tag[at+1:], `="`)
		value, after, closed := strings.Cut(value, `"`)
		if !quoted || !closed {
			return found
		}
		found[strings.TrimSpace(name)] = html.UnescapeString(value)
		tag = after
	}
}

// IsTask reports whether a block is the task at the start of a sub-agent's conversation.
func (b *Block) IsTask() bool { return b.Notice == NoticePeer && b.Name == mainAgent }
