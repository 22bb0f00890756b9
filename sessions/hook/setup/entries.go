package setup

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/continuo-tui/continuo/sessions/hook"
)

// Entry is a hook in a settings file of Claude Code that runs continuo.
type Entry struct {
	Event   string // event of Claude Code: SessionStart, PreCompact or SessionEnd; others are mistakes
	Runs    string // argument of continuo: one of hook.Events, hook.EventGate, hook.EventSnapshot or hook.EventTask; "" if unknown
	Matcher string // matcher of the group
	Command string
	Args    []string // nil if Command is a shell command
	Timeout bool     // has a timeout; without it, Claude Code stops a SessionEnd hook after 1.5 s
}

// events returns the backup hooks (spec 000). timeout is in seconds.
func events() []wanted {
	return []wanted{
		{event: "SessionStart", runs: hook.EventStart, timeout: 10},
		{event: "PreCompact", runs: hook.EventCompact, timeout: 30, matcher: "auto|manual"},
		{event: "SessionEnd", runs: hook.EventEnd, timeout: 30},
	}
}

// gateEvents returns the gate hooks. No hook can block a /clear (client 2.1.330), so a message follows it.
func gateEvents() []wanted {
	return []wanted{
		{event: "PreCompact", runs: hook.EventGate, timeout: 30, matcher: "auto|manual"},
		{event: "SessionStart", runs: hook.EventGate, timeout: 30, matcher: "clear|compact"},
	}
}

// snapshotEvents returns the hook that tells Claude about a snapshot. A resumed or compacted session already knows
// the tasks.
func snapshotEvents() []wanted {
	return []wanted{{event: "SessionStart", runs: hook.EventSnapshot, timeout: 10, matcher: "startup|clear"}}
}

// taskEvents returns the task hooks. They suspend interrupted sessions and name the open task at every start, because
// a compaction may drop it.
func taskEvents() []wanted {
	return []wanted{
		{event: "SessionStart", runs: hook.EventTask, timeout: 10},
		{event: "SessionEnd", runs: hook.EventTask, timeout: 10},
	}
}

// wanted is a hook to install.
type wanted struct {
	event, runs, matcher string
	timeout              int
	command              string
	args                 []string
}

// wantedHooks returns the backup hooks for a scope. A shared project's hooks don't have the path of continuo.
func wantedHooks(scope Scope, program string) []wanted { return hooksFor(events(), scope, program) }

// wantedGate returns the gate hooks for a scope.
func wantedGate(scope Scope, program string) []wanted { return hooksFor(gateEvents(), scope, program) }

// wantedSnapshot returns the snapshot hook for a scope.
func wantedSnapshot(scope Scope, program string) []wanted {
	return hooksFor(snapshotEvents(), scope, program)
}

// wantedTask returns the task hooks for a scope.
func wantedTask(scope Scope, program string) []wanted { return hooksFor(taskEvents(), scope, program) }

func hooksFor(list []wanted, scope Scope, program string) []wanted {
	for i := range list {
		w := &list[i]
		if scope == ScopeProject {
			w.command = `"$CLAUDE_PROJECT_DIR"/.claude/` + shimOf(w.runs)
			continue
		}
		w.command, w.args = program, []string{"hook", w.runs}
	}
	return list
}

// group returns the JSON of the hook: an element of the list of its event.
func (w wanted) group() any {
	hook := []field{{"type", "command"}, {"command", w.command}}
	if w.args != nil {
		hook = append(hook, field{"args", w.args})
	}
	hook = append(hook, field{"timeout", w.timeout})
	group := []field{{"hooks", []any{hook}}}
	if w.matcher != "" {
		group = append([]field{{"matcher", w.matcher}}, group...)
	}
	return group
}

// is reports whether an entry runs the wanted command. The user may change timeout and matcher.
func (w wanted) is(e Entry) bool {
	return e.Event == w.event && e.Command == w.command && slices.Equal(e.Args, w.args) && e.Timeout
}

// shims knows which scripts in a project's .claude call continuo. A nil *shims knows none.
type shims struct {
	project string
	ours    func(name string) bool
}

// runs reports whether a command runs a hook of continuo. event is the argument, or "".
func (s *shims) runs(command string, args []string) (event string, ok bool) {
	if args != nil {
		if isContinuo(command) && len(args) > 0 && args[0] == "hook" {
			return wordAt(args, 1), true
		}
		return "", false
	}
	if s != nil && s.project != "" {
		for _, dir := range []string{"$CLAUDE_PROJECT_DIR", "${CLAUDE_PROJECT_DIR}", s.project} {
			for _, quoted := range []string{`"` + dir + `/`, `"` + dir + `"/`, dir + "/"} {
				command = strings.ReplaceAll(command, quoted, "")
			}
		}
	}
	words := strings.Fields(strings.ReplaceAll(command, `"`, ""))
	if len(words) == 0 {
		return "", false
	}
	if isContinuo(words[0]) && wordAt(words, 1) == "hook" {
		return wordAt(words, 2), true
	}
	if isShell(words[0]) {
		words = words[1:]
	}
	if s == nil || len(words) == 0 {
		return "", false
	}
	script, ok := strings.CutPrefix(strings.TrimPrefix(words[0], "./"), ".claude/")
	for _, event := range append(hook.Events(), hook.EventGate, hook.EventSnapshot, hook.EventTask) {
		if ok && script == shimOf(event) && s.ours(script) {
			return event, true
		}
	}
	return "", false
}

func wordAt(words []string, i int) string {
	if i < len(words) {
		return words[i]
	}
	return ""
}

// isContinuo reports whether a command is the program continuo, in any directory.
func isContinuo(command string) bool {
	name := path.Base(strings.ReplaceAll(command, `\`, "/"))
	return strings.TrimSuffix(name, ".exe") == "continuo"
}

func isShell(command string) bool {
	name := path.Base(strings.ReplaceAll(command, `\`, "/"))
	return name == "sh" || name == "bash"
}

// maxEntries is the limit of continuo hooks in a file. Each removal parses the file again.
const maxEntries = 100

// slot is the position of an entry in a settings.json.
type slot struct {
	event      *hujson.Value // the list of groups of the event
	hooks      *hujson.Value // the list of hooks of the group
	group, nth int
}

// entries returns the hooks of continuo and their positions. It skips other programs' hooks and entries that Claude
// Code would reject.
func (s *settings) entries(ours *shims) (found []Entry, slots []slot) {
	hooks := member(&s.root, "hooks")
	if hooks == nil {
		return nil, nil
	}
	obj, ok := hooks.Value.(*hujson.Object)
	if !ok {
		return nil, nil
	}
	last := map[string]int{} // name → index of the last member with this name, which counts
	for i := range obj.Members {
		last[keyOf(&obj.Members[i])] = i
	}
	for i := range obj.Members {
		name, groups := keyOf(&obj.Members[i]), &obj.Members[i].Value
		if last[name] != i {
			continue
		}
		for g := range elements(groups) {
			group := &elements(groups)[g]
			list := member(group, "hooks")
			for n, h := range elements(list) {
				e := Entry{Event: name, Matcher: textOf(group, "matcher"), Command: textOf(&h, "command")}
				if args := member(&h, "args"); args != nil {
					e.Args = []string{}
					for _, a := range elements(args) {
						lit, _ := a.Value.(hujson.Literal)
						e.Args = append(e.Args, lit.String())
					}
				}
				timeout := member(&h, "timeout")
				e.Timeout = timeout != nil && timeout.Value.Kind() == '0'
				if e.Runs, ok = ours.runs(e.Command, e.Args); ok {
					found, slots = append(found, e), append(slots, slot{groups, list, g, n})
				}
			}
		}
	}
	return found, slots
}

// trace has the texts in a settings.json that an installation has replaced: path of an empty object or list → its
// white space and comments. The key of a blank file is "".
type trace map[string]string

// with returns the trace with more entries. Existing entries win.
func (t trace) with(more trace) trace {
	if len(more) == 0 {
		return t
	}
	all := maps.Clone(more)
	maps.Copy(all, t)
	return all
}

// addHooks adds the wanted hooks to a settings.json. text is nil for a missing file. Outdated hooks with the same
// argument are replaced. If all hooks are there, text stays.
func addHooks(text []byte, want []wanted, ours *shims) ([]byte, trace, error) {
	made := trace{}
	if len(strings.Trim(strings.TrimPrefix(string(text), byteOrderMark), blanks)) == 0 {
		made[""] = string(text)
		text = []byte("{}\n")
	}
	s, err := parseSettings(text)
	if err != nil {
		return nil, nil, err
	}
	for _, w := range want {
		if _, _, err := s.hooksOf(w.event); err != nil {
			return nil, nil, err
		}
	}
	found, _ := s.entries(ours)
	found = slices.DeleteFunc(found, func(e Entry) bool {
		return !slices.ContainsFunc(want, func(w wanted) bool { return w.runs == e.Runs })
	})
	if len(found) == len(want) && !slices.ContainsFunc(want, func(w wanted) bool { return !slices.ContainsFunc(found, w.is) }) {
		return text, nil, nil
	}
	// Remove duplicates, which would run twice, and outdated entries, whose program may be missing.
	if s, err = s.without(ours, nil, found); err != nil {
		return nil, nil, err
	}
	for _, w := range want {
		if s, err = s.with(w, made); err != nil {
			return nil, nil, err
		}
	}
	return s.bytes(), made, nil
}

// with adds one hook to the end of the list of its event.
func (s *settings) with(w wanted, made trace) (*settings, error) {
	hooks, groups, err := s.hooksOf(w.event)
	if err != nil {
		return nil, err
	}
	target, path := &s.root, "."
	write := func(flat bool, indent string) string { return s.written(w.group(), flat, indent) }
	list := field{w.event, []any{w.group()}}
	switch {
	case groups != nil:
		target, path = groups, "hooks."+w.event
	case hooks != nil:
		target, path = hooks, "hooks"
		write = func(flat bool, indent string) string { return s.named(list, flat, indent) }
	default:
		write = func(flat bool, indent string) string {
			return s.named(field{"hooks", []field{list}}, flat, indent)
		}
	}
	if kids, _ := childrenOf(target); len(kids) == 0 {
		if _, known := made[path]; !known {
			made[path] = s.inner(target)
		}
	}
	return s.apply(s.appendTo(target, write)...)
}

// removeHooks removes the hooks of continuo from a settings.json, and objects and lists that become empty. Those in
// the trace were empty before and are restored. Without hooks of continuo, text stays.
func removeHooks(text []byte, ours *shims, made trace) ([]byte, error) {
	s, err := parseSettings(text)
	if err != nil {
		return nil, err
	}
	found, _ := s.entries(ours)
	if len(found) == 0 {
		return text, nil
	}
	if s, err = s.without(ours, made, found); err != nil {
		return nil, err
	}
	if before, ok := made[""]; ok && string(s.text) == "{}\n" {
		return []byte(before), nil
	}
	return s.bytes(), nil
}

// without removes the given hooks, one after the other.
func (s *settings) without(ours *shims, made trace, which []Entry) (*settings, error) {
	if len(which) > maxEntries {
		return nil, &settingsError{what: "runs continuo in more than " + strconv.Itoa(maxEntries) + " hooks"}
	}
	for {
		found, slots := s.entries(ours)
		i := slices.IndexFunc(found, func(e Entry) bool { return slices.ContainsFunc(which, e.equal) })
		if i < 0 {
			return s, nil
		}
		next, err := s.apply(s.cutEntry(found[i].Event, slots[i], made)...)
		if err != nil {
			return nil, err
		}
		s = next
	}
}

func (e Entry) equal(other Entry) bool {
	return e.Event == other.Event && e.Command == other.Command && slices.Equal(e.Args, other.Args)
}

// cutEntry removes one hook, and objects and lists that become empty. It keeps a key that occurs twice, because
// Claude Code would then use the other value.
func (s *settings) cutEntry(event string, p slot, made trace) []splice {
	if len(elements(p.hooks)) > 1 {
		return s.cut(p.hooks, p.nth, "")
	}
	hooks := member(&s.root, "hooks")
	all, file := hooks.Value.(*hujson.Object), s.root.Value.(*hujson.Object)
	inner, kept := made["hooks."+event]
	if len(elements(p.event)) > 1 || kept || isTwice(all, event) {
		return s.cut(p.event, p.group, inner)
	}
	if inner, kept = made["hooks"]; len(all.Members) > 1 || kept || isTwice(file, "hooks") {
		return s.cut(hooks, memberIndex(all, event), inner)
	}
	return s.cut(&s.root, memberIndex(file, "hooks"), made["."])
}

func isTwice(obj *hujson.Object, name string) bool {
	n := 0
	for i := range obj.Members {
		if keyOf(&obj.Members[i]) == name {
			n++
		}
	}
	return n > 1
}
