package sandbox

import (
	"log/slog"

	"tictactoe/bot/sandbox/clock"
)

func (w restWorld) Lock() { w.world.mu.Lock() }

func (w restWorld) Unlock() { w.world.mu.Unlock() }

func (w restWorld) Log() *slog.Logger { return w.world.log }

func (w restWorld) Clock() clock.Clock { return w.world.clock }

func (w restWorld) Stopped() <-chan struct{} { return w.world.stopped }
