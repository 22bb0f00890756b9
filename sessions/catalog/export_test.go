package catalog

import "time"

// Quicken makes a Watch look so often that a test can wait for it.
func (c *Catalog) Quicken() {
	c.pace = pace{
		settle: 20 * time.Millisecond, walk: 50 * time.Millisecond, asleep: 50 * time.Millisecond,
		memory: 100 * time.Millisecond,
	}
}

// Deafen leaves a Watch with its walks alone, as where the system has no watch left.
func (c *Catalog) Deafen() { c.notify = func() *notices { return nil } }

// MemoryNever leaves a Watch with those looks for backups and documents that somebody asks for.
func (c *Catalog) MemoryNever() { c.pace.memory = time.Hour }

// WalkNever leaves a Watch with what the system tells.
func (c *Catalog) WalkNever() { c.pace.walk = time.Hour }

// BytesRead counts the bytes of transcripts that Open, Doc.Follow and Watch have read.
func (c *Catalog) BytesRead() int64 { return c.tails.read.Load() }

// Followed is how many transcripts are open.
func (c *Catalog) Followed() int { return len(c.tails.paths()) }

// MaxTails is how many of them may be kept for rows alone.
const MaxTails = maxTails

// SectionLimit is the longest section of a document.
const SectionLimit = sectionLimit

// Sections parts a document.
func Sections(text string) []string {
	list, _ := parted(text)
	return list
}

// Compares is how many backups were compared with a transcript.
func (c *Catalog) Compares() int64 { return c.compares.Load() }

// DocumentsIn gives the documents of one memory so much time.
func (c *Catalog) DocumentsIn(limit time.Duration) { c.documentsLimit = limit }
