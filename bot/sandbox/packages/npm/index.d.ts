export interface Options {
  /** The command that starts the bot, such as ["node", "bot.cjs"]; it finds the local Discord in its environment. */
  bot?: string[];
  /** Flags of the program, such as ["--permissions", "8"]. */
  args?: string[];
  /** Variables for the bot besides, and its folder. */
  env?: Record<string, string>;
  cwd?: string;
  /** What to wait for: "ready" until it has registered a command, "connected" for one that has none. */
  ready?: 'ready' | 'connected';
  /** How long to wait for that, such as "30s", which it is by default. */
  timeout?: string;
}

/** Starts a local Discord and a bot on it. It rejects with what the bot wrote if that ends. */
export function start(options?: Options): Promise<Discord>;
/** The path of the program; it throws where the package of this platform is not installed. */
export function program(): string;

export interface Discord {
  /** What a bot is given, DISCORD_TOKEN among it. */
  env: Record<string, string>;
  /** What program and bot have written, the end of it. */
  said: string;
  /** Makes a guild for one test and removes it behind; prints its transcript if the test fails. */
  world<T>(use: (world: World) => Promise<T>): Promise<T>;
  /** Asks the test API for anything else: faults, the clock. */
  api(method: string, path: string, body?: unknown): Promise<any>;
  stop(): Promise<void>;
}

export interface World {
  id: string;
  person(name: string, more?: { nick?: string; locale?: string; permissions?: string; roles?: string[]; installed?: boolean; closed_dms?: boolean }): Promise<Person>;
  /** Makes a channel beside "general". */
  channel(name: string, more?: { topic?: string; parent?: string; visible_to?: string[]; deny_bot?: string }): Promise<{ id: string; name: string }>;
  /** What somebody sees in a channel, oldest first; without a person all of it. */
  messages(channel?: string, as?: string): Promise<Message[]>;
  transcript(): Promise<string>;
  api(method: string, path: string, body?: unknown): Promise<any>;
}

/** What people do rejects where it cannot be done and where the bot does not answer; otherwise it waits until the bot has done all it was asked. */
export interface Person {
  id: string;
  name: string;
  mention: string;
  /** Where they act: "general", another channel, or "@dm". */
  channel: string;
  command(path: string, options?: Record<string, unknown>): Promise<Outcome>;
  say(text: string): Promise<Outcome>;
  /** Presses a button by its label, custom_id, or row and column; of the newest message that has it, unless one is given. */
  click(button: string | { label?: string; custom_id?: string; row?: number; column?: number }, message?: { id: string }): Promise<Outcome>;
  select(custom_id: string, values: string[], message?: { id: string }): Promise<Outcome>;
  /** Fills in the form that their last act, or the given one, was answered with. */
  modal(values: Record<string, string | string[]>, call?: { id: string }): Promise<Outcome>;
  act(what: string, body: object): Promise<Outcome>;
}

/** What came of it, as the test API writes it. */
export interface Outcome {
  text: string;
  message?: Message;
  follow_ups: Message[];
  call?: { id: string; [field: string]: any };
}

export interface Message {
  id: string;
  content: string;
  components: any[];
  embeds: any[];
  [field: string]: any;
}
