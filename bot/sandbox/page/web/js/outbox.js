// Messages on their way, one after another in the order in which they were written.

export class Outbox {
  #waiting = []; // {place, message}
  #busy = false;

  /**
   * send(message) sends one; giveBack(place, texts, error) is told what could not
   * be sent from a place: one message, and those that were to come after it.
   */
  constructor(send, giveBack) {
    this.send = send;
    this.giveBack = giveBack;
  }

  put(place, message) {
    this.#waiting.push({ place, message });
    if (!this.#busy) this.#work();
  }

  async #work() {
    this.#busy = true;
    while (this.#waiting.length > 0) {
      const { place, message } = this.#waiting[0];
      try {
        await this.send(message);
        this.#waiting.shift();
      } catch (err) {
        const back = this.#waiting.filter((w) => w.place === place);
        this.#waiting = this.#waiting.filter((w) => w.place !== place);
        this.giveBack(place, back.map((w) => w.message.text), err);
      }
    }
    this.#busy = false;
  }
}
