package catalog

import "time"

// Quicken shortens the intervals of a Watch for tests.
func (c *Catalog) Quicken() {
	c.pace = pace{
		settle: 20 * time.Millisecond, walk: 50 * time.Millisecond, asleep: 50 * time.Millisecond,
		memory: 100 * time.Millisecond,
	}
}

// Deafen turns the notifications of the system off, so that a Watch has to walk.
func (c *Catalog) Deafen() { c.notify = func() *notices { return nil } }

// MemoryNever lets a Watch search for backups and documents only on request.
func (c *Catalog) MemoryNever() { c.pace.memory = time.Hour }

// SleepLong makes walks rare while the system sends notifications for every transcript.
func (c *Catalog) SleepLong() { c.pace.asleep = time.Hour }

// WalkNever turns regular walks off, so that a Watch needs notifications.
func (c *Catalog) WalkNever() { c.pace.walk = time.Hour }

// BytesRead returns the bytes of transcripts that were read so far.
func (c *Catalog) BytesRead() int64 { return c.tails.read.Load() }

// Followed returns the number of open transcripts.
func (c *Catalog) Followed() int { return len(c.tails.paths()) }

// MaxTails is the maximum number of transcripts that stay open without a Doc.
const MaxTails = maxTails

// SectionLimit is the maximum length of a section in bytes.
const SectionLimit = sectionLimit

// Sections returns the sections of a document.
func Sections(text string) []string {
	list, _ := splitSections(text)
	return list
}

// Compares returns the number of comparisons of backups with transcripts.
func (c *Catalog) Compares() int64 { return c.compares.Load() }

// DocumentsIn sets the time limit for reading the documents of one memory.
func (c *Catalog) DocumentsIn(limit time.Duration) { c.documentsLimit = limit }
