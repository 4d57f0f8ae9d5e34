// Package rules says what Discord refuses: it checks the bodies of requests that
// make messages, modals, commands and choices, counts requests against rate
// limits, and knows identifiers, limits and error codes. It holds no world: what
// it needs to know of one comes as values.
//
// A [Form] gathers what is wrong with a body, as Discord's errors name it, and
// [Form.Err] makes one error of it. Bodies come from [DecodeJSON]; a check may
// change them and keep parts of them.
package rules
