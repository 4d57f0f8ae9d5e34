package memory

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"tictactoe/store"
)

// GuildSettings implements [store.People].
func (s *Store) GuildSettings(ctx context.Context, guild store.GuildID) (store.GuildSettings, error) {
	k, err := s.read(ctx)
	return get(k.guilds, guild, store.GuildSettings{Guild: guild}), err
}

// Person implements [store.People].
func (s *Store) Person(ctx context.Context, user store.UserID) (store.Person, error) {
	k, err := s.read(ctx)
	return get(k.people, user, store.Person{User: user}), err
}

// putBlocks stores the blocks, and removes those that are lifted.
func (k *snapshot) putBlocks(blocks []store.Block) {
	for _, b := range blocks {
		if b.Since = stored(b.Since); !b.Lifted {
			k.putBlock(b)
			continue
		}
		delete(k.blocks, timeless(b))
		b.From = hashed(b.From)
		delete(k.blocks, timeless(b))
	}
}

// timeless is what a block is kept by.
func timeless(b store.Block) store.Block {
	return store.Block{User: b.User, From: b.From, Guild: b.Guild}
}

// putBlock stores the block, unless it is there.
func (k *snapshot) putBlock(b store.Block) { k.blocks[timeless(b)] = get(k.blocks, timeless(b), b) }

// hashed is what stands in the place of a person in blocks when they were erased.
func hashed(user store.UserID) store.UserID {
	if user == "" || user.Erased() {
		return user
	}
	bits := uint64(0)
	for _, r := range user {
		bits = bits*31 + uint64(r) //nolint:gosec // any number
	}
	return store.ErasedID(bits)
}

// blocked reports whether a block is in the way.
func (k *snapshot) blocked(c store.Consent) bool {
	return has(maps.Keys(k.blocks), func(b store.Block) bool {
		if b.From == hashed(c.By) {
			b.From = c.By
		}
		return b.Blocks(c)
	})
}

// Blocked implements [store.People].
func (s *Store) Blocked(ctx context.Context, c store.Consent) (bool, error) {
	k, err := s.read(ctx)
	return k.blocked(c), err
}

// Blocks implements [store.People].
func (s *Store) Blocks(ctx context.Context, user store.UserID) ([]store.Block, error) {
	k, err := s.read(ctx)
	return list(maps.Values(k.blocks), store.MostBlocks, func(b store.Block) bool { return b.User == user }, func(a, b store.Block) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Guild, b.Guild))
	}), err
}

// Declined implements [store.People].
func (s *Store) Declined(ctx context.Context, challenger, opponent store.UserID, until time.Time) (at time.Time, err error) {
	k, err := s.read(ctx)
	is := func(stands, user store.UserID) bool {
		return stands == user || user != "" && k.former[stands].user == user
	}
	for _, c := range k.challenges {
		if c.State == store.Declined && is(c.Challenger, challenger) && is(c.Opponent, opponent) && c.Updated.After(at) && !c.Updated.After(until) {
			at = c.Updated
		}
	}
	return at, err
}

func (k *snapshot) putTry(t store.PuzzleTry) error {
	t.Moves = slices.Clone(t.Moves)
	err := into(k.tries, func(t *store.PuzzleTry) (onDay, *int) { return onDay{t.User, t.Day}, &t.Version })(t)
	if in := (member{t.Guild, t.User}); err == nil && t.State == store.PuzzleSolved && t.Guild != "" {
		if was := k.solved[in]; was < t.Day || was > t.Day+1 {
			k.solved[in] = t.Day
		}
	}
	return err
}

// PuzzleTry implements [store.Puzzles].
func (s *Store) PuzzleTry(ctx context.Context, user store.UserID, day int64) (store.PuzzleTry, error) {
	k, err := s.read(ctx)
	try := get(k.tries, onDay{user, day}, store.PuzzleTry{User: user, Day: day, State: store.PuzzleOpen})
	try.Moves = slices.Clone(try.Moves)
	return try, err
}

// Puzzler implements [store.Puzzles].
func (s *Store) Puzzler(ctx context.Context, user store.UserID) (store.Puzzler, error) {
	k, err := s.read(ctx)
	return get(k.puzzlers, user, store.Puzzler{User: user}), err
}

// streaks returns all rows of the guild's streaks that go on.
func (k *snapshot) streaks(guild store.GuildID, on []store.Lasting) (rows []store.Standing) {
	for m, day := range k.solved {
		p := k.puzzlers[m.user]
		if m.guild == guild && p.Streak > 0 && !k.absent[m] && slices.ContainsFunc(on, func(l store.Lasting) bool { return l.Covers(p) }) &&
			slices.ContainsFunc(on, func(l store.Lasting) bool { return l.First <= day }) {
			rows = append(rows, store.Standing{User: m.user, Points: p.Streak, Tries: p.Tries})
		}
	}
	slices.SortFunc(rows, func(a, b store.Standing) int {
		return cmp.Or(b.Points-a.Points, a.Tries-b.Tries, cmp.Compare(a.User, b.User))
	})
	for i, row := range rows { // as many days of as many tries are one rank
		rows[i].Rank = 1 + slices.IndexFunc(rows, func(r store.Standing) bool { return r.Points == row.Points && r.Tries == row.Tries })
	}
	return rows
}

// PuzzleStreaks implements [store.Puzzles].
func (s *Store) PuzzleStreaks(ctx context.Context, guild store.GuildID, on []store.Lasting, offset, limit int) (rows []store.Standing, total int, err error) {
	k, err := s.read(ctx)
	rows = k.streaks(guild, on)
	return page(first(rows, store.MostListed), offset, limit), min(len(rows), store.MostListed+1), err
}

// PuzzleStreak implements [store.Puzzles].
func (s *Store) PuzzleStreak(ctx context.Context, guild store.GuildID, on []store.Lasting, user store.UserID) (store.Standing, error) {
	k, err := s.read(ctx)
	return found(slices.DeleteFunc(k.streaks(guild, on), func(r store.Standing) bool { return r.User != user }), err)
}

// PuzzleDay implements [store.Puzzles].
func (s *Store) PuzzleDay(ctx context.Context, guild store.GuildID, day int64) (d store.PuzzleDay, err error) {
	k, err := s.read(ctx)
	for _, t := range k.tries {
		here := t.Guild == guild && t.Day == day
		if d.Tried = d.Tried || here; !here || t.State != store.PuzzleSolved {
			continue
		}
		if d.Solved++; t.Shared && k.people[t.User].Recap == store.On && !k.absent[member{guild, t.User}] {
			d.Named = append(d.Named, store.PuzzleSolver{User: t.User, Wrong: t.Wrong})
		}
	}
	slices.SortFunc(d.Named, func(a, b store.PuzzleSolver) int { return cmp.Or(a.Wrong-b.Wrong, cmp.Compare(a.User, b.User)) })
	d.Named = first(d.Named, store.MostNamed)
	return d, err
}

// Post implements [store.Puzzles].
func (s *Store) Post(ctx context.Context, key string) (store.Post, error) {
	k, err := s.read(ctx)
	return get(k.posts, key, store.Post{Key: key}), err
}

// DuePuzzles implements [store.Puzzles].
func (s *Store) DuePuzzles(ctx context.Context, now time.Time, limit int) ([]store.GuildSettings, error) {
	k, err := s.read(ctx)
	return list(maps.Values(k.guilds), limit, func(g store.GuildSettings) bool {
		at := g.Puzzle.Due
		return !at.IsZero() && (!at.After(now) || at.After(now.Add(store.PostsAhead)))
	}, func(a, b store.GuildSettings) int { return a.Puzzle.Due.Compare(b.Puzzle.Due) }), err
}
