// Requests to the keeper. The token is in the session storage of the tab, so it isn't in the address or in the history.

const tokenKey = "continuo.token";
const token = () => sessionStorage.getItem(tokenKey) ?? "";

// Failure is an answer of the keeper that isn't a success. Status 0 means that there was no answer.
class Failure extends Error {
  constructor(status, body) {
    super(body.error ?? "The keeper answered with status " + status + ".");
    this.status = status;
    this.body = body;
  }
}

// call sends a request and returns the answer.
async function call(method, path, body) {
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: { Authorization: "Bearer " + token(), ...(body && { "Content-Type": "application/json" }) },
      body: body && JSON.stringify(body),
      cache: "no-store",
    });
  } catch {
    throw new Failure(0, { error: "The keeper doesn't answer. Check that it runs: continuo keeper status" });
  }
  const answer = await response.json().catch(() => ({}));
  if (response.status === 401) askToken();
  if (!response.ok) throw new Failure(response.status, answer);
  return answer;
}

const sessionPath = (id, rest = "") => "/sessions/" + encodeURIComponent(id) + rest;

const api = {
  sessions: () => call("GET", "/sessions"),
  attention: () => call("GET", "/attention"),
  session: (id, query = "") => call("GET", sessionPath(id, query)),
  start: (options) => call("POST", "/sessions", options),
  send: (id, message, fork) => call("POST", sessionPath(id, "/send"), { message, ...(fork && { fork }) }),
  interrupt: (id) => call("POST", sessionPath(id, "/interrupt"), {}),
  rename: (id, name) => call("PATCH", sessionPath(id), { name }),
  resolve: (id, answer) => call("POST", "/attention/" + encodeURIComponent(id) + "/resolve", answer),
};
