package bot

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"tictactoe/bot/match"
	"tictactoe/bot/rest"
	"tictactoe/store"
)

const (
	// sweepEvery is how long after a complete sweep the next begins, and sweepAgain how long
	// after one that failed another is tried.
	sweepEvery = 24 * time.Hour
	sweepAgain = time.Hour
	// sweepLook says how often it is looked whether a sweep is due, and for guilds whose
	// time is over.
	sweepLook = time.Minute
	// sweepTime is what a look may take, with Discord's limits: what is left of erasures
	// goes on at the next.
	sweepTime = 10 * time.Minute
	// sweepStep is how many guilds are noted in a commit.
	sweepStep = 100
	// mostDepartures is how many guilds are erased in a look, one after the other.
	mostDepartures = 20
	// presenceTurn is half of the time for which a guild that has sent something is not
	// noted again.
	presenceTurn = 3 * time.Hour
	presenceMost = 20_000
)

// whereabouts finds out in which guilds the bot still is, and has what is kept about others
// erased when it has been gone for long.
type whereabouts struct {
	*Bot
	sweeping atomic.Bool         // a look is under way, to which the next two belong
	app      store.ApplicationID // of the token; empty until it is known
	next     time.Time           // no sweep is tried before

	mu      sync.Mutex
	noted   generations[store.GuildID, struct{}]
	waiting map[store.ApplicationID]store.Sighting // to be noted in the store
	noting  atomic.Bool
}

// keepsForGood reports whether nothing is ever erased of guilds.
func (b *Bot) keepsForGood() bool { return b.opts.KeepRemoved <= 0 }

// heard takes note of a guild that has the application installed.
func (p *whereabouts) heard(in *request) {
	if p.keepsForGood() || !in.Installed || in.Application == "" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.opts.Now()
	if now.Sub(p.noted.turned) > 2*presenceTurn {
		p.noted = generations[store.GuildID, struct{}]{} // nobody was heard of for so long
	}
	p.noted.turn(now, presenceTurn, presenceMost)
	if _, ok := p.noted.get(in.guild); ok {
		return
	}
	p.noted.new[in.guild] = struct{}{}
	if p.waiting == nil {
		p.waiting = map[store.ApplicationID]store.Sighting{}
	}
	// Noted is when something was heard last, not when that gets written: a sweep may come
	// between.
	app := store.ApplicationID(in.Application)
	p.waiting[app] = store.Sighting{Application: app, At: now, Guilds: append(p.waiting[app].Guilds, in.guild), Known: true}
}

// note stores what was heard lately, some guilds at a time, without waiting for it.
func (p *whereabouts) note(ctx context.Context) {
	p.mu.Lock()
	waits := len(p.waiting) > 0
	p.mu.Unlock()
	if !waits || !p.noting.CompareAndSwap(false, true) {
		return
	}
	p.background(func(context.Context) {
		defer p.noting.Store(false)
		limited, cancel := context.WithTimeout(ctx, p.opts.WorkTime)
		defer cancel()
		p.mu.Lock()
		waiting := p.waiting
		p.waiting = nil
		p.mu.Unlock()
		for _, heard := range waiting {
			err := p.store.SeeGuilds(limited, heard)
			if err == nil {
				continue
			}
			p.mu.Lock()
			for _, g := range heard.Guilds {
				p.noted.drop(g) // until it is heard again
			}
			p.mu.Unlock()
			if ctx.Err() == nil {
				p.log.Error("servers that were heard of are not noted", "error", err)
			}
		}
	})
}

// look sweeps if that is due, and erases what is kept about guilds whose time is over. It
// does not wait for that, and reports whether it has begun: only one is under way.
func (p *whereabouts) look(ctx context.Context) bool {
	if !p.sweeping.CompareAndSwap(false, true) {
		return false
	}
	p.background(func(context.Context) {
		defer p.sweeping.Store(false)
		p.sweepOrErase(ctx)
	})
	return true
}

func (p *whereabouts) sweepOrErase(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, sweepTime)
	defer cancel()
	if err := p.sweepAndErase(ctx); err != nil && ctx.Err() == nil {
		p.log.Warn("where the bot still is was not found out, or not all was erased of where it is no more; it is tried again", "error", err)
	}
}

func (p *whereabouts) sweepAndErase(ctx context.Context) error {
	if p.opts.Now().Before(p.next) {
		return nil
	}
	if p.app == "" {
		app, err := p.api.Application(ctx)
		if err != nil {
			p.next = p.opts.Now().Add(sweepAgain)
			return err
		}
		p.app = store.ApplicationID(app.ID)
	}
	found, err := p.store.Sweeps(ctx, p.app)
	if err != nil {
		return err
	}
	if begun := p.opts.Now(); begun.Sub(found.Last) >= sweepEvery {
		if err := p.sweep(ctx, begun, found); err != nil {
			p.next = begun.Add(sweepAgain)
			return err
		}
	}
	// A sweep of this day has missed them too, and they are looked for once more.
	gone, err := p.store.Departures(ctx, p.app, p.opts.Now().Add(-p.opts.KeepRemoved), mostDepartures)
	for i := 0; i < len(gone) && err == nil; i++ {
		var back bool
		if back, err = p.isBack(ctx, gone[i].Guild); err != nil {
			p.next = p.opts.Now().Add(sweepAgain)
			return err
		}
		if !back {
			err = p.erase(ctx, gone[i])
		}
	}
	return err
}

// isBack asks whether the bot is in the guild again, and notes it.
func (p *whereabouts) isBack(ctx context.Context, guild store.GuildID) (bool, error) {
	id, err := strconv.ParseUint(string(guild), 10, 64)
	if err != nil || id == 0 {
		return false, err
	}
	now := p.opts.Now()
	page, err := p.api.Guilds(ctx, strconv.FormatUint(id-1, 10))
	if err != nil || len(page) == 0 || page[0].ID != string(guild) {
		return false, err
	}
	return true, p.store.SeeGuilds(ctx, store.Sighting{Application: p.app, At: now, Guilds: []store.GuildID{guild}})
}

// errNoGuilds: a list is as empty as it is for a mistake of somebody.
var errNoGuilds = errors.New("bot: Discord lists no server at all, though there were several")

// errNotOurs: another process has the clocks now, and with them this work.
var errNotOurs = errors.New("bot: another process does this now")

// sweep asks for all guilds, page by page. One that does not come to its end counts for
// nothing but for the guilds that it has seen.
func (p *whereabouts) sweep(ctx context.Context, begun time.Time, before store.Sweeps) error {
	seen, after := 0, ""
	for {
		if !p.uptime.owned().Has(common) {
			return errNotOurs
		}
		page, err := p.api.Guilds(ctx, after)
		if err != nil {
			return err
		}
		ids := make([]store.GuildID, len(page))
		for i, g := range page {
			ids[i], after = store.GuildID(g.ID), g.ID
		}
		for len(ids) > 0 {
			n := min(len(ids), sweepStep)
			if err := p.store.SeeGuilds(ctx, store.Sighting{Application: p.app, At: begun, Guilds: ids[:n]}); err != nil {
				return err
			}
			ids, seen = ids[n:], seen+n
		}
		if len(page) < rest.MostGuilds {
			break
		}
	}
	if seen == 0 && before.There > 1 {
		return errNoGuilds
	}
	for {
		n, err := p.store.MissGuilds(ctx, p.app, begun, sweepStep)
		if err != nil {
			return err
		}
		if n == 0 {
			break
		}
	}
	now, err := p.store.Sweeps(ctx, p.app)
	if err == nil {
		p.log.Info("looked for the bot's servers", "in", seen, "missing", now.Missing, "took", p.opts.Now().Sub(begun))
	}
	return err
}

// erase erases what is kept about a guild, as far as the context lets it.
func (p *whereabouts) erase(ctx context.Context, d store.Departure) error {
	for waited := 0; ; {
		begun := time.Now()
		step, err := p.store.EraseGuild(ctx, d, eraseStep)
		pause := max(time.Since(begun), erasePause)
		switch {
		case err != nil:
			return err
		case step == store.ErasureDone:
			p.settings.forget(store.Change{Guilds: []store.GuildSettings{{Guild: d.Guild}}})
			p.log.Info("what was kept about a server that the bot has left was erased, or it is back", "guild", d.Guild, "left", d.Gone)
			return nil
		case step == store.ErasureWaits:
			if waited++; waited > sweepStep {
				return fmt.Errorf("bot: games of server %s do not end", d.Guild)
			}
			if err := p.endAll(ctx, d.Guild); err != nil {
				return err
			}
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// endAll ends what is open in a guild that the bot has left, but for what people have brought
// along with them.
func (p *whereabouts) endAll(ctx context.Context, guild store.GuildID) error {
	if err := (shown{p.Bot}).guildLost(ctx, guild); err != nil {
		return err
	}
	var after store.ChallengeID
	for {
		open, err := p.store.GuildChallenges(ctx, guild, after, dueBatch)
		if err != nil || len(open) == 0 {
			return err
		}
		for _, c := range open {
			after = c.ID
			if c.TokenOnly {
				continue
			}
			closed, err := match.Dismiss(c)
			if errors.Is(err, match.ErrChallengeClosed) {
				continue
			}
			if err != nil {
				return err
			}
			if _, err := p.storeQuietly(ctx, store.Change{Challenges: []store.Challenge{closed}}); err != nil {
				return err
			}
		}
	}
}
