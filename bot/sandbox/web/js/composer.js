// The composer: plain text until it begins with a slash, then the commands, then
// one command with its options.

import { $, h, icon } from "./dom.js";
import { Listbox } from "./listbox.js";
import { CommandForm } from "./command-form.js";
import { search, sendable } from "./commands.js";
import { post } from "./api.js";
import { store } from "./store.js";
import { say } from "./announce.js";

const host = $("composer");

class Composer {
  #form = null;
  #drafts = new Map(); // channel name → text

  start() {
    this.error = h("p", { class: "composer-error", role: "alert", id: "composer-error" });
    this.input = h("textarea", {
      class: "composer-input", id: "composer-input", rows: "1", "aria-label": "Message", enterkeyhint: "send",
      autocapitalize: "sentences", spellcheck: "false",
    });
    this.send = h("button", { type: "button", class: "send", "aria-label": "Send", onclick: () => this.#submit() }, icon("send"));
    this.slash = h("button", { type: "button", class: "slash", tabindex: "-1", "aria-label": "Commands", title: "Commands (/)", onclick: () => this.openCommands(), text: "/" });
    this.box = h("div", { class: "composer-box" }, this.slash, this.input, this.send);
    this.popup = h("div", { class: "composer-popup" });
    this.list = new Listbox({ host: this.popup, label: "Commands", onTake: (item) => this.open(item.command) });
    this.list.attach(this.input);
    host.append(this.popup, this.error, this.box);

    this.input.addEventListener("input", () => this.#typed());
    this.input.addEventListener("keydown", (e) => this.#key(e));
    this.input.addEventListener("blur", () => this.list.hide());
    this.input.addEventListener("focus", () => this.#suggest());
    store.on("channel", () => this.#onChannel());
    store.on("commands", () => { if (document.activeElement === this.input) this.#suggest(); });
    store.on("world", () => this.#label());
    store.on("restart", () => { this.#drafts.clear(); this.close(); });
    // A slash anywhere on the page begins a command, as long as nobody types elsewhere.
    document.addEventListener("keydown", (e) => {
      if (e.key !== "/" || e.ctrlKey || e.metaKey || e.altKey || e.target.matches("input, textarea, select, [contenteditable]") || document.querySelector("dialog[open]")) return;
      e.preventDefault();
      this.openCommands();
    });
  }

  /** Shows the commands as if a slash had been typed. */
  openCommands() {
    this.close();
    this.input.value = "/";
    this.input.focus();
    this.#typed();
  }

  /** Puts a command into the composer by its path, ready to be sent. */
  startCommand(path) {
    const command = sendable().find((c) => c.path === path) ?? sendable().find((c) => c.path.startsWith(path + " "));
    if (!command) {
      this.#fail("That command is not registered here.");
      return;
    }
    this.open(command);
  }

  /** Shows one command with its options. */
  open(command) {
    this.close();
    this.input.value = "";
    this.#typed();
    this.#form = new CommandForm(command, {
      popup: this.popup,
      onClose: (text) => {
        this.close();
        this.input.value = text ?? "";
        this.input.focus();
        this.#grow();
        this.#suggest();
      },
      onSent: () => { this.close(); this.input.focus(); },
      onError: (text) => this.#fail(text),
    });
    this.box.hidden = true;
    host.append(this.#form.el);
    this.#form.focus();
    say(`${command.words}: ${command.description}`);
  }

  /** Back to plain text. */
  close() {
    this.#fail("");
    if (!this.#form) return;
    this.#form.destroy();
    this.#form = null;
    this.box.hidden = false;
  }

  focus() {
    if (this.#form) this.#form.focus();
    else this.input.focus();
  }

  #fail(text) { this.error.textContent = text; }

  #label() {
    const channel = store.current;
    if (!channel) return;
    const to = channel.guild_id ? "#" + channel.name : store.bot.name;
    this.input.setAttribute("aria-label", "Message to " + to);
    this.input.placeholder = "Message " + to;
  }

  #onChannel() {
    this.close();
    this.#label();
    const draft = this.#drafts.get(this.#key_()) ?? "";
    this.input.value = draft;
    this.#grow();
    this.list.hide();
  }

  #key_() { return `${store.world.me} ${store.current?.id}`; }

  #grow() {
    this.input.style.setProperty("height", "auto");
    this.input.style.setProperty("height", `${Math.min(this.input.scrollHeight, 180)}px`);
    this.box.classList.toggle("has-text", this.input.value.trim() !== "");
    this.slash.hidden = this.input.value.startsWith("/");
  }

  #typed() {
    this.#fail("");
    this.#drafts.set(this.#key_(), this.input.value);
    this.#grow();
    this.#suggest();
  }

  #suggest() {
    const text = this.input.value;
    if (!text.startsWith("/") || text.includes("\n")) {
      this.list.hide();
      return;
    }
    const found = search(text.slice(1));
    this.list.show(found.map((command) => ({
      command, label: "/" + command.words, hint: command.description, mark: "/",
      detail: command.options.map((o) => (o.required ? o.label : `${o.label}?`)).join("  "),
    })), { title: found.length ? store.bot.name : "", note: found.length ? "" : this.#nothing() });
  }

  #nothing() {
    if (store.commands.length) return "No command matches";
    return store.world.sessions ? "The app has registered no commands here" : "The app is not connected";
  }

  #key(e) {
    if (this.list.key(e)) {
      e.preventDefault();
      return;
    }
    if (e.key === "Enter" && !e.shiftKey && !e.isComposing) {
      e.preventDefault();
      this.#submit();
    }
  }

  async #submit() {
    const text = this.input.value.trim();
    if (!text) {
      this.input.focus();
      return;
    }
    if (text.startsWith("/")) {
      const [best] = search(text.slice(1));
      if (best) this.open(best);
      else this.#fail(this.#nothing() + ".");
      return;
    }
    try {
      await post("say", { as: store.world.me, channel: store.current.id, text });
      this.input.value = "";
      this.#typed();
    } catch (err) {
      this.#fail(err.message);
    }
  }
}

export const composer = new Composer();
