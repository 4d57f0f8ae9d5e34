// Package webhook takes interactions that Discord posts, signed, to an address of the
// application's, where others come over the Gateway (Discord's documentation,
// Receiving and Responding to Interactions).
//
// Nothing of a request is looked at before its signature is known to be right: one that
// is not, or is too old, is answered with 401. What a click changes on its own message
// is answered in the body of the response. A new message is made by the callback route
// behind a status of 202, because only that tells its id.
//
// The package does not listen, keeps no interactions and does not recognise one that
// comes twice.
package webhook
