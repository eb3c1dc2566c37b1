import assert from "node:assert/strict";
import { test } from "node:test";
import { apply, compose, fromEdits, over, replacing, toEdits } from "/notes/change.js";
import { editClient } from "/notes/editclient.js";
import { seeded, testSeed } from "./random.mjs";

/**
 * A server that keeps all changes of one text. At one place it puts what comes to either side of what others wrote there, as one with a
 * history of single letters may.
 */
function makeServer(random) {
  const texts = [""];
  const changes = [];
  const acknowledged = new Map();
  const since = (version) => changes.slice(version).reduce(compose, []);
  return {
    get text() {
      return texts.at(-1);
    },
    /** Takes in edits, once, and answers with what the client lacks. */
    exchange(agent, request, known) {
      const done = acknowledged.get(agent) ?? 0;
      if (request && request.seq >= done) {
        const change = over(fromEdits(request.edits, texts[request.base]), since(request.base), random(2) === 0);
        texts.push(apply(change, texts.at(-1)));
        changes.push(change);
        acknowledged.set(agent, request.seq + 1);
      }
      const from = known ?? 0;
      return {
        t: "text",
        from: known,
        to: texts.length - 1,
        edits: toEdits(since(from), texts[from]),
        ack: acknowledged.get(agent) ?? 0,
      };
    },
  };
}

const words = ["1", "-2", "😀", "\n", "é", "x"];

/** A client, what is shown to its user, and the marks that the user typed. */
function makeUser(agent) {
  const client = editClient("1ab", "content");
  let shown = "";
  const typed = [];
  return {
    client,
    typed,
    type(mark, random) {
      const places = [0];
      for (const letter of shown) places.push(places.at(-1) + letter.length);
      const at = random(places.length);
      const gone = random(4) === 0 ? shown.slice(places[at], places[at + 1]) : "";
      // Marks are never deleted, so each must stand in the end.
      const change = replacing(places[at], /[\u4e00-\u9fff]/.test(gone) ? 0 : gone.length, mark + words[random(words.length)]);
      client.type(change);
      shown = apply(change, shown);
      typed.push(mark);
      assert.equal(client.text, shown);
    },
    ask: (server) => server.exchange(agent, client.request(2), client.version),
    take(frame) {
      const change = client.receive(frame);
      assert.notEqual(change, null, "the frame follows what is known");
      shown = apply(change, shown);
      assert.equal(client.text, shown);
    },
  };
}

test("random edits of four clients converge, with lost answers and typing in between", () => {
  for (let round = 0; round < 12; round++) {
    const random = seeded(100 + round);
    const server = makeServer(random);
    const users = [0, 1, 2, 3].map((place) => makeUser(`fuzz${place}`));
    let number = 0;
    const type = (user) => user.type(String.fromCodePoint(0x4e00 + number++), random);
    try {
      for (let step = 0; step < 200; step++) {
        const user = users[random(4)];
        if (random(3)) type(user);
        else {
          const answer = user.ask(server);
          // What is typed while the answer is on its way, and what others send.
          if (random(2)) type(user);
          if (random(2)) users[random(4)].ask(server);
          if (random(5)) user.take(answer);
        }
      }
      for (let turn = 0; turn < 4; turn++) for (const user of users) user.take(user.ask(server));
      for (const { client } of users) {
        assert.equal(client.text, server.text);
        assert.ok(client.isSaved);
      }
      for (const mark of users.flatMap(({ typed }) => typed)) assert.equal(server.text.split(mark).length, 2, "every mark stands once");
    } catch (error) {
      error.message = `HUB_TEST_SEED=${testSeed} round ${round}: ${error.message}`;
      throw error;
    }
  }
});

test("what is not confirmed is in the snapshot, and is sent again", () => {
  const client = editClient("1ab", "content");
  client.type(["typed before it was open"]);
  assert.equal(client.request(1), null, "the text is not read yet");
  assert.deepEqual(client.receive({ from: null, to: 4, edits: [[0, 0, "Hello"]], ack: 0 }), ["Hello"]);
  const sent = client.request(2);
  client.type([client.text.length, "!"]);
  assert.deepEqual(client.request(3)?.edits, sent.edits, "one at a time");
  const again = editClient("1ab", "content", structuredClone(client.snapshot()));
  assert.equal(again.text, "Hellotyped before it was open!");
  assert.ok(!again.isSaved && again.isWaiting);
  assert.equal(again.receive({ from: 3, to: 5, edits: [], ack: 0 }), null, "a version that is not known");
  assert.deepEqual(again.receive({ from: 4, to: 5, edits: [[0, 5, ""]], ack: 0 }), [-5]);
  const repeated = again.request(4);
  assert.deepEqual([repeated.seq, repeated.base, repeated.edits], [sent.seq, 5, [[0, 0, "typed before it was open"]]]);
  assert.deepEqual(again.receive({ from: 5, to: 6, edits: repeated.edits, ack: 24 }), []);
  assert.deepEqual(again.request(5).edits, [[24, 0, "!"]]);
});
