package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
)

const (
	sessionCandidates = 200 // sessions that are offered at most, the newest
	aboutMax          = 60  // cells of a title beside an id
)

// candidate is a word that can stand at the cursor, and what it is.
type candidate struct{ word, about string }

// flagValue is what completion knows of the value of a flag.
type flagValue struct {
	words   []string // the flag takes one of these
	several bool     // or several, with commas
	dir     bool     // the flag takes a directory
}

// flagValueOf is the table of flags whose values can be completed, by name; the same name means the same in every
// command.
func flagValueOf(flag string) flagValue {
	switch flag {
	case "state":
		return flagValue{several: true, words: texts(
			sessions.StateOK, sessions.StateEmpty, sessions.StateStub, sessions.StateDamaged, sessions.StateUnreadable)}
	case "kind":
		return flagValue{several: true, words: texts(sessions.KindSession, sessions.KindBackup, sessions.KindDocument)}
	case "color":
		return flagValue{words: texts(out.ColorAuto, out.ColorAlways, out.ColorNever)}
	case "in":
		return flagValue{words: []string{"here", "window", "split", "popup", "auto"}}
	case "status":
		return flagValue{words: statuses()}
	case "level":
		return flagValue{words: []string{"1", "2", "3"}}
	case "type":
		return flagValue{words: scenarioTypes()}
	case "day":
		return flagValue{words: []string{"today", "yesterday"}}
	case "take":
		return flagValue{words: texts(takes()...)}
	case "claude-dir", "dir", "folder", "project":
		return flagValue{dir: true}
	}
	return flagValue{}
}

func texts[T ~string](values ...T) []string {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = string(v)
	}
	return list
}

// candidates are the values that begin with what was typed; of several, the last one is being typed.
func (v flagValue) candidates(typed string) ([]candidate, cobra.ShellCompDirective) {
	if v.dir {
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	before := ""
	if i := strings.LastIndexByte(typed, ','); i >= 0 && v.several {
		before, typed = typed[:i+1], typed[i+1:]
	}
	given := strings.Split(strings.TrimSuffix(before, ","), ",")
	if before != "" && slices.ContainsFunc(given, func(w string) bool { return !slices.Contains(v.words, w) }) {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var found []candidate
	for _, w := range v.words {
		if strings.HasPrefix(w, typed) && !slices.Contains(given, w) {
			found = append(found, candidate{word: before + w})
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// completeArgument is the table of commands whose arguments can be completed. The flags and the arguments before the one
// that is typed have been parsed.
func completeArgument(ctx context.Context, env *Env, o *out.Output, cmd *cobra.Command, typed string) ([]candidate, cobra.ShellCompDirective) {
	at := cmd.Flags().NArg()
	if latest := cmd.Flag("latest"); latest != nil && latest.Changed {
		at++ // it stands for SESSION
	}
	switch name := commandName(cmd); {
	case cmd.HasParent() && cmd.Parent().Name() == "backup":
		return backupArgument(ctx, env, cmd, typed)
	case at == 0 && slices.Contains([]string{"copy", "fork-check", "path", "resume", "show"}, name):
		return sessionsFor(ctx, env, typed)
	case at == 0 && name == "project":
		return flagValueOf("project").candidates(typed)
	case at == 0 && name == "beads":
		return beadsFor(ctx, env, cmd, typed), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	case at == 0 && name == "undo":
		return actionsFor(ctx, env, o, typed), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	case at == 0 && name == "help":
		return commandsFor(cmd.Root(), typed), cobra.ShellCompDirectiveNoFileComp
	case at == 0 && slices.Contains([]string{"completion", "context preserve", "context recover", "doctor", "hook", "recover"}, name), at == 1 && name == "copy":
		return termsFor(cmd, typed), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
	return nil, cobra.ShellCompDirectiveNoFileComp
}

// termsFor are the words that the help of a command lists beside its flags.
func termsFor(cmd *cobra.Command, typed string) []candidate {
	var found []candidate
	for _, b := range parseHelp(helpText(cmd)) {
		for _, e := range b.entries {
			if isPlainWord(e.term) && strings.HasPrefix(e.term, typed) {
				found = append(found, candidate{e.term, e.words})
			}
		}
	}
	return found
}

// sessionsFor offers the ids that begin with what was typed, with their titles, newest first. What cannot be listed
// is not offered, and neither is an id that a shell would take apart: it is the name of a file that anyone may have
// made. A SESSION can be a file as well, so the shell goes on with those where no id fits.
func sessionsFor(ctx context.Context, env *Env, typed string) ([]candidate, cobra.ShellCompDirective) {
	if strings.ContainsAny(typed, `/\`) || strings.HasPrefix(typed, ".") || strings.HasPrefix(typed, "~") {
		return nil, cobra.ShellCompDirectiveDefault
	}
	opts, err := catalogOptions(env)
	if err != nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	rows, _ := env.open(opts).List(ctx, true)
	var found []candidate
	seen := map[string]bool{}
	for i := range rows {
		r := &rows[i]
		if r.Kind != sessions.KindSession || r.Quiet() || seen[r.ID] || !strings.HasPrefix(r.ID, typed) || !isPlainWord(r.ID) {
			continue
		}
		seen[r.ID] = true
		found = append(found, candidate{word: r.ID, about: words.Cut(render.Title(r), aboutMax)})
		if len(found) == sessionCandidates {
			break
		}
	}
	return found, cobra.ShellCompDirectiveKeepOrder
}

// isPlainWord reports whether a word means itself in every shell and is no flag.
func isPlainWord(s string) bool {
	return s != "" && s[0] != '-' && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("._-", r)
	})
}

// commandsFor are the commands that begin with what was typed.
func commandsFor(root *cobra.Command, typed string) []candidate {
	var found []candidate
	for _, cmd := range root.Commands() {
		if !cmd.Hidden && strings.HasPrefix(cmd.Name(), typed) {
			found = append(found, candidate{cmd.Name(), cmd.Short})
		}
	}
	return found
}
