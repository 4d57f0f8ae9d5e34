package storetest

import (
	"maps"
	"time"

	"tictactoe/store"
)

// presence is what the model knows of the bot of an application in a guild.
type presence struct{ seen, missed, gone time.Time }

type presenceKey struct {
	app   store.ApplicationID
	guild store.GuildID
}

// see notes that the bot was in guilds.
func (o *model) see(s store.Sighting) {
	for _, g := range s.Guilds {
		k := presenceKey{s.Application, g}
		p := o.presences[k]
		if p.missed.IsZero() || !s.At.Before(p.missed) {
			p.missed, p.gone = time.Time{}, time.Time{}
		}
		if s.At.After(p.seen) {
			p.seen = s.At
		}
		o.presences[k] = p
	}
}

// miss notes that the bot was not in a guild.
func (o *model) miss(app store.ApplicationID, guild store.GuildID, at time.Time) {
	k := presenceKey{app, guild}
	switch p, known := o.presences[k]; {
	case !known, !p.seen.Before(at), !p.gone.IsZero():
	case p.missed.IsZero():
		p.missed = at
		o.presences[k] = p
	case at.Sub(p.missed) >= store.AsksApart:
		p.gone = at
		o.presences[k] = p
	}
}

// eraseGuild erases what is kept about a guild at once.
func (o *model) eraseGuild(d store.Departure) store.ErasureStep {
	k := presenceKey{d.Application, d.Guild}
	if p := o.presences[k]; p.gone.IsZero() || !p.gone.Equal(d.Gone) {
		return store.ErasureDone
	}
	for _, m := range o.matches {
		if m.Guild == d.Guild && m.State == store.Active && !m.TokenOnly {
			return store.ErasureWaits
		}
	}
	for _, c := range o.challenges {
		if c.Guild == d.Guild && c.State == store.Open && !c.TokenOnly {
			return store.ErasureWaits
		}
	}
	for i := range o.ledger.results {
		r := &o.ledger.results[i]
		if r.Guild != d.Guild {
			continue
		}
		r.Guild, r.Epoch, r.PointsX, r.PointsO, r.BotWin = "", 0, 0, 0, false
		if r.Why == store.Counts {
			r.Why = store.OutsideGuilds
		}
	}
	for k, t := range o.tries {
		if t.Guild == d.Guild {
			t.Guild = ""
			o.tries[k] = t
		}
	}
	maps.DeleteFunc(o.solvedIn, func(k solverKey, _ int64) bool { return k.guild == d.Guild })
	maps.DeleteFunc(o.matches, func(_ store.MatchID, m store.Match) bool { return m.Guild == d.Guild && !m.TokenOnly })
	maps.DeleteFunc(o.ledger.absent, func(a store.Absence, _ bool) bool { return a.Guild == d.Guild })
	delete(o.ledger.epochs, d.Guild)
	delete(o.guilds, d.Guild)
	delete(o.presences, k)
	return store.ErasureDone
}
