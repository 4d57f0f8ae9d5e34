package rules

import "time"

// Limits of messages, components and modals, as specified by Discord's
// documentation. Lengths are in characters unless a name says otherwise.
const (
	MaxContent       = 2000
	maxEmbeds        = 10
	maxEmbedText     = 6000
	maxRows          = 5
	maxRowButtons    = 5
	maxComponents    = 40
	maxDisplayText   = 4000
	maxDisplayBytes  = 10170
	maxCustomID      = 100
	maxButtonLabel   = 80
	maxButtonURL     = 512
	maxEmojiName     = 32
	maxSelectOptions = 25
	maxSelectText    = 100
	maxPlaceholder   = 150
	maxGalleryItems  = 10
	maxSectionTexts  = 3
	maxMediaText     = 1024
	maxModalTitle    = 45
	maxModalRows     = 5
	maxLabel         = 45
	MaxPins          = 250
	MaxReactions     = 20
	MaxInput         = 4000
	maxAllowedIDs    = 100
	maxNonce         = 25
	MaxFiles         = 10
	MaxFileBytes     = 10 << 20
	MaxRequestBytes  = 25 << 20
	maxAccentColor   = 0xFFFFFF
	maxComponentID   = 1<<31 - 1
	maxChoices       = 25
	maxStickers      = 3
)

// Limits of application commands.
const (
	maxSlashCommands     = 100
	maxContextCommands   = 15
	MaxBulkCommands      = 130
	maxCommandOptions    = 25
	maxCommandName       = 32
	maxCommandText       = 100
	maxCommandCharacters = 8000
	MaxOptionLength      = 6000
	MaxOptionInteger     = 1 << 53
)

// MaxFollowUps is how many follow-ups an application may send for an interaction
// when it is only installed by the user.
const MaxFollowUps = 5

// MaxPayload is how many bytes a client may send in one Gateway payload.
const MaxPayload = 4096

// MaxGuildsPerShard is how many guilds one Gateway session may have.
const MaxGuildsPerShard = 2500

// invalidLimit is how many 401, 403 and 429 answers in ten minutes Discord's
// front door puts up with.
const invalidLimit = 10000

// OldMessage is the age from which edits of a message by the channel route are
// counted; see error 30046.
const OldMessage = time.Hour
