package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/backups"
	"github.com/continuo-tui/continuo/cli/entries"
	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/launch"
	"github.com/continuo-tui/continuo/cli/ledgers"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/undoing"
	"github.com/continuo-tui/continuo/sessions"
)

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
		return flagValue{words: backups.Statuses()}
	case "level":
		return flagValue{words: []string{"1", "2", "3"}}
	case "type":
		return flagValue{words: entries.ScenarioTypes()}
	case "day":
		return flagValue{words: []string{"today", "yesterday"}}
	case "take":
		return flagValue{words: texts(launch.Takes()...)}
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
func (v flagValue) candidates(typed string) ([]find.Candidate, cobra.ShellCompDirective) {
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
	var found []find.Candidate
	for _, w := range v.words {
		if strings.HasPrefix(w, typed) && !slices.Contains(given, w) {
			found = append(found, find.Candidate{Word: before + w})
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// completeArgument is the table of commands whose arguments can be completed. The flags and the arguments before the one
// that is typed have been parsed.
func completeArgument(ctx context.Context, env *place.Env, o *out.Output, cmd *cobra.Command, typed string) ([]find.Candidate, cobra.ShellCompDirective) {
	at := cmd.Flags().NArg()
	if latest := cmd.Flag("latest"); latest != nil && latest.Changed {
		at++ // it stands for SESSION
	}
	switch name := find.CommandName(cmd); {
	case cmd.HasParent() && cmd.Parent().Name() == "backup":
		return backupArgument(ctx, env, cmd, typed)
	case at == 0 && slices.Contains([]string{"copy", "fork-check", "path", "resume", "show"}, name):
		return find.SessionsFor(ctx, env, typed)
	case at == 0 && name == "project":
		return flagValueOf("project").candidates(typed)
	case at == 0 && name == "beads":
		return ledgers.BeadsFor(ctx, env, cmd, typed), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	case at == 0 && name == "undo":
		return undoing.ActionsFor(ctx, env, o, typed), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	case at == 0 && name == "help":
		return commandsFor(cmd.Root(), typed), cobra.ShellCompDirectiveNoFileComp
	case at == 0 && slices.Contains([]string{"completion", "context preserve", "context recover", "doctor", "hook", "recover"}, name), at == 1 && name == "copy":
		return termsFor(cmd, typed), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
	return nil, cobra.ShellCompDirectiveNoFileComp
}

// termsFor are the words that the help of a command lists beside its flags.
func termsFor(cmd *cobra.Command, typed string) []find.Candidate {
	var found []find.Candidate
	for _, b := range parseHelp(helpText(cmd)) {
		for _, e := range b.entries {
			if find.IsPlainWord(e.term) && strings.HasPrefix(e.term, typed) {
				found = append(found, find.Candidate{Word: e.term, About: e.words})
			}
		}
	}
	return found
}

// commandsFor are the commands that begin with what was typed.
func commandsFor(root *cobra.Command, typed string) []find.Candidate {
	var found []find.Candidate
	for _, cmd := range root.Commands() {
		if !cmd.Hidden && strings.HasPrefix(cmd.Name(), typed) {
			found = append(found, find.Candidate{Word: cmd.Name(), About: cmd.Short})
		}
	}
	return found
}
