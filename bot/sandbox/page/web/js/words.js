// Small words that many parts of the page need.

/** So many of something: "1 mention", "2 mentions". */
export const count = (n, one) => `${n} ${one}${n === 1 ? "" : "s"}`;

/** A piece of an address in words, or as it is: not every percent sign begins an escape. */
export function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
