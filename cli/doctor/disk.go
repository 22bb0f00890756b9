package doctor

import (
	"context"
	"os"

	"github.com/continuo-tui/continuo/internal/words"
)

// diskWanted is the number of bytes that should be free. On a full disk, Claude Code loses the transcript
// without an error.
const diskWanted = 1_000_000_000

// disk checks the free space for transcripts. If the space is unknown, it returns no check.
func (x *Exam) disk(ctx context.Context) []Check {
	for _, dir := range x.dirs {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			continue
		}
		free := make(chan int64, 1)
		go func() { free <- freeBytes(dir) }() // this may hang on a dead mount
		ctx, cancel := context.WithTimeout(ctx, x.Limit)
		defer cancel()
		select {
		case <-ctx.Done():
			return []Check{{Name: "disk", State: VerdictFinding, Text: "the disk of " + x.Env.Tilde(dir) + " does not answer"}}
		case n := <-free:
			return diskCheck(n)
		}
	}
	return nil
}

// diskCheck returns the check for a number of free bytes; none for a negative number.
func diskCheck(free int64) []Check {
	switch {
	case free < 0:
		return nil
	case free < diskWanted:
		return []Check{{Name: "disk", State: VerdictWarning, Text: words.Size(free) + " free, so a transcript may soon be incomplete", Note: "1 GB wanted"}}
	}
	return []Check{{Name: "disk", State: VerdictOK, Text: words.Size(free) + " free", Note: "1 GB wanted"}}
}
