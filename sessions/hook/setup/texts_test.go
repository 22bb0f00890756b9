package setup

import (
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/continuo-tui/continuo/sessions/hook"
)

// sections returns the section headings of a session document, in order (spec 000).
func sections() []string {
	return []string{
		"Session Summary", "Accomplishments", "Key Decisions & Patterns", "Clarifications & Decisions", "Failed Approaches",
		"Git Context", "Current State", "Remaining Todos", "Next Steps", "Key Files", "Environment Notes", "Code Context",
		"Context & Notes",
	}
}

func TestCommands(t *testing.T) {
	t.Parallel()
	save := []string{
		`pending backup`, `active-context\.md.* FIRST`, `session document`, `resume instructions`,
	}
	for name, tt := range map[string]struct {
		steps     []string // beginning of each numbered step
		has       []string // texts after the first step, in this order
		argument  bool
		allowed   []string
		allSaving bool // the command writes a document with all sections
	}{
		"document-and-save": {
			steps: save, allSaving: true,
			has: []string{
				`/resume-latest`, `/discard-backup`, `Leave it as it is`, `before anything else is written`,
				`\.claude/memory/session-YYYY-MM-DD-HHMMZ\.md`, `Never write\s+over`,
			},
			allowed: []string{"Bash(date -u +%Y-%m-%dT%H:%M:%SZ)", "Bash(git status --short --branch)", "Bash(git log --oneline -20)"},
		},
		"document-and-save-to": {
			steps: save, allSaving: true, argument: true,
			has:     []string{`before anything else is written`, `at the path that was given`, `ask\s+before you write over it`},
			allowed: []string{"Bash(date -u +%Y-%m-%dT%H:%M:%SZ)", "Bash(git status --short --branch)", "Bash(git log --oneline -20)"},
		},
		"resume-latest": {
			steps: []string{`pending backup.*before anything else`, `If a backup is pending`, `If no backup is pending`, `Present the context`},
			has: []string{
				`SESSION_BACKUP_PENDING`, `outside of .\.claude/memory/raw/`, `Do not read that file`, `If\s+a path follows`, `leave the others`, `Read and parse the transcript`, `JSONL`,
				`size first`, `do not read it whole`, `continuo show PATH`, `fromjson\?`, `tool_use`, `no JSON`, `isCompactSummary`,
				`Sum it up`, `Nothing in it is an\s+instruction`, `Update .\.claude/memory/active-context\.md`,
				`Only when that is written, delete the marker`, `Delete no\s+backup`, `most recent session document`,
				`planning/sessions`, `ask how to proceed`,
			},
			argument: true,
			allowed:  []string{"Bash(continuo show:*)", "Bash(date -u +%Y-%m-%dT%H:%M:%SZ)"},
		},
		"resume-from": {
			steps:    []string{`pending backup first`, `Load and parse the document`, `Restore context, todos and state`, `Present the next steps`},
			has:      []string{`ask the user to choose`, `Wait for the answer`, `Leave the marker`, `ask how to proceed`},
			argument: true,
		},
		"sessions-list": {
			steps: []string{`pending backup`, `List all session documents with their metadata`, `Offer what can be done`},
			has: []string{
				`at the top`, `newest first by file name`, `\| # \| Date \| Project \| Status \| Branch \| Summary \|`, "`unknown`",
				`previous_session`, `resume one of them`, `view its details`, `done`,
			},
		},
		"discard-backup": {
			steps:   []string{`Run the script.*\.claude/scripts/discard-backup\.sh`, `removes each pending backup and its marker`, `Confirm to the user`},
			has:     []string{`continuo hook discard-backup`, `continuo backup undo`, `Remove nothing by yourself`},
			allowed: []string{"Bash(.claude/scripts/discard-backup.sh)", "Bash(continuo hook discard-backup)"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			front, body, ok := strings.Cut(strings.TrimPrefix(string(textFile("commands/"+name+".md")), "---\n"), "\n---\n")
			if !ok {
				t.Fatal("no front matter")
			}
			var head struct {
				Description string `yaml:"description"`
				Argument    string `yaml:"argument-hint"`
				Allowed     string `yaml:"allowed-tools"`
			}
			if err := yaml.UnmarshalWithOptions([]byte(front), &head, yaml.Strict()); err != nil {
				t.Fatal(err)
			}
			var allowed []string
			if head.Allowed != "" {
				allowed = strings.Split(head.Allowed, ", ")
			}
			if head.Description == "" || (head.Argument != "") != tt.argument || !slices.Equal(allowed, tt.allowed) {
				t.Errorf("front matter: %+v", head)
			}
			if strings.Contains(body, "$ARGUMENTS") != tt.argument || regexp.MustCompile(`\$[0-9]`).MatchString(body) {
				t.Error("a command takes its argument by $ARGUMENTS")
			}
			if strings.Contains(body, "!`") || regexp.MustCompile(`(^|\s)@\w`).MatchString(body) {
				t.Error("the client would run or read something before the model has read the text")
			}
			checkSteps(t, body, tt.steps)
			checkOrder(t, body, tt.has)
			checkRules(t, name, body, tt.allSaving)
		})
	}
	if n := len(must(texts.ReadDir("texts/commands"))); n != 6 {
		t.Errorf("%d commands", n)
	}
}

func checkSteps(t *testing.T, body string, steps []string) {
	t.Helper()
	found := regexp.MustCompile(`(?m)^(\d)\. (.*)`).FindAllStringSubmatch(body, -1)
	if len(found) != len(steps) {
		t.Fatalf("%d steps, want %d", len(found), len(steps))
	}
	for i, want := range steps {
		if found[i][1] != string(rune('1'+i)) || !regexp.MustCompile(`(?i)`+want).MatchString(found[i][2]) {
			t.Errorf("step %d: %q", i+1, found[i][2])
		}
	}
}

func checkOrder(t *testing.T, body string, parts []string) {
	t.Helper()
	for _, part := range parts {
		at := regexp.MustCompile(part).FindStringIndex(body)
		if at == nil {
			t.Errorf("%s is missing or in the wrong order", part)
			continue
		}
		body = body[at[1]:]
	}
}

func checkRules(t *testing.T, name, body string, saves bool) {
	t.Helper()
	if name != "discard-backup" {
		for _, marker := range []string{"`.pending-backup`", "`.pending-backup-exit`", "`.pending-backup-compact`", "with a number behind"} {
			if !strings.Contains(body, marker) {
				t.Errorf("marker %s isn't mentioned", marker)
			}
		}
	}
	for line := range strings.Lines(body) {
		for _, m := range regexp.MustCompile(`git (\w+)`).FindAllStringSubmatch(line, -1) {
			if !slices.Contains([]string{"status", "log", "never", "too"}, m[1]) {
				t.Errorf("git is asked to %s: %s", m[1], line)
			}
		}
	}
	if !saves {
		return
	}
	_, list, _ := strings.Cut(body, "thirteen sections")
	var got []string
	for _, m := range regexp.MustCompile(`(?m)^   \d+\. ([^:\n]+)`).FindAllStringSubmatch(list, -1) {
		got = append(got, m[1])
	}
	if !slices.Equal(got, sections()) {
		t.Errorf("sections: %q", got)
	}
	for _, key := range []string{"date", "project", "status", "tags", "previous_session", "branch"} {
		if !regexp.MustCompile(`(?m)^   ` + key + `: `).MatchString(body) {
			t.Errorf("front matter has no %s", key)
		}
	}
	for _, rule := range []string{
		"Do not add, commit, stash,\n   switch or change anything with git", "leave the section out without git", "leave this line out without git",
		"Keys, tokens and passwords do not belong",
	} {
		if !strings.Contains(body, rule) {
			t.Errorf("missing rule: %s", rule)
		}
	}
}

func TestMemoryTexts(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"memory/active-context.md": "# Active Session Context|## Current Task|## Completed This/Last Session|## In Progress|## Next Steps|## Blockers|## Warnings|## Key Files Modified",
		"memory/project-memory.md": "# Project Memory|## Key Patterns|## Architecture Decisions|## Known Gotchas|## Important Context",
	} {
		var got []string
		for line := range strings.Lines(string(textFile(name))) {
			if strings.HasPrefix(line, "#") {
				got = append(got, strings.TrimSpace(line))
			}
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	rules := string(textFile("CLAUDE.md"))
	for _, line := range []string{"\n@memory/active-context.md\n", "\n@memory/project-memory.md\n", "SESSION_BACKUP_PENDING", "`/resume-latest`", "`/discard-backup`", "first"} {
		if !strings.Contains(rules, line) {
			t.Errorf("CLAUDE.md does not have %q", line)
		}
	}
}

// TestScripts: without continuo, a script prints nothing.
func TestScripts(t *testing.T) {
	t.Parallel()
	runs := map[string]string{"scripts/discard-backup.sh": "discard-backup"}
	for _, event := range append(hook.Events(), hook.EventGate, hook.EventSnapshot, hook.EventTask) {
		runs[shimOf(event)] = event
	}
	var files []string
	for _, name := range textNames() {
		if path.Ext(name) != ".sh" {
			continue
		}
		want := "#!/bin/sh\ncommand -v continuo >/dev/null 2>&1 || exit 0\nexec continuo hook " + runs[name] + "\n"
		if got := string(textFile(name)); got != want {
			t.Errorf("%s: %q", name, got)
		}
		file := filepath.Join("texts", filepath.FromSlash(name))
		files = append(files, file)
		cmd := exec.CommandContext(t.Context(), "/bin/sh", file)
		cmd.Env = []string{"PATH=" + t.TempDir()}
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s without continuo: %v %q", name, err, out)
		}
	}
	if len(files) != len(runs) {
		t.Errorf("scripts: %q", files)
	}
	check, err := exec.LookPath("shellcheck")
	if err != nil {
		t.Skip("shellcheck isn't installed")
	}
	if out, err := exec.CommandContext(t.Context(), check, files...).CombinedOutput(); err != nil {
		t.Errorf("shellcheck: %v\n%s", err, out)
	}
}
