// A notes server in the manner of NoteApp, over Debian's express and ws and a map in memory: the peer of `hub notes serve`.
// node noteapp.js PORT; the routes and the WebSockets are on one port.
const express = require("express");
const { WebSocketServer, WebSocket } = require("ws");

const notes = new Map();
const app = express();
app.use(express.json());
const server = app.listen(Number(process.argv[2]), "127.0.0.1");
const sockets = new WebSocketServer({ server });

let last = 0;
const makeID = () => (++last).toString(16).padStart(24, "0");

function broadcast(method, id, deviceId) {
  const text = JSON.stringify({ method, id, deviceId });
  for (const client of sockets.clients) if (client.readyState === WebSocket.OPEN) client.send(text);
}

function fields({ title, content, access, owner }) {
  return { title, content, access, owner };
}

app.get("/api/notes", (_, response) => response.json([...notes.values()]));

app.get("/api/notes/:id", (request, response) => {
  const note = notes.get(request.params.id);
  if (note) response.json(note);
  else response.status(404).json({ message: "Note not found." });
});

app.post("/api/notes", (request, response) => {
  const id = makeID();
  notes.set(id, { _id: id, ...fields(request.body) });
  response.status(201).json({ acknowledged: true, insertedId: id });
  broadcast("insertOne", id, request.body.owner);
});

app.put("/api/notes/:id", (request, response) => {
  const { id } = request.params;
  if (!notes.has(id)) return response.status(404).json({ message: "Note not found." });
  notes.set(id, { _id: id, ...fields(request.body) });
  response.json({ message: "Note updated successfully." });
  broadcast("update", id, request.body.owner);
});

app.delete("/api/notes/:id", (request, response) => {
  const { id } = request.params;
  if (!notes.delete(id)) return response.status(404).json({ message: "Note not found." });
  response.json({ message: "Note deleted successfully." });
  broadcast("delete", id, "");
});
