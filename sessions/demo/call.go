package demo

import (
	"fmt"
	"strconv"
	"strings"
)

// rewrite is a call of Write over a file that is there. The patch has one hunk: from the first line that differs
// to the last.
func (t *talk) rewrite(name, content string) block {
	before := t.files[name]
	t.file(name, content)
	content = t.files[name]
	return t.call("Write", object{{"file_path", t.path(name)}, {"content", content}}, result{
		text: "The file " + t.path(name) + " has been updated successfully.",
		extra: object{
			{"type", "update"},
			{"filePath", t.path(name)},
			{"content", content},
			{"structuredPatch", []object{difference(before, content)}},
			{"originalFile", before},
			{"userModified", false},
		},
	})
}

// difference returns the hunk between two texts, without lines around it.
func difference(before, now string) object {
	a, b := strings.Split(strings.TrimSuffix(before, "\n"), "\n"), strings.Split(strings.TrimSuffix(now, "\n"), "\n")
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var lines []string
	for _, l := range a[head : len(a)-tail] {
		lines = append(lines, "-"+l)
	}
	for _, l := range b[head : len(b)-tail] {
		lines = append(lines, "+"+l)
	}
	return object{
		{"oldStart", head + 1},
		{"oldLines", len(a) - tail - head},
		{"newStart", head + 1},
		{"newLines", len(b) - tail - head},
		{"lines", lines},
	}
}

// glob is a call of Glob with the files that it found.
func (t *talk) glob(pattern string, names ...string) block {
	files := make([]string, len(names))
	for i, n := range names {
		files[i] = t.path(n)
	}
	return t.call("Glob", object{{"pattern", pattern}}, result{
		text: strings.Join(files, "\n"),
		extra: object{
			{"filenames", files}, {"durationMs", t.between(4, 40)}, {"numFiles", len(files)}, {"truncated", false},
		},
	})
}

// fetch is a call of WebFetch.
func (t *talk) fetch(url, prompt, answer string) block {
	answer = md(answer)
	return t.call("WebFetch", object{{"url", url}, {"prompt", prompt}}, result{
		text: answer,
		extra: object{
			{"bytes", t.between(9_000, 90_000)},
			{"code", 200},
			{"codeText", "OK"},
			{"result", answer},
			{"durationMs", t.between(400, 3_000)},
			{"url", url},
		},
	})
}

// search is a call of WebSearch. A hit is "title|url".
func (t *talk) search(query, sum string, hits ...string) block {
	links, list := make([]object, len(hits)), make([]string, len(hits))
	for i, h := range hits {
		title, url, _ := strings.Cut(h, "|")
		links[i] = object{{"title", title}, {"url", url}}
		list[i] = fmt.Sprintf("{%q:%q,%q:%q}", "title", title, "url", url)
	}
	return t.call("WebSearch", object{{"query", query}}, result{
		text: fmt.Sprintf("Web search results for query: %q\n\nLinks: [%s]\n\n%s", query, strings.Join(list, ","), md(sum)),
		extra: object{
			{"query", query},
			{"results", []object{{{"tool_use_id", t.apiID("srvtoolu")}, {"content", links}}}},
			{"durationSeconds", t.between(2, 9)},
		},
	})
}

// ask is a call of AskUserQuestion. The first option is what the person chose.
func (t *talk) ask(header, question string, options ...string) block {
	choices := make([]object, len(options))
	for i, o := range options {
		label, about, _ := strings.Cut(o, "|")
		choices[i] = object{{"label", label}, {"description", about}}
	}
	chosen, _, _ := strings.Cut(options[0], "|")
	questions := []object{{
		{"question", question}, {"header", header}, {"options", choices}, {"multiSelect", false},
	}}
	return t.call("AskUserQuestion", object{{"questions", questions}}, result{
		text: fmt.Sprintf("User has answered your questions: %q=%q. You can now continue with the user's answers in mind.",
			question, chosen),
		extra: object{{"questions", questions}, {"answers", object{{question, chosen}}}},
	})
}

// plan is a call of TaskCreate for each subject: the to-dos of the clients since 2.1.29.
func (t *talk) plan(subjects ...string) []block {
	blocks := make([]block, len(subjects))
	for i, s := range subjects {
		t.tasks++
		blocks[i] = t.call("TaskCreate", object{{"subject", s}, {"description", s + "."}, {"activeForm", s}}, result{
			text:  fmt.Sprintf("Task #%d created successfully: %s", t.tasks, s),
			extra: object{{"task", object{{"id", strconv.Itoa(t.tasks)}, {"subject", s}}}},
		})
	}
	return blocks
}

// progress is a call of TaskUpdate.
func (t *talk) progress(task int, from, to string) block {
	id := strconv.Itoa(task)
	return t.call("TaskUpdate", object{{"taskId", id}, {"status", to}}, result{
		text: "Updated task #" + id + " status",
		extra: object{
			{"success", true},
			{"taskId", id},
			{"updatedFields", []string{"status"}},
			{"statusChange", object{{"from", from}, {"to", to}}},
		},
	})
}
