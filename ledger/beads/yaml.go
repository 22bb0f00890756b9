package beads

import (
	"context"
	"os"
)

func (r *reader) yamls(ctx context.Context, root *os.Root, dir string) error { return nil }
