package view

import "tictactoe/bot/discord"

// Note is an answer of one sentence that only the person who asked sees.
type Note string

// The notes.
const (
	Resigned       Note = "resign.done"
	KeptPlaying    Note = "resign.kept"
	SeriesEnded    Note = "refused.series_over"
	Stopped        Note = "stop.done" // told a moderator, as is the next
	StoppedAll     Note = "stop.all_done"
	Exporting      Note = "export.begun"
	ExportFailed   Note = "export.failed"
	ExportTooLarge Note = "export.too_large" // for Discord
	Erasing        Note = "erase.begun"      // everything about a person
	NothingErased  Note = "erase.kept"
	ErasingGuild   Note = "settings.erasing"
	RecapOn        Note = "recap.on"
	RecapOff       Note = "recap.off"
	BegunAnew      Note = "settings.begun_anew" // the guild's standings
	StandingsKept  Note = "settings.standings_kept"
	StillSaving    Note = "error.pending"   // nobody knows yet whether the change was saved
	NotSaved       Note = "error.not_saved" // nothing was saved
)

// Note returns the answer.
func (w Words) Note(n Note) discord.Message { return w.tell(string(n), nil) }
