// What a screen reader is told. The log of messages is silent itself, so that redrawn
// boards and ticking clocks are not read out.
//
// The regions take each sentence as a line of its own, which readers queue: a
// sentence that replaced the one before would cut it off, or hide it altogether.

import { $, h } from "./dom.js";

const STALE = 10_000; // ms after which a line is of no use to who reads the page's end
const MOST = 50;

function put(region, text) {
  const now = performance.now();
  for (const line of [...region.children].slice(0, -1)) if (now - line.dataset.at > STALE) line.remove();
  while (region.children.length >= MOST) region.firstElementChild.remove();
  region.append(h("p", { data: { at: String(now) }, text }));
}

export const say = (text) => put($("polite"), text);
export const alert = (text) => put($("assertive"), text);
