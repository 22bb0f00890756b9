package cli

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// rowsPiped is a list for other programs: one row a line, tab-separated, nothing cut, real paths. The columns
// are id, badge, time of the last message, messages, branch, folder, name.
func rowsPiped(rows []sessions.Row) string {
	var b strings.Builder
	for i := range rows {
		r := &rows[i]
		when := out.Unknown
		if t := r.When(); r.Dated() {
			when = t.UTC().Format(time.RFC3339)
		}
		folder := r.Workdir
		if folder == "" {
			folder = r.Project
		}
		messages := out.Unknown
		if r.Counted() {
			messages = strconv.Itoa(r.Messages)
		}
		b.WriteString(strings.Join([]string{
			out.OrUnknown(out.CleanPath(r.ID)), badgeName(r.Badge()), when, messages,
			out.OrUnknown(transcript.CleanLine(r.Branch)), out.OrUnknown(out.CleanPath(folder)), out.OrUnknown(transcript.CleanLine(r.Name)),
		}, "\t") + "\n")
	}
	return b.String()
}

// rowJSON is one object of list --json.
type rowJSON struct {
	Kind         sessions.Kind   `json:"kind"`
	ID           string          `json:"id"`
	Path         string          `json:"path"`
	Project      string          `json:"project"`
	Workdir      string          `json:"workdir"`
	Name         string          `json:"name"`
	FirstPrompt  string          `json:"firstPrompt"`
	Branch       string          `json:"branch"`
	Created      out.Time        `json:"created"`
	Modified     out.Time        `json:"modified"`
	FirstMessage out.Time        `json:"firstMessage"`
	LastMessage  out.Time        `json:"lastMessage"`
	Messages     *int            `json:"messages"`
	Tokens       *tokensJSON     `json:"tokens"`
	Context      *heldJSON       `json:"context"`
	Bytes        int64           `json:"bytes"`
	Version      string          `json:"version"`
	State        sessions.State  `json:"state"`
	Flags        []sessions.Flag `json:"flags"`
	Reason       string          `json:"reason"`
	Models       []string        `json:"models"`
	Agents       []string        `json:"agents"`
	Pending      bool            `json:"pending"`
	*listedDocument
}

type tokensJSON struct {
	Input      int64 `json:"input"`
	Output     int64 `json:"output"`
	CacheRead  int64 `json:"cacheRead"`
	CacheWrite int64 `json:"cacheWrite"`
}

// heldJSON is what the context of a session holds, in tokens.
type heldJSON struct {
	Tokens int64  `json:"tokens"`
	Base   *int64 `json:"base"` // null not known
}

// rowsJSON is a list as one array, one row a line. Figures that were not counted, because the list is a quick one or
// the file cannot be read, are null; so is a context whose size no record tells.
func rowsJSON(rows []sessions.Row) (string, error) {
	var b strings.Builder
	b.WriteString("[")
	documents := 0
	for i := range rows {
		if i > 0 {
			b.WriteString(",")
		}
		j := newRowJSON(&rows[i])
		if rows[i].Kind == sessions.KindDocument {
			number := 0
			if !isMemory(&rows[i]) {
				documents++
				number = documents
			}
			j.listedDocument = newListedDocument(&rows[i], number)
		}
		line, err := out.EncodeJSON(j)
		if err != nil {
			return "", err
		}
		b.WriteString("\n" + line)
	}
	b.WriteString("\n]\n")
	return b.String(), nil
}

func newRowJSON(r *sessions.Row) rowJSON {
	j := rowJSON{
		Kind: r.Kind, ID: r.ID, Path: r.Path, Project: r.Project, Workdir: r.Workdir, Name: r.Name,
		FirstPrompt: r.Prompt, Branch: r.Branch, Created: out.Time(r.Created), Modified: out.Time(r.Modified),
		FirstMessage: out.Time(r.First), LastMessage: out.Time(r.Last), Bytes: r.Bytes, Version: r.Version,
		State: r.State, Flags: out.OrEmpty(r.Flags), Reason: r.Reason, Models: out.OrEmpty(r.Models),
		Agents: out.OrEmpty(r.Agents), Pending: r.Pending,
	}
	if r.Counted() {
		j.Messages = &r.Messages
		j.Tokens = &tokensJSON{r.Tokens.Input, r.Tokens.Output, r.Tokens.CacheRead, r.Tokens.CacheWrite}
	}
	if r.ContextTokens > 0 {
		j.Context = &heldJSON{Tokens: r.ContextTokens}
		if r.ContextBase > 0 {
			j.Context.Base = &r.ContextBase
		}
	}
	return j
}

var _ json.Marshaler = out.Time{}
