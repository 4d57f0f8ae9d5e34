// What people have half typed, by place: a person, by username, and a channel, by id.

/** The place of a person's texts for a channel. */
export const placeOf = (person, channel) => `${person.username} ${channel.id}`;

/** The same place after a restart of the server, which gives channels new ids: idNow(id) is that of one, if it is there. */
export function placeNow(place, idNow) {
  const [username, id] = place.split(" ");
  return `${username} ${idNow(id)}`;
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

  /** Goes along with the channels when a restart of the server gives them new ids. */
  move(idNow) {
    const moved = (map) => new Map([...map].map(([place, what]) => [placeNow(place, idNow), what]));
    this.#texts = moved(this.#texts);
    this.#commands = moved(this.#commands);
  }
}
