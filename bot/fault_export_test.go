package bot

// Counts are what a Bot has counted, for tests that look from outside.
type Counts struct {
	Answered, Refused, Failed, Unsaved, Duplicates, Late, Panics int64
}

// Counts returns what has been counted so far.
func (b *Bot) Counts() Counts {
	return Counts{
		Answered: b.stats.answered.Load(), Refused: b.stats.refused.Load(), Failed: b.stats.failed.Load(),
		Unsaved: b.stats.unsaved.Load(), Duplicates: b.stats.duplicates.Load(), Late: b.stats.late.Load(),
		Panics: b.stats.panics.Load(),
	}
}
