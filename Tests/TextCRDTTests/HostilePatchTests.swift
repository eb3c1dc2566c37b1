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
        // So small that both fit into the processor's caches, which have nothing to do with the number of steps.
        let inputs = try [500: branches(500), 4000: branches(4000)]
        try Scaling.expectLinear("a merge", size: 500) {
            inputs[$0]
        } _: { input in
            var (merged, patch) = try #require(input)
            try merged.merge(patch)
        }
    }

    /// `count` insertions that know nothing of each other.
    private func roots(_ count: Int) throws -> ReplicatedText {
        var text = ReplicatedText()
        for number in 0..<count {
            try text.apply([TextEdit(position: 0, inserted: "x")], by: "r\(number)", at: Version([]))
        }
        return text
    }

    @Test func `a text has as many heads as every reader takes in`() throws {
        // Each at a place of its own, so that none is compared with the others.
        var base = ReplicatedText()
        try base.apply(TextEdit(position: 0, inserted: String(repeating: "-", count: Version.maximumHeads)), by: "base")
        func branches(_ count: Int, by agent: String) throws -> ReplicatedText {
            var text = base
            for number in 0..<count {
                let edit = TextEdit(position: number, inserted: "x")
                try text.apply([edit], by: "\(agent)\(number)", at: base.version)
            }
            return text
        }
        var text = try branches(Version.maximumHeads, by: "r")
        let before = text.version
        #expect(throws: TextCRDTError.tooComplex) {
            try text.apply([TextEdit(position: 0, inserted: "z")], by: "one more", at: base.version)
        }
        #expect(text.version == before)
        let more = try branches(10, by: "s").encoded()
        #expect(throws: TextCRDTError.tooComplex) { try text.merge(more) }
        #expect(text.version == before)
        // One edit follows them all, and another replica takes it in.
        try text.apply(TextEdit(position: 0, inserted: "y"), by: "joins")
        var other = ReplicatedText()
        try other.merge(text.encoded())
        #expect(other.text == text.text)
    }

    @Test func `a merge that looks at everything again for each edit is refused`() throws {
        // Each edit joins an old insertion to a long history: the way between two of them is the whole history.
        func history(_ count: Int) throws -> ReplicatedText {
            var text = try roots(count)
            var last = try #require(text.version.heads.first)
            for number in 0..<count {
                try text.apply([TextEdit(position: 0, inserted: "y")], by: "chain\(number % 2)", at: Version([last]))
                last = EventID(agent: "chain\(number % 2)", sequence: number / 2)
            }
            for number in 1..<count {
                let heads = [last, EventID(agent: "r\(number)", sequence: 0)]
                try text.apply([TextEdit(position: 0, inserted: "z")], by: "j\(number)", at: Version(heads))
            }
            return text
        }
        let bytes = try history(100).encoded()
        var text = ReplicatedText()
        #expect(throws: TextCRDTError.tooComplex) { try text.merge(bytes, maximumSteps: 1000) }
        #expect(text.eventCount == 0)
        try text.merge(bytes)
        // As many edits one after the other cost no steps.
        var plain = ReplicatedText()
        for number in 0..<400 { try plain.apply(TextEdit(position: 0, inserted: "z"), by: "j\(number % 3)") }
        text = ReplicatedText()
        try text.merge(plain.encoded(), maximumSteps: 0)
        #expect(text.text == plain.text)
    }

    @Test(arguments: ["", "two words", "line\nbreak", "esc\u{1B}", String(repeating: "a", count: 201)])
    func `agents that no version can name are refused`(agent: String) throws {
        var text = ReplicatedText()
        try text.apply(TextEdit(position: 0, inserted: "x"), by: agent)
        var other = ReplicatedText()
        #expect(throws: TextCRDTError.malformed("agent")) { try other.merge(text.encoded()) }
        #expect(try ReplicatedText(decoding: text.encoded()).text == "x", "what is stored here is read")
    }

    // MARK: Two replicas with one name

    /// Two texts in which one agent goes on differently after `abc`.
    private func split(_ first: TextEdit, _ second: TextEdit) throws -> (ReplicatedText, ReplicatedText) {
        var text = ReplicatedText()
        try text.apply(TextEdit(position: 0, inserted: "abc"), by: "ada")
        var other = text
        try text.apply(first, by: "ada")
        try other.apply(second, by: "ada")
        return (text, other)
    }

    @Test(arguments: [
        (TextEdit(position: 3, inserted: "de"), TextEdit(position: 3, inserted: "dx"), 4),
        (TextEdit(position: 3, inserted: "d"), TextEdit(position: 0, inserted: "d"), 3),
        (TextEdit(position: 0, deletedCount: 1), TextEdit(position: 1, deletedCount: 1), 3),
        (TextEdit(position: 0, deletedCount: 1), TextEdit(position: 0, inserted: "d"), 3),
    ])
    func `an edit that is known with other content is refused by its name`(
        first: TextEdit, second: TextEdit, sequence: Int
    ) throws {
        var (text, other) = try split(first, second)
        let (before, patch) = (text, other.encoded())
        let conflict = TextCRDTError.conflict(EventID(agent: "ada", sequence: sequence))
        #expect(throws: conflict) { try text.merge(patch) }
        #expect(throws: conflict) { try other.merge(before.encoded()) }
        #expect(text.encoded() == before.encoded())
        // Under another name both stay.
        try text.rename("ada", from: sequence, to: "ada!2")
        #expect(text.text == before.text)
        try text.merge(patch)
        try other.merge(text.encoded())
        #expect(text.text == other.text)
        #expect(text.eventCount > before.eventCount)
    }

    @Test func `an edit that is known with other parents is refused`() throws {
        var (text, other) = (ReplicatedText(), ReplicatedText())
        for _ in 0..<2 {
            try text.apply([TextEdit(position: 0, inserted: "a")], by: "ada", at: text.version)
            try other.apply([TextEdit(position: 0, inserted: "a")], by: "ada", at: Version([]))
        }
        #expect(throws: TextCRDTError.conflict(EventID(agent: "ada", sequence: 1))) {
            try text.merge(other.encoded())
        }
    }
}
