import NotesDomain
import TestSupport
import Testing
import TextCRDT
import Time

/// Edits that are stored beside the history of a text.
struct NoteAdditionTests {
    private static let words = ["", "a", "two words ", "ż\n", "👩‍👩‍👧", "e\u{301}"]

    /// Some text that has much of `old`.
    private func changed(_ old: String, _ random: inout SeededGenerator) -> String {
        var scalars = Array(old.unicodeScalars)
        for _ in 0...Int.random(in: 0...2, using: &random) {
            let start = Int.random(in: 0...scalars.count, using: &random)
            let end = min(scalars.count, start + Int.random(in: 0...4, using: &random))
            scalars.replaceSubrange(start..<end, with: Self.words.randomElement(using: &random)!.unicodeScalars)
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }

    @Test(arguments: 1...20)
    func `added edits are the same events as those of a merge with the newest version`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var merged = NoteDocument()
        try merged.set(title: "T", content: "one\n", by: "seed")
        var added = merged
        for step in 0..<30 {
            let agent = ["a", "b"][step / 7 % 2]
            let (title, content) = (changed(merged.title.text, &random), changed(merged.content.text, &random))
            let write = WholeNoteWrite(title: title, content: content, members: [], owner: "")
            let edits = write.edits(of: added.title.text, added.content.text)
            for field in NoteField.allCases where !edits[field].isEmpty {
                try added.add(NoteAddition(field, by: agent, edits[field]))
            }
            try merged.merge(title: title, content: content, base: merged.version, by: agent)
            #expect(added.version == merged.version)
            for field in NoteField.allCases {
                #expect(added[field].text.unicodeScalars.elementsEqual(merged[field].text.unicodeScalars))
                #expect(added.encoded(field) == merged.encoded(field))
            }
        }
    }

    @Test func `many edits of one write cost little more than their number`() throws {
        let inputs = [500, 4000].map { count in
            let edits = (0..<count).map { TextEdit(position: 20 * $0, deletedCount: 3, inserted: "other") }
            let text = String(repeating: "The quick brown fox.\n", count: 2 * count)
            return (count, (text: text, edits: edits))
        }
        let byCount = Dictionary(uniqueKeysWithValues: inputs)
        try Scaling.expectLinear("adding edits", size: 500) {
            byCount[$0]
        } _: { input in
            let input = try #require(input)
            var document = NoteDocument()
            try document.set(content: input.text, by: "seed")
            try document.add(NoteAddition(.content, by: "a", input.edits))
        }
    }

    @Test func `edits that are joined keep the numbers of their events`() throws {
        let insertion = { (text: String) in [TextEdit(position: 0, inserted: text)] }
        var first = NoteAddition(.content, by: "a", from: 5, insertion("ab"))
        let joined = [("a", 7), ("a", 9), ("b", 8)].map { agent, number in
            first.join(NoteAddition(.content, by: agent, from: number, insertion("c")))
        }
        #expect(joined == [true, false, false])
        var document = NoteDocument()
        try document.add(first)
        try document.add(NoteAddition(.content, by: "a", insertion("d")))
        #expect(document.content.text == "dcab")
        let events = document.content.events(since: Version([]))
        #expect(events.map(\.sequences) == [5..<9])
    }

    @Test func `batches that follow each other are one`() throws {
        func batch(_ sequences: Range<Int>, change: Int, agent: String = "a", person: String = "ada") -> EditBatch {
            EditBatch(
                agent: agent, sequences: sequences, person: person, at: .init(milliseconds: Int64(change)),
                change: change)
        }
        let first = batch(3..<5, change: 1)
        #expect(first.followed(by: batch(5..<9, change: 2)) == batch(3..<9, change: 2))
        #expect(first.followed(by: batch(6..<9, change: 2)) == nil)
        #expect(first.followed(by: batch(5..<9, change: 2, agent: "b")) == nil)
        #expect(first.followed(by: batch(5..<9, change: 2, person: "bob")) == nil)
    }
}
