package transcript

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxImage is the maximum length in bytes of a record from which an image is read.
const maxImage = 64 << 20

// ErrNoImage is returned for a block that has no image in the file.
var ErrNoImage = errors.New("image not in the file")

// Image returns the bytes of the image in a block of a message. Their type is unchecked. The error is that of the read,
// or says that the file has no image there.
func (t *Transcript) Image(ref *MessageRef, block int) ([]byte, error) {
	m := Message{Kind: ref.Kind}
	for _, n := range ref.Records {
		t.mu.Lock()
		rec := t.out.Records[n]
		t.mu.Unlock()
		if rec.Length > maxImage {
			return nil, fmt.Errorf("record at byte %d: longer than %d bytes", rec.Offset, maxImage)
		}
		line := make([]byte, rec.Length)
		if _, err := io.ReadFull(io.NewSectionReader(t.src, rec.Offset, rec.Length), line); err != nil {
			return nil, fmt.Errorf("record at byte %d: %w", rec.Offset, err)
		}
		if err := decodeInto(&m, line); err != nil {
			return nil, err
		}
		if block >= 0 && block < len(m.Blocks) {
			if b := &m.Blocks[block]; b.Kind == BlockImage && b.data != 0 {
				return imageIn(line, b.data)
			}
			return nil, ErrNoImage
		}
	}
	return nil, ErrNoImage
}

// imageIn returns the image in a record whose source has a digest.
func imageIn(line []byte, source uint64) ([]byte, error) {
	r := members(line)
	content, _ := messageOf(r["message"])
	for _, list := range []json.RawMessage{content, members(r["attachment"])["prompt"]} {
		var parts []json.RawMessage
		if json.Unmarshal(list, &parts) != nil {
			continue
		}
		for _, p := range parts {
			raw := members(p)["source"]
			if len(raw) == 0 || digest(0, raw) != source {
				continue
			}
			data, err := base64.StdEncoding.DecodeString(stringOf(members(raw)["data"]))
			if err != nil {
				return nil, fmt.Errorf("image data: %w", err)
			}
			return data, nil
		}
	}
	return nil, ErrNoImage
}
