// Package puzzles is the puzzle of the day: on a private board, in a channel, and streaks.
package puzzles

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"tictactoe/bot/change"
	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/dispatch"
	"tictactoe/bot/internal/recent"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/view"
	"tictactoe/engine"
	"tictactoe/engine/puzzle"
	"tictactoe/store"
)

// Puzzles are the puzzle of the day, on a private board. How somebody stands with it is in
// the store alone.
type Puzzles struct {
	Kit    *kit.Kit
	Change *change.Changer
	Store  Store
	days   recent.Shared[int64, puzzle.Puzzle] // that were asked for lately
}

// Store is what puzzles are kept in.
type Store interface {
	store.Puzzles
	GuildSettings(ctx context.Context, guild store.GuildID) (store.GuildSettings, error)
}

// widePuzzle is from how many columns on a puzzle begins as a list: rows of so many buttons
// wrap on phones.
const widePuzzle = 5

const (
	// daysTurn is half of the time for which puzzles are kept at most, and daysMost half of their
	// number: people ask for today's and yesterday's.
	daysTurn = 24 * time.Hour
	daysMost = 8
)

// Of returns the puzzle of the day. Making one takes a slot for searches.
func (b *Puzzles) Of(ctx context.Context, day int64) (puzzle.Puzzle, error) {
	if p, ok := b.days.Get(day); ok {
		return p, nil
	}
	p, err := kit.Searching(ctx, b.Kit.Think, func() (puzzle.Puzzle, error) { return puzzle.Of(ctx, day) })
	if err == nil {
		b.days.Put(day, p, b.Kit.Now(), daysTurn, daysMost)
	}
	return p, err
}

func (b *Puzzles) Today() int64 { return store.DayOf(b.Kit.Now()) }

// show is the command: it opens today's puzzle.
func (b *Puzzles) show(ctx context.Context, in *kit.Request) (kit.Response, error) {
	r, err := b.open(ctx, in, b.Today())
	return r, retried(err, customid.ID{Action: customid.PuzzleSolve, Day: b.Today()})
}

// retried gives somebody for whom there was no room to think a button that tries again.
func retried(err error, again customid.ID) error {
	if !errors.Is(err, match.ErrTooBusy) {
		return err
	}
	return &kit.Refusal{Reason: match.ErrStillJudging, Again: again}
}

// solve is the button that opens the puzzle of its day. It outlives that day in what was
// shared and posted: then it tells the solution.
func (b *Puzzles) solve(ctx context.Context, in *kit.Request) (kit.Response, error) {
	r, err := b.open(ctx, in, in.Button.Day)
	if errors.Is(err, match.ErrPuzzleClosed) && in.Button.Day < b.Today() {
		return b.told(ctx, in, in.Button.Day, true)
	}
	return r, retried(err, in.Button)
}

// open shows the puzzle of a day as it stands. Who sees it for the first time has begun it.
func (b *Puzzles) open(ctx context.Context, in *kit.Request, day int64) (kit.Response, error) {
	t, err := b.Store.PuzzleTry(ctx, in.UserID, day)
	if err != nil {
		return kit.Response{}, err
	}
	if err := match.MayPlayPuzzle(t, b.Kit.Now()); errors.Is(err, match.ErrPuzzleClosed) {
		return kit.Response{}, err
	}
	p, err := b.Of(ctx, day)
	if err != nil {
		return kit.Response{}, err
	}
	begins := t.Version == 0
	if begins {
		err := b.Change.Do(ctx, in, func() (_ store.Change, err error) {
			if t, err = b.Store.PuzzleTry(ctx, in.UserID, day); err != nil || t.Version > 0 {
				return store.Change{}, err
			}
			t.Guild, t.AsList = in.MemberOf(), p.Start.Rules().M >= widePuzzle
			return store.Change{Tries: []store.PuzzleTry{t}}, nil
		})
		if err != nil {
			return kit.Response{}, err
		}
		if t.Version == 0 {
			t.Version = 1
		}
	}
	msg, err := b.stands(ctx, in, p, t)
	if begins {
		err = stored(err)
	}
	return kit.Reply(msg), err
}

// play plays the cell that was clicked, or chosen in the list.
func (b *Puzzles) play(ctx context.Context, in *kit.Request) (kit.Response, error) {
	c := in.Button.Cell
	if in.Button.Action == customid.PuzzleInList {
		var ok bool
		if c, ok = customid.ParseCellValue(in.Values); !ok {
			return kit.Response{}, customid.ErrUnknown
		}
	}
	return b.turn(ctx, in, c, func(p puzzle.Puzzle, t store.PuzzleTry) (store.PuzzleTry, puzzle.Step, error) {
		if t.Lost {
			return t, puzzle.Step{}, match.ErrPuzzleLost
		}
		step, err := b.step(ctx, p, t.Moves, c)
		if errors.Is(err, engine.ErrOccupied) {
			err = match.ErrTaken
		}
		if err != nil {
			return t, step, err
		}
		return match.PuzzleStep(t, step), step, nil
	})
}

// again is the button that begins the next try.
func (b *Puzzles) again(ctx context.Context, in *kit.Request) (kit.Response, error) {
	return b.turn(ctx, in, 0, func(_ puzzle.Puzzle, t store.PuzzleTry) (store.PuzzleTry, puzzle.Step, error) {
		return match.PuzzleAgain(t), puzzle.Step{}, nil
	})
}

// look is the button that writes the names on the empty cells, or takes them off, and the
// one that puts a list of cells in the place of the grid, or the grid in that of the list.
func (b *Puzzles) look(ctx context.Context, in *kit.Request) (kit.Response, error) {
	return b.turn(ctx, in, 0, func(p puzzle.Puzzle, t store.PuzzleTry) (store.PuzzleTry, puzzle.Step, error) {
		if in.Button.Action == customid.PuzzleNames {
			t.CellNames = !t.CellNames
		} else {
			t.AsList = !t.AsList
		}
		step, err := b.lastStep(ctx, p, t)
		return t, step, err
	})
}

// turn changes how somebody stands with the puzzle of a button's day, and shows it in the
// place of what they clicked. Each board shows one version: a click on another was meant
// for what stood there. change finds what the last move came to as well, since there may be
// no room to think once the change is stored.
func (b *Puzzles) turn(ctx context.Context, in *kit.Request, c engine.Cell, change func(puzzle.Puzzle, store.PuzzleTry) (store.PuzzleTry, puzzle.Step, error)) (kit.Response, error) {
	day := in.Button.Day
	t, err := b.Store.PuzzleTry(ctx, in.UserID, day)
	switch {
	case err != nil:
		return kit.Response{}, err
	case t.Version == 0:
		return kit.Response{}, match.ErrUnknownRecord // it was never shown to them
	}
	p, err := b.Of(ctx, day)
	if err != nil {
		return kit.Response{}, err
	}
	before, step := t, puzzle.Step{}
	err = b.Change.Do(ctx, in, func() (_ store.Change, err error) {
		if t, err = b.Store.PuzzleTry(ctx, in.UserID, day); err != nil {
			return store.Change{}, err
		}
		before = t
		if err := match.MayPlayPuzzle(t, b.Kit.Now()); err != nil {
			return store.Change{}, err
		}
		if b.Kit.Stale(in, t.Version) {
			return store.Change{}, match.ErrStale
		}
		if t, step, err = change(p, t); err != nil {
			return store.Change{}, err
		}
		t.Guild = in.MemberOf() // no server lists what is solved where the bot is no member
		changed := store.Change{Tries: []store.PuzzleTry{t}}
		if t.State == store.PuzzleSolved {
			who, err := b.Store.Puzzler(ctx, in.UserID)
			if err != nil {
				return store.Change{}, err
			}
			changed.Puzzlers = []store.Puzzler{match.PuzzleSolved(who, t)}
			if t.Guild != "" { // they are a member, whatever was noted
				changed.Absences = []store.Absence{{Guild: t.Guild, User: in.UserID}}
			}
		}
		return changed, nil
	})
	if err != nil {
		return b.refuse(ctx, in, p, before, c, err)
	}
	t.Version++
	msg, err := b.draw(ctx, in, p, t, step)
	return kit.Update(msg), stored(err)
}

// stored keeps a failure behind a commit from being called unsaved.
func stored(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", store.ErrPending, err)
}

// ShowAgain answers a click that has been stored by an earlier delivery of it.
func (b *Puzzles) ShowAgain(ctx context.Context, in *kit.Request) (kit.Response, error) {
	t, err := b.Store.PuzzleTry(ctx, in.UserID, in.Button.Day)
	if err != nil {
		return kit.Response{}, stored(err)
	}
	p, err := b.Of(ctx, in.Button.Day)
	if err != nil {
		return kit.Response{}, stored(err)
	}
	msg, err := b.stands(ctx, in, p, t)
	return kit.Update(msg), stored(err)
}

// refuse says why a click did nothing. Where the board shows something else than what is
// stored, or a choice that has to be taken off the screen, it is drawn again.
func (b *Puzzles) refuse(ctx context.Context, in *kit.Request, p puzzle.Puzzle, t store.PuzzleTry, c engine.Cell, why error) (kit.Response, error) {
	r := &kit.Refusal{Reason: why, Cell: c, Match: store.Match{Rules: p.Start.Rules()}}
	behind := errors.Is(why, match.ErrStale) || errors.Is(why, match.ErrPuzzleOver)
	words, known := b.Kit.View(in.Language()).Refusal(view.Refused{Refusal: *r})
	if !known || !behind && in.Button.Action != customid.PuzzleInList {
		return kit.Response{}, r
	}
	msg, err := b.stands(ctx, in, p, t)
	if err != nil {
		return kit.Response{}, r
	}
	b.Kit.Stats.Refused.Add(1)
	in.Outcome = dispatch.Refused
	return b.Kit.AlsoSay(in, kit.Update(msg), words), nil
}

// step judges a move behind others.
func (b *Puzzles) step(ctx context.Context, p puzzle.Puzzle, before []engine.Cell, c engine.Cell) (puzzle.Step, error) {
	return kit.Searching(ctx, b.Kit.Think, func() (puzzle.Step, error) { return p.Play(ctx, before, c) })
}

// lastStep judges the last move of a try, if there is one.
func (b *Puzzles) lastStep(ctx context.Context, p puzzle.Puzzle, t store.PuzzleTry) (puzzle.Step, error) {
	before, c, ok := match.LastOwnMove(t)
	if !ok {
		return puzzle.Step{}, nil
	}
	return b.step(ctx, p, before, c)
}

// stands is draw for a try whose last move is still to be judged.
func (b *Puzzles) stands(ctx context.Context, in *kit.Request, p puzzle.Puzzle, t store.PuzzleTry) (discord.Message, error) {
	step, err := b.lastStep(ctx, p, t)
	if err != nil {
		return discord.Message{}, err
	}
	return b.draw(ctx, in, p, t, step)
}

// draw makes the message that shows how somebody stands with a puzzle, whose last move came
// to the step.
func (b *Puzzles) draw(ctx context.Context, in *kit.Request, p puzzle.Puzzle, t store.PuzzleTry, step puzzle.Step) (discord.Message, error) {
	s := view.Puzzle{Puzzle: p, Try: t, Step: step, InGuild: in.MemberOf() != ""}
	var err error
	if t.State != store.PuzzleOpen {
		if s.Puzzler, err = b.Store.Puzzler(ctx, in.UserID); err != nil {
			return discord.Message{}, err
		}
		if s.InGuild {
			day, err := b.Store.PuzzleDay(ctx, in.GuildID, p.Day)
			if err != nil {
				return discord.Message{}, err
			}
			s.Solvers = day.Solved
		}
	}
	if today := b.Today(); t.Day == today && t.State == store.PuzzleOpen {
		before, err := b.Store.PuzzleTry(ctx, in.UserID, today-1)
		if err != nil {
			return discord.Message{}, err
		}
		s.FinishFirst = before.Version > 0 && match.MayPlayPuzzle(before, b.Kit.Now()) == nil
	}
	return b.Kit.View(in.Language()).Puzzles().Puzzle(s)
}

// yesterday is the button that tells the solution of the day before its own.
func (b *Puzzles) yesterday(ctx context.Context, in *kit.Request) (kit.Response, error) {
	day := in.Button.Day - 1
	if day < 0 || day >= b.Today() { // made up
		return kit.Response{}, match.ErrUnknownRecord
	}
	t, err := b.Store.PuzzleTry(ctx, in.UserID, day)
	if err != nil {
		return kit.Response{}, err
	}
	if match.MayPlayPuzzle(t, b.Kit.Now()) == nil {
		return kit.Response{}, &kit.Refusal{Reason: match.ErrPuzzleNotYet, Day: day, Until: match.PuzzleEnds(day).Add(match.PuzzleGrace)}
	}
	return b.told(ctx, in, day, false)
}

// told answers privately with the solution of a day, which may be one that is past.
func (b *Puzzles) told(ctx context.Context, in *kit.Request, day int64, past bool) (kit.Response, error) {
	p, err := b.Of(ctx, day)
	if err != nil {
		return kit.Response{}, retried(err, in.Button)
	}
	line, err := b.line(ctx, p)
	if err != nil {
		return kit.Response{}, retried(err, in.Button)
	}
	return kit.Reply(b.Kit.View(in.Language()).Puzzles().PuzzleSolution(p, line, past)), nil
}

// line is how a puzzle is solved against the best defence.
func (b *Puzzles) line(ctx context.Context, p puzzle.Puzzle) ([]engine.Cell, error) {
	return kit.Searching(ctx, b.Kit.Think, func() ([]engine.Cell, error) { return p.Line(ctx) })
}

// share is the button that posts how it went, without the solution.
func (b *Puzzles) share(ctx context.Context, in *kit.Request) (kit.Response, error) {
	t, err := b.Store.PuzzleTry(ctx, in.UserID, in.Button.Day)
	if err != nil {
		return kit.Response{}, err
	}
	if t.State == store.PuzzleOpen {
		return kit.Response{}, match.ErrUnknownRecord // the button is not there before the end
	}
	who, err := b.Store.Puzzler(ctx, in.UserID)
	if err != nil {
		return kit.Response{}, err
	}
	v := b.Kit.View(in.BoardLanguage())
	v.Names = b.Kit.NamesIn(ctx, in.MemberOf(), in.UserID)
	var tries []store.PuzzleTry
	recapped := t.State == store.PuzzleSolved && t.Guild != "" && t.Guild == in.MemberOf() && in.Settings.Puzzle.Channel != ""
	if recapped && !t.Shared {
		t.Shared = true
		tries = append(tries, t)
	}
	r, err := b.Change.Once(ctx, in, v.Puzzles().PuzzleShared(t, who), tries, "puzzle", strconv.FormatInt(t.Day, 10), string(in.UserID))
	if err == nil && recapped && in.Person.Recap == 0 {
		r = b.Kit.AlsoSay(in, r, b.Kit.View(in.Language()).Puzzles().RecapQuestion())
	}
	return r, err
}

// Routes are what happens with puzzles.
func (b *Puzzles) Routes() kit.Routes {
	return kit.Routes{
		kit.Command("puzzle"):                {Handle: b.show, Stores: true},
		kit.Button(customid.PuzzleCell):      {Handle: kit.OnPrivate(b.play), Stores: true},
		kit.Button(customid.PuzzleInList):    {Handle: kit.OnPrivate(b.play), Stores: true},
		kit.Button(customid.PuzzleNames):     {Handle: kit.OnPrivate(b.look), Stores: true},
		kit.Button(customid.PuzzleAsList):    {Handle: kit.OnPrivate(b.look), Stores: true},
		kit.Button(customid.PuzzleAgain):     {Handle: kit.OnPrivate(b.again), Stores: true},
		kit.Button(customid.PuzzleSolve):     {Handle: b.solve, Stores: true},
		kit.Button(customid.PuzzleShare):     {Handle: b.share, Stores: true},
		kit.Button(customid.PuzzleYesterday): {Handle: b.yesterday},
		kit.Button(customid.PuzzleGoOn):      {Handle: b.goOn, Stores: true},
		kit.Button(customid.LobbyPuzzle):     {Handle: b.show, Stores: true},
	}
}
