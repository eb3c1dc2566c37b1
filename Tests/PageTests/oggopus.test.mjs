import assert from "node:assert/strict";
import { test } from "node:test";

const { oggOfWebM } = await import("/dictofun/oggopus.js");

const text = (words) => [...new TextEncoder().encode(words)];
const head = [...text("OpusHead"), 1, 1, 0x38, 1, 0x80, 0xbb, 0, 0, 0, 0, 0];

/** An element of EBML; without a size that of a recording that goes on. */
function element(id, content, isOpen = false) {
  const size = content.length;
  return [...id, ...(isOpen ? [1, 255, 255, 255, 255, 255, 255, 255] : [0x40 | (size >> 8), size & 255]), ...content];
}

/** A packet of 20 milliseconds in one frame. */
const packet = (size, seed) => [0x78, ...Array.from({ length: size - 1 }, (_, place) => (place * 7 + seed) & 255)];

function recording(packets, codec = "A_OPUS") {
  const track = element([0xae], [...element([0xd7], [1]), ...element([0x86], text(codec)), ...element([0x63, 0xa2], head)]);
  const blocks = packets.flatMap((content) => element([0xa3], [0x81, 0, 0, 0x80, ...content]));
  return new Uint8Array([
    ...element([0x1a, 0x45, 0xdf, 0xa3], element([0x42, 0x82], text("webm"))),
    ...element(
      [0x18, 0x53, 0x80, 0x67],
      [...element([0x16, 0x54, 0xae, 0x6b], track), ...element([0x1f, 0x43, 0xb6, 0x75], [...element([0xe7], [0]), ...blocks], true)],
      true,
    ),
  ]);
}

/** The pages of a file: whether each is the first or the last, its samples, and its packets. */
async function pagesOf(blob) {
  const bytes = Buffer.from(await blob.arrayBuffer());
  const pages = [];
  for (let place = 0; place < bytes.length;) {
    assert.equal(bytes.toString("latin1", place, place + 4), "OggS");
    const lacing = [...bytes.subarray(place + 27, place + 27 + bytes[place + 26])];
    let start = place + 27 + lacing.length;
    const packets = [];
    let size = 0;
    for (const part of lacing) {
      size += part;
      if (part === 255) continue;
      packets.push([...bytes.subarray(start, start + size)]);
      [start, size] = [start + size, 0];
    }
    assert.equal(bytes.readUInt32LE(place + 18), pages.length);
    pages.push({ flags: bytes[place + 5], samples: Number(bytes.readBigUInt64LE(place + 6)), packets });
    place = start;
  }
  return pages;
}

test("a recording of WebM becomes Ogg with the same packets and a length", async () => {
  const packets = Array.from({ length: 120 }, (_, place) => packet([60, 255, 510, 700][place % 4], place));
  const pages = await pagesOf(oggOfWebM(recording(packets)));
  assert.deepEqual(pages[0], { flags: 2, samples: 0, packets: [head] });
  assert.equal(Buffer.from(pages[1].packets[0]).toString("latin1", 0, 8), "OpusTags");
  assert.deepEqual(
    pages.slice(2).flatMap((page) => page.packets),
    packets,
  );
  assert.equal(pages.at(-1).samples, 120 * 960);
  assert.deepEqual(
    pages.slice(2).map(({ flags }) => flags),
    [...Array(pages.length - 3).fill(0), 4],
  );
});

test("a recording that was cut off at any place keeps what is whole", async () => {
  const packets = Array.from({ length: 5 }, (_, place) => packet(40, place));
  const whole = recording(packets);
  let most = 0;
  for (let size = 0; size <= whole.length; size++) {
    const ogg = oggOfWebM(whole.subarray(0, size));
    if (!ogg) continue;
    const found = (await pagesOf(ogg)).slice(2).flatMap((page) => page.packets);
    assert.deepEqual(found, packets.slice(0, found.length));
    most = found.length;
  }
  assert.equal(most, 5);
});

test("what is not Opus in WebM is left as it is", () => {
  assert.equal(oggOfWebM(recording([packet(40, 0)], "A_PCM")), null);
  assert.equal(oggOfWebM(new Uint8Array(text("not a recording"))), null);
  assert.equal(oggOfWebM(new Uint8Array(0)), null);
});
