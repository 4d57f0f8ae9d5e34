package guilds

import (
	"context"
	"errors"
	"strconv"

	"tictactoe/bot/discord"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/view"
	"tictactoe/store"
)

// standings tell how people play and who leads.
type standings struct{ *Guilds }

// stats is the command: it tells privately how somebody plays.
func (b standings) stats(ctx context.Context, in *kit.Request) (kit.Response, error) {
	user := in.UserID
	if in.Gives("user") {
		who, ok := in.Text("user")
		if _, known := in.Users[who]; !ok || !known {
			return kit.Response{}, match.ErrBadOption
		}
		user = store.UserID(who)
	}
	return b.statsOf(ctx, in, user, false)
}

// showStats is the button that posts them where everybody in the channel sees them.
func (b standings) showStats(ctx context.Context, in *kit.Request) (kit.Response, error) {
	return b.statsOf(ctx, in, in.Button.User, true)
}

// formAmong is among how many of somebody's last games those with people are looked for.
const formAmong = 50

func (b standings) statsOf(ctx context.Context, in *kit.Request, user store.UserID, shown bool) (kit.Response, error) {
	viewer, locale := in.UserID, in.Language()
	if user == viewer {
		viewer = "" // nobody plays against themselves
	}
	if shown {
		locale = in.BoardLanguage()
	}
	p, err := b.Store.Profile(ctx, user, viewer, in.GuildID)
	if err != nil {
		return kit.Response{}, err
	}
	puzzler, err := b.Store.Puzzler(ctx, user)
	if err != nil {
		return kit.Response{}, err
	}
	last, err := b.Store.LastResults(ctx, user, formAmong)
	if err != nil {
		return kit.Response{}, err
	}
	v := b.Kit.View(locale)
	v.Names = b.Kit.NamesIn(ctx, in.MemberOf(), user, p.Toughest.Other)
	msg := v.Scores().Stats(view.Stats{User: user, Viewer: viewer, Profile: p, Puzzler: puzzler, Last: last, Shown: shown})
	if shown {
		return b.Change.Once(ctx, in, msg, nil, "stats", string(user))
	}
	return kit.Reply(msg), nil
}

// leaderboard is the command: it shows this month's standings privately.
func (b standings) leaderboard(ctx context.Context, in *kit.Request) (kit.Response, error) {
	if in.GuildID == "" {
		return kit.Reply(b.Kit.View(in.Language()).Scores().StandingsInDirectMessage()), nil
	}
	return b.show(ctx, in, store.MonthOf(b.Kit.Now()), 0, kit.Reply)
}

// streaks is the button that tells who in the guild has solved most days in a row.
func (b standings) streaks(ctx context.Context, in *kit.Request) (kit.Response, error) {
	return b.show(ctx, in, store.StreakTab, 0, kit.Reply)
}

// choose is the list of all leaderboards.
func (b standings) choose(ctx context.Context, in *kit.Request) (kit.Response, error) {
	p, ok := view.StandingsChosen(in.Value(), b.Kit.Now())
	if !ok {
		return kit.Response{}, match.ErrBadOption
	}
	return b.show(ctx, in, p, 0, in.InPlace)
}

// turn is a button that turns to another page, or on older messages to other standings.
func (b standings) turn(ctx context.Context, in *kit.Request) (kit.Response, error) {
	return b.show(ctx, in, in.Button.Period, in.Button.Page, in.InPlace)
}

// show answers with a page of a leaderboard.
func (b standings) show(ctx context.Context, in *kit.Request, p store.Period, page int, as func(discord.Message) kit.Response) (kit.Response, error) {
	msg, err := b.page(ctx, in, p, page, false)
	return as(msg), err
}

// showHere is the button that posts the first page of a leaderboard where everybody in the
// channel sees it.
func (b standings) showHere(ctx context.Context, in *kit.Request) (kit.Response, error) {
	p := in.Button.Period
	msg, err := b.page(ctx, in, p, 0, true)
	if err != nil {
		return kit.Response{}, err
	}
	return b.Change.Once(ctx, in, msg, nil, "standings", strconv.Itoa(int(p)))
}

// howPoints tells what gives points.
func (b standings) howPoints(_ context.Context, in *kit.Request) (kit.Response, error) {
	return kit.Reply(b.Kit.View(in.Language()).Scores().HowPoints(in.Settings.Crowns.Or(true))), nil
}

// page reads and draws a page of a leaderboard: for who looks, or for everybody in the channel.
func (b standings) page(ctx context.Context, in *kit.Request, p store.Period, page int, shown bool) (discord.Message, error) {
	switch {
	case in.GuildID == "":
		return discord.Message{}, match.ErrUnknownCommand
	case in.CommandsOnly():
		return discord.Message{}, match.ErrAbsent
	case in.BotAbsent, !in.Settings.Leaderboard.Or(true):
		return discord.Message{}, match.ErrNoLeaderboard
	}
	locale := in.Language()
	if shown {
		locale = in.BoardLanguage()
	}
	v := b.Kit.View(locale)
	v.Names = map[store.UserID]string{}
	s, err := b.read(ctx, in, v.Names, p, page, shown)
	if p == store.StreakTab {
		return v.Puzzles().PuzzleStreaks(s), err
	}
	return v.Scores().Standings(s), err
}

// listed returns rows of a leaderboard.
func (b standings) listed(ctx context.Context, guild store.GuildID, p store.Period, offset, limit int) (rows []store.Standing, total int, err error) {
	if p == store.StreakTab {
		return b.Store.PuzzleStreaks(ctx, guild, match.Lasting(store.DayOf(b.Kit.Now())), offset, limit)
	}
	return b.Store.Standings(ctx, guild, p, offset, limit)
}

// rowOf returns somebody's row of one.
func (b standings) rowOf(ctx context.Context, guild store.GuildID, p store.Period, user store.UserID) (store.Standing, error) {
	if p == store.StreakTab {
		return b.Store.PuzzleStreak(ctx, guild, match.Lasting(store.DayOf(b.Kit.Now())), user)
	}
	return b.Store.Standing(ctx, guild, p, user)
}

// read reads a page of a leaderboard.
func (b standings) read(ctx context.Context, in *kit.Request, names map[store.UserID]string, p store.Period, page int, shown bool) (view.Standings, error) {
	s := view.Standings{Leaf: view.Leaf{Period: p, Shown: shown}, Viewer: in.UserID}
	var err error
	s.Page, s.Pages, s.More, err = turnTo(page, func(page int) (total int, err error) {
		s.Rows, total, err = b.rows(ctx, in, names, p, page*view.PageRows, view.PageRows)
		return total, err
	})
	if err != nil || shown {
		return s, err
	}
	if err = b.own(ctx, in, names, &s); err == nil && p == store.MonthOf(b.Kit.Now()) {
		s.Before, _, err = b.rows(ctx, in, names, p.Previous(), 0, 3)
	}
	return s, err
}

// own reads the viewer's row, and who stands next before it. Behind what is listed nobody is
// looked for, and among streaks nobody is to be caught up with.
func (b standings) own(ctx context.Context, in *kit.Request, names map[store.UserID]string, s *view.Standings) error {
	return b.Change.Present(ctx, in, names, func() (users []store.UserID, err error) {
		s.Mine, s.Above = nil, nil
		mine, err := b.rowOf(ctx, in.GuildID, s.Period, in.UserID)
		switch {
		case errors.Is(err, store.ErrNotFound):
			return nil, nil
		case err != nil:
			return nil, err
		}
		s.Mine = &mine
		if mine.Rank == 1 || mine.Rank > store.MostListed || s.Period == store.StreakTab {
			return nil, nil
		}
		above, _, err := b.Store.Standings(ctx, in.GuildID, s.Period, mine.Rank-2, 1)
		for _, r := range above {
			users = append(users, r.User)
			if r.Rank < mine.Rank { // nothing has moved in between
				s.Above = &r
			}
		}
		return users, err
	})
}

// rows reads rows of a leaderboard, and the names of their people.
func (b standings) rows(ctx context.Context, in *kit.Request, names map[store.UserID]string, p store.Period, offset, limit int) (rows []store.Standing, total int, err error) {
	err = b.Change.Present(ctx, in, names, func() (users []store.UserID, err error) {
		rows, total, err = b.listed(ctx, in.GuildID, p, offset, limit)
		for _, r := range rows {
			users = append(users, r.User)
		}
		return users, err
	})
	return rows, total, err
}

// mostPages is how many pages can be turned to: what comes before a page is read, too.
const mostPages = store.MostListed / view.PageRows

// turnTo has a page of rows read, or the last one where there were more when the button was
// drawn: read tells how many rows there are in all. It returns which page that is, of how
// many, and whether there are more rows than can be turned to.
func turnTo(wanted int, read func(page int) (total int, err error)) (page, pages int, more bool, err error) {
	page = min(wanted, mostPages-1)
	total, err := read(page)
	if last := max(pagesOf(total)-1, 0); err == nil && page > last {
		page = last
		total, err = read(page)
	}
	return page, pagesOf(total), total > store.MostListed, err
}

func pagesOf(total int) int { return min((total+view.PageRows-1)/view.PageRows, mostPages) }
