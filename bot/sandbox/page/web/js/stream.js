// The live connection: a WebSocket that comes back by itself. The first frame is
// the whole state, so that nothing has to be caught up with after a break.

const FIRST_PAUSE = 400;
const LONGEST_PAUSE = 4000;

export class Stream {
  #socket = null;
  #timer = 0;
  #pause = FIRST_PAUSE;
  #as = "";
  #watching = false;

  /** @param handlers onState(state), onEvent(event, watched), onConnection(isOpen) */
  constructor(handlers) {
    this.handlers = handlers;
    // A sleeping tab loses its timers; when it is looked at again it must not wait.
    addEventListener("online", () => this.#retryNow());
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.#retryNow(); });
    // A page kept for the back button would hold its connection.
    addEventListener("pagehide", () => this.#drop());
    addEventListener("pageshow", (e) => { if (e.persisted) this.#open(); });
  }

  /** Becomes the client of that person, by username. */
  open(as) {
    this.#as = as;
    this.#open();
  }

  /** Says under which name the person is known, for when the connection is broken. */
  name(as) { this.#as = as; }

  /** Asks to hear of everybody's interactions, or no longer. */
  watch(on) {
    this.#watching = on;
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ watch: on }));
  }

  #drop() {
    clearTimeout(this.#timer);
    if (!this.#socket) return;
    const old = this.#socket;
    this.#socket = null;
    old.onopen = old.onmessage = old.onclose = null;
    old.close();
  }

  #retryNow() {
    if (this.#socket) return;
    this.#pause = FIRST_PAUSE;
    this.#open();
  }

  #open() {
    this.#drop();
    const socket = new WebSocket(`ws://${location.host}/page/stream?${new URLSearchParams({ as: this.#as })}`);
    this.#socket = socket;
    socket.onopen = () => { if (this.#watching) this.watch(true); };
    socket.onmessage = ({ data }) => {
      const frame = JSON.parse(data);
      if (frame.state) {
        this.#pause = FIRST_PAUSE;
        this.handlers.onConnection(true);
        this.handlers.onState(frame.state);
      }
      if (frame.event) this.handlers.onEvent(frame.event, frame.watched === true);
    };
    socket.onclose = () => {
      this.#socket = null;
      this.handlers.onConnection(false);
      this.#timer = setTimeout(() => this.#open(), this.#pause);
      this.#pause = Math.min(this.#pause * 1.6, LONGEST_PAUSE);
    };
  }
}
