// Package rest speaks to Discord's HTTP API for the bot: it answers
// interactions, edits messages and registers commands.
//
// There are two kinds of routes, and they are kept apart from the connection
// pool upwards. Answers (callbacks, @original, follow-ups) carry their own
// token in the path, have about three seconds to arrive, and lie outside the
// bot's global limit: they never queue, never sleep past their context and
// leave nothing behind, because each belongs to a token that will not come
// again. Bot routes (channel messages, commands, /gateway/bot) carry the bot
// token, share buckets, and wait their turn, a bounded number of them for a
// bounded time.
//
// What the package will not do: it knows no games and no texts, it does not
// decide whether an interaction is still young enough to answer (the caller's
// context says so), it follows no redirects, and it never puts a token, a URL
// or an Authorization header into an error or a log line; a request is named
// by its route template.
package rest
