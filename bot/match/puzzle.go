package match

import (
	"errors"
	"math"
	"strconv"
	"time"

	"tictactoe/engine"
	"tictactoe/engine/puzzle"
	"tictactoe/store"
)

const (
	// PuzzleTries is how often somebody may try the puzzle of a day: a try ends with its
	// first wrong move.
	PuzzleTries = 3
	// PuzzleGrace is how long after the end of its day a puzzle that was begun may be
	// finished.
	PuzzleGrace = time.Hour
	// CommonStreak is how many people have to solve the puzzle of a day in a guild for the
	// guild's own streak.
	CommonStreak = 2
	// PuzzleIdle is after how many days on which nobody looked at the puzzle a guild's posts
	// pause.
	PuzzleIdle = 7
	// PuzzleMercy is in how many days one may be missed without the end of a streak: a week, as
	// words in every language say.
	PuzzleMercy = 7
)

// Why a click in a puzzle does nothing.
var (
	ErrPuzzleClosed  = errors.New("match: the puzzle's day is over")
	ErrPuzzleOver    = errors.New("match: the puzzle was solved, or no try is left")
	ErrPuzzleLost    = errors.New("match: this try is lost")
	ErrPuzzleNotYet  = errors.New("match: the puzzle can still be solved")
	ErrNoPuzzlePosts = errors.New("match: the guild wants no posts of puzzles")
)

// PuzzleEnds returns when the day of the puzzle ends.
func PuzzleEnds(day int64) time.Time { return time.Unix((day+1)*24*60*60, 0).UTC() }

// PuzzleUntil returns until when the puzzle of the day can be played, at the moment: behind its
// day by who has begun it.
func PuzzleUntil(day int64, now time.Time) time.Time {
	if ends := PuzzleEnds(day); now.Before(ends) {
		return ends
	}
	return PuzzleEnds(day).Add(PuzzleGrace)
}

// PuzzleTakes reports whether the puzzle of the day can be played at the moment: on its
// day, and for a while afterwards by who has begun it.
func PuzzleTakes(t store.PuzzleTry, now time.Time) bool {
	today := store.DayOf(now)
	return t.Day == today || t.Version > 0 && t.Day < today && now.Before(PuzzleUntil(t.Day, now))
}

// MayPlayPuzzle returns why nothing can be played in the puzzle now, nil if something can.
func MayPlayPuzzle(t store.PuzzleTry, now time.Time) error {
	switch {
	case t.State != store.PuzzleOpen:
		return ErrPuzzleOver
	case !PuzzleTakes(t, now):
		return ErrPuzzleClosed
	default:
		return nil
	}
}

// PuzzleStep returns the try after a move that the puzzle has judged.
func PuzzleStep(t store.PuzzleTry, s puzzle.Step) store.PuzzleTry {
	t.Moves = s.Moves
	switch s.Verdict {
	case puzzle.Solved:
		t.State = store.PuzzleSolved
	case puzzle.Wrong:
		t.Lost = true
		if t.Wrong++; t.Wrong >= PuzzleTries {
			t.State = store.PuzzleFailed
		}
	case puzzle.GoesOn:
	}
	return t
}

// PuzzleAgain begins the next try after a lost one.
func PuzzleAgain(t store.PuzzleTry) store.PuzzleTry {
	t.Moves, t.Lost = nil, false
	return t
}

// LastOwnMove returns the last move of the one who solves, and those before it. ok is false
// before the first.
func LastOwnMove(t store.PuzzleTry) (before []engine.Cell, move engine.Cell, ok bool) {
	if len(t.Moves) == 0 {
		return nil, 0, false
	}
	i := (len(t.Moves) - 1) / 2 * 2
	return t.Moves[:i], t.Moves[i], true
}

// PuzzleSolved returns what is known of somebody who has just solved the puzzle of a day.
// A streak counts days one after the other; one that was missed is forgiven if none of the
// six days before it was. (It is not counted.) The puzzle of the day before can be solved
// behind the day's own, in the hour after midnight: what was missed is made good then.
func PuzzleSolved(p store.Puzzler, t store.PuzzleTry) store.Puzzler {
	day := t.Day
	if p.Last > day+1 { // stored by a clock that was wrong
		p.Last, p.Excused, p.Streak, p.Tries = 0, 0, 0, 0
	}
	before := p
	p.Solved++
	excused, on := goesOn(p, day)
	switch {
	case p.Last == 0:
		p.Streak = 1
	case day < p.Last && p.Excused == day:
		p.Excused = 0
		p.Streak++
	case day < p.Last && day == p.Last-1 && p.Streak == 1:
		p.Streak++
	case day < p.Last:
	case on:
		p.Excused = excused
		p.Streak++
	default:
		p.Streak = 1
	}
	switch {
	case p.Streak > before.Streak && p.Streak > 1:
		p.Tries += t.Wrong + 1
	case day > before.Last: // it begins
		p.Tries = t.Wrong + 1
	}
	p.Last = max(p.Last, day)
	p.Best = max(p.Best, p.Streak)
	return p
}

// goesOn reports whether none of the days between the last that was solved and the given
// one ends the streak, and returns the last of them that is forgiven for once.
func goesOn(p store.Puzzler, day int64) (excused int64, ok bool) {
	switch missed := p.Last + 1; {
	case missed >= day:
		return p.Excused, true
	case missed == day-1 && (p.Excused == 0 || missed-p.Excused >= PuzzleMercy):
		return missed, true
	default:
		return 0, false
	}
}

// PuzzleStreak returns the streak as it stands on a day, which goes on if that day's puzzle
// is solved: 0 once it cannot, and where its last day lies ahead, as a clock that was wrong
// has stored it.
func PuzzleStreak(p store.Puzzler, today int64) int {
	if _, ok := goesOn(p, today); !ok || p.Last == 0 || p.Last > today {
		return 0
	}
	return p.Streak
}

// Lasting tells which streaks go on on the day: what [PuzzleStreak] says of one person, of
// all.
func Lasting(today int64) []store.Lasting {
	return []store.Lasting{
		{First: today - 1, Last: today, Excused: math.MaxInt64},
		{First: today - 2, Last: today - 2, Excused: today - 1 - PuzzleMercy}, // yesterday is forgiven
	}
}

// PuzzlePostAfter returns when a guild that wants the puzzle in the hour (UTC) gets the
// next one after the moment. Guilds are spread over the hour by their ids.
func PuzzlePostAfter(guild store.GuildID, hour int, now time.Time) time.Time {
	spread := time.Duration(0)
	if id, err := strconv.ParseUint(string(guild), 10, 63); err == nil {
		spread = time.Duration(id>>22%3600) * time.Second //nolint:gosec // below an hour
	}
	at := now.UTC().Truncate(24 * time.Hour).Add(time.Duration(hour)*time.Hour + spread)
	if !at.After(now) {
		at = at.Add(24 * time.Hour)
	}
	return at
}

// CountPuzzleDay returns a guild's posts once a day is over that went so. Days come one after
// the other; what lies between is not known and ends a streak.
func CountPuzzleDay(p store.PuzzlePost, day int64, d store.PuzzleDay) store.PuzzlePost {
	switch {
	case p.Counted == 0: // there was no post on the day
		d.Tried = true
	case p.Counted != day-1:
		p.Streak = 0
	}
	p.Counted = day
	if p.Streak++; d.Solved < CommonStreak {
		p.Streak = 0
	}
	if p.Idle++; d.Tried {
		p.Idle = 0
	}
	return p
}
