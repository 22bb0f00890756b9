package catalog

import "time"

// Quicken shortens the intervals of a Watch, so that a test can wait for them.
func (c *Catalog) Quicken() {
	c.pace = pace{
		settle: 20 * time.Millisecond, walk: 50 * time.Millisecond, asleep: 50 * time.Millisecond,
		memory: 100 * time.Millisecond,
	}
}

// Deafen turns notifications off, as if the system had no watches left. A Watch then finds changes only by walks.
func (c *Catalog) Deafen() { c.notify = func() *notices { return nil } }

// MemoryNever lets a Watch look for backups and documents only on request.
func (c *Catalog) MemoryNever() { c.pace.memory = time.Hour }

// SleepLong lets a Watch walk rarely while the system notifies of every change to a transcript.
func (c *Catalog) SleepLong() { c.pace.asleep = time.Hour }

// WalkNever turns walks off. A Watch then finds changes only by notifications of the system.
func (c *Catalog) WalkNever() { c.pace.walk = time.Hour }

// BytesRead returns the number of bytes of transcripts that Open, Doc.Follow and Watch have read.
func (c *Catalog) BytesRead() int64 { return c.tails.read.Load() }

// Followed returns the number of open transcripts.
func (c *Catalog) Followed() int { return len(c.tails.paths()) }

// MaxTails is the maximum number of open transcripts that no Doc uses.
const MaxTails = maxTails

// SectionLimit is the maximum length of a section of a document.
const SectionLimit = sectionLimit

// Sections returns the sections of a document.
func Sections(text string) []string {
	list, _ := parted(text)
	return list
}

// Compares returns the number of comparisons of backups with transcripts.
func (c *Catalog) Compares() int64 { return c.compares.Load() }

// DocumentsIn sets the time limit for the documents of one memory.
func (c *Catalog) DocumentsIn(limit time.Duration) { c.documentsLimit = limit }
