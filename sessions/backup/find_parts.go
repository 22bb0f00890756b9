package backup

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// This file has the parts of Find, for whoever must not lose one because of another: documents can be many, or on a
// disk that is slow, and what is pending is known before.

// FindBackups is Find without documents: backups, markers, Discarded and Since. The error is as there.
func FindBackups(ctx context.Context, project string, zone *time.Location) (Found, error) {
	f, p, err := newFinder(project, zone)
	if f == nil {
		return Found{}, err
	}
	f.problem(err)
	err = f.memoryBackups(ctx, p)
	if p != nil {
		_ = p.root.Close() // nothing was written
	}
	f.sortBackups()
	if err != nil {
		return f.found, fmt.Errorf("find backups of %s: %w", project, err)
	}
	return f.found, nil
}

// FindDocuments is Find with documents alone. The error is as there.
func FindDocuments(ctx context.Context, project string, zone *time.Location) (Found, error) {
	f, p, err := newFinder(project, zone)
	if f == nil {
		return Found{}, err
	}
	if err = nil; p != nil { // what keeps it from being entered is a problem of FindBackups
		defer p.root.Close()
		err = f.memoryDocuments(ctx, p)
	}
	if err == nil {
		err = f.planning(ctx)
	}
	f.sortDocuments()
	if err != nil {
		return f.found, fmt.Errorf("find documents of %s: %w", project, err)
	}
	return f.found, nil
}

func (f *finder) sortBackups() {
	slices.SortFunc(f.found.Backups, func(a, b Backup) int { return newer(a.Made, b.Made, a.Path, b.Path) })
}
