package sandbox

// Gateway intents, as specified by Discord's documentation.
const (
	intentGuilds          = 1 << 0
	intentGuildMembers    = 1 << 1
	intentGuildModeration = 1 << 2
	intentExpressions     = 1 << 3
	intentWebhooks        = 1 << 5
	intentPresences       = 1 << 8
	intentGuildMessages   = 1 << 9
	intentGuildReactions  = 1 << 10
	intentGuildTyping     = 1 << 11
	intentDirectMessages  = 1 << 12
	intentDirectReactions = 1 << 13
	intentDirectTyping    = 1 << 14
	intentMessageContent  = 1 << 15

	privilegedIntents = intentGuildMembers | intentPresences | intentMessageContent
	knownIntents      = 1<<17 - 1 | 1<<20 | 1<<21 | 1<<24 | 1<<25
)
