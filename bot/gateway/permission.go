package gateway

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tictactoe/bot/internal/tasks"
	"tictactoe/bot/rest"
)

const (
	// budgetPart of the daily identifies is never used: a person who restarts the
	// bot to see what is wrong needs some.
	budgetPart = 100
	// blindPart is never used without asking Discord how many are left: other
	// processes may be starting sessions under the same token.
	blindPart = 10
	// budgetPoll is how often to ask whether Discord grants new identifies.
	budgetPoll = 10 * time.Minute
)

// permission asks Discord where to connect and waits until a session may start.
func (s *Supervisor) permission(ctx context.Context) (*rest.GatewayInfo, *permit, *ending) {
	for {
		info, err := s.ask(ctx)
		if err != nil && ctx.Err() == nil && !errors.Is(err, rest.ErrUnauthorized) && s.mayStartBlind() {
			s.log.Warn("Discord does not tell where to connect: trying where it was", "error", err)
			info, err = s.known, nil
		}
		if err != nil {
			return nil, nil, unasked(ctx, err)
		}
		limit := info.Limit
		if spent(info) {
			wait := min(time.Duration(max(limit.ResetAfter, 1000))*time.Millisecond, budgetPoll)
			s.log.Error("daily number of session starts nearly used up: waiting, since Discord resets the token of a bot that exceeds it",
				"remaining", limit.Remaining, "total", limit.Total, "reset_after", (time.Duration(limit.ResetAfter) * time.Millisecond).String())
			s.note(func(st *Status) { st.LastError = "waiting for Discord's daily number of session starts" })
			if err := tasks.Sleep(ctx, wait); err != nil {
				return nil, nil, &ending{reason: err.Error()}
			}
			continue
		}
		p, err := s.opts.Identifies.wait(ctx, s.opts.ShardID, limit.MaxConcurrency)
		if err != nil {
			return nil, nil, &ending{reason: err.Error()}
		}
		if p.waited { // others have started sessions meanwhile
			switch fresh, err := s.ask(ctx); {
			case errors.Is(err, rest.ErrUnauthorized), err == nil && spent(fresh):
				p.giveBack()
				continue // which asks, and says so
			case err == nil:
				info = fresh
			}
		}
		return info, p, nil
	}
}

// unasked returns what it means that Discord does not tell where to connect, behind the
// time for which it wants not to be asked.
func unasked(ctx context.Context, err error) *ending {
	var api *rest.Error
	switch {
	case errors.Is(err, rest.ErrUnauthorized):
		return &ending{reason: "bot token refused", fatal: err}
	case errors.As(err, &api) && api.RetryAfter > 0:
		_ = tasks.Sleep(ctx, api.RetryAfter) // the caller looks at ctx
	}
	return &ending{reason: err.Error(), asking: true}
}

// spent reports whether no more sessions are to be started today.
func spent(info *rest.GatewayInfo) bool {
	return info.Limit.Total > 0 && info.Limit.Remaining <= info.Limit.Total/budgetPart
}

// ask asks Discord where to connect, and remembers the answer.
func (s *Supervisor) ask(ctx context.Context) (*rest.GatewayInfo, error) {
	within := s.timing.Ask
	if s.known != nil {
		within /= 2
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	started := s.opts.Identifies.started.Load() // before the answer: rather one too many
	info, err := s.opts.GatewayBot(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := dialURL(info.URL); err != nil {
		return nil, err
	}
	s.known, s.knownStarted = info, started
	s.advise(info.Shards)
	return info, nil
}

// advise tells the operator that Discord recommends more shards than are opened, once
// and whenever it recommends still more: the bot will be in too many servers before long.
// The first shard does so for all.
func (s *Supervisor) advise(recommended int) {
	if s.opts.ShardID != 0 || recommended <= max(s.advised, s.opts.ShardCount) {
		return
	}
	s.advised = recommended
	s.log.Error(fmt.Sprintf("Discord recommends %d shards for this bot, which opens %d: from 2,500 servers for each on, Discord refuses them (close code 4011). "+
		"It opens as many as are recommended when it is started again, unless its settings say a number",
		recommended, s.opts.ShardCount))
}

// mayStartBlind reports whether a session may be started by what Discord said before.
func (s *Supervisor) mayStartBlind() bool {
	if s.known == nil {
		return false
	}
	limit, since := s.known.Limit, int(s.opts.Identifies.started.Load()-s.knownStarted)
	return limit.Remaining-since > limit.Total/blindPart
}
