// Opus sound in the container that every sound library reads: browsers record it as WebM, without a length and without places to seek to
// (RFC 7845 for Ogg Opus, RFC 3533 for Ogg, RFC 8794 for EBML).

// The elements of WebM that matter, by their ids.
const ids = { segment: 0x18538067, cluster: 0x1f43b675, tracks: 0x1654ae6b, track: 0xae, group: 0xa0 };
const leaves = { codec: 0x86, head: 0x63a2, simpleBlock: 0xa3, block: 0xa1 };
const parents = new Set(Object.values(ids));

/**
 * The number at `place`, whose length its first byte says; without `isID` its marker is taken away. Null behind the end.
 * @param {Uint8Array} bytes
 * @param {number} place
 * @param {boolean} isID
 */
function variable(bytes, place, isID) {
  const first = bytes[place] ?? 0;
  const length = Math.clz32(first) - 23;
  if (first === 0 || place + length > bytes.length) return null;
  let value = isID ? first : first & (0xff >> length);
  let isUnknown = value === 0xff >> length;
  for (const byte of bytes.subarray(place + 1, place + length)) {
    value = value * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  return { value, isUnknown: !isID && isUnknown, end: place + length };
}

/**
 * The packets of a recording with its head, as far as it goes; null when it is not Opus.
 * @param {Uint8Array} bytes
 */
function packetsOf(bytes) {
  /** @type {Uint8Array | null} */
  let head = null;
  let codec = "";
  /** @type {Uint8Array[]} */
  const packets = [];
  for (let place = 0; place < bytes.length;) {
    const id = variable(bytes, place, true);
    const size = id && variable(bytes, id.end, false);
    if (!size) break;
    place = size.end;
    // What is in these elements follows; one that is being recorded has no size yet.
    if (parents.has(id.value)) continue;
    const end = place + size.value;
    // The last element was cut off.
    if (size.isUnknown || end > bytes.length) break;
    const content = bytes.subarray(place, end);
    place = end;
    if (id.value === leaves.codec) codec = new TextDecoder().decode(content);
    else if (id.value === leaves.head) head = content;
    else if (id.value === leaves.simpleBlock || id.value === leaves.block) {
      const track = variable(content, 0, false);
      if (!track) break;
      // Two bytes of time and one of flags. Browsers put one packet into a block.
      if (content[track.end + 2] & 0x06) return null;
      packets.push(content.subarray(track.end + 3));
    }
  }
  return codec === "A_OPUS" && head && packets.length ? { head, packets } : null;
}

/**
 * The length of an Opus packet in samples of 48 kHz (RFC 6716, 3.1).
 * @param {Uint8Array} packet
 */
function samplesOf(packet) {
  const [toc = 0, count = 0] = packet;
  const config = toc >> 3;
  const frame = config < 12 ? [480, 960, 1920, 2880][config & 3] : config < 16 ? [480, 960][config & 1] : [120, 240, 480, 960][config & 3];
  return frame * [1, 2, 2, count & 0x3f][toc & 3];
}

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit++) value = (value << 1) ^ (value & 0x80000000 ? 0x04c11db7 : 0);
  return value;
});

/**
 * A page of Ogg with whole packets.
 * @param {Uint8Array[]} packets
 * @param {{ number: number, samples: number, flags: number }} properties
 */
function pageOf(packets, { number, samples, flags }) {
  const lacing = packets.flatMap(({ length }) => [...Array(Math.floor(length / 255)).fill(255), length % 255]);
  const page = new Uint8Array(27 + lacing.length + packets.reduce((sum, { length }) => sum + length, 0));
  const view = new DataView(page.buffer);
  page.set(new TextEncoder().encode("OggS"));
  page[5] = flags;
  view.setBigUint64(6, BigInt(samples), true);
  view.setUint32(14, 1, true);
  view.setUint32(18, number, true);
  page[26] = lacing.length;
  page.set(lacing, 27);
  let place = 27 + lacing.length;
  for (const packet of packets) {
    page.set(packet, place);
    place += packet.length;
  }
  let check = 0;
  for (const byte of page) check = (check << 8) ^ table[(check >>> 24) ^ byte];
  view.setUint32(22, check >>> 0, true);
  return page;
}

/**
 * A recording of Opus in WebM as Ogg, also one that was cut off; null when it is something else.
 * @param {Uint8Array} bytes
 * @returns {Blob | null}
 */
export function oggOfWebM(bytes) {
  const found = packetsOf(bytes);
  if (!found) return null;
  const words = new TextEncoder().encode("OpusTags\u0003\0\0\0hub\0\0\0\0");
  const pages = [pageOf([found.head], { number: 0, samples: 0, flags: 2 }), pageOf([words], { number: 1, samples: 0, flags: 0 })];
  let samples = 0;
  /** @type {Uint8Array[]} */
  let waiting = [];
  let segments = 0;
  let begun = 0;
  /** @type {(flags: number) => void} */
  const flush = (flags) => {
    pages.push(pageOf(waiting, { number: pages.length, samples, flags }));
    [waiting, segments, begun] = [[], 0, samples];
  };
  for (const packet of found.packets) {
    const needed = Math.floor(packet.length / 255) + 1;
    // A page holds 255 segments, and about a second.
    if (waiting.length && (segments + needed > 255 || samples - begun >= 48_000)) flush(0);
    waiting.push(packet);
    segments += needed;
    samples += samplesOf(packet);
  }
  flush(4);
  return new Blob(pages, { type: "audio/ogg" });
}
