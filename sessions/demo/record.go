package demo

import (
	"fmt"
	"strings"
	"time"
)

// head returns the members that every record of the conversation begins with.
func (t *talk) head() object {
	o := object{{"parentUuid", nil}, {"isSidechain", t.side}}
	if t.parent != "" {
		o[0].val = t.parent
	}
	if t.old() {
		return append(o, field{"userType", "external"}, field{"cwd", t.cwd}, field{"sessionId", t.id},
			field{"version", t.version}, field{"gitBranch", t.branch}, opt("agentId", t.agent))
	}
	return append(o, opt("agentId", t.agent))
}

// tail returns the members that it ends with.
func (t *talk) tail() object {
	if t.old() {
		return nil
	}
	entry := "cli"
	if t.sdk {
		entry = "sdk-cli"
	}
	return object{
		{"userType", "external"},
		{"entrypoint", entry},
		{"cwd", t.cwd},
		{"sessionId", t.id},
		{"version", t.version},
		{"gitBranch", t.branch},
		opt("slug", t.slug),
	}
}

// chained writes a record that has a place in the chain, and makes it the parent of the next one.
func (t *talk) chained(body object, after ...field) string {
	id := t.uuid()
	t.line(t.head(), body, object{{"uuid", id}, {"timestamp", stamp(t.at)}}, after, t.tail())
	t.parent = id
	return id
}

// prompt writes what the person asks.
func (t *talk) prompt(text string) {
	text = md(text)
	if t.side {
		t.wait(100 * time.Millisecond)
	} else {
		t.wait(100 * time.Second)
	}
	if t.prompts == 0 {
		t.first = text
		t.open(text)
	}
	t.promptID = t.uuid()
	t.lastPrompt = text
	t.prompts++
	t.context += len(text) / 4
	t.userText(text)
	if t.prompts == 1 {
		t.attachments()
	}
}

// userText writes a user record with plain text: a prompt, a command or what the client says for the user.
func (t *talk) userText(text string, more ...field) {
	message := field{"message", object{{"role", "user"}, {"content", text}}}
	if t.old() {
		t.chained(append(object{{"type", "user"}, message}, more...))
		return
	}
	body := append(object{{"promptId", t.promptID}, {"type", "user"}, message}, more...)
	source, origin := "typed", "human"
	if t.sdk {
		source, origin = "sdk", "sdk"
	}
	if t.side || len(more) > 0 {
		t.chained(body)
		return
	}
	t.chained(body, field{"permissionMode", "default"}, field{"promptSource", source}, field{"turnOrigin", origin},
		field{"turnPosition", object{{"promptIndex", t.prompts}, {"turnIndex", t.prompts}}})
}

// open writes what stands before the first prompt.
func (t *talk) open(prompt string) {
	switch {
	case t.side:
	case t.old():
		if t.summary != "" {
			t.line(object{{"type", "summary"}, {"summary", "Ferry Times on Paper"}, {"leafUuid", t.uuid()}}) // of another session
		}
	case t.sdk:
		t.queued(prompt)
	default:
		t.modes()
		t.snapshot()
	}
}

// queued writes the trace of a prompt that came through the queue, as all of a -p session do.
func (t *talk) queued(prompt string) {
	t.line(object{
		{"type", "queue-operation"},
		{"operation", "enqueue"},
		{"timestamp", stamp(t.at)},
		{"sessionId", t.id},
		{"content", prompt},
	})
	t.line(object{
		{"type", "queue-operation"}, {"operation", "dequeue"}, {"timestamp", stamp(t.at)}, {"sessionId", t.id},
	})
}

// modes writes the records of the client's state. They have no uuid and come again after every turn.
func (t *talk) modes() {
	t.line(object{{"type", "mode"}, {"mode", "normal"}, {"sessionId", t.id}})
	t.line(object{{"type", "permission-mode"}, {"permissionMode", "default"}, {"sessionId", t.id}})
}

// snapshot writes a record of which files the client could take back.
func (t *talk) snapshot() {
	id := t.uuid()
	t.line(object{
		{"type", "file-history-snapshot"},
		{"messageId", id},
		{"snapshot", object{{"messageId", id}, {"trackedFileBackups", object{}}, {"timestamp", stamp(t.at)}}},
		{"isSnapshotUpdate", false},
	})
}

// attachments writes what the client puts between the first prompt and its answer. The chain runs through it.
func (t *talk) attachments() {
	if t.old() {
		return
	}
	t.attachment(object{
		{"type", "environment"},
		{"snapshot", object{
			{"workingDirectory", t.cwd}, {"isWorktree", false}, {"isGitRepo", true}, {"platform", "linux"}, {"shell", "bash"},
		}},
	})
	t.attachment(object{{"type", "model"}, {"identity", object{{"modelId", t.model()}}}})
	t.attachment(object{
		{"type", "prompt_snapshot"},
		{"systemPrompt", []string{
			"This is a made-up system prompt. It stands here because the real one is in every transcript too.\n",
			strings.Repeat("Be kind to the reader: say what changed, where, and how you know. ", 20),
		}},
		{"reminderFold", false},
	})
}

func (t *talk) attachment(a object) {
	t.chained(object{{"attachment", a}, {"type", "attachment"}})
}

// system writes a system record of the kind that sits in the chain.
func (t *talk) system(subtype string, more ...field) string {
	body := append(object{{"type", "system"}, {"subtype", subtype}}, more...)
	return t.chained(body, field{"isMeta", false})
}

// done ends a turn.
func (t *talk) done() {
	if t.side {
		return
	}
	if t.version == versionSidecar {
		return
	}
	t.wait(200 * time.Millisecond)
	t.system("turn_duration", field{"durationMs", t.between(2_000, 190_000)})
	if t.old() {
		return
	}
	if t.lastPrompt != "" {
		t.line(object{
			{"type", "last-prompt"}, {"lastPrompt", t.lastPrompt}, {"leafUuid", t.parent}, {"sessionId", t.id},
		})
	}
	if t.custom != "" {
		t.line(object{{"type", "custom-title"}, {"customTitle", t.custom}, {"sessionId", t.id}})
		t.line(object{{"type", "agent-name"}, {"agentName", t.custom}, {"sessionId", t.id}})
	} else if t.title != "" && !t.sdk {
		t.line(object{{"type", "ai-title"}, {"aiTitle", t.title}, {"sessionId", t.id}})
	}
	if !t.sdk {
		t.modes()
	}
}

// request writes the client's bookkeeping of a call to the API: large, and nothing of the conversation.
func (t *talk) request() {
	if t.old() {
		return
	}
	if t.wireShape == "" {
		t.wireShape = t.hex(64)
		t.line(object{
			{"type", "api-request-shape"},
			{"sessionId", t.id},
			opt("agentId", t.agent),
			{"shapeHash", t.wireShape},
			{"timestamp", stamp(t.at)},
			{"version", t.version},
			{"shape", object{
				{"system", []object{{{"type", "text"}, {"text", strings.Repeat("A made-up system prompt. ", 60)}}}},
				{"tools", []object{{{"name", "Read"}, {"description", strings.Repeat("Reads a file. ", 40)}}}},
			}},
		})
	}
	t.line(object{
		{"type", "api-request"},
		{"sessionId", t.id},
		opt("agentId", t.agent),
		{"id", t.uuid()},
		{"timestamp", stamp(t.at)},
		{"version", t.version},
		{"querySource", "repl_main_thread"},
		{"shapeHash", t.wireShape},
		{"params", object{{"model", t.model()}, {"max_tokens", 128000}, {"output_config", object{{"effort", "medium"}}}}},
		{"keep", 0},
		{"tail", []string{t.hex(64), t.hex(64)}},
		{"requestDigest", t.hex(64)},
	})
}

// compact writes a compaction: a boundary without a parent, and the summary that goes on from it.
func (t *talk) compact(trigger, summary string) {
	t.mark(ShapeCompacted)
	t.wait(40 * time.Second)
	pre, last := max(t.context, 21_000), t.parent
	t.context = pre / 8
	t.slug = "patient-humming-kettle"
	t.parent = ""
	meta := object{{"trigger", trigger}, {"preTokens", pre}}
	if !t.old() {
		meta = append(meta, field{"postTokens", t.context}, field{"cumulativeDroppedTokens", pre - t.context},
			field{"durationMs", t.between(9_000, 40_000)})
	}
	id := t.uuid()
	head := t.head()
	t.line(head[:1], object{{"logicalParentUuid", last}}, head[1:], object{
		{"type", "system"},
		{"subtype", "compact_boundary"},
		{"content", "Conversation compacted"},
		{"level", "info"},
		{"compactMetadata", meta},
		{"uuid", id},
		{"timestamp", stamp(t.at)},
	}, t.tail())
	t.parent = id
	t.userText("This session is being continued from a previous conversation that ran out of context. "+
		"The summary below covers the earlier portion of the conversation.\n\n"+md(summary),
		field{"isVisibleInTranscriptOnly", true}, field{"isCompactSummary", true})
}

// command writes a custom slash command: what was typed, and the text that it stands for.
func (t *talk) command(name, args, text string) {
	t.mark(ShapeCommand)
	shown := fmt.Sprintf("<command-message>%s</command-message>\n<command-name>/%s</command-name>\n<command-args>%s</command-args>",
		name, name, args)
	t.prompt(shown)
	t.userText(md(text), field{"isMeta", true}, field{"turnCompanion", true})
}

// rename writes the local command /rename and what it leaves.
func (t *talk) rename(title string) {
	t.mark(ShapeCustomTitle)
	t.wait(3 * time.Second)
	t.custom = title
	t.system("local_command", field{"content", fmt.Sprintf("<command-name>/rename</command-name>\n"+
		"            <command-message>rename</command-message>\n            <command-args>%s</command-args>", title)},
		field{"level", "info"})
	t.system("local_command",
		field{"content", "<local-command-stdout>Session renamed to: " + title + "</local-command-stdout>"},
		field{"level", "info"})
	t.line(object{{"type", "custom-title"}, {"customTitle", title}, {"sessionId", t.id}})
	t.line(object{{"type", "agent-name"}, {"agentName", title}, {"sessionId", t.id}})
}

// md turns ~ into a backtick, so that markdown can be written in raw strings.
func md(s string) string { return strings.ReplaceAll(s, "~", "`") }
