package sandbox

// reference is what a message in c refers to, nil for nothing.
func (saved savedMessage) reference(c *Channel) any {
	if saved.ReplyTo == "" && saved.About == "" {
		return nil
	}
	ref := map[string]any{"type": 0, "channel_id": c.id}
	if saved.ReplyTo != "" {
		ref["message_id"] = saved.ReplyTo
	}
	if saved.About != "" {
		ref["channel_id"] = saved.About
	}
	if c.guild != nil {
		ref["guild_id"] = c.guild.id
	}
	return ref
}
