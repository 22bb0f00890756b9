package place

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/pelletier/go-toml/v2"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/transcript"
)

// ValueLimit is the maximum width of a wrong value in an error, in cells.
const ValueLimit = 40

// maxPrice is the maximum price of a million tokens, in USD.
const maxPrice = 1e6

// configParser parses a config file.
type configParser struct {
	config *Config
	where  string // path for errors
	home   string
	lines  []keyLine // in file order
}

// keyLine is the line of a key or heading.
type keyLine struct {
	key  []string
	line int
}

// parse checks the syntax of the file, and then each key.
func (p *configParser) parse(text string) error {
	var tree map[string]any
	if err := toml.Unmarshal([]byte(text), &tree); err != nil {
		f := &out.Failure{What: " is not TOML: " + strings.TrimPrefix(err.Error(), "toml: ") + ". Fix it there.", Cause: err}
		line := 0
		if at, ok := errors.AsType[*toml.DecodeError](err); ok {
			line, _ = at.Position()
		}
		f.What = p.at(line) + f.What
		return f
	}
	p.find(text)
	if err := p.table(nil, tree); err != nil {
		return err
	}
	if prices := &p.config.Prices; len(prices.Models) > 0 && prices.Date == "" {
		return p.wrong("the prices need a date. Write date = \"2026-11-21\" below [prices]", "prices")
	}
	return nil
}

// find records the line of each key: a strict decoder reports unknown keys with their lines. So its structs know only
// the tables.
func (p *configParser) find(text string) {
	var known struct {
		Resume struct{} `toml:"resume"`
		Hooks  struct{} `toml:"hooks"`
		Claude struct{} `toml:"claude"`
		Tasks  struct{} `toml:"tasks"`
		Live   struct{} `toml:"live"`
		Keeper struct{} `toml:"keeper"`
		Keys   struct{} `toml:"keys"`
		Prices struct {
			Models struct{} `toml:"models"`
		} `toml:"prices"`
	}
	var nothing struct{}
	for _, into := range []any{&known, &nothing} {
		err := toml.NewDecoder(strings.NewReader(text)).DisallowUnknownFields().Decode(into)
		if strict, ok := errors.AsType[*toml.StrictMissingError](err); ok {
			for i := range strict.Errors {
				line, _ := strict.Errors[i].Position()
				p.lines = append(p.lines, keyLine{strict.Errors[i].Key(), line})
			}
		}
	}
}

// line returns the line of a key; 0 if unknown. The decoder reports some keys without their parents, so the last or
// the first part is enough.
func (p *configParser) line(key ...string) int {
	for _, fits := range []func(at []string) bool{
		func(at []string) bool { return slices.Equal(at, key) },
		func(at []string) bool { return len(at) == 1 && at[0] == key[len(key)-1] },
		func(at []string) bool { return at[0] == key[0] },
	} {
		if i := slices.IndexFunc(p.lines, func(at keyLine) bool { return len(at.key) > 0 && fits(at.key) }); i >= 0 {
			return p.lines[i].line
		}
	}
	return 0
}

// at returns the start of an error about a line.
func (p *configParser) at(line int) string {
	if line == 0 {
		return "The config file " + p.where
	}
	return "Line " + strconv.Itoa(line) + " of " + p.where
}

// wrong returns the error for a key. what has the problem and the allowed values.
func (p *configParser) wrong(what string, key ...string) error {
	if !strings.HasSuffix(what, "?") {
		what = strings.TrimSuffix(what, ".") + "."
	}
	return &out.Failure{What: p.at(p.line(key...)) + ": " + what}
}

// table reads the keys in file order, so the first error is reported.
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

func (p *configParser) take(key []string, v any) (err error) {
	c := p.config
	parent, last := TOMLPath(key[:len(key)-1]...), key[len(key)-1]
	switch parent { // tables with the user's keys
	case KeyKeys:
		c.Keys[last], err = p.keys(key, v)
		return err
	case KeyModels:
		c.Prices.Models[last], err = p.price(key, v)
		return err
	}
	switch name := TOMLPath(key...); name {
	case "resume", "hooks", "claude", "prices", "tasks", "live", "keeper", KeyModels, KeyKeys:
		table, ok := v.(map[string]any)
		if !ok {
			return p.wrong(name+" is a table. Write ["+name+"] on a line of its own, and its keys below", key...)
		}
		return p.table(key, table)
	case KeyRoots:
		c.Roots, err = p.roots(key, v, "~/.claude")
	case KeyTheme:
		c.Theme, err = p.choice(key, v, Auto, "dark", "light", "none")
	case KeyGlyphs:
		c.Glyphs, err = p.choice(key, v, Auto, "unicode", "ascii")
	case KeyResumeIn:
		c.ResumeIn, err = p.choice(key, v, Auto, "here", "window", "split", "popup")
	case KeyHeadless:
		c.Headless, err = p.choice(key, v, HeadlessCopy, HeadlessPending)
	case KeyCommand:
		c.ClaudeCommand, err = p.command(key, v)
	case KeyArgs:
		c.ClaudeArgs, err = p.list(key, v, `a list of texts, ["like", "this"]`)
	case KeyHealth:
		c.TaskHealth, err = p.text(key, v)
	case KeyPrefix:
		c.TaskPrefix, err = p.text(key, v)
	case KeyBell:
		c.Bell, err = p.choice(key, v, BellOn, BellOff)
	case KeyPort:
		c.KeeperPort, err = p.port(key, v)
	case KeyAllowed:
		c.KeeperRoots, err = p.roots(key, v, "~/code")
	case KeyDate:
		c.Prices.Date, err = p.date(key, v)
	default:
		return p.unknown(key)
	}
	return err
}

// date reads a day: a string or a TOML date.
func (p *configParser) date(key []string, v any) (string, error) {
	text := fmt.Sprint(v)
	if _, err := time.Parse(time.DateOnly, text); err != nil {
		return "", p.wrong(TOMLPath(key...)+` takes a day, "2026-11-21", not `+shownValue(v), key...)
	}
	return text, nil
}

func (p *configParser) price(key []string, v any) (price resume.Price, err error) {
	const takes = " takes USD per million tokens, { input = 5, cache_read = 0.5 }"
	table, ok := v.(map[string]any)
	if !ok {
		return price, p.wrong(TOMLPath(key...)+takes+", not "+shownValue(v), key...)
	}
	for _, name := range slices.Sorted(maps.Keys(table)) {
		v := table[name]
		n, ok := v.(float64)
		if whole, isWhole := v.(int64); isWhole {
			n, ok = float64(whole), true
		}
		switch {
		case !ok || !(n >= 0 && n <= maxPrice): // also false for NaN
			return price, p.wrong(TOMLPath(key...)+takes+", not "+shownValue(v), key...)
		case name == "input":
			price.Input = n
		case name == "cache_read":
			price.CacheRead = n
		default:
			return price, p.wrong(TOMLPath(key...)+takes, key...)
		}
	}
	if len(table) != 2 {
		return price, p.wrong(TOMLPath(key...)+takes+". Both are needed", key...)
	}
	return price, nil
}

func (p *configParser) unknown(key []string) error {
	known := []string{KeyRoots, KeyTheme, KeyGlyphs, KeyResumeIn, KeyHeadless, KeyCommand, KeyArgs, KeyDate, KeyModels, KeyHealth, KeyPrefix, KeyBell, KeyPort, KeyAllowed, KeyKeys}
	what := p.at(p.line(key...)) + ": there is no key " + TOMLPath(key...) + "."
	if near := nearest(strings.Join(key, "."), known); near != "" {
		return &out.Failure{What: what + " Did you mean " + near + "?"}
	}
	return &out.Failure{What: what + " There are " + words.AndList(known) + "."}
}

// choice reads one of the given words.
func (p *configParser) choice(key []string, v any, words ...string) (string, error) {
	s, ok := v.(string)
	if ok && slices.Contains(words, s) {
		return s, nil
	}
	last := len(words) - 1
	return "", p.wrong(TOMLPath(key...)+" takes "+strings.Join(words[:last], ", ")+" or "+words[last]+", not "+shownValue(v), key...)
}

func (p *configParser) text(key []string, v any) (string, error) {
	s, ok := v.(string)
	if !ok || strings.ContainsAny(s, "\r\n\x00") {
		return "", p.wrong(TOMLPath(key...)+" takes a line of text, not "+shownValue(v), key...)
	}
	return s, nil
}

// list reads a list of strings. takes describes the allowed values.
func (p *configParser) list(key []string, v any, takes string) ([]string, error) {
	values, ok := v.([]any)
	bad := v
	var list []string
	for _, v := range values {
		s, text := v.(string)
		if !text || strings.ContainsRune(s, 0) { // no argument can contain NUL
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

// roots reads a list of directories without duplicates. example is a valid value for errors.
func (p *configParser) roots(key []string, v any, example string) ([]string, error) {
	list, err := p.list(key, v, `a list of directories, ["`+example+`"]`)
	if err != nil {
		return nil, err
	}
	var roots []string
	for _, dir := range list {
		whole := ExpandHome(dir, p.home)
		if !filepath.IsAbs(whole) {
			return nil, p.wrong(TOMLPath(key...)+" takes full paths, in which ~ is the home directory, not "+shownValue(dir), key...)
		}
		if whole = filepath.Clean(whole); !slices.Contains(roots, whole) {
			roots = append(roots, whole)
		}
	}
	return roots, nil
}

func (p *configParser) port(key []string, v any) (int, error) {
	n, ok := v.(int64)
	if !ok || n < 1 || n > 65535 {
		return DefaultPort, p.wrong(TOMLPath(key...)+" takes a port from 1 to 65535, not "+shownValue(v), key...)
	}
	return int(n), nil
}

// command reads the name or path of claude. A relative path would depend on the current directory.
func (p *configParser) command(key []string, v any) (string, error) {
	s, ok := v.(string)
	whole := ExpandHome(s, p.home)
	if !ok || s == "" || strings.ContainsRune(s, 0) || !filepath.IsAbs(whole) && strings.ContainsAny(whole, `/\`) {
		return "", p.wrong(KeyCommand+" takes a name on the PATH or a full path, not "+shownValue(v), key...)
	}
	return whole, nil
}

// keys reads one key or a list.
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

// shownValue returns a short form of a value for an error.
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

// nearest returns a similar name: within 2 edits, or with the same end (port, keeper.port). It returns "" if there is
// none.
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

// Distance returns the Levenshtein distance of two words.
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
