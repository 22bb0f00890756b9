package place

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/pelletier/go-toml/v2"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
)

// ValueLimit is how many cells of a bad value an error quotes, and how long a name may be to be put right.
const ValueLimit = 40

// configParser turns the text of a config file into a config.
type configParser struct {
	config *Config
	where  string // the file, as it is shown
	home   string
	places []place // of the keys, in the order of the file
}

// place is where a key or the heading of a table stands.
type place struct {
	key  []string
	line int
}

// parse checks the syntax, then every key by itself: so each error is said in the words of its key.
func (p *configParser) parse(text string) error {
	var tree map[string]any
	if err := toml.Unmarshal([]byte(text), &tree); err != nil {
		f := &out.Failure{What: " is not TOML: " + strings.TrimPrefix(err.Error(), "toml: ") + ". Mend it there.", Cause: err}
		line := 0
		if at, ok := errors.AsType[*toml.DecodeError](err); ok {
			line, _ = at.Position()
		}
		f.What = p.at(line) + f.What
		return f
	}
	p.find(text)
	return p.table(nil, tree)
}

// find learns where the keys are. A strict decoder that knows nothing but the tables names every key with its line.
func (p *configParser) find(text string) {
	var known struct {
		Resume struct{} `toml:"resume"`
		Claude struct{} `toml:"claude"`
		Keys   struct{} `toml:"keys"`
	}
	var nothing struct{}
	for _, into := range []any{&known, &nothing} {
		err := toml.NewDecoder(strings.NewReader(text)).DisallowUnknownFields().Decode(into)
		if strict, ok := errors.AsType[*toml.StrictMissingError](err); ok {
			for i := range strict.Errors {
				line, _ := strict.Errors[i].Position()
				p.places = append(p.places, place{strict.Errors[i].Key(), line})
			}
		}
	}
}

// line is where a key stands, 0 unknown. The decoder leaves the parent out inside an inline table, and what is
// inside of a value that should be none.
func (p *configParser) line(key ...string) int {
	for _, fits := range []func(at []string) bool{
		func(at []string) bool { return slices.Equal(at, key) },
		func(at []string) bool { return len(at) == 1 && at[0] == key[len(key)-1] },
		func(at []string) bool { return at[0] == key[0] },
	} {
		if i := slices.IndexFunc(p.places, func(at place) bool { return len(at.key) > 0 && fits(at.key) }); i >= 0 {
			return p.places[i].line
		}
	}
	return 0
}

// at begins a sentence about a line.
func (p *configParser) at(line int) string {
	if line == 0 {
		return "The config file " + p.where
	}
	return "Line " + strconv.Itoa(line) + " of " + p.where
}

// wrong is the failure of a key: what is wrong, and by that what would be right.
func (p *configParser) wrong(what string, key ...string) error {
	if !strings.HasSuffix(what, "?") {
		what = strings.TrimSuffix(what, ".") + "."
	}
	return &out.Failure{What: p.at(p.line(key...)) + ": " + what}
}

// table takes the keys of a table in the order of the file, so that of several errors the first is said.
func (p *configParser) table(parent []string, tree map[string]any) error {
	names := slices.Sorted(maps.Keys(tree))
	slices.SortStableFunc(names, func(a, b string) int {
		return p.line(below(parent, a)...) - p.line(below(parent, b)...)
	})
	for _, name := range names {
		key := below(parent, name)
		if err := p.take(key, tree[name]); err != nil {
			return err
		}
		p.config.Lines[strings.Join(key, ".")] = p.line(key...)
	}
	return nil
}

func below(parent []string, name string) []string {
	return append(parent[:len(parent):len(parent)], name)
}

// take puts the value of one key into the config.
func (p *configParser) take(key []string, v any) (err error) {
	c := p.config
	if len(key) == 2 && key[0] == KeyKeys {
		c.Keys[key[1]], err = p.keys(key, v)
		return err
	}
	switch TOMLPath(key...) {
	case "resume", "claude", KeyKeys:
		table, ok := v.(map[string]any)
		if !ok {
			return p.wrong(key[0]+" is a table. Write ["+key[0]+"] on a line of its own, and its keys below", key...)
		}
		return p.table(key, table)
	case KeyRoots:
		c.Roots, err = p.roots(key, v)
	case KeyTheme:
		c.Theme, err = p.choice(key, v, Auto, "dark", "light", "none")
	case KeyGlyphs:
		c.Glyphs, err = p.choice(key, v, Auto, "unicode", "ascii")
	case KeyResumeIn:
		c.ResumeIn, err = p.choice(key, v, Auto, "here", "window", "split", "popup")
	case KeyCommand:
		c.ClaudeCommand, err = p.command(key, v)
	case KeyArgs:
		c.ClaudeArgs, err = p.list(key, v, `a list of texts, ["like", "this"]`)
	default:
		return p.unknown(key)
	}
	return err
}

// unknown is the failure of a key that there is not.
func (p *configParser) unknown(key []string) error {
	known := []string{KeyRoots, KeyTheme, KeyGlyphs, KeyResumeIn, KeyCommand, KeyArgs, KeyKeys}
	what := p.at(p.line(key...)) + ": there is no key " + TOMLPath(key...) + "."
	if near := nearest(strings.Join(key, "."), known); near != "" {
		return &out.Failure{What: what + " Did you mean " + near + "?"}
	}
	return &out.Failure{What: what + " There are " + words.AndList(known) + "."}
}

// choice takes one of some words.
func (p *configParser) choice(key []string, v any, words ...string) (string, error) {
	s, ok := v.(string)
	if ok && slices.Contains(words, s) {
		return s, nil
	}
	last := len(words) - 1
	return "", p.wrong(TOMLPath(key...)+" takes "+strings.Join(words[:last], ", ")+" or "+words[last]+", not "+shownValue(v), key...)
}

// list takes a list of texts. Takes says so in an error.
func (p *configParser) list(key []string, v any, takes string) ([]string, error) {
	values, ok := v.([]any)
	bad := v
	var list []string
	for _, v := range values {
		s, text := v.(string)
		if !text || strings.ContainsRune(s, 0) { // no argument of a program can hold that
			ok, bad = false, v
			break
		}
		list = append(list, s)
	}
	if !ok {
		return nil, p.wrong(TOMLPath(key...)+" takes "+takes+", not "+shownValue(bad), key...)
	}
	return list, nil
}

// roots takes a list of directories, each once.
func (p *configParser) roots(key []string, v any) ([]string, error) {
	list, err := p.list(key, v, `a list of directories, ["~/.claude"]`)
	if err != nil {
		return nil, err
	}
	var roots []string
	for _, dir := range list {
		whole := ExpandHome(dir, p.home)
		if !filepath.IsAbs(whole) {
			return nil, p.wrong("roots takes whole paths, with ~ for the home, not "+shownValue(dir), key...)
		}
		if whole = filepath.Clean(whole); !slices.Contains(roots, whole) {
			roots = append(roots, whole)
		}
	}
	return roots, nil
}

// command takes what claude is called here. A path from the current directory would be another program in each.
func (p *configParser) command(key []string, v any) (string, error) {
	s, ok := v.(string)
	whole := ExpandHome(s, p.home)
	if !ok || s == "" || strings.ContainsRune(s, 0) || !filepath.IsAbs(whole) && strings.ContainsAny(whole, `/\`) {
		return "", p.wrong(KeyCommand+" takes a name on the PATH or a whole path, not "+shownValue(v), key...)
	}
	return whole, nil
}

// keys takes the keys of an action: one, or a list.
func (p *configParser) keys(key []string, v any) ([]string, error) {
	if s, ok := v.(string); ok {
		v = []any{s}
	}
	const takes = `a key, "x", or several, ["x", "y"]`
	list, err := p.list(key, v, takes)
	if err == nil && slices.Contains(list, "") {
		err = p.wrong(TOMLPath(key...)+" takes "+takes+`, not ""`, key...)
	}
	return list, err
}

// shownValue is a value of the file inside a sentence, cut.
func shownValue(v any) string {
	switch v := v.(type) {
	case string:
		return out.Quoted(words.Cut(transcript.CleanLine(v), ValueLimit))
	case bool:
		return strconv.FormatBool(v)
	case int64, float64:
		return fmt.Sprint(v)
	case []any:
		if len(v) == 0 {
			return "an empty list"
		}
		return "a list"
	case map[string]any:
		return "a table"
	}
	return "a time"
}

// nearest is the word that was probably meant, "" when none is near: at most two letters are other ones, or it is
// the last part of a dotted one.
func nearest(word string, among []string) string {
	if ansi.StringWidth(word) > ValueLimit {
		return ""
	}
	best, least := "", 3
	for _, known := range among {
		_, last, _ := strings.Cut(known, ".")
		if word == last || strings.HasSuffix(word, "."+known) {
			return known
		}
		if n := Distance(strings.ToLower(word), known); n < least && n < len(known) {
			best, least = known, n
		}
	}
	return best
}

// Distance is how many letters have to be put in, left out or replaced to make one word of the other (Levenshtein).
func Distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := corner
			if a[i] != b[j] {
				cost = 1 + min(corner, row[j], row[j+1])
			}
			corner, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
