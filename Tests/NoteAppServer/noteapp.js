"use strict";
// A server of NoteApp for tests: Express and ws with their defaults, as the original uses them, over notes in memory, with the
// faults that a test asks for.
//
// The routes are on one port of loopback, the WebSocket and the routes on the next one. It prints one line of JSON with the first
// port when it is ready, and ends when its standard input ends. As in the original the last PUT wins, missing fields become null, an
// id that is not one ends the process, and so does a frame that is not JSON. A WebSocket gets the first subprotocol that it offers.
//
//   GET    /_control/log       the requests so far, as [method, path]
//   POST   /_control/faults    a list of faults for the next requests of a method:
//                              {"method": "PUT", "lose": "request"|"answer"}  the connection ends before or after the effect
//                              {"method": "PUT", "status": 503}               answered without effect
//                              {"method": "PUT", "first": {"_id": …, …}}      another client's PUT comes directly before
//   POST   /_control/notes     replaces all notes
//   GET    /_control/frames    the messages of clients so far
//   GET    /_control/texts     each text that was PUT so far, with the clients that have written and read it, as program and Host
const http = require("http");
const express = require("express");
const WebSocket = require("ws");

const fields = ["title", "content", "access", "owner"];
const control = { log: [], faults: [], frames: [], texts: [] };
let notes = new Map();
let count = 0;

/** An id as the driver of MongoDB reads it: 24 hexadecimal digits, or any 12 bytes. */
function objectID(text) {
  if (/^[0-9a-fA-F]{24}$/.test(text)) return text.toLowerCase();
  if (text.length === 12 && Buffer.byteLength(text) === 12) return Buffer.from(text).toString("hex");
  throw new TypeError("Argument passed in must be a string of 12 bytes or a string of 24 hex characters or an integer");
}

function client(request) {
  return `${request.headers["user-agent"]} ${request.headers.host}`;
}

/** Records that a client reads notes as they are. */
function read(request, ...list) {
  for (const note of list) control.texts.findLast((text) => text.id === note._id)?.readers.add(client(request));
}

/** The four fields of a body; the driver stores what is missing as null. */
function draft(body) {
  return Object.fromEntries(fields.map((name) => [name, body[name] ?? null]));
}

const app = express();
app.use(express.json());

app.get("/api/notes", async (request, response) => {
  read(request, ...notes.values());
  response.json([...notes.values()]);
});

app.get("/api/notes/:id", async (request, response) => {
  const note = notes.get(objectID(request.params.id));
  if (note) read(request, note);
  if (note) response.json(note);
  else response.status(404).json({ message: "Note not found." });
});

app.post("/api/notes", async (request, response) => {
  const id = (++count).toString(16).padStart(24, "0");
  notes.set(id, { _id: id, ...draft(request.body) });
  response.status(201).json({ acknowledged: true, insertedId: id });
  broadcast({ method: "insertOne", id, deviceId: `${request.body.owner}` });
});

app.put("/api/notes/:id", async (request, response) => {
  const id = objectID(request.params.id);
  if (!notes.has(id)) return response.status(404).json({ message: "Note not found." });
  notes.set(id, { _id: id, ...draft(request.body) });
  control.texts.push({ id, content: request.body.content, writer: client(request), readers: new Set() });
  response.json({ message: "Note updated successfully." });
  broadcast({ method: "update", id: request.params.id, deviceId: `${request.body.owner}` });
});

app.delete("/api/notes/:id", async (request, response) => {
  if (!notes.delete(objectID(request.params.id))) return response.status(404).json({ message: "Note not found." });
  response.json({ message: "Note deleted successfully." });
  broadcast({ method: "delete", id: request.params.id, deviceId: "" });
});

/** What a test asks for goes before the application. */
function answer(request, response) {
  const [, area, name] = request.url.split("/");
  if (area === "_control") return answerControl(request, response, name);
  control.log.push([request.method, request.url]);
  const index = control.faults.findIndex((fault) => fault.method === request.method);
  const fault = index < 0 ? {} : control.faults.splice(index, 1)[0];
  if (fault.lose === "request") return request.socket.destroy();
  if (fault.lose === "answer") response.end = () => request.socket.destroy();
  if (fault.first) notes.set(fault.first._id, fault.first);
  if (!fault.status) return app(request, response);
  request.resume().on("end", () => response.writeHead(fault.status).end("fault"));
}

function answerControl(request, response, name) {
  const parts = [];
  request
    .on("data", (part) => parts.push(part))
    .on("end", () => {
      const value = parts.length ? JSON.parse(Buffer.concat(parts).toString()) : null;
      if (name === "notes") notes = new Map(value.map((note) => [note._id, note]));
      if (name === "faults") control.faults.push(...value);
      response.setHeader("Content-Type", "application/json");
      const list = (key, value) => (value instanceof Set ? [...value] : value);
      response.end(JSON.stringify(value ? {} : control[name], list));
    });
}

let sockets;
function broadcast(object) {
  for (const client of sockets.clients) if (client.readyState === WebSocket.OPEN) client.send(JSON.stringify(object));
}

/** Listens at a free port and the next one, as the original does at 3000 and 3001. */
function listen() {
  const routes = http.createServer(answer).listen(0, "127.0.0.1", () => {
    const port = routes.address().port;
    const both = http.createServer(answer);
    both.once("error", () => routes.close(listen));
    both.listen(port + 1, "127.0.0.1", () => {
      sockets = new WebSocket.Server({ server: both });
      sockets.on("connection", (socket) =>
        socket.on("message", async (message) => {
          const object = JSON.parse(message);
          control.frames.push(object);
          broadcast(object);
        }),
      );
      console.log(JSON.stringify({ port }));
    });
  });
}

process.stdin.resume().on("end", () => process.exit());
listen();
