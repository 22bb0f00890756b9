package transcript

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxImage is the maximum length in bytes of a record with an image.
const maxImage = 64 << 20

// ErrNoImage is returned for a block whose image isn't in the file.
var ErrNoImage = errors.New("image not in the file")

// Images returns the images in the file: the block itself, or the images of a result.
func (b *Block) Images() []Block {
	if b.Kind == BlockImage && b.Bytes > 0 {
		return []Block{*b}
	}
	return b.images
}

// Image returns the bytes of image n of Block.Images. The bytes may not be a valid image. The error is a read error
// or ErrNoImage.
func (t *Transcript) Image(ref *MessageRef, block, n int) ([]byte, error) {
	m := Message{Kind: ref.Kind}
	for _, i := range ref.Records {
		t.mu.Lock()
		rec := t.out.Records[i]
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
			if images := m.Blocks[block].Images(); n >= 0 && n < len(images) && images[n].data != 0 {
				return imageIn(line, images[n].data)
			}
			return nil, ErrNoImage
		}
	}
	return nil, ErrNoImage
}

// imageIn returns the image in a record. source is the digest of the image.
func imageIn(line []byte, source uint64) ([]byte, error) {
	r := members(line)
	content, _ := messageOf(r["message"])
	lists := []json.RawMessage{content, members(r["attachment"])["prompt"]}
	for depth := 0; depth < 2; depth++ { // blocks of the message, then blocks of a result
		var inner []json.RawMessage
		for _, list := range lists {
			var parts []json.RawMessage
			if json.Unmarshal(list, &parts) != nil {
				continue
			}
			for _, p := range parts {
				part := members(p)
				if inner = append(inner, part["content"]); len(part["source"]) == 0 || digest(0, part["source"]) != source {
					continue
				}
				data, err := base64.StdEncoding.DecodeString(stringOf(members(part["source"])["data"]))
				if err != nil {
					return nil, fmt.Errorf("image data: %w", err)
				}
				return data, nil
			}
		}
		lists = inner
	}
	return nil, ErrNoImage
}
