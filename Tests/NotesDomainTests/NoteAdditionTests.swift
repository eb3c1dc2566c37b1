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
