package puzzles

import (
	"context"
	"strconv"
	"time"

	"tictactoe/bot/discord"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/rest"
	"tictactoe/bot/view"
	"tictactoe/store"
)

const (
	// postsEvery says how often guilds are looked for whose puzzle is due, and
	// puzzlesMost how many are posted then: less than a third of what Discord lets a bot
	// do in a second.
	postsEvery  = time.Second
	puzzlesMost = 10
	// postsPause is for how long nobody looks after a look that failed.
	postsPause = 30 * time.Second
)

// Jobs returns what has to be done again and again.
func (b *Puzzles) Jobs() []kit.Job {
	return []kit.Job{{Every: postsEvery, Run: posts{b}.due, Left: "puzzles are posted later", Pause: postsPause}}
}

// posts are the messages with the puzzle of the day, where guilds want them.
type posts struct{ *Puzzles }

// due posts the puzzles that are due, unless nobody could press their buttons, or boards
// wait to be redrawn: those come first.
func (b posts) due(ctx context.Context) error {
	if !b.Kit.Connected() || b.Kit.Tracker.Busy() {
		return nil
	}
	due, err := b.Store.DuePuzzles(ctx, b.Kit.Now(), puzzlesMost)
	for _, g := range due {
		if err == nil {
			err = b.post(ctx, g)
		}
	}
	return err
}

// post claims the post of a guild and has it sent. The claim is stored first, over the
// version that was read: whoever else looks at the same database has it no more, and
// whatever becomes of the message afterwards, there is no second one. One whose day is over
// is left out.
func (b posts) post(ctx context.Context, g store.GuildSettings) error {
	now := b.Kit.Now()
	was, today := g.Puzzle.Due, store.DayOf(now)
	yesterday, err := b.count(ctx, &g, today-1)
	if err != nil {
		return err
	}
	if g.Puzzle.Due = match.PuzzlePostAfter(g.Guild, g.Puzzle.Hour, now); g.Puzzle.Idle >= match.PuzzleIdle {
		g.Puzzle.Due = time.Time{} // until somebody wants it
	}
	stored, err := b.Change.Quietly(ctx, store.Change{Guilds: []store.GuildSettings{g}})
	if !stored || store.DayOf(was) != today {
		return err
	}
	b.try(&puzzlePost{guild: g, day: today, yesterday: yesterday, until: now.Add(kit.TryFor)})
	return nil
}

// countedBack is how many days without a post are looked at for a guild's streak.
const countedBack = 7

// count brings what a guild's posts count up to the day, and returns how that went.
func (b posts) count(ctx context.Context, g *store.GuildSettings, through int64) (d store.PuzzleDay, err error) {
	day := through
	if counted := g.Puzzle.Counted; counted != 0 && counted < through {
		day = max(counted+1, through-countedBack)
	}
	for ; day <= through; day++ {
		if d, err = b.Store.PuzzleDay(ctx, g.Guild, day); err != nil {
			return d, err
		}
		if g.Puzzle.Counted < day || g.Puzzle.Counted > through { // that was a clock that was wrong
			g.Puzzle = match.CountPuzzleDay(g.Puzzle, day, d)
		}
	}
	return d, nil
}

// goOn is the button that ends a pause.
func (b *Puzzles) goOn(ctx context.Context, in *kit.Request) (kit.Response, error) {
	if in.MemberOf() == "" {
		return kit.Response{}, match.ErrUnknownRecord // made up: posts are in guilds
	}
	var g store.GuildSettings
	err := b.Change.Do(ctx, in, func() (_ store.Change, err error) {
		switch g, err = b.Store.GuildSettings(ctx, in.GuildID); {
		case err != nil:
			return store.Change{}, err
		case g.Puzzle.Channel == "":
			return store.Change{}, match.ErrNoPuzzlePosts
		case g.Puzzle.Due.IsZero():
			g.Puzzle.Due, g.Puzzle.Idle = match.PuzzlePostAfter(g.Guild, g.Puzzle.Hour, b.Kit.Now()), 0
		}
		return store.Change{Guilds: []store.GuildSettings{g}}, nil
	})
	return kit.Reply(b.Kit.View(in.Language()).Puzzles().GoesOn(g.Puzzle.Due)), err
}

// puzzlePost is a post on its way.
type puzzlePost struct {
	guild store.GuildSettings
	day   int64
	until time.Time
	tries int

	yesterday store.PuzzleDay
}

// PostNow posts today's puzzle where the guild wants it, without waiting for its hour. The next
// comes on the day after. Pressed again at once it leads to the same message. It returns what came
// of it, in words.
func (b *Puzzles) PostNow(ctx context.Context, in *kit.Request) (discord.Message, error) {
	p := &puzzlePost{day: b.Today(), until: b.Kit.Now().Add(kit.TryFor)}
	err := b.Change.Do(ctx, in, func() (_ store.Change, err error) {
		if p.guild, err = b.Store.GuildSettings(ctx, in.GuildID); err == nil && p.guild.Puzzle.Channel == "" {
			err = match.ErrNoPuzzlePosts
		}
		if err == nil {
			p.yesterday, err = posts{b}.count(ctx, &p.guild, p.day-1)
		}
		g := &p.guild.Puzzle
		g.Due, g.Idle = match.PuzzlePostAfter(in.GuildID, g.Hour, match.PuzzleEnds(p.day).Add(-1)), 0
		return store.Change{Guilds: []store.GuildSettings{p.guild}}, err
	})
	if err != nil {
		return discord.Message{}, err
	}
	p.guild.Version++
	half, cancel := kit.WithHalf(ctx) // the rest is for the answer
	defer cancel()
	id, err := posts{b}.send(half, p)
	fault, link := posts{b}.settle(ctx, p, err), ""
	if err == nil {
		link = discord.MessageLink(in.GuildID, p.guild.Puzzle.Channel, id)
	}
	return b.Kit.View(in.Language()).Puzzles().Posted(link, fault), nil
}

// try sends the post in the background.
func (b posts) try(p *puzzlePost) {
	b.Kit.Work.Go(func(ctx context.Context) {
		_, err := b.send(ctx, p)
		b.settle(ctx, p, err)
	})
}

// settle sees to what came of sending a post: it is tried again under the same nonce as long as
// nobody knows whether it has arrived. It returns why there will be no posts any more, until
// somebody sets them again.
func (b posts) settle(ctx context.Context, p *puzzlePost, err error) (fault store.ChannelFault) {
	switch {
	case err == nil:
	case rest.Gone(err):
		fault = store.ChannelGone
	case rest.Forbidden(err):
		fault = store.ChannelNotPermitted
	case !b.Kit.TryAgain(&p.tries, p.until, func() { b.try(p) }):
		b.Kit.Log.Warn("puzzle not posted", "guild", p.guild.Guild, "error", err, "tries", p.tries+1)
	}
	if fault != 0 {
		b.Change.EndPosts(ctx, p.guild.Guild, func(now *store.GuildSettings) (set bool) {
			if set = now.Puzzle.Channel == p.guild.Puzzle.Channel; set {
				now.Puzzle.Channel, now.Puzzle.Due, now.Puzzle.Fault = "", time.Time{}, fault
			}
			return set
		})
	}
	return fault
}

func (b posts) send(ctx context.Context, p *puzzlePost) (store.MessageID, error) {
	riddle, err := b.Of(ctx, p.day)
	if err != nil {
		return "", err
	}
	shown, v := view.PuzzlePost{Puzzle: riddle, PuzzlePost: p.guild.Puzzle}, b.Kit.View(p.guild.Locale)
	if p.yesterday.Solved > 0 {
		if shown.Before, err = b.recapOf(ctx, p); err != nil {
			return "", err
		}
		var users []store.UserID
		for _, who := range p.yesterday.Named {
			users = append(users, who.User)
		}
		v.Names = b.Kit.NamesIn(ctx, p.guild.Guild, users...)
	}
	msg := v.Puzzles().PuzzlePost(shown)
	channel := p.guild.Puzzle.Channel
	msg.Nonce = "p" + strconv.FormatInt(p.day, 10) + "-" + string(channel[max(0, len(channel)-18):])
	return b.Kit.Post(ctx, channel, msg)
}

// recapOf tells how the day before went.
func (b posts) recapOf(ctx context.Context, p *puzzlePost) (r view.PuzzleRecap, err error) {
	r.PuzzleDay = p.yesterday
	if r.Puzzle, err = b.Of(ctx, p.day-1); err != nil {
		return r, err
	}
	if b.Kit.Now().After(match.PuzzleEnds(r.Day).Add(match.PuzzleGrace)) { // nobody can solve it any more
		r.Line, err = b.line(ctx, r.Puzzle)
	}
	return r, err
}
