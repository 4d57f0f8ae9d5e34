package bot

import (
	"context"
	"time"

	"tictactoe/store"
)

// leaseParts says how often leases are renewed in the time that they last.
const leaseParts = 4

// shared reports whether other processes may play on the database.
func (b *Bot) shared() bool {
	b.uptime.mu.Lock()
	defer b.uptime.mu.Unlock()
	return b.uptime.lease.length > 0
}

// lease renews the leases of clock domains, and takes such as nobody owns, while clicks
// reach this process; otherwise it gives them to processes that clicks do reach. With it
// the up-times are saved.
func (b *Bot) lease(ctx context.Context, want bool) (come store.DomainSet, err error) {
	began, asked := b.uptime.elapsed(), time.Now()
	l, err := b.store.Lease(ctx, want, b.uptime.own())
	b.wrote(began, err)
	if err != nil {
		return 0, err
	}
	return b.uptime.leased(l, asked), nil
}

// keepLeases is called at every look, and asks for leases when it is time, without waiting
// for the answer. What comes to this process is caught up with.
func (u *upkeep) keepLeases(ctx context.Context) {
	if !u.shared() {
		return
	}
	want, now := u.opts.Connected(), time.Now()
	if want == u.wants && now.Sub(u.leased) < u.leaseEvery || !u.leasing.CompareAndSwap(false, true) {
		return
	}
	u.wants, u.leased = want, now
	u.background(func(context.Context) {
		defer u.leasing.Store(false)
		limited, cancel := context.WithTimeout(ctx, u.opts.WorkTime)
		defer cancel()
		come, err := u.lease(limited, want)
		switch {
		case err == nil:
			u.come.Or(uint64(come))
			u.leaseFailed.Store(false)
		case ctx.Err() == nil && !u.leaseFailed.Swap(true):
			u.log.Error("leases of clocks not renewed; they stand still, or other processes keep them", "error", err)
		}
	})
}

// giveBack gives all leases to other processes, at the end.
func (b *Bot) giveBack(ctx context.Context) error {
	if !b.shared() {
		return b.saveUp(ctx)
	}
	_, err := b.lease(ctx, false)
	return err
}
