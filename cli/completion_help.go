package cli

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/continuo-tui/continuo/cli/find"
)

// helpBlock is a part of a help text: lines of text, or entries, with a heading or without one.
type helpBlock struct {
	heading string
	lines   []string
	entries []helpEntry
}

// helpEntry is "  --project PATH            another project": a term and the words for it.
type helpEntry struct{ term, words string }

// name is the word that an entry is about, "" when there are several: "--project", "list".
func (e helpEntry) name() string {
	first, _, _ := strings.Cut(e.term, " ")
	if strings.HasSuffix(first, ",") {
		return ""
	}
	return first
}

// parseHelp takes a help text apart. An empty line ends a block, and so does text behind entries. A line that is
// indented further than a term can be goes on with the words above it.
func parseHelp(text string) []helpBlock {
	const termsEnd = 20
	var blocks []helpBlock
	for chunk := range strings.SplitSeq(strings.Trim(text, "\n"), "\n\n") {
		var b helpBlock
		for line := range strings.SplitSeq(chunk, "\n") {
			body := strings.TrimLeft(line, " ")
			indent := len(line) - len(body)
			switch {
			case indent == 0 && len(b.entries) > 0:
				blocks = append(blocks, b.headed())
				b = helpBlock{lines: []string{line}}
			case indent == 0:
				b.lines = append(b.lines, line)
			case indent >= termsEnd && len(b.entries) > 0:
				last := &b.entries[len(b.entries)-1]
				last.words = strings.TrimLeft(last.words+" "+body, " ")
			default:
				term, words, _ := strings.Cut(body, "  ")
				b.entries = append(b.entries, helpEntry{term, strings.TrimLeft(words, " ")})
			}
		}
		blocks = append(blocks, b.headed())
	}
	return blocks
}

// headed makes a heading of the one line above entries.
func (b helpBlock) headed() helpBlock {
	if len(b.lines) == 1 && len(b.entries) > 0 {
		b.heading, b.lines = b.lines[0], nil
	}
	return b
}

// wordsFor returns what a help text says of a flag or a command, "" when it says nothing.
func wordsFor(blocks []helpBlock, name string) string {
	for i := range blocks {
		j := slices.IndexFunc(blocks[i].entries, func(e helpEntry) bool { return e.name() == name && e.words != "" })
		if j >= 0 {
			return blocks[i].entries[j].words
		}
	}
	return ""
}

// summary is the first line of the help of a command, without its name and what it takes: "prints the sessions".
func summary(blocks []helpBlock, command string) string {
	if len(blocks) == 0 || len(blocks[0].lines) == 0 {
		return ""
	}
	words := strings.Fields(blocks[0].lines[0])
	for len(words) > 0 && (words[0] == "continuo" || slices.Contains(strings.Fields(command), words[0]) || words[0][0] < 'a' || words[0][0] > 'z') {
		words = words[1:]
	}
	return strings.TrimSuffix(strings.Join(words, " "), ".")
}

// describe gives every command and flag of the tree the words that the help texts have for it, so that they are
// written down once. A flag of every command has those of the page of continuo. It takes a tenth of a millisecond.
func describe(root *cobra.Command) {
	root.InitDefaultHelpCmd() // cobra adds it later, too late for this
	top := parseHelp(helpText(root))
	root.Short = summary(top, root.Name())
	root.InitDefaultHelpFlag()
	setUsage := func(own []helpBlock) func(*pflag.Flag) {
		return func(f *pflag.Flag) { f.Usage = cmp.Or(wordsFor(own, "--"+f.Name), wordsFor(top, "--"+f.Name)) }
	}
	root.Flags().VisitAll(setUsage(nil))
	var each func(parent *cobra.Command, page []helpBlock)
	each = func(parent *cobra.Command, page []helpBlock) {
		for _, cmd := range parent.Commands() {
			if cmd.Hidden {
				continue
			}
			own := parseHelp(helpText(cmd))
			cmd.Short = cmp.Or(wordsFor(page, cmd.Name()), summary(own, find.CommandName(cmd)))
			cmd.Flags().VisitAll(setUsage(own)) // its own ones: those of every command are not among them yet
			cmd.InitDefaultHelpFlag()
			cmd.Flags().Lookup("help").Usage = wordsFor(top, "--help")
			each(cmd, own)
		}
	}
	each(root, top)
}
