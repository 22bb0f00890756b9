package transcript

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"github.com/continuo-tui/continuo/transcript/jsonlex"
)

// Facts are the figures in the row of a session. Records are added in file order, from the head and tail of a file
// (AddStretch) or from an Outline.
type Facts struct {
	Until int64 // Unix milliseconds; later times are ignored; 0: no limit

	Cwd         string   // folder in the first record that has one
	Cwds        []string // all different cwds in order, at most 16
	Branch      string   // the last branch; "" outside a repository
	Version     string   // version of the client that wrote the last record
	Entrypoint  string   // entry point in the first record that has one: cli, sdk-cli, …
	SessionID   string   // session ID in the first record that has one
	CustomTitle string   // the last custom title
	AITitle     string   // the last generated title
	Summary     string   // the last summary of this file's records; many are of other sessions
	Prompt      string   // the first user prompt, as written; not a shell command
	Command     string   // without a prompt: the first shell command, command with arguments, or approved plan, as written
	Answer      string   // the start of the first text of the assistant, as written
	Models      []string // different models in order of appearance, without "<synthetic>"
	Created     int64    // Unix milliseconds: time of the first record that has a time
	Latest      int64    // Unix milliseconds: the newest time in any record
	First, Last int64    // times of the first and last prompt or answer
	Spoken      bool     // the file has a user or assistant record
	Heard       int      // number of prompts and of blocks of answers
	Context     int64    // tokens of the context after the newest answer; 0 if unknown
	Base        int64    // tokens of the first request of the context; 0 if unknown
	Began       int64    // Unix milliseconds: time of the first answer in the context; 0 if unknown
	Picker      Picker

	summaries []summary // the last maxSummaries
	uuids     []uint64  // hashes of the UUIDs that AddStretch has read

	origin originFacts

	agent  bool // all messages so far are of a sidechain
	midway bool // the start of the context is unknown, because only the tail is read
}

const (
	maxCwds   = 16
	maxPath   = 4096 // bytes before decoding; no system allows longer paths
	maxModels = 16
	maxPrompt = 16 << 10 // bytes of the prompt that are decoded

	maxTitle     = 4 << 10 // bytes of a summary or an answer that are decoded
	maxSummaries = 1000    // one real file had 94, all of other sessions
)

// summary is the text of a summary record, and the UUID of the last summarized record.
type summary struct{ leaf, text string }

// add adds the next record, which begins at an offset in the file.
func (f *Facts) add(e *Envelope, kind Kind, offset, length int64) {
	f.place(e)
	f.Picker.add(e, kind, offset, length)
	f.origin.add(e, kind, offset)
	keep(&f.CustomTitle, e.CustomTitle)
	keep(&f.AITitle, e.AITitle)
	if string(e.Type) == "summary" && len(e.Summary) > 0 && len(e.Leaf) > 0 {
		if len(f.summaries) == maxSummaries {
			f.summaries = f.summaries[1:]
		}
		f.summaries = append(f.summaries, summary{string(e.Leaf), jsonlex.Unquote(cutRaw(e.Summary, maxTitle))})
	}
	f.addContext(e, kind)
	at := e.UnixMilli()
	if f.Until > 0 && at > f.Until {
		at = 0
	}
	if f.Created == 0 {
		f.Created = at
	}
	f.Latest = max(f.Latest, at)
	if t := string(e.Type); t == "user" || t == "assistant" {
		f.Spoken = true
	}
	switch {
	case kind == KindPrompt || kind == KindAssistant:
		f.addMessage(e, kind, at)
	case kind == KindNotice && f.Command == "" && len(e.Text) > 0:
		raw := e.Line[e.Text[0].Start:e.Text[0].End]
		if f.Command = localCommand(raw); string(e.Origin) == continuation {
			f.Command = jsonlex.Unquote(cutRaw(raw, maxPrompt))
		}
	}
}

// addMessage adds a prompt or an answer. Messages of sub-agents count only in their own file.
func (f *Facts) addMessage(e *Envelope, kind Kind, at int64) {
	if e.Sidechain && f.Heard > 0 && !f.agent {
		return
	}
	if !e.Sidechain && f.agent { // not the file of a sub-agent, so earlier sidechains don't count
		f.First, f.Last, f.Heard, f.Prompt, f.Answer, f.Models = 0, 0, 0, "", "", nil
	}
	f.Heard, f.agent = f.Heard+1, e.Sidechain
	if at != 0 {
		if f.First == 0 || at < f.First {
			f.First = at
		}
		f.Last = max(f.Last, at)
	}
	if kind == KindPrompt && f.Prompt == "" {
		if s := e.promptText(); s.End > s.Start {
			f.addPrompt(e.Line[s.Start:s.End])
		}
	}
	if kind == KindAssistant && f.Answer == "" && len(e.Text) > 0 {
		f.Answer = jsonlex.Unquote(cutRaw(e.Line[e.Text[0].Start:e.Text[0].End], maxTitle))
	}
	if len(e.Model) > 0 && string(e.Model) != "<synthetic>" && len(f.Models) < maxModels && !containsBytes(f.Models, e.Model) {
		f.Models = append(f.Models, string(e.Model))
	}
}

// addContext sets the size of the context from the input and output of an answer. Answers of sub-agents or of the
// client don't count.
func (f *Facts) addContext(e *Envelope, kind Kind) {
	switch {
	case e.Sidechain:
	case kind == KindBoundary:
		f.Context, f.Base, f.Began, f.midway = 0, 0, 0, false
	case kind == KindAssistant && e.HasUsage && e.Usage.asked() > 0:
		if f.Context == 0 && !f.midway {
			f.Base, f.Began = e.Usage.asked(), e.UnixMilli()
		}
		f.Context = e.Usage.asked() + e.Usage.Output
	}
}

// addPrompt sets the prompt. A shell command is used only without another prompt.
func (f *Facts) addPrompt(raw []byte) {
	switch shell := bytes.HasPrefix(raw, []byte("<bash-input>")); {
	case !shell:
		f.Prompt = jsonlex.Unquote(cutRaw(raw, maxPrompt))
	case f.Command == "":
		f.Command = jsonlex.Unquote(cutRaw(raw, maxPrompt))
	}
}

// AddStretch adds the records in b, the head or the tail of a file. offset is the offset of b. Incomplete lines at
// the start of a tail and at the end are skipped. AddStretch returns the number of records added.
func (f *Facts) AddStretch(b []byte, offset int64, tail bool, env *Envelope) int {
	end := offset + int64(len(b))
	if tail {
		f.Context, f.Base, f.Began, f.midway = 0, 0, 0, true // an unread part may have a compaction
		_, b, _ = bytes.Cut(b, []byte("\n"))
	} else {
		b = bytes.TrimPrefix(b, []byte(byteOrderMark))
	}
	n := 0
	for len(b) > 0 {
		var line []byte
		offset = end - int64(len(b))
		line, b, _ = bytes.Cut(b, []byte("\n"))
		Parts(Line{Data: line}, env, func(p Part, e *Envelope) {
			if p.Verdict == Object {
				f.add(e, e.kind(), offset+int64(p.Start), int64(p.End-p.Start))
				f.uuids = append(f.uuids, digest(0, e.UUID))
				n++
			}
		})
	}
	f.ownSummary(func(leaf string) bool { return slices.Contains(f.uuids, digest(0, []byte(leaf))) })
	return n
}

// ownSummary sets the last summary that is about this file.
func (f *Facts) ownSummary(has func(leaf string) bool) {
	f.Summary = ""
	for _, s := range slices.Backward(f.summaries) {
		if has(s.leaf) {
			f.Summary = s.text
			return
		}
	}
}

// localCommand returns a local command (/goal, /compact) with arguments; "" if there is none.
func localCommand(raw []byte) string {
	if !bytes.HasPrefix(raw, []byte("<command-name>")) {
		return ""
	}
	s := jsonlex.Unquote(cutRaw(raw, maxPrompt))
	if args, ok := tagged(s, "command-args"); !ok || args == "" {
		return ""
	}
	return s
}

// place sets the directory, branch and version of the record. It decodes only changed values.
func (f *Facts) place(e *Envelope) {
	if len(e.Cwd) > 0 && (len(f.Cwds) == 0 || f.Cwds[len(f.Cwds)-1] != string(e.Cwd)) && len(f.Cwds) < maxCwds {
		if c := jsonlex.Unquote(cutRaw(e.Cwd, maxPath)); !slices.Contains(f.Cwds, c) {
			f.Cwds = append(f.Cwds, c)
			f.Cwd = f.Cwds[0]
		}
	}
	if e.Branch != nil && f.Branch != string(e.Branch) {
		if f.Branch = jsonlex.Unquote(e.Branch); f.Branch == "HEAD" { // the client writes this outside a repository
			f.Branch = ""
		}
	}
	if len(e.Version) > 0 && f.Version != string(e.Version) {
		f.Version = string(e.Version)
	}
	if f.Entrypoint == "" {
		f.Entrypoint = string(e.Entrypoint)
	}
	if f.SessionID == "" {
		f.SessionID = string(e.SessionID)
	}
}

// Title returns the custom title of the session, the generated title, or the summary.
func (f *Facts) Title() string {
	for _, t := range [...]string{f.CustomTitle, f.AITitle, f.Summary} {
		if t != "" {
			return t
		}
	}
	return ""
}

func keep(to *string, raw []byte) {
	if len(raw) > 0 && *to != string(raw) {
		*to = jsonlex.Unquote(raw)
	}
}

func containsBytes(list []string, b []byte) bool {
	for _, s := range list {
		if s == string(b) {
			return true
		}
	}
	return false
}

// cutRaw shortens an undecoded JSON string to at most n bytes, without cutting an escape.
func cutRaw(raw []byte, n int) []byte {
	if len(raw) <= n {
		return raw
	}
	return raw[:jsonlex.WholeEscapes(raw, n, false)]
}

// Picker has the facts for which the /resume list of Claude Code omits a session. Client 2.1.330 searches the first
// and last 64 KB of the file for them, without decoding records. So it finds a key anywhere in a record, for example
// in a result. At most one space may be between the colon and the value.
type Picker struct {
	Sidechain bool // the first 64 KB contain an isSidechain that is true
	Team      bool // the first teamName in the first 64 KB isn't ""
	Loop      bool // the first prompt is /loop

	teamed      bool   // a teamName was found
	kind        string // first sessionKind in the first record with a parentUuid
	continuedIn string // session ID in the last continued-in record; "" after a later prompt or answer
	continued   int64  // offset of that record
	end         int64  // offset after the last record
	chained     bool   // a record with a parentUuid was found
	asked       bool   // a first prompt was found
	said        bool   // a prompt, an answer or a command with arguments was found
	tagged      bool   // the last tag isn't ""
}

const pickerReads = 64 << 10 // bytes that the client reads from each end

func (p *Picker) add(e *Envelope, kind Kind, offset, length int64) {
	p.end = offset + length
	switch typ := string(e.Type); {
	case typ == "continued-in":
		p.continuedIn, p.continued = string(e.ContinuedIn), offset
	case typ == "tag":
		p.tagged = !bytes.Contains(e.Line, []byte(`"tag":""`))
	case p.continuedIn != "" && e.isTurn(kind):
		p.continuedIn = ""
	}
	if offset >= pickerReads {
		return
	}
	head := e.Line[:min(int64(len(e.Line)), pickerReads-offset)]
	if !p.Sidechain {
		_, p.Sidechain = valueIn(head, "isSidechain", "true")
	}
	if !p.teamed {
		if rest, ok := valueIn(head, "teamName", `"`); ok {
			p.teamed, p.Team = true, rest[0] != '"'
		}
	}
	p.said = p.said || e.isSaid()
	if e.Chained && !p.chained {
		p.chained = true
		if rest, ok := valueIn(head, "sessionKind", `"`); ok {
			kind, _, _ := bytes.Cut(rest, []byte(`"`))
			p.kind = string(kind)
		}
	}
	if !p.asked && string(e.Type) == "user" && !e.Meta && !e.CompactSummary && kind != KindToolResult && e.Blocks > 0 {
		p.asked = true
		p.Loop = slices.ContainsFunc(e.Text, func(s Span) bool {
			return bytes.Contains(e.Line[s.Start:s.End], []byte("<command-name>/loop</command-name>"))
		})
	}
}

// valueIn returns the text after start, for the first member with a key whose value begins with start. It prefers
// members without a blank before the value. It searches for an upper-case letter first, because rare bytes are found
// faster.
func valueIn(text []byte, key, start string) (rest []byte, ok bool) {
	rare := strings.IndexFunc(key, unicode.IsUpper)
	before, name := []byte(`"`+key[:rare]), []byte(key[rare:]+`":`)
	for {
		i := bytes.Index(text, name)
		if i < 0 {
			return rest, ok
		}
		is := bytes.HasSuffix(text[:i], before)
		text = text[i+len(name):]
		if !is {
			continue
		}
		if after, found := bytes.CutPrefix(text, []byte(start)); found && len(after) > 0 {
			return after, true
		}
		if after, found := bytes.CutPrefix(text, []byte(" "+start)); found && len(after) > 0 && !ok {
			rest, ok = after, true
		}
	}
}

// isTurn reports whether a record is a complete answer, or a prompt that isn't a command.
func (e *Envelope) isTurn(kind Kind) bool {
	if kind == KindAssistant {
		return !e.APIError && bytes.Contains(e.Line, []byte(`"stop_reason":"`))
	}
	return kind == KindPrompt && string(e.Type) == "user" && !bytes.Contains(e.Line, []byte("<command-name>"))
}

// isSaid reports whether a record is a prompt, an answer or a command with arguments. /exit doesn't count.
func (e *Envelope) isSaid() bool {
	if _, args, ok := bytes.Cut(e.Line, []byte("<command-args>")); ok && !bytes.HasPrefix(args, []byte("<")) {
		return true
	}
	if t := string(e.Type); t == "user" || t == "assistant" || string(e.AttachmentType) == "queued_command" {
		return !bytes.Contains(e.Line, []byte(`"content":"<local-command-`)) && !bytes.Contains(e.Line, []byte(`"content":"<command-name>/exit<`))
	}
	return string(e.Subtype) == "voice_call_talk"
}

// Daemon reports whether the background daemon or a worker wrote the session.
func (p *Picker) Daemon() bool { return p.kind == "daemon" || p.kind == "daemon-worker" }

// ContinuedIn returns the ID of the next session; "" if there is none.
func (p *Picker) ContinuedIn() string {
	if p.end-p.continued >= pickerReads {
		return ""
	}
	return p.continuedIn
}

// NothingSaid reports whether a short session has messages, but no prompt, answer, title, tag or continuation. The
// facts must be from the whole file.
func (f *Facts) NothingSaid() bool {
	p := &f.Picker
	return p.chained && !p.said && p.end+1 < pickerReads && p.kind == "" && p.continuedIn == "" && !p.tagged &&
		f.CustomTitle == "" && f.AITitle == "" && len(f.summaries) == 0
}
