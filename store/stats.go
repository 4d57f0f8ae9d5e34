package store

// Stats are figures for health checks and metrics.
type Stats struct {
	ActiveMatches  int // being played now
	OpenChallenges int // waiting for an answer

	// Waiting changes have not been taken for a commit yet, pending notes have not
	// been stored yet, and dropped notes never will be, since too many were pending.
	Waiting, PendingNotes int
	DroppedNotes          uint64

	// Commits since the store was opened, the changes that they stored, and the
	// commits that failed. Changes / Commits is how well waiting changes share.
	Commits, Changes, FailedCommits uint64
}
