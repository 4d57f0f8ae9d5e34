package games

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"tictactoe/bot/change"
	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/view"
	"tictactoe/engine"
	"tictactoe/store"
)

// challenges are offers to play: posted, accepted and closed.
type challenges struct {
	tools
	challenges store.Challenges
	people     store.People
	threads    *Threads
	plays      plays
	resign     resignations
	notices    *notices
}

// routes are what people offer each other.
func (b challenges) routes() kit.Routes {
	return kit.Routes{
		kit.Command("challenge"):            {Handle: b.offer, Stores: true},
		kit.Command(view.ShortCommand):      {Handle: b.short, Stores: true},
		kit.Command(view.MemberCommand):     {Handle: b.offerMember, Stores: true},
		kit.Button(customid.Accept):         {Handle: b.accept, Stores: true},
		kit.Button(customid.AcceptInThread): {Handle: b.accept, Stores: true},
		kit.Button(customid.AcceptSure):     {Handle: b.accept, Stores: true},
		kit.Button(customid.Decline):        {Handle: b.decline, Stores: true},
		kit.Button(customid.Cancel):         {Handle: b.cancel, Stores: true},
		kit.Button(customid.ChallengeAgain): {Handle: b.renew, Stores: true},
		kit.Button(customid.OpenTable):      {Handle: given(b.read, b.post), Stores: true},
		kit.Button(customid.PlayWinner):     {Handle: given(b.clicked, b.winner), Stores: true},
		kit.Button(customid.ChallengeUser):  {Handle: b.person, Stores: true},
		kit.Button(customid.ChallengeKing):  {Handle: b.king, Stores: true},
		kit.Button(customid.LobbyKing):      {Handle: b.king, Stores: true},
	}
}

// offer is the command: it offers a match to a member, or to anybody.
func (b challenges) offer(ctx context.Context, in *kit.Request) (kit.Response, error) {
	switch opponent, err := in.Option("user"); {
	case err != nil:
		return kit.Response{}, err
	case opponent != "":
		return b.offerTo(ctx, in, store.UserID(opponent))
	}
	return given(b.read, b.post)(ctx, in)
}

// short is the command of one word: the usual match, just for who sends it, or a challenge.
func (b challenges) short(ctx context.Context, in *kit.Request) (kit.Response, error) {
	if in.Gives("user") {
		return b.offer(ctx, in)
	}
	return b.plays.begin(ctx, in, in.UsualChoice(), true)
}

// offerMember is the entry in a member's menu.
func (b challenges) offerMember(ctx context.Context, in *kit.Request) (kit.Response, error) {
	return b.offerTo(ctx, in, in.TargetID)
}

// offerTo offers a match to somebody whom Discord has resolved.
func (b challenges) offerTo(ctx context.Context, in *kit.Request, opponent store.UserID) (kit.Response, error) {
	if kit.IsBot(in, opponent) {
		return b.offerToBot(ctx, in)
	}
	c, err := b.read(ctx, in)
	if err == nil {
		c.Opponent = opponent
		err = checkOpponent(in, c)
	}
	if err != nil {
		return kit.Response{}, err
	}
	return b.post(ctx, in, c)
}

// offerToBot is a challenge to the bot itself, which always accepts.
func (b challenges) offerToBot(ctx context.Context, in *kit.Request) (kit.Response, error) {
	c, err := readChoice(in)
	if err != nil {
		return kit.Response{}, err
	}
	if c.First == match.FirstThem {
		c.First = match.FirstBot
	}
	if c.BestOf > 0 {
		c.BestOf = 0
		return kit.Response{}, &kit.Refusal{Reason: match.ErrSeriesBot, Choice: c}
	}
	return b.plays.begin(ctx, in, c, false)
}

// winner lets a bystander challenge the winner of a match, who still has to accept.
func (b challenges) winner(ctx context.Context, in *kit.Request, m store.Match) (kit.Response, error) {
	winner := m.Player(m.Winner).User
	switch {
	case m.Seat(in.UserID) != engine.None:
		return kit.Response{}, &kit.Refusal{Reason: match.ErrUseRematch, Match: m}
	case m.State != store.Ended:
		return kit.Response{}, &kit.Refusal{Reason: match.ErrNoWinnerYet, Match: m, InPlace: true}
	case winner == "":
		return kit.Response{}, &kit.Refusal{Reason: match.ErrNobodyWon, Match: m, InPlace: true}
	case in.GuildID == "":
		return kit.Response{}, match.ErrDirectMessage
	}
	c, err := b.read(ctx, in)
	if err != nil {
		return kit.Response{}, err
	}
	c.Opponent, c.Rules = winner, m.Rules
	return b.post(ctx, in, c)
}

// person is the button of statistics that challenges whose they are, with everything as usual.
func (b challenges) person(ctx context.Context, in *kit.Request) (kit.Response, error) {
	switch {
	case b.kit.Now().Unix() > in.Button.Until:
		return kit.Response{}, match.ErrStatsOld
	case in.Button.User == in.UserID, kit.IsBot(in, in.Button.User):
		return kit.Response{}, match.ErrNoOpponent
	}
	c, err := b.read(ctx, in)
	if err != nil {
		return kit.Response{}, err
	}
	c.Opponent = in.Button.User
	if !isRecipient(in, c.Opponent) || b.kit.Members(ctx, in.MemberOf(), []store.UserID{c.Opponent})[0].Gone {
		return kit.Response{}, &kit.Refusal{Reason: match.ErrCannotSee, Challenge: c}
	}
	return b.post(ctx, in, c)
}

// king is the button that challenges who wears the crown of the channel: below the match that
// shows it, and in the lobby. They still have to accept.
func (b challenges) king(ctx context.Context, in *kit.Request) (kit.Response, error) {
	channel, user, shown := in.ChannelID, in.Button.User, store.Match{}
	if id := in.Button.Match; id != 0 {
		m, err := b.change.LoadMatch(ctx, id)
		if err = ours(err, in.IsAt(m.Guild, m.Where())); err != nil { // none leaves its guild
			return kit.Response{}, err
		}
		channel, user, shown = m.Channel, m.Player(m.Winner).User, m
	}
	crown, err := b.change.KingFor(ctx, in, channel, user, shown.ID)
	if err != nil {
		b.change.ClearCard(ctx, shown)
		return kit.Response{}, err
	}
	c, err := b.read(ctx, in)
	if err != nil {
		return kit.Response{}, err
	}
	person, err := b.people.Person(ctx, crown.User)
	if err != nil {
		return kit.Response{}, err
	}
	c.Opponent, c.Crown, c.Quiet = crown.User, channel, !person.CrownCalls.Or(false)
	if shown.ID != 0 {
		c.Rules = shown.Rules
	}
	return b.post(ctx, in, c)
}

// isRecipient reports whether the user is in the channel as far as the interaction tells: who
// is there is named where nobody is a member, if anybody is.
func isRecipient(in *kit.Request, user store.UserID) bool {
	return in.GuildID != "" || len(in.Recipients) == 0 || slices.Contains(in.Recipients, string(user))
}

// read reads the options of a challenge. A button has none: then it is a table, with
// everything as usual.
func (b challenges) read(_ context.Context, in *kit.Request) (store.Challenge, error) {
	if in.AloneWithBot() {
		return store.Challenge{}, match.ErrDirectMessage
	}
	chosen, err := readChoice(in)
	if err != nil {
		return store.Challenge{}, err
	}
	clock, err := in.ClockFor(chosen.Clock)
	if err != nil {
		return store.Challenge{}, err
	}
	first, err := match.FirstOf(chosen.First)
	return store.Challenge{
		Guild: in.GuildID, Challenger: in.UserID, Rules: chosen.Rules, First: first,
		Clock: clock, BestOf: chosen.BestOf, State: store.Open, InGroup: in.Group,
	}, err
}

// checkOpponent refuses whoever cannot be challenged. What Discord resolved for the
// command says whether the user is a bot, is here, and sees the channel.
func checkOpponent(in *kit.Request, c store.Challenge) error {
	user, known := in.Users[string(c.Opponent)]
	switch {
	case c.Opponent == in.UserID, user.Bot:
		return match.ErrNoOpponent
	case c.Opponent == "" || !known:
		return match.ErrBadOption
	}
	if in.GuildID == "" && isRecipient(in, c.Opponent) {
		return nil
	}
	member, here := in.Members[string(c.Opponent)]
	if !here || !discord.MemberMay(member, discord.PermissionViewChannel) {
		return &kit.Refusal{Reason: match.ErrCannotSee, Challenge: c}
	}
	return nil
}

// post stores a challenge and posts it.
func (b challenges) post(ctx context.Context, in *kit.Request, c store.Challenge) (kit.Response, error) {
	return b.postAlong(ctx, in, func() (store.Challenge, []store.Challenge, error) { return c, nil, nil })
}

// postAlong does the same with challenges that change together with it. Where the other
// one has challenged its maker already, they accept that one instead.
func (b challenges) postAlong(ctx context.Context, in *kit.Request, prepare func() (c store.Challenge, also []store.Challenge, _ error)) (kit.Response, error) {
	if in.GamesElsewhere() {
		return kit.Response{}, match.ErrGamesElsewhere
	}
	var c store.Challenge
	err := b.change.Do(ctx, in, func() (_ store.Change, err error) {
		var also []store.Challenge
		if c, also, err = prepare(); err != nil {
			return store.Change{}, err
		}
		if err := b.change.MayAskKing(ctx, c); err != nil {
			return store.Change{}, err
		}
		if err := b.pending(ctx, c); err != nil {
			return store.Change{}, err
		}
		needs, err := b.change.MayAsk(ctx, in, c)
		if err != nil {
			return store.Change{}, err
		}
		if err := b.change.Starts.Count(ctx, in, b.kit.Now()); err != nil {
			return store.Change{}, err
		}
		if c.ID == 0 {
			c.ID = store.ChallengeID(b.kit.NewID())
		}
		c.Channel, c.Locale, c.GuildLocale = in.ChannelID, in.BoardLanguage(), in.GuildLanguage()
		c.OpponentLocale = b.kit.ChosenLanguage(c.Opponent)
		c.TokenOnly = in.BotAbsent
		c.Deadline = b.kit.Up(c.Guild) + b.kit.Times.ChallengeTTL
		return store.Change{Challenges: append(also, c), Consents: needs}, nil
	})
	if open := (*kit.Refusal)(nil); errors.As(err, &open) && errors.Is(open.Reason, match.ErrChallengePending) && match.Meets(c, open.Challenge, chosen(in)) {
		in.Button.Challenge = open.Challenge.ID
		return b.accept(ctx, in)
	}
	if err != nil {
		return kit.Response{}, change.KingNotNow(c, err)
	}
	c.Version++
	return b.kit.ShowChallenge(c, kit.Reply), nil
}

// chosen says what somebody has chosen for the challenge that they make. Behind a button
// stands the board that they see.
func chosen(in *kit.Request) match.Chosen {
	return match.Chosen{
		Rules: in.Gives("board") || in.Kind == discord.KindComponent, First: in.Gives("first"), Clock: in.Gives("clock"),
		Series: in.Gives("series") || in.Button.Action == customid.MorePlay,
	}
}

// pending returns the refusal of a challenge whose pair has an open one.
func (b challenges) pending(ctx context.Context, c store.Challenge) error {
	open, err := b.challenges.OpenChallenge(ctx, c.Guild, c.Challenger, c.Opponent)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil
	case err != nil:
		return err
	case match.ChallengeDue(open, b.kit.OverAt(open.Guild)):
		b.change.ExpireNow(ctx, open)
		return nil
	}
	return &kit.Refusal{Reason: match.ErrChallengePending, Challenge: open}
}

// clickedChallenge returns the one that a button is about.
func (b challenges) clickedChallenge(ctx context.Context, in *kit.Request) (store.Challenge, error) {
	c, err := b.change.LoadChallenge(ctx, in.Button.Challenge)
	return c, ours(err, in.IsAt(c.Guild, c.Channel)) // none leaves its guild
}

// accept turns the challenge into the board.
func (b challenges) accept(ctx context.Context, in *kit.Request) (kit.Response, error) {
	var c, accepted store.Challenge
	var before, resigned store.Match // which is given up for it
	open := b.threads.openByRule
	switch in.Button.Action {
	case customid.AcceptInThread:
		open = b.threads.open
	case customid.TryVanishing:
		open = b.change.Open // where the match before was played
	}
	m, err := open(ctx, in, func() (_ change.Opening, err error) {
		if c, err = b.clickedChallenge(ctx, in); err != nil {
			return change.Opening{}, err
		}
		accepted, err = match.Accept(c, in.UserID, store.MatchID(b.kit.NewID()), b.kit.ClickedAt(in, c.Guild))
		if err != nil {
			if match.ChallengeDue(c, b.kit.OverAt(c.Guild)) {
				b.change.ExpireNow(ctx, c)
			}
			return change.Opening{}, b.notAccepted(ctx, in, c, err)
		}
		if in.Button.Resign != 0 {
			before, resigned, err = b.resign.instead(ctx, in, in.Button.Resign)
		}
		return change.Opening{Match: b.matchFor(in, accepted), Challenge: accepted, Resigned: resigned, Unlimited: true}, err
	})
	if r := (*kit.Refusal)(nil); errors.As(err, &r) {
		switch {
		case errors.Is(err, match.ErrBusy):
			r.Challenge = c // it can be accepted in a thread
		case errors.Is(err, match.ErrPlaysHere):
			r.Again = customid.ID{Action: customid.AcceptInstead, Challenge: c.ID, Resign: r.Match.ID}
		}
	}
	if err != nil {
		return kit.Response{}, err
	}
	var r kit.Response
	switch {
	case awayFrom(m, in.ChannelID):
		r, err = b.showAccepted(ctx, in, m, accepted)
	case elsewhere(in):
		// The message of the challenge may be gone: the board is a new message, and what is left
		// of the challenge points to it. The challenger looks at the challenge, if at anything,
		// so they are told.
		r, err = b.kit.ShowMatch(m, kit.Reply)
		r = r.AndThen(b.pointFromChallenge(ctx, accepted, m)).AndThen(b.notices.tell(in, m, accepted.Challenger))
	default:
		r, err = b.kit.ShowMatch(m, kit.Update)
		r.Shows.Instead = kit.ChallengeRef(c.ID)
		r.Shows.Step = kit.StepOf(m)
		if b.kit.Now().Sub(c.Created) > noticeAfter {
			r.Then = b.notices.tell(in, m, c.Challenger)
		}
	}
	return b.resign.follow(r, before, resigned), err
}

// showAccepted is [Threads.showBegun] for the match of a challenge. What is left of the challenge
// leads to the thread too.
func (b challenges) showAccepted(ctx context.Context, in *kit.Request, m store.Match, c store.Challenge) (kit.Response, error) {
	if in.Button.Action == customid.Accept && !in.Message.Ephemeral() {
		r := kit.Update(b.kit.View(m.Locale).Games().PlayedIn(m, discord.MessageLink(m.Guild, m.Thread, "")))
		r.Then = b.threads.post(in, m)
		return r, nil
	}
	r, err := b.threads.showBegun(in, m)
	return r.AndThen(b.pointFromChallenge(ctx, c, m)), err
}

// notAccepted says why a challenge cannot be taken. Where the clicked message should
// have become the board already, it does so now.
func (b challenges) notAccepted(ctx context.Context, in *kit.Request, c store.Challenge, why error) error {
	r := &kit.Refusal{Reason: why, Challenge: c}
	if c.State == store.Accepted {
		if m, err := b.change.LoadMatch(ctx, c.Match); err == nil && m.Message == in.ClickedID {
			r.Match, r.Stale = m, true
		}
	}
	return r
}

// elsewhere reports whether a challenge is accepted by something else than its own button:
// on a private copy of it, by a challenge the other way, or by an ID that was made up and
// sent from another message, which is not to become the board.
func elsewhere(in *kit.Request) bool {
	return in.Message.Ephemeral() || in.Button.Action != customid.Accept || in.Message.Lacks
}

// pointFromChallenge has what is left of a challenge point to its match, nil where nothing is.
func (b challenges) pointFromChallenge(ctx context.Context, c store.Challenge, m store.Match) func(context.Context) {
	old, _, _ := b.kit.Tracker.Repost(ctx, kit.ChallengeRef(c.ID), kit.PostOf(c), 0)
	if old.ID == "" {
		return nil
	}
	return func(ctx context.Context) {
		link := b.kit.LinkTo(m.Guild, m.Where(), kit.MatchRef(m.ID), m.Message)
		b.replace(ctx, kit.ChallengeRef(c.ID), old, b.kit.View(m.Locale).Games().PlayedIn(m, link))
	}
}

// matchFor returns the match of an accepted challenge, not yet opened.
func (b challenges) matchFor(in *kit.Request, c store.Challenge) store.Match {
	x, o := store.Player{User: c.Challenger}, store.Player{User: c.Opponent}
	if c.First == store.FirstOpponent || c.First == store.FirstRandom && b.kit.Dice().IntN(2) == 0 {
		x, o = o, x
	}
	board := in.ClickedID // the challenge becomes the board
	if elsewhere(in) {
		board = ""
	}
	channel, thread := in.ChannelID, store.ChannelID("")
	if c.Crown != "" && string(c.Crown) == in.Parent { // it counts where the crown is
		channel, thread = c.Crown, in.ChannelID
	}
	return store.Match{
		ID: c.Match, Guild: in.GuildID, Channel: channel, Thread: thread, Place: match.FirstPlace, Message: board,
		Rules: c.Rules, X: x, O: o, Clock: c.Clock, BestOf: c.BestOf,
		Marks:  in.Settings.Marks,
		Locale: cmp.Or(in.Settings.Locale, b.kit.Texts.SharedLocale(c.Locale, in.Language(), in.GuildLanguage())),
	}
}

// decline closes the challenge for the person who was asked.
// They read when the same person can ask again, and how to have that never happen.
func (b challenges) decline(ctx context.Context, in *kit.Request) (kit.Response, error) {
	r, c, err := b.close(ctx, in, match.Decline)
	if err != nil {
		return kit.Response{}, err
	}
	return b.kit.AlsoSay(in, r, b.kit.View(in.Language()).Challenges().Declined(c.Challenger, b.kit.Now().Add(match.DeclineHolds))), nil
}

// cancel takes the challenge back.
func (b challenges) cancel(ctx context.Context, in *kit.Request) (kit.Response, error) {
	r, _, err := b.close(ctx, in, match.Cancel)
	return r, err
}

func (b challenges) close(ctx context.Context, in *kit.Request, transition func(store.Challenge, store.UserID) (store.Challenge, error)) (_ kit.Response, closed store.Challenge, _ error) {
	var c store.Challenge
	err := b.change.Do(ctx, in, func() (_ store.Change, err error) {
		if c, err = b.clickedChallenge(ctx, in); err == nil {
			closed, err = transition(c, in.UserID)
		}
		return store.Change{Challenges: []store.Challenge{closed}}, err
	})
	if err != nil {
		return kit.Response{}, closed, &kit.Refusal{Reason: err, Challenge: c}
	}
	closed.Version++
	if in.Message.Ephemeral() {
		said := b.kit.View(in.Language()).Challenges().ChallengeClosed(closed)
		return in.InPlace(said).AndRedraw(kit.ChallengeRef(c.ID)), closed, nil
	}
	return b.kit.ShowChallenge(closed, kit.Update), closed, nil
}

// renew makes an expired challenge anew, as a new message: an edited one notifies
// nobody. Who was challenged and comes late sends it back.
func (b challenges) renew(ctx context.Context, in *kit.Request) (kit.Response, error) {
	id := in.Button.Challenge
	r, err := b.postAlong(ctx, in, func() (renewed store.Challenge, also []store.Challenge, _ error) {
		c, err := b.clickedChallenge(ctx, in)
		if err != nil {
			return renewed, nil, err
		}
		old, renewed, err := match.Renew(c, in.UserID, store.ChallengeID(b.kit.NewID()))
		if err != nil {
			err = &kit.Refusal{Reason: err, Challenge: c}
		}
		return renewed, []store.Challenge{old}, err
	})
	return r.AndRedraw(kit.ChallengeRef(id)), err
}
