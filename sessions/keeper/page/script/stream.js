// The stream of events: a WebSocket. It connects again with the ID of the last event that it has received.

const stream = {
  socket: null,
  last: null, // ID of the last event; null before the first connection
  held: null, // events that have arrived while lists are read; null at other times
  reading: null, // the promise of those lists
  pause: 0, // milliseconds before the next attempt
  timer: 0,
};

function connect() {
  clearTimeout(stream.timer);
  const address = new URL(stream.last === null ? "/ws" : "/ws?after=" + stream.last, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  const socket = new WebSocket(address, ["continuo.v1", "bearer." + token()]);
  stream.socket = socket;
  socket.addEventListener("message", ({ data }) => receive(JSON.parse(data)));
  socket.addEventListener("close", () => {
    if (stream.socket === socket) disconnected();
  });
}

// disconnected plans the next attempt. A browser doesn't say why a WebSocket was refused, so a request finds out whether
// the token is still valid.
function disconnected() {
  stream.socket = null;
  if (!token()) return;
  byID("connection").textContent = "Not connected. Trying again…";
  stream.pause = Math.min(10000, Math.max(250, stream.pause * 2));
  stream.timer = setTimeout(() => {
    api.attention().then(connect, (failure) => {
      if (failure.status !== 401) disconnected();
    });
  }, stream.pause);
}

// refresh connects at once if there is no connection. Otherwise it reads the lists: the keeper has no events for sessions
// that other clients write.
function refresh() {
  if (document.hidden || !token()) return;
  if (stream.socket) hold(readLists);
  else connect();
}

function receive(frame) {
  if (frame.type === "hello") {
    hello(frame);
    return;
  }
  stream.last = frame.id;
  if (stream.held) stream.held.push(frame);
  else handle(frame);
}

// hello is the first frame. The lists are read again if events were lost, or if the keeper was started again.
async function hello(frame) {
  stream.pause = 0;
  byID("connection").textContent = "";
  if (stream.last !== null && !frame.lost && frame.last >= stream.last) return;
  stream.last = frame.last;
  await hold(readAll);
}

// hold calls read, and then applies the events that have arrived meanwhile.
async function hold(read) {
  while (stream.held) await stream.reading;
  stream.held = [];
  stream.reading = read().catch((failure) => {
    byID("connection").textContent = failure.message;
    stream.last = null; // read everything after the next connection
    stream.socket?.close();
  });
  await stream.reading;
  const held = stream.held;
  stream.held = null;
  held.forEach(handle);
}
