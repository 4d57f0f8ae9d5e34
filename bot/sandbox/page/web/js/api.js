// Asking the server. Answers that say no become ApiError with a sentence for the
// person and, where one option is to blame, its name.

class ApiError extends Error {
  constructor({ code, message, field }) {
    super(message);
    this.code = code;
    this.field = field;
  }
}

async function answer(promise) {
  let response;
  try {
    response = await promise;
  } catch {
    throw new ApiError({ code: "offline", message: "The server does not answer. Try again when it is back." });
  }
  const body = await response.json().catch(() => ({}));
  if (!response.ok) {
    throw new ApiError(body.error ?? { code: "internal", message: "That did not work." });
  }
  return body;
}

export function get(path, query = {}) {
  return answer(fetch(`/page/${path}?${new URLSearchParams(query)}`));
}

export const post = (path, body) => send("POST", `/page/${path}`, body);

/** Asks the test API, which any program can use as well. */
export const api = (method, path, body) => send(method, `/page/v1/${path}`, body);

/** Asks the test API for something in a guild. */
export const world = (method, path, body, guild) => api(method, `worlds/${guild}/${path}`, body);

function send(method, path, body) {
  return answer(fetch(path, { method, headers: { "Content-Type": "application/json" }, body: body && JSON.stringify(body) }));
}
