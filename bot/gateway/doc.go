// Package gateway keeps one shard connected to Discord's Gateway through a
// discordgo session, and hands on every interaction that arrives.
//
// A discordgo session is good at decoding and dispatching, but its connection
// handling has faults that no setting turns off: it holds its own lock while it
// waits for the first packets and deadlocks on some of them, it identifies
// without bound when told that its session is invalid, it waits without deadline,
// it hides close codes, and it sleeps a second before it lets go of a connection.
// So this package does not let the session talk to Discord itself. It dials
// Discord, and gives the session one end of a pipe inside the process; between
// the two sits a relay that reads every packet. The relay answers what concerns
// the connection (reconnect, invalid session, heartbeat requests, acknowledgements
// that fail to come, close codes), remembers what a resume needs, turns the
// session's identify into a resume where that is possible, and passes on its heartbeats
// and what Discord sends.
// Each connection gets a new session; one that is stuck is left behind with its
// pipe closed, and nothing of it is needed again.
//
// Commands and clicks reach the bot through the session's handler. But the library
// decodes all of what it dispatches, and every click carries along the message with
// the whole board. So the relay gives the session a part that is enough to answer by,
// and keeps the interaction as Discord sent it until the session calls its handler,
// which takes the one that waits longest. Each packet is read once, in one pass
// that finds its parts and copies none of them.
//
// What the package will not do: it asks for no intents and no compression, keeps no
// cache of guilds, does not decode interactions, does not send REST requests other
// than /gateway/bot, and does not decide how many shards there should be.
package gateway
