package sandbox

import (
	"log/slog"

	"tictactoe/bot/sandbox/clock"
)

func (w gatewayWorld) Lock() { w.world.mu.Lock() }

func (w gatewayWorld) Unlock() { w.world.mu.Unlock() }

func (w gatewayWorld) Log() *slog.Logger { return w.world.log }

func (w gatewayWorld) Clock() clock.Clock { return w.world.clock }

func (w gatewayWorld) Stopped() <-chan struct{} { return w.world.stopped }
