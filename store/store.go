// Package store says what the bot keeps and what is promised about it: records,
// sentinel errors, and [Store], the contract that every backend obeys. It contains
// no SQL and opens nothing; the backends are its subpackages, and package storetest
// holds them to the contract.
package store

import (
	"context"
	"time"
)

// Store keeps the bot's records. All methods may be called concurrently, and several processes
// may have the same database open. It embeds a contract for each noun, so that who needs one of
// them can say which; what is said here holds for each.
//
// # Promises
//
// Durable: a change for which Apply returns nil survives the loss of the process and of power.
// With another error than [ErrPending] nothing of it is stored.
//
// Whole: everything in one [Change] is stored together or not at all.
//
// Versioned: a record is stored only over the version that its writer has read. Of two writers
// who read the same version one succeeds, the other gets [ErrConflict].
//
// Once: an interaction is claimed by at most one change.
//
// Guarded by the database itself, not only by code: a place in a channel has at most one active
// match, a person plays at most one active public match in a channel, a pair of people has at
// most one open challenge in a guild, and the kings of a channel have at most one that is for
// its crown.
//
// Consented: once a block is stored no change is stored that needs the consent which it refuses.
//
// Append only: a match keeps its guild, channel, thread, place, players, rules and given moves.
// Its moves are only ever added to, and after the end they, the result and the verdict never
// change, except that a verdict that is not known yet can be given once ([ErrImmutable]).
//
// Erased: the erasure of a person waits until the caller has ended their open records, and then
// puts a pseudonym in their place, whatever is said above of what never changes; it counts a
// version of every match and challenge for it. Settings, puzzles, the person's own blocks and
// where Discord shows direct messages are deleted. Blocks against the person stay in force if
// they come back, and so do the caps of the day and, until an hour after it, what was declined,
// by a keyed hash. Until it is done nothing new is stored that names the person ([ErrErasing]).
//
// Left: what is kept about a guild that the bot has left is deleted only by EraseGuild: its
// settings, its standings and the matches whose messages were the bot's own. What people have
// won and solved there stays theirs: their results and puzzles lose the guild, results their
// points and their match. Blocks stay.
//
// Accounted: the change that ends a match, other than for [PutAside], writes its [Result], once.
// The sums that are kept of results are those of the ledger at every moment, and caps hold
// whoever else writes at the same time.
//
// Committed: a read returns what has been committed before it began, by whichever process, and
// nothing else. Deliveries that wait to be stored are not shown.
//
// # Errors and lists
//
// Every method may also fail because of the database: [ErrBusy], [ErrUnreachable] and [ErrFull]
// pass, [ErrReadOnly] may, after [ErrDamaged] the store has failed for good (see Failed). After
// Close every method returns [ErrClosed], and a context that has ended gives its own error.
// A method that returns an error without [ErrPending] has changed nothing.
//
// Lists are in the order that is named, with nothing said about records that are equal in it.
// At most limit records are in them, none for a limit below 1. An empty list is no error.
//
// # What is not promised
//
// No read locks anything: two reads are two moments, even by one goroutine. Nothing tells one
// process what another has stored.
type Store interface {
	Matches
	Challenges
	People
	Results
	Puzzles
	Lobbies
	Privacy
	Clocks

	// Apply stores a change; nil says that it is durable. Otherwise it returns the
	// first error that it meets, in this order: [ErrInvalid]; [ErrClaimed]; that a person
	// does not consent ([ErrBlocked]) or is being erased ([ErrErasing]); then for the matches, challenges, settings, people, tries, puzzlers, posts and crowns of the change in their order that
	// a record exists already or has another version ([ErrConflict]), that it does not
	// exist ([ErrNotFound]), that it would rewrite ([ErrImmutable]), and that a place,
	// a seat or a pair is taken ([ErrPlaceTaken], [ErrSeatTaken], [ErrPairTaken]).
	//
	// A context that ends before the change is taken up withdraws it. Afterwards the
	// error is [ErrPending], and only reading tells what became of the change.
	Apply(ctx context.Context, c Change) error

	// Deliver takes note of what Discord shows where. It never waits and never fails:
	// the delivery is stored with the next commit, whoever causes it, or by Close, and
	// is lost with the process before that. It is ignored if it is not [Delivery.Valid]
	// or if its record does not exist by the time it is stored, and it may be dropped
	// when very many are waiting. It changes no Version. Deliveries about one record
	// count in the order of the calls.
	Deliver(d Delivery)
	// Claimed reports whether a change has claimed the interaction.
	Claimed(ctx context.Context, id InteractionID) (bool, error)

	// Check reports as an error why nothing can be stored now, by storing something for
	// good.
	Check(ctx context.Context) error

	// Failed is closed when the store has met something that this process cannot
	// recover from: a damaged database, or one that was taken away. Everything fails
	// from then on, and the program should end and say why.
	Failed() <-chan struct{}
	// Err returns why the store has failed, nil while it has not.
	Err() error

	// Close stores the deliveries that are waiting and closes the database. Changes
	// that wait are stored or get ErrClosed. It may be called again and returns nil
	// then.
	Close() error
}

// Matches are read here; a [Change] writes them.
type Matches interface {
	// Match returns the match, or ErrNotFound.
	Match(ctx context.Context, id MatchID) (Match, error)
	// MatchVersion returns the version of the match and where Discord shows which one,
	// or ErrNotFound. It costs far less than Match.
	MatchVersion(ctx context.Context, id MatchID) (Shown, error)
	// MessageMatch returns the match that the message is last known to show, the newest if
	// there were several, or ErrNotFound. The empty message shows none.
	MessageMatch(ctx context.Context, message MessageID) (Match, error)
	// ActiveMatches returns the matches that take the places of the channel, by place: those that
	// are played, and those behind which a series goes on.
	ActiveMatches(ctx context.Context, channel ChannelID) ([]Match, error)
	// SeatedMatches returns the active public matches of the guild in which the user has
	// a seat, by id. Nobody, the empty user, has none.
	SeatedMatches(ctx context.Context, guild GuildID, user UserID, limit int) ([]Match, error)
	// OpenMatches returns the active matches of the user, wherever they are, in no order.
	OpenMatches(ctx context.Context, user UserID, limit int) ([]Match, error)
	// PrivateMatches returns the user's active private matches in the channel, or
	// everywhere with an empty channel, the newest first. Nobody, the empty user, has
	// none.
	PrivateMatches(ctx context.Context, channel ChannelID, user UserID, limit int) ([]Match, error)
	// GuildMatches returns the guild's active matches with greater ids than after, by
	// id.
	GuildMatches(ctx context.Context, guild GuildID, after MatchID, limit int) ([]Match, error)
	// DueMatches returns the matches of the domain, active and ended ones, whose
	// deadline is not after the up-time, the oldest deadline first.
	DueMatches(ctx context.Context, d Domain, uptime time.Duration, limit int) ([]Match, error)
	// DueReminders returns the matches of the domain in which somebody is to be reminded
	// by the up-time, the oldest reminder first.
	DueReminders(ctx context.Context, d Domain, uptime time.Duration, limit int) ([]Match, error)
	// UndrawnMatches returns the matches that Discord is known to show by a message,
	// but not in their stored version, that were stored at since or later and stand
	// behind the cursor, by the cursor: those that were stored last come first.
	UndrawnMatches(ctx context.Context, since time.Time, after Cursor, limit int) ([]Match, error)
}

// Challenges are read here; a [Change] writes them.
type Challenges interface {
	// Challenge returns the challenge, or ErrNotFound.
	Challenge(ctx context.Context, id ChallengeID) (Challenge, error)
	// ChallengeVersion is MatchVersion for a challenge.
	ChallengeVersion(ctx context.Context, id ChallengeID) (Shown, error)
	// OpenChallenge returns the open challenge between the two in the guild, whoever of
	// them made it, or with an empty b the open table of a, or ErrNotFound.
	OpenChallenge(ctx context.Context, guild GuildID, a, b UserID) (Challenge, error)
	// CrownChallenge returns the challenge to a king of the channel that was made last and is
	// still kept, or ErrNotFound.
	CrownChallenge(ctx context.Context, channel ChannelID) (Challenge, error)
	// ChallengesOf returns the open challenges by the user and to the user, in no order.
	ChallengesOf(ctx context.Context, user UserID, limit int) ([]Challenge, error)
	// GuildChallenges returns the open challenges of the guild with greater ids than after, by
	// id.
	GuildChallenges(ctx context.Context, guild GuildID, after ChallengeID, limit int) ([]Challenge, error)
	// DueChallenges returns the open challenges of the domain whose deadline is not
	// after the up-time, the oldest deadline first.
	DueChallenges(ctx context.Context, d Domain, uptime time.Duration, limit int) ([]Challenge, error)
}

// People and guilds have settings, and people give or refuse their consent.
type People interface {
	// GuildSettings returns what the guild has set. One that has set nothing gets
	// settings without a Version, which is no error.
	GuildSettings(ctx context.Context, guild GuildID) (GuildSettings, error)
	// Person is GuildSettings for what a person has set.
	Person(ctx context.Context, user UserID) (Person, error)
	// Blocks returns up to [MostBlocks] of the user's blocks, by whom they are from and by
	// guild.
	Blocks(ctx context.Context, user UserID) ([]Block, error)
	// Blocked reports whether there is a block in the way of the consent.
	Blocked(ctx context.Context, c Consent) (bool, error)
	// Declined returns when the opponent last declined a challenge of the challenger, up to
	// the moment and of those challenges that are still kept; the zero time for none. Who was
	// erased since is known again as in caps.
	Declined(ctx context.Context, challenger, opponent UserID, until time.Time) (time.Time, error)
}

// Results are what the ended matches add up to.
type Results interface {
	Crowns
	// Result returns the result of the match, or ErrNotFound.
	Result(ctx context.Context, id MatchID) (Result, error)
	// LastResults returns the results of the user's matches, private ones too, in which
	// somebody has moved and which are still kept: those that ended last come first, of the
	// same moment the one with the greatest id. Nobody, the empty user, has none.
	LastResults(ctx context.Context, user UserID, limit int) ([]Result, error)
	// PastMatches returns matches that ended before there was a ledger and have no result,
	// by id; none says that no more are left among those that Change.PastTo leaves.
	PastMatches(ctx context.Context, limit int) ([]Match, error)
	// Profile returns how the user plays, and against the viewer. The toughest opponent is
	// looked for among games in the guild.
	Profile(ctx context.Context, user, viewer UserID, guild GuildID) (Profile, error)
	// Standings returns rows of the guild's standings since they last began anew: most points
	// first, of as many those in fewer games, and so on by user. With them comes how many there
	// are in all, where a total of [MostListed]+1 says that there are as many or more. Who is
	// gone or has no points is not among them.
	Standings(ctx context.Context, guild GuildID, p Period, offset, limit int) (rows []Standing, total int, err error)
	// Standing returns the user's row, or ErrNotFound. Places are counted up to [MostRanked].
	Standing(ctx context.Context, guild GuildID, p Period, user UserID) (Standing, error)
	// Recount compares the sums that are kept with the ledger and makes them right, in one
	// transaction. It returns how many rows of sums were wrong. It reads all of the ledger.
	Recount(ctx context.Context) (wrong int, err error)
}

// Puzzles of the day: who solves them, and where they are posted.
type Puzzles interface {
	// PuzzleTry returns how the user stands with the puzzle of the day. One who has not seen
	// it gets an open try without a Version, which is no error.
	PuzzleTry(ctx context.Context, user UserID, day int64) (PuzzleTry, error)
	// Puzzler returns how the user solves puzzles. One who has solved none gets a record
	// without a Version, which is no error.
	Puzzler(ctx context.Context, user UserID) (Puzzler, error)
	// PuzzleStreaks returns rows of the guild's streaks that go on: most days first, of as
	// many those before that took fewer tries, and so on by user. They are of people who have
	// solved a puzzle in the guild that none of the days comes after (what lies ahead of the
	// last one that was stored by more than a day does not count), without those who are
	// known to have left it. No more than [MostListed]
	// rows are listed; a total of one more says that there are as many or more.
	PuzzleStreaks(ctx context.Context, guild GuildID, on []Lasting, offset, limit int) (rows []Standing, total int, err error)
	// PuzzleStreak returns the user's row, or ErrNotFound. Places are counted up to
	// [MostRanked].
	PuzzleStreak(ctx context.Context, guild GuildID, on []Lasting, user UserID) (Standing, error)
	// PuzzleDay returns how the puzzle of the day went in the guild.
	PuzzleDay(ctx context.Context, guild GuildID, day int64) (PuzzleDay, error)
	// Post returns what is known of a post. One that is not known gets a record without a
	// Version, which is no error.
	Post(ctx context.Context, key string) (Post, error)
	// DuePuzzles returns the settings of guilds for which a puzzle is to be posted by the
	// moment, the longest due first, and behind them those of guilds whose next post lies
	// further ahead than [PostsAhead].
	DuePuzzles(ctx context.Context, now time.Time, limit int) ([]GuildSettings, error)
}

// Privacy is what is told to a person of what is kept, and its end: for people who
// want that, for guilds that the bot has left, and for what is of no use any more.
type Privacy interface {
	// Kept returns rows of a part of what is kept about the user, given by its index in
	// [KeptParts]: the values of its fields as the database has them, in the order of its
	// key, behind the place that [Kept.After] gives, or from the beginning without one.
	// Truth values may be numbers. Nobody, the empty user, has none.
	Kept(ctx context.Context, user UserID, part int, after []any, limit int) ([][]any, error)
	// Erasures returns the erasures that are not done, those that began first first.
	Erasures(ctx context.Context, limit int) ([]Erasure, error)
	// Erasing reports whether the user is being erased.
	Erasing(ctx context.Context, user UserID) (bool, error)
	// Erase goes on with an erasure, in one short commit that touches about limit rows. It
	// is to be called until it returns [ErasureDone], by whichever process: what was done
	// stays done. While a match of the person is active or a challenge open it does nothing
	// and returns [ErasureWaits]. Of an erasure that is done or was never begun it returns
	// [ErasureDone].
	Erase(ctx context.Context, e Erasure, limit int) (ErasureStep, error)
	// SeeGuilds notes that the bot of an application was in guilds. What was missed of them
	// before that does not count any more.
	SeeGuilds(ctx context.Context, s Sighting) error
	// UnusedGuilds returns guilds of the application of which it is time to ask at the moment
	// whether its bot is still there: it was not seen for [UnusedFor], and not missed within
	// [AsksApart]. Those that were seen last long ago come first.
	UnusedGuilds(ctx context.Context, app ApplicationID, now time.Time, limit int) ([]GuildID, error)
	// MissGuild notes that the bot of the application was not in the guild at a moment. A
	// guild that was missed twice, [AsksApart] or further, and was not seen in between, is
	// gone. Of a guild that is not known nothing is noted.
	MissGuild(ctx context.Context, app ApplicationID, guild GuildID, at time.Time) error
	// ForgetGuild has everything about the guild be erased: it counts as gone for longer than
	// any other, until that is done, whoever is seen there.
	ForgetGuild(ctx context.Context, app ApplicationID, guild GuildID) error
	// Departures returns the guilds of the application that are gone since the moment or
	// longer, by id.
	Departures(ctx context.Context, app ApplicationID, before time.Time, limit int) ([]Departure, error)
	// EraseGuild is Erase for what is kept about a guild that the application has left. Of a
	// guild in which its bot was seen meanwhile it returns [ErasureDone], and what is left
	// there stays. While a match or a challenge is open whose message was the bot's own to
	// change it returns [ErasureWaits].
	EraseGuild(ctx context.Context, d Departure, limit int) (ErasureStep, error)
	// Purge deletes up to limit claims and up to limit posts that were made before the one
	// time, and up to limit challenges that are not open and were last stored before the
	// other. It returns how many records it deleted: 0 says that none are left. It is one
	// commit, and with a small limit a short one.
	Purge(ctx context.Context, claims, challenges time.Time, limit int) (deleted int, err error)
}

// Clocks are the up-times of domains and when something falls due by them; who keeps them;
// and what goes over with them: sessions, and what Discord was found to do.
type Clocks interface {
	// NextDeadlines returns the earliest deadline of the matches and open challenges of
	// each domain, or the earliest reminder where that is earlier, 0 where there is none. It costs the same however many there are.
	NextDeadlines(ctx context.Context) (Uptimes, error)
	// Uptime returns the up-time of each domain as last saved.
	Uptime(ctx context.Context) (Uptimes, error)
	// Lease is how several processes on one database agree whose the clocks are: at most
	// one store owns a domain at a time. It saves the up-times of domains that the store
	// owns, where they are later than the stored ones, and the deliveries that are waiting.
	// Then it renews its leases on domains that it wants for as long as [Leases] says, takes
	// such as nobody owns, gives back the others, and tells whose the domains are.
	//
	// Who has not renewed a lease when its time is over, by the database's clock, loses the
	// domain to whoever asks next. After an error the leases stand as they did, or as
	// they were asked for. A store that is closed gives back what it has.
	//
	// A store on whose database only one process is to play owns every domain for good, and
	// only saves.
	Lease(ctx context.Context, want Wanted, u Uptimes) (Leases, error)
	// KeepSession keeps a session with the Gateway for whoever has its shard next, instead of
	// one that was kept before.
	KeepSession(ctx context.Context, s Session) error
	// TakeSession returns what was kept of the session of the application, shard, number of
	// shards and token that are set, and forgets it: only one gets it. It returns ErrNotFound
	// where there is none, or where it was kept longer than [SessionStays] ago.
	TakeSession(ctx context.Context, of Session) (Session, error)
	// KeepQuirk keeps the name of something that Discord was found to do otherwise than
	// documented; one that is kept already is no error. Quirks returns the names, in their
	// order.
	KeepQuirk(ctx context.Context, quirk string) error
	Quirks(ctx context.Context) ([]string, error)
}
