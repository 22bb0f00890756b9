package catalog

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/continuo-tui/continuo/ledger/snapshot"
	"github.com/continuo-tui/continuo/transcript"
)

// documentLimit is the limit of a document in bytes. The largest known document has 178 KB.
const documentLimit = 16 << 20

// readDocument reads a document up to documentLimit. info is from before the read.
func (d *Doc) readDocument(ctx context.Context) (text string, info os.FileInfo, err error) {
	f, info, err := transcript.OpenFile(d.path)
	if err != nil {
		return "", nil, fmt.Errorf("open document: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	var b strings.Builder
	if _, err := io.Copy(&b, io.LimitReader(f, documentLimit)); err != nil {
		return "", nil, fmt.Errorf("read document: %w", err)
	}
	if left := info.Size() - int64(b.Len()); left > 0 {
		fmt.Fprintf(&b, "\n\n… %d bytes left out …\n", left)
	}
	if filepath.Base(d.path) == snapshot.Name {
		if s, err := snapshot.Parse([]byte(b.String())); err == nil { // show an invalid snapshot as it is
			return s.Page(d.drift(ctx, filepath.Dir(d.path), s)), info, nil
		}
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD"), info, nil
}

// read reads the document again if its file has another identity, size or time. It returns true if the text changed.
// A deleted document keeps its text.
func (d *Doc) read(ctx context.Context) (changed bool, err error) {
	d.following.Lock()
	defer d.following.Unlock()
	info, err := os.Stat(d.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("follow document: %w", err)
	case os.SameFile(info, d.seen) && info.Size() == d.seen.Size() && info.ModTime().Equal(d.seen.ModTime()):
		return false, nil
	}
	text, info, err := d.readDocument(ctx)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	d.seen = info
	if text == d.state().text {
		return false, nil
	}
	now := documentState(text)
	d.mu.Lock()
	d.now = now
	d.mu.Unlock()
	return true, nil
}

// documentState returns a document as a conversation. Each section is an answer, and its ID is a hash of its text.
func documentState(text string) state {
	s := state{text: text}
	var goesOn []bool
	s.sections, goesOn = splitSections(text)
	main := transcript.Thread{Kind: transcript.Main, Name: "main", From: -1}
	seen := map[transcript.ID]bool{0: true}
	for i, section := range s.sections {
		h := fnv.New32a()
		_, _ = io.WriteString(h, section) // never fails
		id := transcript.ID(h.Sum32())
		for seen[id] {
			id++
		}
		seen[id] = true
		ref := transcript.MessageRef{ID: id, Kind: transcript.Answer, Turn: !goesOn[i]}
		if goesOn[i] {
			ref.Kind = transcript.Notice // a notice isn't counted as a section
		}
		s.messages = append(s.messages, ref)
		main.Messages = append(main.Messages, i)
	}
	s.threads = []transcript.Thread{main}
	return s
}

func sectionMessage(text string) transcript.Message {
	return transcript.Message{
		Role: transcript.RoleAssistant, Kind: transcript.Answer, Thread: "main",
		Blocks: []transcript.Block{{Kind: transcript.BlockText, Text: text}},
	}
}
