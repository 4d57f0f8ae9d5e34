package upkeep

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"tictactoe/bot/change"
	"tictactoe/bot/games"
	"tictactoe/bot/internal/recent"
	"tictactoe/bot/kit"
	"tictactoe/bot/rest"
	"tictactoe/store"
)

const (
	// forgetEvery says how often it is looked for guilds whose managers want them erased.
	forgetEvery = 10 * time.Second
	// askEvery is how often it is looked for guilds of which it is time to ask Discord whether
	// the bot is still there, and for those whose time is over; askMost is of how many it asks
	// then, and departMost how many are erased.
	askEvery   = time.Hour
	askMost    = 20
	departMost = 20
	// askTime is what a look may take, with Discord's limits: what is left of erasures goes on
	// at the next.
	askTime = 10 * time.Minute
	// mostWaits is how often an erasure waits for games to end.
	mostWaits = 100
	// presenceTurn is half of the time for which a guild that has sent something is not
	// noted again.
	presenceTurn = 3 * time.Hour
	presenceMost = 20_000
)

// Whereabouts finds out in which guilds the bot is no more, and has what is kept about them
// erased when it has been gone for long.
type Whereabouts struct {
	Kit    *kit.Kit
	Change *change.Changer
	Games  *games.Games
	Store  whereaboutsStore
	App    store.ApplicationID // whose token it is
	// Keep is for how long something is kept about a guild in which the bot is no more; 0 for good.
	Keep time.Duration

	looks   sync.Mutex // held while Discord is asked where the bot is
	forgets sync.Mutex // held while what is wanted to be erased is

	mu      sync.Mutex
	noted   recent.Map[store.GuildID, struct{}]
	waiting store.Sighting // to be noted in the store
}

// Forget erases what is kept about guilds whose managers want that, unless that is under way.
func (p *Whereabouts) Forget(ctx context.Context) {
	if !p.forgets.TryLock() {
		return
	}
	defer p.forgets.Unlock()
	gone, err := p.Store.Departures(ctx, p.App, time.UnixMilli(store.WantedGone), departMost)
	for i := 0; i < len(gone) && err == nil; i++ {
		err = p.erase(ctx, gone[i])
	}
	if err != nil && ctx.Err() == nil {
		p.Kit.Log.Error("what is kept about a server is erased later", "error", err)
	}
}

// Heard takes note of a guild in which somebody uses the bot.
func (p *Whereabouts) Heard(in *kit.Request) {
	if p.Keep <= 0 || !in.Installed || in.BotAbsent {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.Kit.Now()
	p.noted.Turn(now, presenceTurn, presenceMost)
	if _, ok := p.noted.Get(in.GuildID); ok {
		return
	}
	p.noted.Put(in.GuildID, struct{}{})
	// Noted is when something was heard last, not when that gets written.
	p.waiting = store.Sighting{Application: p.App, At: now, Guilds: append(p.waiting.Guilds, in.GuildID)}
}

// note stores what was heard lately, some guilds at a time, without waiting for it.
func (p *Whereabouts) note(ctx context.Context) error {
	p.mu.Lock()
	heard := p.waiting
	p.waiting = store.Sighting{}
	p.mu.Unlock()
	if len(heard.Guilds) == 0 {
		return nil
	}
	p.Kit.Work.Go(func(context.Context) {
		limited, cancel := context.WithTimeout(ctx, p.Kit.Times.WorkTime)
		defer cancel()
		err := p.Store.SeeGuilds(limited, heard)
		if err == nil {
			return
		}
		p.mu.Lock()
		for _, g := range heard.Guilds {
			p.noted.Drop(g) // until it is heard again
		}
		p.mu.Unlock()
		if ctx.Err() == nil {
			p.Kit.Log.Error("servers that were heard of are not noted", "error", err)
		}
	})
	return nil
}

// look asks where it is time, and erases what is kept about guilds whose time is over. It
// does not wait for that. One look at a time is under way.
func (p *Whereabouts) look(ctx context.Context) error {
	if p.Keep <= 0 {
		return nil
	}
	p.Kit.Work.Go(func(context.Context) {
		p.looks.Lock() // what it is time for since the last one began is not left for an hour
		defer p.looks.Unlock()
		limited, cancel := context.WithTimeout(ctx, askTime)
		defer cancel()
		if err := p.askAndErase(limited); err != nil && ctx.Err() == nil {
			p.Kit.Log.Warn("where the bot still is was not found out, or not all was erased of where it is no more; it is tried again", "error", err)
		}
	})
	return nil
}

func (p *Whereabouts) askAndErase(ctx context.Context) error {
	unused, err := p.Store.UnusedGuilds(ctx, p.App, p.Kit.Now(), askMost)
	for i := 0; i < len(unused) && err == nil; i++ {
		_, err = p.isThere(ctx, unused[i])
	}
	if err != nil {
		return err
	}
	gone, err := p.Store.Departures(ctx, p.App, p.Kit.Now().Add(-p.Keep), departMost)
	for i := 0; i < len(gone) && err == nil; i++ {
		var back bool
		if back, err = p.isThere(ctx, gone[i].Guild); err == nil && !back {
			err = p.erase(ctx, gone[i])
		}
	}
	return err
}

// isThere asks Discord whether the bot is in the guild, and notes what it says.
func (p *Whereabouts) isThere(ctx context.Context, guild store.GuildID) (bool, error) {
	now := p.Kit.Now()
	switch err := p.Kit.API.Guild(ctx, string(guild)); {
	case err == nil:
		return true, p.Store.SeeGuilds(ctx, store.Sighting{Application: p.App, At: now, Guilds: []store.GuildID{guild}})
	case errors.Is(err, rest.ErrUnknownGuild), errors.Is(err, rest.ErrMissingAccess):
		return false, p.Store.MissGuild(ctx, p.App, guild, now)
	default:
		return false, err
	}
}

// erase erases what is kept about a guild, as far as the context lets it.
func (p *Whereabouts) erase(ctx context.Context, d store.Departure) error {
	waited := 0
	step := func() (store.ErasureStep, error) { return p.Store.EraseGuild(ctx, d, kit.EraseStep) }
	err := kit.InSteps(ctx, step, func() error {
		if waited++; waited > mostWaits {
			return fmt.Errorf("bot: games of server %s do not end", d.Guild)
		}
		return p.EndAll(ctx, d.Guild)
	})
	if err != nil {
		return err
	}
	p.Kit.Settings.Forget(store.Change{Guilds: []store.GuildSettings{{Guild: d.Guild}}})
	p.Kit.Log.Info("what was kept about a server was erased, or the bot is back", "guild", d.Guild, "wanted", d.Wanted())
	return nil
}

// EndAll ends what is open in a guild, but for what people have brought
// along with them.
func (p *Whereabouts) EndAll(ctx context.Context, guild store.GuildID) error {
	if err := p.Games.GuildLost(ctx, guild); err != nil {
		return err
	}
	var after store.ChallengeID
	for {
		open, err := p.Store.GuildChallenges(ctx, guild, after, kit.Batch)
		if err != nil || len(open) == 0 {
			return err
		}
		for _, c := range open {
			after = c.ID
			if c.TokenOnly {
				continue
			}
			if _, err := p.Change.Dismiss(ctx, c, store.Dismissed); err != nil {
				return err
			}
		}
	}
}

// whereaboutsStore is what is kept about a guild, and goes with it.
type whereaboutsStore interface {
	store.Challenges
	store.Privacy
}
