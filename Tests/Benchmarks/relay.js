// Passes each message of a WebSocket on to all others, over Debian's ws: the least that a server of a note that many have open can do.
// node relay.js PORT
const { WebSocketServer, WebSocket } = require("ws");

const sockets = new WebSocketServer({ port: Number(process.argv[2]), host: "127.0.0.1" });
sockets.on("connection", (socket) =>
  socket.on("message", (data) => {
    const text = data.toString();
    for (const client of sockets.clients) if (client !== socket && client.readyState === WebSocket.OPEN) client.send(text);
  }),
);
