// Package view is how records look: boards, challenges, private answers, the words
// of a refusal and the definitions of the commands, in every language that has a
// file in locales. A [View] makes messages in one language at one moment, by feature; all
// texts come from the [Catalogue]. A text that is marked as untranslated in a file is the
// English one.
//
// It changes nothing, sends nothing and reads no clock.
package view
