package games

import (
	"context"
	"errors"
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/view"
	"tictactoe/engine"
	"tictactoe/store"
)

// moves are what happens on a board that is being played.
type moves struct {
	tools
	people  store.People
	judge   *Judge
	notices *notices
}

// routes are what happens on a board and in lists of it.
func (b moves) routes() kit.Routes {
	return kit.Routes{
		kit.Button(customid.Cell):       {Handle: b.play, Stores: true},
		kit.Button(customid.CellAtPly):  {Handle: b.play, Stores: true},
		kit.Button(customid.CellNames):  {Handle: b.nameCells, Stores: true},
		kit.Button(customid.CellInList): {Handle: b.play, Stores: true},
		kit.Button(customid.AsList):     {Handle: b.openList},
		kit.Button(customid.MyNames):    {Handle: b.nameCells, Stores: true},
		kit.Button(customid.MyList):     {Handle: b.openList},
		kit.Button(customid.ListCell):   {Handle: b.choose, Stores: true},
	}
}

// play plays the cell that was clicked, or chosen in a list, for the user who did so.
func (b moves) play(ctx context.Context, in *kit.Request) (kit.Response, error) {
	id := in.Button
	if id.Action == customid.CellInList {
		var ok bool
		if id.Cell, ok = customid.ParseCellValue(in.Values); !ok {
			return kit.Response{}, customid.ErrUnknown
		}
	}
	play := b.cell(ctx, in, id.Cell)
	before, m, err := b.change.Match(ctx, in, id.Match, func(m store.Match) (store.Match, error) {
		if b.kit.IsOldCopy(in, m) && m.Seat(in.UserID) != 0 {
			return m, errOldCopy
		}
		if m.GridStands && m.Private() && m.Seat(in.UserID) != 0 {
			return match.Fold(m, b.kit.Times.ChallengeTTL), nil
		}
		return play(m, aimOf(in.Interaction, id, m).ply)
	})
	if err == nil && m.State == store.Ended {
		m = b.judge.weighed(ctx, m, false) // a verdict takes a search, for which nobody waits
	}
	stale := aimOf(in.Interaction, id, before).shown != len(before.Moves) || before.State != store.Active
	return b.moved(before, m, err, &kit.Refusal{Reason: err, Match: before, Cell: id.Cell, Stale: stale})
}

// cell returns what plays the cell in a match for the user, who meant the position at a ply.
func (b moves) cell(ctx context.Context, in *kit.Request, cell engine.Cell) func(store.Match, int) (store.Match, error) {
	var choose match.Choose // one for all tries
	return func(m store.Match, ply int) (_ store.Match, err error) {
		if choose == nil {
			if choose, err = b.kit.Think.Chooser(ctx, m); err != nil {
				return m, err
			}
		}
		return match.Play(m, in.UserID, ply, cell, choose, b.kit.Up(m.Guild))
	}
}

// nameCells has the user play by buttons with names on them, or without. Boards of older
// versions have a button for it; of those of today it stands behind the last one.
func (b moves) nameCells(ctx context.Context, in *kit.Request) (kit.Response, error) {
	m, err := b.running(ctx, in)
	if err == nil {
		err = b.change.Do(ctx, in, func() (store.Change, error) {
			p, err := b.people.Person(ctx, in.UserID)
			if p.PlaysBy == store.ByNames {
				p.PlaysBy = 0
			} else {
				p.PlaysBy = store.ByNames
			}
			return store.Change{People: []store.Person{p}}, err
		})
	}
	if err != nil || in.Button.Action == customid.CellNames {
		return b.moved(m, m, err, &kit.Refusal{Reason: err, Match: m, Stale: m.State != store.Active})
	}
	r := b.notices.aside(in, m, kit.Update(b.kit.View(in.Language()).Board().Ways(m, in.UserID)))
	return r.AndThen(func(context.Context) { b.kit.Tracker.RedrawAgain(kit.MatchRef(m.ID)) }), nil
}

// running returns the match of a button that only those press who play it, and only while it
// runs.
func (b moves) running(ctx context.Context, in *kit.Request) (store.Match, error) {
	m, err := b.change.LoadMatch(ctx, in.Button.Match)
	switch {
	case err != nil:
	case m.Seat(in.UserID) == engine.None:
		err = match.ErrNotYourGame
	case m.State != store.Active:
		err = match.WhyOver(m)
	case !in.Message.Ephemeral() && b.kit.IsOldCopy(in, m):
		err = errOldCopy
	}
	return m, err
}

// moved answers a click that changed the board, or says why it did not.
func (b moves) moved(before, m store.Match, err error, why *kit.Refusal) (kit.Response, error) {
	switch {
	case errors.Is(err, errOldCopy):
		link := b.kit.LinkTo(before.Guild, before.Where(), kit.MatchRef(before.ID), before.Message)
		return kit.Update(b.kit.View(before.Locale).Board().Relocated(before, link)), nil
	case err != nil:
		return kit.Response{}, why
	}
	r, err := b.kit.ShowMatch(m, kit.Update)
	if len(m.Moves) > len(before.Moves) {
		r.Then = b.notices.remove(before)
		r.Shows.Step = kit.StepOf(m)
	}
	return r.AndThen(b.judge.weigh(m)), err
}

// openList shows somebody a list of their own, while everybody sees the grid.
func (b moves) openList(ctx context.Context, in *kit.Request) (kit.Response, error) {
	m, err := b.running(ctx, in)
	if err != nil {
		return b.moved(m, m, err, &kit.Refusal{Reason: err, Match: m, Stale: m.State != store.Active})
	}
	msg, err := b.kit.View(in.Language()).Board().List(m)
	if err != nil {
		return kit.Response{}, err
	}
	if in.Button.Action == customid.MyList {
		return b.notices.aside(in, m, in.InPlace(msg)), nil
	}
	// A board of an older version may be a list.
	return b.notices.aside(in, m, kit.Reply(msg).AndRedraw(kit.MatchRef(m.ID))), nil
}

// choose plays what was chosen in such a list, which may be of any age: a choice that can be
// played in the position of today is what somebody wants, and their list is as new as that
// afterwards.
func (b moves) choose(ctx context.Context, in *kit.Request) (kit.Response, error) {
	cell, ok := customid.ParseCellValue(in.Values)
	if !ok || !in.Message.Ephemeral() {
		return kit.Response{}, customid.ErrUnknown
	}
	play := b.cell(ctx, in, cell)
	before, m, err := b.change.Match(ctx, in, in.Button.Match, func(m store.Match) (store.Match, error) {
		ply := len(m.Moves)
		if Soon(in.Interaction) {
			ply-- // it was meant for the list before
		}
		return play(m, ply)
	})
	if err != nil {
		return kit.Response{}, &kit.Refusal{Reason: err, Match: before, Cell: cell}
	}
	r, err := b.kit.ShowList(in, m)
	r = r.AndRedraw(kit.MatchRef(m.ID)).AndThen(b.notices.remove(before)).AndThen(b.judge.weigh(m))
	return b.notices.aside(in, m, r), err
}

// ways are what there is to do at a match that runs, beside moving.
func (b moves) ways(in *kit.Request, m store.Match) (kit.Response, error) {
	v := b.kit.View(in.Language())
	switch {
	case m.Seat(in.UserID) != engine.None:
		return b.notices.aside(in, m, kit.Reply(v.Board().Ways(m, in.UserID))), nil
	case in.May(discord.PermissionManageMessages):
		return b.notices.aside(in, m, kit.Reply(v.Games().EndQuestion(in.UserID, view.Endable{Other: m}))), nil
	}
	return kit.Response{}, &kit.Refusal{Reason: match.ErrNotYourGame, Match: m}
}

// errOldCopy: the clicked message is an older copy of the board.
var errOldCopy = errors.New("bot: the board stands elsewhere now")

const (
	// lookTime is what a person needs at least to look at a new picture and to tap on
	// what they saw. A tap that comes sooner was meant for the picture before.
	lookTime = 400 * time.Millisecond
	// clockSlack is by how much the clocks of Discord's servers may differ that date a
	// click and an edit. An id that is older than the edit by more holds no time.
	clockSlack = 100 * time.Millisecond
)

// aim says which position a click on a cell was meant for, as the click itself tells:
// no memory of this process is needed.
type aim struct {
	shown int // the ply of the position that stood on the message
	ply   int // the ply of the position that the click was meant for
}

// aimOf reads the aim of a click on a cell of the match. The message comes along as
// Discord had it when it took the click, and its marker tells the position. Messages of
// older versions have the ply in the button's ID, or no marker: then the click is
// taken to be meant for what is stored.
func aimOf(in *discord.Interaction, id customid.ID, m store.Match) aim {
	if id.Action == customid.CellAtPly {
		return aim{shown: id.Ply, ply: id.Ply}
	}
	shown, ok := customid.PlyOf(in.Message.Marker)
	if !ok || in.Message.Lacks && in.Message.ID != string(m.Message) { // nobody's marker, or another match's
		return aim{shown: len(m.Moves), ply: len(m.Moves)}
	}
	if !customid.Again(in.Message.Marker) && Soon(in) {
		return aim{shown: shown, ply: shown - 1}
	}
	return aim{shown: shown, ply: shown}
}

// Soon reports whether the click came too soon after the last edit of its message to
// be meant for what that shows. Both times are Discord's: a wrong clock of this
// machine changes nothing. A click whose id holds no time is not soon.
func Soon(in *discord.Interaction) bool {
	clicked, ok := discord.Made(in.ID)
	if !ok || in.Message.Edited.IsZero() {
		return false
	}
	since := clicked - discord.SinceEpoch(in.Message.Edited)
	return -clockSlack <= since && since < lookTime
}
