package tui

// readerKeys has the bindings that are of the reader alone.
func readerKeys() []binding {
	return []binding{
		{keys: []string{"enter", "z"}, show: "z", label: "fold", help: "open or fold (enter)", group: groupRead, do: (*model).foldOne},
		{name: "fold-all", keys: []string{"Z"}, show: "Z", help: "open or fold all", group: groupRead, do: (*model).foldAll},
		{pair: []string{"previous-prompt", "next-prompt"}, show: "{ }", label: "prompts", help: "prompt before, after", group: groupRead, when: (*model).isTranscript},
		{pair: []string{"previous-prompt", "next-prompt"}, show: "{ }", label: "sections", help: "section before, after", group: groupRead, when: (*model).isDocument},
		{name: "previous-prompt", keys: []string{"{"}, do: (*model).previousPrompt},
		{name: "next-prompt", keys: []string{"}"}, do: (*model).nextPrompt},
		{pair: []string{"previous-boundary", "next-boundary"}, show: "[ ]", label: "boundaries", help: "compaction boundaries", group: groupRead, when: (*model).hasBounds},
		{name: "previous-boundary", keys: []string{"["}, do: (*model).backwards},
		{name: "next-boundary", keys: []string{"]"}, do: (*model).onwards},
		{pair: []string{"previous-boundary", "next-boundary"}, show: "[ ]", label: "linked sessions", help: "linked sessions", group: groupRead, when: (*model).inChain},
		{name: "outline", keys: []string{"o"}, show: "o", label: "outline", help: "outline", group: groupRead, do: (*model).askOutline, when: (*model).isDocument, needed: "choose a document"},
		{name: "find", keys: []string{"/"}, show: "/", label: "find", help: "find in here", group: groupFind, do: (*model).startSearch},
		{pair: []string{"next-match", "previous-match"}, show: "n N", label: "next, before", help: "match after, before", group: groupFind, when: (*model).hasSearch},
		{name: "next-match", keys: []string{"n"}, do: (*model).nextPlace, when: (*model).hasSearch, needed: "nothing is looked for"},
		{name: "previous-match", keys: []string{"N"}, do: (*model).previousPlace, when: (*model).hasSearch, needed: "nothing is looked for"},
		{name: "follow", keys: []string{"F"}, show: "F", label: "follow", help: "follow its end", group: groupRead, do: (*model).follow, when: (*model).isTranscript, needed: "choose a conversation"},
	}
}
