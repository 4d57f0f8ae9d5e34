package gateway

import (
	"context"
	"net"

	"github.com/bwmarrin/discordgo"
)

// Configure makes f see each new session before it opens.
func (o *Options) Configure(f func(*discordgo.Session)) { o.configure = f }

// DialBy makes connections to Discord by f instead of by TCP.
func (o *Options) DialBy(f func(ctx context.Context, network, address string) (net.Conn, error)) {
	o.dial = f
}
