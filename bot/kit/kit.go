// Package kit is what every feature of the bot works with: the request and the response, the
// words, the clocks, settings that were read, links, names and room to think. It knows no
// feature.
package kit

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tictactoe/bot/discord"
	"tictactoe/bot/dispatch"
	"tictactoe/bot/internal/recent"
	"tictactoe/bot/internal/tasks"
	"tictactoe/bot/quirks"
	"tictactoe/bot/rest"
	"tictactoe/bot/tracker"
	"tictactoe/bot/view"
	"tictactoe/store"
)

// Batch is how many records that have fallen due are taken at once.
const Batch = 100

const (
	// EraseStep is how many rows an erasure touches in a commit. Fewer make it hardly shorter,
	// since most of a step is the same for one row.
	EraseStep = 50
	// ErasePause is how long an erasure lets others go first behind each step, at least:
	// else for as long as the step took, so that half of the time is theirs on a slow disk.
	ErasePause = 5 * time.Millisecond
)

// Kit is what every feature works with. Its methods may be called concurrently.
type Kit struct {
	Log   *slog.Logger
	Now   func() time.Time
	After func(d time.Duration, f func())
	Dice  func() *rand.Rand
	Times Timing

	Connected func() bool
	Served    func() store.DomainSet
	Since     time.Time // when it was made, to compare with times of Discord's

	API     API
	Quirks  *quirks.Set
	Texts   *view.Catalogue
	Tracker *tracker.Tracker
	Think   *Thinker
	Clock   *Clock
	// Challenge reads a challenge.
	Challenge func(ctx context.Context, id store.ChallengeID) (store.Challenge, error)
	Settings  *Settings
	names     recent.Shared[memberKey, string] // under which Discord shows members
	Stats     dispatch.Stats

	CommandIDs atomic.Pointer[map[string]string] // by name
	Marks      atomic.Pointer[view.OwnMarks]     // the application's own; nil while it has none

	Work *dispatch.Work
}

// API is what features ask of Discord: messages beside the answers, names, and where the bot is.
type API interface {
	tracker.API
	CreateMessage(ctx context.Context, channelID string, body any) (*rest.Message, error)
	DeleteMessage(ctx context.Context, channelID, messageID string) error
	DeleteByToken(ctx context.Context, token, messageID string) error
	FollowUp(ctx context.Context, token string, body any) (*rest.Message, error)
	Member(ctx context.Context, guildID, userID string) (*rest.Member, error)
	Guild(ctx context.Context, guildID string) error
}

// NewID returns the id of a new record: it is positive, and random.
func (b *Kit) NewID() int64 { return rand.Int64() | 1 } //nolint:gosec // an id is no secret

// View returns the views in a language, at this moment.
func (b *Kit) View(locale string) view.View {
	return view.View{
		Words: b.Texts.In(locale), Now: b.Now(), Uptime: b.Up,
		Person: b.peopleOnce(), Guild: b.settingsOf, UsualClock: b.Settings.UsualClock,
		Command: b.mentionCommand, OwnMarks: b.OwnMarks(),
	}
}

// ViewFor returns the views for whoever has sent the interaction.
func (b *Kit) ViewFor(in *Request) view.View {
	v := b.View(in.Language())
	v.Usual = in.UsualChoice()
	return v
}

// LinkTo returns the address of the message that shows the record, else of the
// channel.
func (b *Kit) LinkTo(guild store.GuildID, channel store.ChannelID, r tracker.Ref, stored store.MessageID) string {
	return discord.MessageLink(guild, channel, b.Tracker.Where(r, stored))
}

// Up returns the up-time by which the deadlines of a guild are kept.
func (b *Kit) Up(guild store.GuildID) time.Duration { return b.Clock.Look().All[guild.Domain()] }

// Timing is how long things take at most, and how long they last.
type Timing struct {
	ChallengeTTL   time.Duration // how long challenges and offers stay open; default 15 min
	AnswerTime     time.Duration // that Discord waits for the first answer; default 3 s, as the real one does
	WorkTime       time.Duration // from arrival until a handler is cut short; default 2 s
	BackgroundTime time.Duration // for what follows an answer; default 30 s
	Tick           time.Duration // between looks at what has fallen due; default 250 ms
	Grace          time.Duration // behind a deadline, for clicks on their way that were made before it; default 4 s, negative for none
	GridTime       time.Duration // that the buttons of a board stand after the end; default [match.GridStays]
	EditTime       time.Duration // for one redraw of a message; default 5 s
	RedrawPause    time.Duration // between boards redrawn after a start; default 100 ms
	LongestStep    time.Duration // that up-time makes from one look at the clock to the next; default 3 s
}

// ClickedAt returns the up-time of the guild at which somebody has clicked, as far as the
// interaction's id tells: nobody loses by the time that their click took to come, nor by ours.
func (b *Kit) ClickedAt(in *Request, guild store.GuildID) time.Duration {
	return b.Up(guild) - max(0, time.Since(in.Received)) - in.Age
}

// OverAt returns the up-time before which a deadline of the guild has to lie for no click to
// be on its way any more that was made in time.
func (b *Kit) OverAt(guild store.GuildID) time.Duration { return b.Up(guild) - max(0, b.Times.Grace) }

// settingsOf returns what the guild has set for what is drawn, nothing where that cannot be
// read: then the button for hints is shown, and says what is known when it is pressed.
func (b *Kit) settingsOf(guild store.GuildID) store.GuildSettings {
	return readNow(b, b.Settings.Guild, guild)
}

// readNow returns what is read for what is drawn, nothing where that fails.
func readNow[K, V any](b *Kit, read func(context.Context, K) (V, error), k K) (v V) {
	ctx, cancel := context.WithTimeout(b.Work.Base, b.Times.WorkTime)
	defer cancel()
	if found, err := read(ctx, k); err == nil {
		v = found
	}
	return v
}

// ChosenLanguage returns the language that somebody has chosen to be spoken to in, empty for
// none and where that cannot be read.
func (b *Kit) ChosenLanguage(user store.UserID) string { return b.personOf(user).Locale }

// peopleOnce returns what gives what people have set, for one message: each is read once, so
// that all of it shows the same, and who cannot be read is not waited for again.
func (b *Kit) peopleOnce() func(store.UserID) store.Person {
	var mu sync.Mutex
	known := map[store.UserID]store.Person{}
	return func(user store.UserID) store.Person {
		mu.Lock()
		defer mu.Unlock()
		p, ok := known[user]
		if !ok {
			p = b.personOf(user)
			known[user] = p
		}
		return p
	}
}

// personOf returns what somebody has set, nothing where that cannot be read or is nobody.
func (b *Kit) personOf(user store.UserID) store.Person {
	if user == "" {
		return store.Person{}
	}
	return readNow(b, b.Settings.Person, user)
}

// InSteps erases something, step by step, as far as the context lets it. Where a step waits for
// what is open, end ends that.
func InSteps(ctx context.Context, step func() (store.ErasureStep, error), end func() error) error {
	for {
		begun := time.Now()
		came, err := step()
		pause := max(time.Since(begun), ErasePause)
		if err == nil && came == store.ErasureWaits {
			err = end()
		}
		if err != nil || came == store.ErasureDone {
			return err
		}
		if err := tasks.Sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// Shared reports whether other processes may play on the database.
func (b *Kit) Shared() bool { return b.Clock.LeaseLength() > 0 }

// OwnMarks returns the application's own marks: none as long as it is not known to have all
// of X and O, and of those that people choose such as it has.
func (b *Kit) OwnMarks() view.OwnMarks { return *cmp.Or(b.Marks.Load(), &view.OwnMarks{}) }

// mentionCommand returns a subcommand as a mention that can be pressed, or in
// plain text while its id is not known. Those of the admins have another command.
func (b *Kit) mentionCommand(name string) string {
	root := view.CommandOf(name)
	if name == view.ShortCommand {
		root, name = name, ""
	}
	path := strings.TrimSpace(root + " " + name)
	if id := (*cmp.Or(b.CommandIDs.Load(), &map[string]string{}))[root]; id != "" {
		return fmt.Sprintf("</%s:%s>", path, id)
	}
	return fmt.Sprintf("`/%s`", path)
}
