package gateway

// Gateway intents, as specified by Discord's documentation.
const (
	IntentGuilds          = 1 << 0
	IntentGuildMembers    = 1 << 1
	IntentGuildModeration = 1 << 2
	IntentWebhooks        = 1 << 5
	IntentPresences       = 1 << 8
	IntentGuildMessages   = 1 << 9
	IntentGuildReactions  = 1 << 10
	IntentGuildTyping     = 1 << 11
	IntentDirectMessages  = 1 << 12
	IntentDirectReactions = 1 << 13
	IntentDirectTyping    = 1 << 14
	IntentMessageContent  = 1 << 15

	privilegedIntents = IntentGuildMembers | IntentPresences | IntentMessageContent
	knownIntents      = 1<<17 - 1 | 1<<20 | 1<<21 | 1<<24 | 1<<25
)

// ApplicationFlags are the flags of an application in fewer than a hundred guilds that has some
// privileged intents.
func ApplicationFlags(intents int) (flags int) {
	for intent, flag := range map[int]int{IntentPresences: 1 << 13, IntentGuildMembers: 1 << 15, IntentMessageContent: 1 << 19} {
		if intents&intent != 0 {
			flags |= flag
		}
	}
	return flags
}
