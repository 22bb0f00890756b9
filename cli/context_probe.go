package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/transcript"
)

// The bounds of a probe (context-manager.sh: three levels, 100 files), and those that keep it from hanging.
const (
	probeDepth   = 3
	probeFiles   = 100
	probeEntries = 50_000    // of a tree that are looked at
	probeBytes   = 256 << 20 // of a file that are read
	probeShown   = 10        // files that a person is shown
)

// probed is what is known of a file before it is loaded.
type probed struct {
	File      string `json:"file"` // as it was named
	Lines     int    `json:"lines"`
	Size      int64  `json:"size_bytes"`
	Type      string `json:"type"`
	Extension string `json:"extension"`
	Tokens    int64  `json:"estimated_tokens"` // a quarter of the bytes
}

// probedDir is what is known of a folder.
type probedDir struct {
	Dir    string   `json:"directory"`
	Total  int      `json:"total_files"`
	Lines  int      `json:"total_lines"`
	Tokens int64    `json:"estimated_tokens"`
	Files  []probed `json:"files"`
}

// probeFile counts the lines of a file, of at most its first 256 MB. path is where it is, name how it was named.
func probeFile(ctx context.Context, name, path string) (probed, error) {
	f, info, err := transcript.OpenFile(path)
	if err != nil {
		return probed{}, err
	}
	defer f.Close()
	p := probed{File: name, Size: info.Size(), Extension: strings.TrimPrefix(filepath.Ext(path), "."), Tokens: info.Size() / 4}
	head := make([]byte, 64<<10)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return p, err
	}
	p.Type = probeType(head[:n])
	p.Lines, err = countLines(ctx, io.MultiReader(bytes.NewReader(head[:n]), f), probeBytes)
	return p, err
}

// probeType names what a file begins like, as file -b does for the simple ones: no program is run for it.
func probeType(head []byte) string {
	whole := head
	for range utf8.UTFMax - 1 { // a rune may be cut
		if r, size := utf8.DecodeLastRune(whole); r == utf8.RuneError && size == 1 {
			whole = whole[:len(whole)-1]
		}
	}
	switch {
	case len(head) == 0:
		return "empty"
	case bytes.IndexByte(head, 0) >= 0, !utf8.Valid(whole):
		return "data"
	case bytes.IndexFunc(whole, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0:
		return "Unicode text, UTF-8 text"
	}
	return "ASCII text"
}

// probeTree probes the source files of a folder: down to three levels, 100 at most, none of what is built or fetched.
func probeTree(ctx context.Context, name, path string) (probedDir, error) {
	p := probedDir{Dir: name, Files: []probed{}}
	endings := []string{".ts", ".js", ".py", ".go", ".rs", ".sol", ".sh", ".md"}
	passed := []string{"node_modules", ".git", "dist", "build", "__pycache__", "vendor", ".next"}
	seen := 0
	err := filepath.WalkDir(path, func(at string, e fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(path, at) // it is below
		if seen++; seen > probeEntries || p.Total == probeFiles || ctx.Err() != nil {
			return filepath.SkipAll
		}
		if err != nil {
			return nil //nolint:nilerr // what cannot be read has no files
		}
		depth := strings.Count(filepath.ToSlash(rel), "/") + 1
		if e.IsDir() {
			if rel != "." && (slices.Contains(passed, e.Name()) || depth >= probeDepth) {
				return filepath.SkipDir
			}
			return nil
		}
		if !e.Type().IsRegular() || !slices.Contains(endings, filepath.Ext(at)) {
			return nil
		}
		f, err := probeFile(ctx, strings.TrimSuffix(name, "/")+"/"+filepath.ToSlash(rel), at)
		if err == nil {
			p.Files, p.Total, p.Lines, p.Tokens = append(p.Files, f), p.Total+1, p.Lines+f.Lines, p.Tokens+f.Tokens
		}
		return nil
	})
	return p, errors.Join(err, ctx.Err())
}

// contextProbe says how large a file or a folder is.
func (d *deps) contextProbe(ctx context.Context, g *globals, ask *contextAsk) error {
	name := "."
	if len(ask.args) == 1 && ask.args[0] != "" {
		name = ask.args[0]
	}
	path := d.typedPath(name)
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() && !info.IsDir() {
		return &failure{code: ExitNo, what: "Target not found: " + transcript.CleanLine(name) + ".", cause: err}
	}
	if info.IsDir() {
		p, err := probeTree(ctx, name, path)
		switch {
		case err != nil:
			return err
		case g.json:
			return d.printJSON(p)
		}
		d.printProbedDir(&p)
		return nil
	}
	p, err := probeFile(ctx, name, path)
	switch {
	case err != nil:
		return d.probeFailure(name, err)
	case g.json:
		return d.printJSON(p)
	}
	o := d.contextPage("File Probe Results")
	o.line("\n  File:      " + transcript.CleanLine(p.File) + "\n  Lines:     " + strconv.Itoa(p.Lines) + "\n  Size:      " + strconv.FormatInt(p.Size, 10) + " bytes")
	o.line("  Type:      " + p.Type + "\n  Extension: " + transcript.CleanLine(p.Extension) + "\n  Est. Tokens: " + strconv.FormatInt(p.Tokens, 10))
	o.end()
	return nil
}

// probeFailure says why a file cannot be probed.
func (d *deps) probeFailure(name string, err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return &failure{what: transcript.CleanLine(name) + " cannot be read: " + reason(err) + ".", cause: err}
}

// printProbedDir prints a folder as the script does.
func (d *deps) printProbedDir(p *probedDir) {
	o := d.contextPage("Directory Probe Results")
	o.line("\n  Directory:    " + transcript.CleanLine(p.Dir) + "\n  Total Files:  " + strconv.Itoa(p.Total))
	o.line("  Total Lines:  " + strconv.Itoa(p.Lines) + "\n  Est. Tokens:  " + strconv.FormatInt(p.Tokens, 10) + "\n")
	strategy := "Large (>50K lines) - Probe + excerpts only"
	switch {
	case p.Lines < 10_000:
		strategy = "Small (<10K lines) - Load all files"
	case p.Lines < 50_000:
		strategy = "Medium (10K-50K lines) - Prioritized loading"
	}
	o.line("  Loading Strategy: " + strategy)
	o.head("Files Found (up to " + strconv.Itoa(probeShown) + "):")
	for _, f := range p.Files[:min(probeShown, len(p.Files))] {
		o.line("  " + strconv.Itoa(f.Lines) + " lines - " + transcript.CleanLine(f.File))
	}
	if more := p.Total - probeShown; more > 0 {
		o.line("  ... and " + strconv.Itoa(more) + " more files")
	}
	o.end()
}

// relevanceMost is the highest score.
const relevanceMost = 10

// relevance scores the first 256 MB of a file from 0 to 10: a point for each word that a line has, two for more than five
// lines (context-manager.sh).
func relevance(ctx context.Context, r io.Reader, words []string) (int, error) {
	lines, in := make([]int, len(words)), make([]bool, len(words))
	keep := 0 // what of the end of a piece may be the beginning of a word
	for _, w := range words {
		keep = max(keep, len(w)-1)
	}
	buf := make([]byte, 64<<10+keep)
	have := 0
	r = io.LimitReader(r, probeBytes)
	look := func(text []byte) {
		for i, w := range words {
			if !in[i] && w != "" && bytes.Contains(text, []byte(w)) {
				lines[i]++
				in[i] = true
			}
		}
	}
	for ctx.Err() == nil {
		n, err := r.Read(buf[have:])
		rest := buf[:have+n]
		for {
			line, after, ended := bytes.Cut(rest, []byte{'\n'})
			look(line)
			if !ended {
				break
			}
			clear(in)
			rest = after
		}
		if have = copy(buf, rest[max(len(rest)-keep, 0):]); err == io.EOF {
			break
		}
		if err != nil {
			return 0, err
		}
	}
	score := 0
	for _, n := range lines {
		score += min(n, 1)
		if n > 5 {
			score++
		}
	}
	return min(score, relevanceMost), ctx.Err()
}

// relevanceOf scores a file.
func relevanceOf(ctx context.Context, path string, words []string) (int, error) {
	f, _, err := transcript.OpenFile(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return relevance(ctx, f, words)
}

// probeArgument is the file that a command is about.
func (d *deps) probeArgument(command string, ask *contextAsk) (name, path string, err error) {
	if len(ask.args) == 0 || ask.args[0] == "" {
		return "", "", contextUsage(command, "File path required.")
	}
	return ask.args[0], d.typedPath(ask.args[0]), nil
}

// contextShouldLoad says whether a file is to be loaded: exit code 0 yes, 1 no.
func (d *deps) contextShouldLoad(ctx context.Context, g *globals, ask *contextAsk) error {
	name, path, err := d.probeArgument("should-load", ask)
	if err != nil {
		return err
	}
	project, err := d.contextProject(ask)
	if err != nil {
		return err
	}
	l, err := decideLoad(ctx, name, path, &project.Config.Context)
	if err != nil {
		return d.probeFailure(name, err)
	}
	if g.json {
		err = d.printJSON(l)
	} else {
		o := d.contextPage("Should Load Decision")
		o.line("\n  File:     " + transcript.CleanLine(name))
		o.line("  Decision: " + map[string]string{"load": "LOAD (fully read)", "excerpt": "EXCERPT (use grep excerpts)", "skip": "SKIP (don't load)"}[l.Decision])
		o.line("  Reason:   " + l.Reason)
		if l.Relevance != nil {
			o.line("  Relevance: " + strconv.Itoa(*l.Relevance) + "/" + strconv.Itoa(relevanceMost))
		}
		o.end()
	}
	if err != nil || l.Decision == "load" {
		return err
	}
	return &failure{code: ExitNo, plain: true}
}

// loading is the decision whether a file is to be loaded.
type loading struct {
	File      string `json:"file"`
	Decision  string `json:"decision"` // load, excerpt, skip
	Reason    string `json:"reason"`
	Relevance *int   `json:"relevance_score,omitempty"` // of a long file only
	Probe     any    `json:"probe"`
}

// decideLoad decides by the lines of a file, and of a long one by its relevance too (fact sheet 002: 500 lines; below 3
// skip, below 6 an excerpt). A file that is not there is one to skip.
func decideLoad(ctx context.Context, name, path string, conf *ledger.Context) (loading, error) {
	l := loading{File: name, Decision: "load"}
	p, err := probeFile(ctx, name, path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, transcript.ErrNotRegular) || errors.Is(err, fs.ErrPermission) {
		l.Decision, l.Reason = "skip", "File not found or unreadable"
		l.Probe = struct {
			Error string `json:"error"`
			File  string `json:"file"`
		}{"file_not_found", name}
		return l, nil
	}
	if err != nil {
		return l, err
	}
	l.Probe = p
	lines, most := strconv.Itoa(p.Lines), strconv.Itoa(conf.MaxEagerLines)
	switch long := p.Lines > conf.MaxEagerLines || p.Size > probeBytes; { // of that, the lines were not all counted
	case !long:
		l.Reason = "File within threshold (" + lines + " <= " + most + " lines)"
		return l, nil
	case !conf.RequireRelevance:
		l.Decision, l.Reason = "excerpt", "File exceeds threshold ("+lines+" > "+most+" lines)"
		return l, nil
	}
	score, err := relevanceOf(ctx, path, conf.RelevanceKeywords)
	if err != nil {
		return l, err
	}
	l.Relevance = &score
	of := "(" + strconv.Itoa(score) + "/" + strconv.Itoa(relevanceMost) + ")"
	switch {
	case score < 3:
		l.Decision, l.Reason = "skip", "Large file ("+lines+" lines) with low relevance score "+of
	case score < 6:
		l.Decision, l.Reason = "excerpt", "Large file ("+lines+" lines) with medium relevance "+of+" - use excerpts"
	default:
		l.Reason = "Large file but high relevance " + of
	}
	return l, nil
}

// contextRelevance says how much of an interface is in a file.
func (d *deps) contextRelevance(ctx context.Context, g *globals, ask *contextAsk) error {
	name, path, err := d.probeArgument("relevance", ask)
	if err != nil {
		return err
	}
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return &failure{code: ExitNo, what: "File not found: " + transcript.CleanLine(name) + ".", cause: err}
	}
	project, err := d.contextProject(ask)
	if err != nil {
		return err
	}
	score, err := relevanceOf(ctx, path, project.Config.Context.RelevanceKeywords)
	switch {
	case err != nil:
		return d.probeFailure(name, err)
	case g.json:
		return d.printJSON(struct {
			File  string `json:"file"`
			Score int    `json:"relevance_score"`
			Most  int    `json:"max_score"`
		}{name, score, relevanceMost})
	}
	level := "High relevance - load fully"
	switch {
	case score < 3:
		level = "Low relevance - likely skip or excerpt"
	case score < 6:
		level = "Medium relevance - consider excerpts for large files"
	}
	o := d.contextPage("Relevance Score")
	o.line("\n  File:  " + transcript.CleanLine(name) + "\n  Score: " + strconv.Itoa(score) + "/" + strconv.Itoa(relevanceMost) + "\n  Level: " + level)
	o.end()
	return nil
}
