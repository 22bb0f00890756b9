package dropped

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// text is a summary in the form for searching.
type text struct {
	plain string // each run of blanks in a line is one blank
	lines []map[string]bool
}

func newText(s string) *text {
	t := &text{}
	var plain []string
	for line := range strings.Lines(s) {
		plain = append(plain, strings.Join(strings.Fields(line), " "))
		t.lines = append(t.lines, meaning(line))
	}
	t.plain = strings.Join(plain, "\n")
	return t
}

// base returns the last element of a path with slashes or backslashes.
func base(file string) string { return path.Base(strings.ReplaceAll(file, `\`, "/")) }

// namesFile reports whether the text names a file. shared means that other files have the same name. Then the text
// must contain the directory too.
func (t *text) namesFile(file string, shared bool) bool {
	name := base(file)
	if dir := base(path.Dir(strings.ReplaceAll(file, `\`, "/"))); shared && dir != "." && dir != "/" {
		name = dir + "/" + name
	}
	return t.finds(name, func(string) bool { return true })
}

// namesCommand reports whether the text has the first words of a command. A single short word may be prose ("make
// sure"), so it must be a whole line or in quotes.
func (t *text) namesCommand(name string) bool {
	const short = 5 // maximum number of letters
	return t.finds(name, func(before string) bool {
		if len(name) > short || strings.Contains(name, " ") {
			return true
		}
		before = strings.TrimSuffix(before, "$ ")
		return before == "" || strings.HasSuffix(before, "\n") || strings.HasSuffix(before, "`")
	})
}

// finds reports whether the text has a name that isn't inside a longer name. accepts gets the text before the name.
// If accepts returns false, the next name is tried.
func (t *text) finds(name string, accepts func(before string) bool) bool {
	for from := 0; ; {
		i := strings.Index(t.plain[from:], name)
		if i < 0 {
			return false
		}
		i += from
		before, after := t.plain[:i], t.plain[i+len(name):]
		last, _ := utf8.DecodeLastRuneInString(before)
		next, size := utf8.DecodeRuneInString(after)
		if next == '.' { // the dot ends a sentence, or comes before a suffix
			next, _ = utf8.DecodeRuneInString(after[size:])
		}
		if !isName(last) && last != '.' && !isName(next) && accepts(before) {
			return true
		}
		from = i + len(name)
	}
}

func isName(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-')
}

// says reports whether a line of the text has most of the words of an answer. For a short answer, the line must also
// have a word of the question, or a word such as "chose" ("User chose: Hybrid"). If answer is "", the line must have
// most of the words of the question.
func (t *text) says(question, answer string) bool {
	const short = 3 // words
	asked, said := meaning(question), meaning(answer)
	choice := meaning("user chose chosen decided selected approved answered")
	if len(said) == 0 {
		return slices.ContainsFunc(t.lines, func(line map[string]bool) bool {
			return len(asked) > 0 && common(line, asked)*3 >= len(asked)*2
		})
	}
	return slices.ContainsFunc(t.lines, func(line map[string]bool) bool {
		return common(line, said)*3 >= len(said)*2 && (len(said) >= short || common(line, asked)+common(line, choice) > 0)
	})
}

// common returns the number of words in both a and b.
func common(b, a map[string]bool) (n int) {
	for w := range a {
		if b[w] {
			n++
		}
	}
	return n
}

// meaning returns the significant words of a text: numbers, and words of four or more letters.
func meaning(s string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if utf8.RuneCountInString(w) >= 4 || strings.ContainsAny(w, "0123456789") {
			set[w] = true
		}
	}
	return set
}

// firstWords returns the program and the subcommand of a shell command, such as "go test", "npm run build" or
// "./run.sh". It skips commands that only prepare it, such as `cd` and `git add`, and skips variables and `sudo`.
func firstWords(command string) string {
	if first, after, ok := strings.Cut(command, "&&"); ok && prepares(strings.Fields(first)) {
		return firstWords(after)
	}
	list := strings.Fields(command)
	for len(list) > 1 && (strings.Contains(list[0], "=") || isOneOf(list, "sudo", "time", "env")) {
		if _, inner, ok := strings.Cut(list[0], "=$("); ok { // v=$(git rev-parse HEAD)
			list[0] = inner
			break
		}
		list = list[1:]
	}
	if len(list) > 2 && list[0] == "timeout" {
		list = list[2:]
	}
	n := 1
	for n < len(list) && n < 3 && (isPlain(list[n]) || list[n] == "-m") && (n == 1 || leads(list[1])) {
		n++
	}
	if n == 1 && len(list) > 1 && isOneOf(list, "python", "python3", "node", "bash", "sh") && list[1][0] != '-' {
		n = 2 // the program and its script
	}
	return strings.Join(list[:min(n, len(list))], " ")
}

// prepares reports whether a command only prepares the next one.
func prepares(command []string) bool {
	return isOneOf(command, "cd", "export", "source", "set", "sleep", "mkdir") || len(command) > 1 && command[0] == "git" && command[1] == "add"
}

func isOneOf(list []string, programs ...string) bool {
	return len(list) > 0 && slices.Contains(programs, list[0])
}

// leads reports whether another word belongs to a word after a program: "run" in `npm run build`, "-m" in `python -m
// pytest`, "pr" in `gh pr create`.
func leads(word string) bool {
	return slices.Contains([]string{"run", "exec", "-m", "pr", "issue", "compose"}, word)
}

// isPlain reports whether a word can be a subcommand. Options, paths and operators can't.
func isPlain(word string) bool {
	return strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789:_-") == "" && word[0] != '-'
}

// looks reports whether a command with these first words changes nothing.
func looks(name string) bool {
	return isOneOf(strings.Fields(name), "ls", "cat", "head", "tail", "grep", "rg", "find", "wc", "pwd", "which", "echo", "mkdir", "sleep") ||
		isOneOf([]string{name}, "git status", "git log", "git diff", "git show", "git ls-files", "git rev-parse")
}
