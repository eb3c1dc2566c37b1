import TestSupport
import Testing
import TextCRDT

/// Bytes that no honest replica sent change nothing and cost little.
@Suite(.timeLimit(.minutes(20)))
struct HostilePatchTests {
    private static func sample() throws -> ReplicatedText {
        var text = ReplicatedText()
        try text.apply(TextEdit(position: 0, inserted: "Milk, bread and a very long line"), by: "ada")
        let old = text.version
        try text.apply(TextEdit(position: 4, deletedCount: 7, inserted: " für"), by: "ada")
        try text.apply([TextEdit(position: 0, deletedCount: 2, inserted: "x")], by: "bob", at: old)
        return text
    }

    @Test func `mutated bytes are refused or give a sound text`() throws {
        let honest = try Self.sample()
        let bytes = honest.encoded()
        var generator = SeededGenerator(seed: 5)
        var refused = 0
        for _ in 0..<4000 {
            var mutated = bytes
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                switch Int.random(in: 0..<3, using: &generator) {
                case 0:
                    mutated[Int.random(in: 0..<mutated.count, using: &generator)] = UInt8.random(
                        in: 0...255, using: &generator)
                case 1: mutated.remove(at: Int.random(in: 0..<mutated.count, using: &generator))
                default:
                    mutated.insert(
                        UInt8.random(in: 0...255, using: &generator),
                        at: Int.random(in: 0...mutated.count, using: &generator))
                }
            }
            do {
                var text = try ReplicatedText(decoding: mutated)
                try text.apply(TextEdit(position: text.count, inserted: "!"), by: "me")
                #expect(try ReplicatedText(decoding: text.encoded()).text == text.text)
            } catch { refused += 1 }
            var known = honest
            if (try? known.merge(mutated)) == nil {
                #expect(known.text == honest.text)
                #expect(known.version == honest.version)
                #expect(known.encoded() == bytes)
            }
        }
        #expect(refused > 2000)
    }

    @Test func `every prefix is refused`() throws {
        let bytes = try Self.sample().encoded()
        for count in 0..<bytes.count {
            #expect(throws: TextCRDTError.self) { try ReplicatedText(decoding: Array(bytes[..<count])) }
        }
    }

    @Test func `events without their parents are refused with the names of what lacks`() throws {
        var text = ReplicatedText()
        try text.apply(TextEdit(position: 0, inserted: "ab"), by: "ada")
        let old = text.version
        try text.apply(TextEdit(position: 2, inserted: "c"), by: "bob")
        var empty = ReplicatedText()
        #expect(throws: TextCRDTError.missingParents([EventID(agent: "ada", sequence: 1)])) {
            try empty.merge(text.encoded(since: old))
        }
        #expect(empty.eventCount == 0)
    }

    @Test func `places outside the text are refused`() throws {
        var text = try Self.sample()
        let (before, old) = (text, text.version)
        for edit in [
            TextEdit(position: -1, inserted: "x"), TextEdit(position: text.count + 1, inserted: "x"),
            TextEdit(position: text.count, deletedCount: 1), TextEdit(position: 0, deletedCount: -1),
            TextEdit(position: 1, deletedCount: .max),
        ] {
            #expect(throws: TextCRDTError.self) { try text.apply(edit, by: "me") }
            #expect(throws: TextCRDTError.self) { try text.apply([edit], by: "me", at: old) }
            #expect(text.encoded() == before.encoded())
        }
    }

    /// Two branches of equal length that know nothing of each other; twice the length may cost little more than twice as
    /// much.
    @Test func `merging long branches costs little more than their length`() throws {
        func branches(_ count: Int) throws -> (ReplicatedText, [UInt8]) {
            var generator = SeededGenerator(seed: 3)
            var (a, b) = (ReplicatedText(), ReplicatedText())
            for _ in 0..<count {
                try a.apply(TextEdit(position: .random(in: 0...a.count, using: &generator), inserted: "a"), by: "a")
                try b.apply(TextEdit(position: .random(in: 0...b.count, using: &generator), inserted: "b"), by: "b")
            }
            return (a, b.encoded())
        }
        let inputs = try [2000: branches(2000), 16_000: branches(16_000)]
        try Scaling.expectLinear("a merge", size: 2000) {
            inputs[$0]
        } _: { input in
            var (merged, patch) = try #require(input)
            try merged.merge(patch)
        }
    }
}
