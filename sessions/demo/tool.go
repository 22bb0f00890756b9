package demo

import (
	"fmt"
	"strings"
	"time"
)

// file puts a made-up file where later calls find it.
func (t *talk) file(name, content string) {
	if t.files == nil {
		t.files = map[string]string{}
	}
	t.files[name] = md(strings.TrimPrefix(content, "\n"))
}

// call returns a tool call with its result.
func (t *talk) call(tool string, input object, r result) block {
	return block{kind: "tool_use", id: t.apiID("toolu"), tool: tool, input: input, result: &r}
}

// read is a call of Read for a whole file.
func (t *talk) read(name string) block {
	return t.readText(name, t.files[name])
}

func (t *talk) readText(name, content string) block {
	lines := strings.Split(strings.TrimSuffix(content, "\n"), "\n")
	format := "%d\t%s\n"
	if t.old() {
		format = "%6d→%s\n"
	}
	var b strings.Builder
	for i, l := range lines {
		fmt.Fprintf(&b, format, i+1, l)
	}
	return t.call("Read", object{{"file_path", t.path(name)}}, result{
		text: strings.TrimSuffix(b.String(), "\n"),
		extra: object{{"type", "text"}, {"file", object{
			{"filePath", t.path(name)},
			{"content", content},
			{"numLines", len(lines)},
			{"startLine", 1},
			{"totalLines", len(lines)},
		}}},
	})
}

// write is a call of Write that makes a new file.
func (t *talk) write(name, content string) block {
	t.file(name, content)
	content = t.files[name]
	return t.call("Write", object{{"file_path", t.path(name)}, {"content", content}}, result{
		text: "File created successfully at: " + t.path(name),
		extra: object{
			{"type", "create"},
			{"filePath", t.path(name)},
			{"content", content},
			{"structuredPatch", []object{}},
			{"originalFile", nil},
			{"userModified", false},
		},
	})
}

// edit is a call of Edit; the file has to hold the old text.
func (t *talk) edit(name, old, now string) block {
	old, now = md(old), md(now)
	before := t.files[name]
	if !strings.Contains(before, old) {
		panic(fmt.Sprintf("demo: %s does not hold %q", name, old)) // a story that contradicts itself: tests run them all
	}
	t.files[name] = strings.Replace(before, old, now, 1)
	return t.call("Edit", object{
		{"replace_all", false},
		{"file_path", t.path(name)},
		{"old_string", old},
		{"new_string", now},
	}, result{
		text: "The file " + t.path(name) + " has been updated successfully.",
		extra: object{
			{"filePath", t.path(name)},
			{"oldString", old},
			{"newString", now},
			{"originalFile", before},
			{"structuredPatch", []object{hunk(before, old, now)}},
			{"userModified", false},
			{"replaceAll", false},
		},
	})
}

// hunk returns the patch that replaces the first old in text by now, with three lines around it.
func hunk(text, old, now string) object {
	const around = 3
	from := strings.Index(text, old)
	end := from + len(old)
	first := strings.Count(text[:from], "\n")
	last := first + strings.Count(old, "\n")
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	last = min(last, len(lines)-1)
	lineStart := strings.LastIndexByte(text[:from], '\n') + 1
	rest := text[end:]
	if i := strings.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i]
	}
	added := strings.Split(text[lineStart:from]+now+rest, "\n")
	start, stop := max(first-around, 0), min(last+1+around, len(lines))
	var out []string
	for _, l := range lines[start:first] {
		out = append(out, " "+l)
	}
	for _, l := range lines[first : last+1] {
		out = append(out, "-"+l)
	}
	for _, l := range added {
		out = append(out, "+"+l)
	}
	for _, l := range lines[last+1 : stop] {
		out = append(out, " "+l)
	}
	return object{
		{"oldStart", start + 1},
		{"oldLines", stop - start},
		{"newStart", start + 1},
		{"newLines", stop - start - (last + 1 - first) + len(added)},
		{"lines", out},
	}
}

// bash is a call of Bash that ends with exit code 0.
func (t *talk) bash(command, about, out string) block {
	return t.call("Bash", object{{"command", command}, {"description", about}}, result{
		text: out,
		extra: object{
			{"stdout", out},
			{"stderr", ""},
			{"interrupted", false},
			{"isImage", false},
			{"noOutputExpected", out == ""},
		},
	})
}

// bashFails is one that ends with another code.
func (t *talk) bashFails(command, about string, code int, out string) block {
	text := fmt.Sprintf("Exit code %d\n%s", code, out)
	return t.call("Bash", object{{"command", command}, {"description", about}},
		result{text: text, failed: true, extra: "Error: " + text})
}

// grep is a call of Grep. A hit is "name:line:text".
func (t *talk) grep(pattern string, hits ...string) block {
	content := strings.Join(hits, "\n")
	return t.call("Grep", object{{"pattern", pattern}, {"output_mode", "content"}, {"-n", true}}, result{
		text: content,
		extra: object{
			{"mode", "content"},
			{"numFiles", 0},
			{"filenames", []string{}},
			{"content", content},
			{"numLines", len(hits)},
		},
	})
}

// todo is a call of TodoWrite: "x done", "> doing", "- to do".
func (t *talk) todo(items ...string) block {
	t.mark(ShapeTodos)
	todos := make([]object, len(items))
	for i, item := range items {
		status := map[byte]string{'x': "completed", '>': "in_progress", '-': "pending"}[item[0]]
		todos[i] = object{{"content", item[2:]}, {"status", status}, {"activeForm", item[2:]}}
	}
	b := t.call("TodoWrite", object{{"todos", todos}}, result{
		text: "Todos have been modified successfully. Ensure that you continue to use the todo list to track " +
			"your progress. Please proceed with the current tasks if applicable",
		extra: object{{"oldTodos", t.todos}, {"newTodos", todos}},
	})
	t.todos = todos
	return b
}

// subagent starts an agent in the background: its transcript is a file of its own. The returned function
// writes the notification that comes when it is done.
func (t *talk) subagent(about, prompt string, run func(*talk)) (call block, finished func(summary string)) {
	t.mark(ShapeSubagent)
	id := "a" + t.hex(16)
	prompt = md(prompt)
	call = t.call("Agent", object{{"description", about}, {"prompt", prompt}, {"subagent_type", "general-purpose"}}, result{
		blocks: []object{{{"type", "text"}, {"text", "Async agent launched successfully.\nagentId: " + id}}},
		extra: object{
			{"isAsync", true},
			{"status", "async_launched"},
			{"agentId", id},
			{"description", about},
			{"resolvedModel", t.model()},
			{"prompt", prompt},
			{"canReadOutputFile", true},
		},
	})
	a := &talk{
		rng: t.rng, id: t.id, cwd: t.cwd, branch: t.branch, version: t.version, sdk: t.sdk,
		agent: id, side: true, files: t.files, pool: t.pool,
	}
	call.then = func() {
		a.at = t.at
		a.prompt(prompt)
		run(a)
	}
	m := &talk{}
	m.appendObject(object{
		{"agentType", "general-purpose"},
		{"isBuiltIn", true},
		{"description", about},
		{"toolUseId", call.id},
		{"spawnDepth", 1},
		{"model", t.model()},
		{"finished", true},
	})
	a.meta = string(m.buf)
	t.agents = append(t.agents, a)
	return call, func(summary string) {
		t.at = max(t.at, a.at)
		t.wait(time.Second)
		t.line(object{
			{"type", "queue-operation"},
			{"operation", "enqueue"},
			{"timestamp", stamp(t.at)},
			{"sessionId", t.id},
			{"content", "<task-notification>"},
		})
		t.chained(object{
			opt("promptId", t.promptID),
			{"type", "user"},
			{"message", object{{"role", "user"}, {"content", fmt.Sprintf("<task-notification>\n<task-id>%s</task-id>\n"+
				"<tool-use-id>%s</tool-use-id>\n<status>completed</status>\n<summary>Agent %q completed</summary>\n"+
				"<result>%s</result>\n</task-notification>", id, call.id, about, md(summary))}}},
		}, field{"origin", object{{"kind", "task-notification"}}}, field{"promptSource", "system"},
			field{"turnOrigin", "task_notification"})
	}
}

// task is a sub-agent of the old clients: its conversation stands in the file of the session itself, as a
// chain of its own.
func (t *talk) task(about, prompt, answer string, run func()) block {
	t.mark(ShapeSidechain)
	prompt, answer = md(prompt), md(answer)
	b := t.call("Task", object{{"description", about}, {"prompt", prompt}, {"subagent_type", "general-purpose"}}, result{
		blocks: []object{{{"type", "text"}, {"text", answer}}},
		extra: object{
			{"content", []object{{{"type", "text"}, {"text", answer}}}},
			{"totalDurationMs", t.between(8_000, 60_000)},
			{"totalTokens", t.between(4_000, 20_000)},
			{"totalToolUseCount", 2},
		},
	})
	b.then = func() {
		t.side, t.parent = true, ""
		t.wait(time.Second)
		t.userText(prompt)
		run()
		t.answer(say(answer))
		t.side = false
	}
	return b
}
