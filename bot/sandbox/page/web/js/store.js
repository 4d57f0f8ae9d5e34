// What this client knows: who it is, whom and what it sees. Everything that
// changes it goes through here and is told by topic:
//
//   world     people, guilds, channels, faults, the bot's presence
//   channel   another channel is open
//   history   the open channel's messages were read anew
//   message   {snap, previous} one message of the open channel came or changed
//   removed   {id} one went
//   call      an interaction of this person went on
//   watched   an interaction of anybody went on (while the drawer is open)
//   commands  the commands of the open channel may have changed
//   ping      {snap} this person was notified
//   unread    counts of other channels
//   link      the connection came or went
//   restart   idNow: the server is another one than before, idNow(id) a channel's id there
//   person    this tab is somebody else than this person, as it was before
//   said      this person has sent a message or a command
//   nobody    the address names somebody who is not here

import { Emitter } from "./emitter.js";
import { get } from "./api.js";
import { Stream } from "./stream.js";
import { decode } from "./words.js";

const EPHEMERAL = 64;

class Store extends Emitter {
  world = null;
  people = new Map();
  channels = new Map();
  guilds = new Map();
  current = null; // the open channel
  messages = new Map(); // of the open channel: id → snapshot, in order
  more = false; // there are older ones
  commands = [];
  unread = new Map(); // channel id → {count, badges}
  badged = new Map(); // other person's id → count, for who plays several people
  linked = false;

  #seqs = new Map(); // message id → the event that it was last told by
  #wanted; // channel from the address, by name
  #asked; // person from the address, until somebody was found
  #opening = 0;
  #oldest;
  #loading = false;
  #worldTimer = 0;
  #commandCache = new Map();
  #soon; // a channel that was just made, to open when it is known
  #since; // the server's time when this page was loaded

  get me() { return this.people.get(this.world?.me); }
  get bot() { return this.world?.bot; }
  /** The applications, the first one first, with how many sessions each has. */
  get apps() { return this.world?.apps ?? []; }
  /** Those of them that are there. */
  get online() { return this.apps.filter((a) => a.sessions > 0); }
  person(id) { return this.people.get(id); }

  /** A role of any guild, by id. */
  role(id) { return [...this.guilds.values()].flatMap((g) => g.roles).find((r) => r.id === id); }

  /** The name under which this client shows a person: the nickname in guilds. */
  nameOf(id) {
    const p = this.people.get(id);
    return p ? (this.current?.guild_id && p.nick) || p.name : "unknown";
  }

  start() {
    const query = new URLSearchParams(location.search);
    this.#wanted = decode(location.hash.slice(1));
    this.stream = new Stream({
      onState: (state) => this.#setWorld(state),
      onEvent: (event, watched) => this.#onEvent(event, watched),
      onConnection: (open) => {
        if (this.linked === open) return;
        this.linked = open;
        this.emit("link", open);
      },
    });
    this.#asked = query.get("as");
    this.stream.open(this.#asked ?? "");
    addEventListener("hashchange", () => {
      const channel = this.#find(decode(location.hash.slice(1)));
      if (channel && channel.id !== this.current?.id) this.open(channel.id);
    });
  }

  /** Becomes another person in this tab. */
  become(id) {
    if (id === this.world.me) return;
    this.badged.delete(id);
    // By name, because ids are new ones when the server has been restarted. Who was
    // made a moment ago has no name here yet.
    this.stream.open(this.people.get(id)?.username ?? id);
  }

  /** Opens a channel that was just made, as soon as this client knows it. */
  openSoon(id) {
    if (this.channels.has(id)) this.open(id);
    else this.#soon = id;
  }

  /** Opens a channel and reads its messages. */
  async open(id) {
    const channel = this.channels.get(id);
    if (!channel) return;
    const mine = ++this.#opening;
    this.#loading = true;
    this.current = channel;
    this.messages = new Map();
    this.more = false;
    this.#seqs.clear();
    this.unread.delete(id);
    this.#writeAddress();
    this.emit("channel", channel);
    this.emit("unread");
    this.#loadCommands();
    await this.#load({}, mine);
  }

  /**
   * Reads the open channel anew after the stream was broken, as far back as it is
   * shown: what was missed is in the history. Whoever is typing or reading is not
   * disturbed.
   */
  async #reread() {
    this.#loadCommands();
    const [oldest] = this.messages.keys();
    await this.#load({}, ++this.#opening, oldest);
  }

  /** Whether the open channel may have that message: it is known, or older than all that was read. */
  mayHave(id) { return this.messages.has(id) || (this.more && byAge(id, this.#oldest) < 0); }

  /** Reads older messages of the open channel. */
  async older() {
    if (this.#oldest && this.more) await this.#load({ before: this.#oldest }, this.#opening);
  }

  /** Reads messages, page by page back to the one of the id upTo if that is given. */
  async #load(query, mine, upTo) {
    if (!query.before) this.#loading = true;
    const pages = [];
    do {
      const before = pages.at(-1)?.messages[0].id;
      try {
        pages.push(await get("messages", { as: this.world.me, channel: this.current.id, ...query, ...(before && { before }) }));
      } catch {
        return; // the connection's return reads everything anew
      }
      if (mine !== this.#opening) return;
    } while (upTo && pages.at(-1).more && byAge(upTo, pages.at(-1).messages[0].id) < 0);
    this.#loading = false;
    // Events may have overtaken these answers: what they told counts. What is in
    // none of them is gone, unless only older ones were asked for.
    const told = (id) => this.#seqs.get(id) ?? 0;
    const merged = new Map([...this.messages].filter(([id]) => query.before || told(id) > pages[0].seq));
    for (const page of pages) {
      for (const snap of page.messages) if (told(snap.id) <= page.seq && this.#isKept(snap)) merged.set(snap.id, snap);
    }
    this.messages = new Map([...merged].sort(([a], [b]) => byAge(a, b)));
    this.more = pages.at(-1).more;
    this.#oldest = pages.at(-1).messages[0]?.id;
    this.emit("history", query);
  }

  /** Discord's clients keep no private message beyond a reload. */
  #isKept(snap) { return !(snap.flags & EPHEMERAL) || new Date(snap.created) >= this.#since; }

  async #loadCommands() {
    const { id } = this.current;
    const cached = this.#commandCache.get(id);
    this.commands = cached ?? [];
    try {
      const { commands } = await get("commands", { as: this.world.me, channel: id });
      this.#commandCache.set(id, commands);
      if (this.current?.id === id) {
        this.commands = commands;
        this.emit("commands");
      }
    } catch {
      // read again when the connection is back
    }
  }

  #know(world) {
    const byID = (list) => new Map(list.map((x) => [x.id, x]));
    this.world = world;
    this.people = byID([...world.people, ...world.apps]);
    this.guilds = byID(world.guilds);
    this.channels = byID(world.channels);
  }

  #setWorld(world) {
    this.#since ??= new Date(world.now);
    const restarted = this.world !== null && this.world.boot !== world.boot;
    const before = this.current ? this.#nameIn(this.current) : this.#wanted;
    const names = new Map(restarted ? [...this.channels.values()].map((c) => [c.id, this.#nameIn(c)]) : []);
    const was = this.me;
    const changedPerson = was?.id !== world.me;
    const language = was?.locale;
    this.#know(world);
    if (restarted || changedPerson || this.me.locale !== language) this.#commandCache.clear();
    if (restarted) {
      this.unread.clear();
      this.badged.clear();
      this.#seqs.clear();
      this.emit("restart", (id) => this.#find(names.get(id))?.id);
    }
    this.stream.name(this.me.username);
    if (this.#asked && ![this.me.username, this.me.id].includes(this.#asked)) this.emit("nobody", this.#asked);
    this.#asked = null;
    if (was && was.username !== this.me.username) {
      this.unread.clear();
      this.emit("person", was);
    }
    this.emit("world");
    const same = !changedPerson && this.current && this.channels.get(this.current.id);
    if (same) {
      this.current = same;
      this.#reread();
      return;
    }
    const target = this.#find(before) ?? world.channels.find((c) => c.guild_id) ?? world.channels[0];
    if (!target) this.current = null;
    else this.open(target.id);
  }

  /**
   * Reads people and channels anew, without the messages. Events that come close
   * together cause one reading; ones that never stop do not put it off.
   */
  #refreshWorld() {
    if (this.#worldTimer) return;
    this.#worldTimer = setTimeout(async () => {
      this.#worldTimer = 0;
      let world;
      try {
        world = await get("state", { as: this.world.me });
      } catch {
        return;
      }
      if (world.boot !== this.world.boot || world.me !== this.world.me) return;
      if (world.seq < this.world.seq) return; // a later answer was faster
      const language = this.me.locale;
      this.#know(world);
      if (this.me.locale !== language) this.#commandCache.clear();
      if (this.current && !this.channels.has(this.current.id)) {
        this.emit("world");
        this.open(world.channels[0].id);
        return;
      }
      if (this.current) this.current = this.channels.get(this.current.id);
      this.emit("world");
      const soon = this.channels.has(this.#soon) && this.#soon;
      this.#soon = soon ? undefined : this.#soon;
      if (soon) this.open(soon);
      else if (this.current) this.#loadCommands();
    }, 60);
  }

  #onEvent(event, watched) {
    if (watched) {
      this.emit("watched", event.call);
      return;
    }
    switch (event.kind) {
      case "message_created":
      case "message_edited":
        this.#onMessage(event);
        break;
      case "message_deleted":
        if (event.channel_id === this.current?.id && this.messages.delete(event.message.id)) {
          this.emit("removed", { id: event.message.id });
        }
        this.#seqs.set(event.message.id, event.seq);
        break;
      case "call":
        this.emit("call", event.call);
        break;
      case "commands_changed":
        this.#commandCache.clear();
        if (this.current) this.#loadCommands();
        break;
      default:
        this.#refreshWorld();
    }
  }

  #onMessage(event) {
    const snap = event.message;
    const created = event.kind === "message_created";
    if (created) {
      for (const id of snap.badged ?? []) {
        if (id !== this.world.me && this.people.has(id)) this.badged.set(id, (this.badged.get(id) ?? 0) + 1);
      }
      if (snap.badged?.length) this.emit("unread");
    }
    if (created && event.pings) this.emit("ping", { snap });
    if (snap.channel_id !== this.current?.id) {
      if (created && snap.author_id !== this.world.me) {
        const entry = this.unread.get(snap.channel_id) ?? { count: 0, badges: 0 };
        entry.count++;
        if (event.badges) entry.badges++;
        this.unread.set(snap.channel_id, entry);
        this.emit("unread");
      }
      return;
    }
    if ((this.#seqs.get(snap.id) ?? 0) >= event.seq) return;
    this.#seqs.set(snap.id, event.seq);
    const previous = this.messages.get(snap.id);
    // An edit of a message that is older than what was read stays unread.
    if (!previous && !created && !(this.#loading && this.#isKept(snap))) return;
    this.messages.set(snap.id, snap);
    this.emit("message", { snap, previous });
  }

  #find(name) {
    if (!name) return undefined;
    const all = [...this.channels.values()];
    if (name === "@me") return all.find((c) => !c.guild_id && !c.people);
    return all.find((c) => c.id === name || (c.guild_id && c.name === name));
  }

  /** The name of a channel in the page's address. */
  #nameIn(channel) {
    if (channel.guild_id && [...this.channels.values()].some((c) => c.id !== channel.id && c.guild_id && c.name === channel.name)) return channel.id;
    return channel.guild_id ? channel.name : channel.people ? channel.id : "@me";
  }

  #writeAddress() {
    const query = new URLSearchParams({ as: this.me.username });
    history.replaceState(null, "", `?${query}#${encodeURIComponent(this.#nameIn(this.current))}`);
    document.title = `${this.current.guild_id ? "#" + this.current.name : this.current.people ? this.current.name : this.bot.name} · ${this.me.name} · Local Discord`;
  }
}

/** Orders ids, the oldest first. */
export const byAge = (a, b) => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);

export const store = new Store();
