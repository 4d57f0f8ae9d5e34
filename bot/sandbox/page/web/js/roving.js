// The buttons of a message are one stop of the Tab key; arrows move among them by
// row and column. When the message changes, the focus stays at its place although
// every button is a new one with another custom id.

const at = (el) => ({ row: Number(el.dataset.row), column: Number(el.dataset.column) });

/** The rows of a message as arrays of elements. */
function grid(root) {
  const rows = [];
  for (const el of root.querySelectorAll("[data-row]")) {
    const { row } = at(el);
    (rows[row] ??= []).push(el);
  }
  return rows.filter(Boolean);
}

/** What place counts as the same after the message has changed. */
function nearest(rows, { row, column }) {
  const line = rows[Math.min(row, rows.length - 1)];
  return line?.[Math.min(column, line.length - 1)];
}

function makeStop(root, el) {
  for (const other of root.querySelectorAll("[data-row]")) other.tabIndex = other === el ? 0 : -1;
}

/** Gives a freshly drawn message its Tab stop: where it was, else the first that can be pressed. */
export function settle(root, place) {
  const rows = grid(root);
  if (rows.length === 0) return;
  const all = rows.flat();
  const stop = (place && nearest(rows, place)) ?? all.find((el) => el.getAttribute("aria-disabled") !== "true") ?? all[0];
  makeStop(root, stop);
}

/** Where the Tab stop of a message is. */
export function placeIn(root) {
  const stop = root.querySelector('[data-row][tabindex="0"]');
  return stop ? at(stop) : null;
}

const FOCUSABLE = "a[href], button, summary, input, select, textarea, [tabindex]";
const nameOf = (el) => `${el.tagName} ${el.className} ${el.getAttribute("aria-label") ?? el.textContent}`;

/**
 * Remembers what in root has the focus: a button by its row and column, anything
 * else by what it is, or failing that by where among its like it stands. Null when
 * the focus is elsewhere.
 */
export function focusIn(root) {
  const el = document.activeElement;
  if (!root.contains(el)) return null;
  if (el === root) return {};
  if (el.matches("[data-row]")) return { cell: at(el) };
  return { name: nameOf(el), index: [...root.querySelectorAll(FOCUSABLE)].indexOf(el) };
}

/** Puts the focus back; where nothing is left to have it, on root itself. */
export function focusAgain(root, { cell, name, index }) {
  let target;
  if (cell) {
    target = nearest(grid(root), cell);
  } else if (name) {
    const all = [...root.querySelectorAll(FOCUSABLE)];
    const distance = (el) => Math.abs(all.indexOf(el) - index);
    target = all.filter((el) => nameOf(el) === name).sort((a, b) => distance(a) - distance(b))[0] ?? all[Math.min(index, all.length - 1)];
  }
  if (!target) root.tabIndex = -1;
  (target ?? root).focus({ preventScroll: target !== undefined });
}

/** Lets arrows, Home and End move in the messages below el. */
export function enableArrows(el, rootOf) {
  el.addEventListener("keydown", (e) => {
    const current = e.target.closest?.("[data-row]");
    if (!current || e.ctrlKey || e.altKey || e.metaKey) return;
    const root = rootOf(current);
    const rows = grid(root);
    const line = rows.find((r) => r.includes(current));
    const y = rows.indexOf(line), x = line.indexOf(current);
    const targets = {
      ArrowLeft: () => line[x - 1] ?? (y > 0 ? rows[y - 1].at(-1) : null),
      ArrowRight: () => line[x + 1] ?? rows[y + 1]?.[0],
      ArrowUp: () => rows[y - 1]?.[Math.min(x, rows[y - 1].length - 1)],
      ArrowDown: () => rows[y + 1]?.[Math.min(x, rows[y + 1].length - 1)],
      Home: () => (e.shiftKey ? null : line[0]),
      End: () => line.at(-1),
    };
    const target = targets[e.key]?.();
    if (targets[e.key]) e.preventDefault();
    if (!target) return;
    makeStop(root, target);
    target.focus();
  });
  el.addEventListener("focusin", (e) => {
    const current = e.target.closest?.("[data-row]");
    if (current) makeStop(rootOf(current), current);
  });
}

/**
 * Lets keys move the focus among what list() gives: steps says how far each goes, Home and End
 * go all the way. rove says that they are one stop of the Tab key together.
 */
export function enableSteps(el, list, steps, { rove = false } = {}) {
  el.addEventListener("keydown", (e) => {
    const all = list(), here = all.indexOf(document.activeElement);
    const step = { Home: -all.length, End: all.length, ...steps }[e.key];
    if (here < 0 || step === undefined || e.ctrlKey || e.altKey || e.metaKey) return;
    e.preventDefault();
    const next = all[Math.max(0, Math.min(here + step, all.length - 1))];
    if (rove) for (const other of all) other.tabIndex = other === next ? 0 : -1;
    next.focus();
  });
}
