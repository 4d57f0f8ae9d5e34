// What people have half typed, by person and channel. Both are known by name,
// because ids are new ones when the server has been restarted.

/** The name under which a person's text for a channel is kept. */
export function placeOf(person, channel, guilds) {
  return JSON.stringify([person.username, guilds.get(channel.guild_id)?.name ?? "@me", channel.guild_id || channel.people ? channel.name : ""]);
}

export class Drafts {
  #texts = new Map(); // place → text
  #commands = new Map(); // place → {path, values}

  text(place) { return this.#texts.get(place) ?? ""; }

  keepText(place, text) {
    if (text) this.#texts.set(place, text);
    else this.#texts.delete(place);
  }

  /** A command that was being filled in, if there is one. */
  command(place) { return this.#commands.get(place); }

  keepCommand(place, form) {
    this.#commands.set(place, { path: form.command.path, values: form.texts() });
  }

  forgetCommand(place, path) {
    if (this.#commands.get(place)?.path === path) this.#commands.delete(place);
  }
}
