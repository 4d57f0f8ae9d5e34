package kit

import (
	"fmt"

	"tictactoe/bot/discord"
)

// InvitePermissions are what the bot's invitation asks for: to see channels, so that it can
// edit its own messages there, to write in channels and threads, and to begin threads.
const InvitePermissions = discord.PermissionViewChannel | discord.PermissionSendMessages |
	discord.PermissionSendInThreads | discord.PermissionCreateThreads

// InviteLink is where somebody adds the application and its bot to a server.
func InviteLink(application string) string {
	return fmt.Sprintf("https://discord.com/oauth2/authorize?client_id=%s&scope=bot+applications.commands&permissions=%d",
		application, uint64(InvitePermissions))
}
