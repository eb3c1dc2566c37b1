import TestSupport
import Testing
import TextCRDT

/// A text that keeps the state of its merges is the same text.
struct LiveTextTests {
    /// Edits of some agents, each of whom knows the text as it was some edits ago.
    private struct Typists {
        var versions: [Version]
        var texts: [[Unicode.Scalar]]
        var generator: SeededGenerator
        let delay: Int

        init(_ count: Int, delay: Int, seed: UInt64) {
            (versions, texts) = ([Version([])], [[]])
            generator = SeededGenerator(seed: seed)
            self.delay = delay
        }

        /// An edit with the version that it was made on.
        mutating func next() -> (edits: [TextEdit], base: Version) {
            let known = max(0, versions.count - 1 - Int.random(in: 0...delay, using: &generator))
            let length = texts[known].count
            let place = Int.random(in: 0...length, using: &generator)
            let deleted = Int.random(in: 0..<3, using: &generator) == 0 ? min(3, length - place) : 0
            let inserted = deleted > 0 && Bool.random(using: &generator) ? "" : "ab\(versions.count);"
            return ([TextEdit(position: place, deletedCount: deleted, inserted: inserted)], versions[known])
        }

        mutating func add(_ text: ReplicatedText) {
            versions.append(text.version)
            texts.append(Array(text.text.unicodeScalars))
        }
    }

    @Test(.seeded, arguments: 0..<5)
    func `edits of old versions are carried over as in a text that keeps nothing`(seed: UInt64) throws {
        // The calm part lets the state be forgotten, and begin again.
        for delay in [0, 3, 20] {
            var typists = Typists(5, delay: delay, seed: seed)
            var (live, plain, follower) = (ReplicatedText(), ReplicatedText(), ReplicatedText())
            (live.isLive, follower.isLive) = (true, true)
            for step in 0..<150 {
                if step == 75 {
                    for letter in 0..<110 {
                        let edit = [TextEdit(position: letter, inserted: "x")]
                        #expect(
                            try live.apply(edit, by: "calm", at: live.version)
                                == plain.apply(edit, by: "calm", at: plain.version))
                        typists.add(live)
                    }
                }
                let (edits, base) = typists.next()
                // An agent never knows less than its own edits, so each edit is one of a new agent.
                let (agent, before) = ("agent\(step)", live.version)
                let changes = try live.apply(edits, by: agent, at: base)
                #expect(try changes == plain.apply(edits, by: agent, at: base))
                #expect(live.text == plain.text && live.version == plain.version)
                let patch = live.encoded(since: before)
                if step % 3 == 0 { try follower.merge(live.encoded(since: follower.version)) }
                #expect(try plain.merge(patch).isEmpty)
                typists.add(live)
            }
            try follower.merge(live.encoded(since: follower.version))
            #expect(follower.text == live.text)
            #expect(try ReplicatedText(decoding: live.encoded()).text == live.text)
        }
    }

    @Test func `a refused edit leaves the text and later edits as they are`() throws {
        var live = ReplicatedText()
        live.isLive = true
        try live.apply([TextEdit(position: 0, inserted: "text")], by: "a", at: Version([]))
        let base = live.version
        try live.apply([TextEdit(position: 4, inserted: "!")], by: "b", at: base)
        try live.apply([TextEdit(position: 0, inserted: "the ")], by: "c", at: base)
        #expect(throws: TextCRDTError.self) {
            try live.apply([TextEdit(position: 3, deletedCount: 9)], by: "d", at: base)
        }
        try live.apply([TextEdit(position: 4, deletedCount: 0, inserted: "?")], by: "e", at: base)
        #expect(live.text == "the text!?")
        #expect(try ReplicatedText(decoding: live.encoded()).text == live.text)
    }

    @Test func `a text in parts is read as the whole`() throws {
        var text = ReplicatedText()
        var parts: [[UInt8]] = []
        var typists = Typists(3, delay: 4, seed: 5)
        for step in 0..<60 {
            let (edits, base) = typists.next()
            let before = text.version
            try text.apply(edits, by: "agent\(step)", at: base)
            if text.version != before { parts.append(text.encoded(since: before)) }
            typists.add(text)
        }
        let read = try ReplicatedText(decoding: parts)
        #expect(read.text == text.text && read.version == text.version && read.encoded() == text.encoded())
    }
}
