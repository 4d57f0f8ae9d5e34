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
	if _, given := in.Options["user"]; given {
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
	s := view.Stats{User: user, Viewer: viewer, Profile: p, Puzzler: puzzler, Last: last, Shown: shown}
	who := b.Kit.Members(ctx, in.MemberOf(), []store.UserID{user, p.Toughest.Other})
	s.Name, s.Toughest = who[0].Name, who[1].Name
	msg := b.Kit.View(locale).Scores().Stats(s)
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
	if err := kit.LeaderboardHere(in); err != nil {
		return kit.Response{}, err
	}
	s, err := b.page(ctx, in, store.MonthOf(b.Kit.Now()), 0)
	return kit.Reply(b.Kit.View(in.Language()).Scores().Standings(s)), err
}

// choose is the list of all leaderboards.
func (b standings) choose(ctx context.Context, in *kit.Request) (kit.Response, error) {
	p, ok := view.StandingsChosen(in.Values, b.Kit.Now())
	if !ok {
		return kit.Response{}, match.ErrBadOption
	}
	return b.show(ctx, in, p, 0)
}

// turn is a button that turns to another page, or on older messages to other standings.
func (b standings) turn(ctx context.Context, in *kit.Request) (kit.Response, error) {
	return b.show(ctx, in, in.Button.Period, in.Button.Page)
}

// show turns the message to a page of standings.
func (b standings) show(ctx context.Context, in *kit.Request, p store.Period, page int) (kit.Response, error) {
	if err := kit.LeaderboardHere(in); err != nil {
		return kit.Response{}, err
	}
	if p == store.StreakTab {
		s, err := b.Streaks(ctx, in, page)
		return in.InPlace(b.Kit.View(in.Language()).Puzzles().PuzzleStreaks(s)), err
	}
	s, err := b.page(ctx, in, p, page)
	return in.InPlace(b.Kit.View(in.Language()).Scores().Standings(s)), err
}

// showHere is the button that posts the first page of a leaderboard where everybody in the
// channel sees it.
func (b standings) showHere(ctx context.Context, in *kit.Request) (kit.Response, error) {
	if err := kit.LeaderboardHere(in); err != nil {
		return kit.Response{}, err
	}
	v, p := b.Kit.View(in.BoardLanguage()), in.Button.Period
	var msg discord.Message
	if p == store.StreakTab {
		s, err := b.Streaks(ctx, in, 0)
		if err != nil {
			return kit.Response{}, err
		}
		s.Shown = true
		msg = v.Puzzles().PuzzleStreaks(s)
	} else {
		rows, _, err := b.named(ctx, in, p, 0, view.PageRows)
		if err != nil {
			return kit.Response{}, err
		}
		msg = v.Scores().Standings(view.Standings{Period: p, Rows: rows, Shown: true})
	}
	return b.Change.Once(ctx, in, msg, nil, "standings", strconv.Itoa(int(p)))
}

// howPoints tells what gives points.
func (b standings) howPoints(_ context.Context, in *kit.Request) (kit.Response, error) {
	return kit.Reply(b.Kit.View(in.Language()).Scores().HowPoints(in.Settings.Crowns.Or(true))), nil
}

// page reads a page.
func (b standings) page(ctx context.Context, in *kit.Request, p store.Period, page int) (view.Standings, error) {
	s := view.Standings{Period: p, Viewer: in.UserID}
	var err error
	s.Page, s.Pages, s.More, err = kit.Page(page, func(page int) (total int, err error) {
		s.Rows, total, err = b.named(ctx, in, p, page*view.PageRows, view.PageRows)
		return total, err
	})
	if err != nil {
		return s, err
	}
	if err = b.own(ctx, in, &s); err == nil && p == store.MonthOf(b.Kit.Now()) {
		s.Before, _, err = b.named(ctx, in, p.Previous(), 0, 3)
	}
	return s, err
}

// own reads the viewer's row, and who stands next before it. Behind what is listed nobody is
// looked for.
func (b standings) own(ctx context.Context, in *kit.Request, s *view.Standings) error {
	var above []store.Standing
	members, err := b.Change.Present(ctx, in, func() (users []store.UserID, err error) {
		s.Mine, above = nil, nil
		mine, err := b.Store.Standing(ctx, in.GuildID, s.Period, in.UserID)
		switch {
		case errors.Is(err, store.ErrNotFound):
			return nil, nil
		case err != nil:
			return nil, err
		}
		s.Mine = &mine
		if mine.Rank == 1 || mine.Rank > store.MostListed {
			return nil, nil
		}
		above, _, err = b.Store.Standings(ctx, in.GuildID, s.Period, mine.Rank-2, 1)
		for _, r := range above {
			users = append(users, r.User)
		}
		return users, err
	})
	if err == nil && len(above) > 0 && above[0].Rank < s.Mine.Rank { // nothing has moved in between
		s.Above = &view.Ranked{Standing: above[0], Name: members[0].Name}
	}
	return err
}

// named reads rows with the names of their people.
func (b standings) named(ctx context.Context, in *kit.Request, p store.Period, offset, limit int) (named []view.Ranked, total int, err error) {
	var rows []store.Standing
	members, err := b.Change.Present(ctx, in, func() (users []store.UserID, err error) {
		rows, total, err = b.Store.Standings(ctx, in.GuildID, p, offset, limit)
		for _, r := range rows {
			users = append(users, r.User)
		}
		return users, err
	})
	for i, m := range members {
		named = append(named, view.Ranked{Standing: rows[i], Name: m.Name})
	}
	return named, total, err
}
