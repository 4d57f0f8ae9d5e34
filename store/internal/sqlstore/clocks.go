package sqlstore

import (
	"context"
	"time"

	"tictactoe/store"
)

var (
	uptime = query("SELECT domain, elapsed FROM uptime")
	// Three minima for each domain that has a clock, each the first entry of an index.
	nextDeadlines = query(`SELECT domain, due FROM (
		SELECT domain, (SELECT min(deadline) FROM matches WHERE domain = d.domain AND deadline > 0) AS due FROM uptime AS d
		UNION ALL SELECT domain, (SELECT min(remind) FROM matches WHERE domain = d.domain AND remind > 0) FROM uptime AS d
		UNION ALL SELECT domain, (SELECT min(deadline) FROM challenges
		WHERE domain = d.domain AND ` + pending + ` AND deadline > 0) FROM uptime AS d) AS minima WHERE due IS NOT NULL`)
	claimed = query("SELECT claimed FROM claims WHERE interaction = ?1")

	keepSession = query(`INSERT INTO sessions (application, shard, count, token, id, url, sequence, kept) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
		ON CONFLICT (application, shard, count) DO UPDATE SET token = excluded.token, id = excluded.id, url = excluded.url,
		sequence = excluded.sequence, kept = excluded.kept`)
	takeSession = query("DELETE FROM sessions WHERE application = ?1 AND shard = ?2 AND count = ?3 AND token = ?4 AND kept >= ?5 RETURNING id, url, sequence")

	keepQuirk = query("INSERT INTO quirks (quirk) VALUES (?1) ON CONFLICT (quirk) DO NOTHING")
	quirks    = query("SELECT quirk FROM quirks ORDER BY quirk")

	windUp = whole(query(`UPDATE matches SET version = version + 1, deadline = CASE
		WHEN clock > 0 AND deadline < clock + (SELECT elapsed FROM uptime WHERE domain = matches.domain)
		THEN clock + (SELECT elapsed FROM uptime WHERE domain = matches.domain) ELSE deadline END WHERE ` + activeMatch))
	// What Discord would send again was answered in what there was before.
	forgetSessions = whole(query("DELETE FROM sessions"))

	purgeClaims = query(`DELETE FROM claims WHERE interaction IN
		(SELECT interaction FROM claims WHERE claimed < ?1 ORDER BY claimed LIMIT ?2)`)
	purgePosts = query(`DELETE FROM posts WHERE id IN
		(SELECT id FROM posts WHERE made < ?1 ORDER BY made LIMIT ?2)`)
	purgeChallenges = query(`DELETE FROM challenges WHERE id IN
		(SELECT id FROM challenges WHERE ` + closedChallenge + ` AND updated < ?1 ORDER BY updated LIMIT ?2)`)
	purgeFormer = query(`DELETE FROM former WHERE (hash, pseudonym) IN
		(SELECT hash, pseudonym FROM former WHERE day < ?1 ORDER BY day LIMIT ?2)`)
	// SQLite counts nothing.
	purgeLimits = queries("", "DELETE FROM limits WHERE key IN (SELECT key FROM limits WHERE until < now() ORDER BY until LIMIT ?1)")
)

// WindUp begins every clock anew and has every board that is being played on drawn again, in a
// copy of a database that was put in its place.
func WindUp(tx Tx) error {
	if _, err := tx.Exec(windUp); err != nil {
		return err
	}
	_, err := tx.Exec(forgetSessions)
	return err
}

// Uptime implements [store.Store].
func (s *Store) Uptime(ctx context.Context) (store.Uptimes, error) { return s.perDomain(ctx, uptime) }

// NextDeadlines implements [store.Store].
func (s *Store) NextDeadlines(ctx context.Context) (store.Uptimes, error) {
	return s.perDomain(ctx, nextDeadlines)
}

// perDomain returns the least duration that the query has for each domain, 0 where it has none.
func (s *Store) perDomain(ctx context.Context, q *Query) (u store.Uptimes, err error) {
	_, err = readAll(ctx, s, func(r Row) (d store.Domain, err error) {
		var at time.Duration
		if err = r.Scan(numberAt(&d), numberAt(&at)); err == nil && (u[d] == 0 || at < u[d]) {
			u[d] = at
		}
		return d, err
	}, q)
	return u, err
}

// Claimed implements [store.Store].
func (s *Store) Claimed(ctx context.Context, id store.InteractionID) (bool, error) {
	return s.exists(ctx, claimed, []any{string(id)}, new(int64))
}

// KeepSession implements [store.Store].
func (s *Store) KeepSession(ctx context.Context, k store.Session) error {
	return s.db.Loosely(ctx, func(tx Tx) error {
		_, err := tx.Exec(keepSession, string(k.Application), int64(k.Shard), int64(k.Count), k.Token,
			k.ID, k.URL, int64(k.Sequence), s.now().UnixMilli())
		return err
	})
}

// TakeSession implements [store.Store].
func (s *Store) TakeSession(ctx context.Context, of store.Session) (store.Session, error) {
	args := []any{string(of.Application), int64(of.Shard), int64(of.Count), of.Token, s.now().Add(-store.SessionStays).UnixMilli()}
	err := s.db.Loosely(ctx, func(tx Tx) error {
		found, err := tx.Row(takeSession, args, &of.ID, &of.URL, &of.Sequence)
		if err == nil && !found {
			return store.ErrNotFound
		}
		return err
	})
	return of, err
}

// KeepQuirk implements [store.Clocks].
func (s *Store) KeepQuirk(ctx context.Context, quirk string) error {
	return s.db.Apply(ctx, Plan{Steps: []Step{{Query: keepQuirk, Args: []any{quirk}}}})
}

// Quirks implements [store.Clocks].
func (s *Store) Quirks(ctx context.Context) ([]string, error) {
	return readAll(ctx, s, rowOf(func(name *string) []any { return []any{name} }), quirks)
}

// Purge implements [store.Store].
func (s *Store) Purge(ctx context.Context, claims, challenges time.Time, limit int) (int, error) {
	limit = max(limit, 0)
	var deleted [4]int64
	p := Plan{Steps: []Step{
		{Query: purgeClaims, Args: []any{claims.UnixMilli(), limit}, Rows: &deleted[0]},
		{Query: purgePosts, Args: []any{claims.UnixMilli(), limit}, Rows: &deleted[1]},
		{Query: purgeChallenges, Args: []any{challenges.UnixMilli(), limit}, Rows: &deleted[2]},
		{Query: purgeFormer, Args: []any{store.DayOf(s.now().Add(-store.FormerStays)), limit}, Rows: &deleted[3]},
	}}
	p.add(purgeLimits, limit)
	if err := s.db.Apply(ctx, p); err != nil {
		return 0, err
	}
	return int(deleted[0] + deleted[1] + deleted[2] + deleted[3]), nil
}
