import TestSupport
import Testing
import TextCRDT

struct EditCodingTests {
    @Test func `edits are read as they were written`() throws {
        var random = SeededGenerator(seed: 21)
        let words = ["", "a", "ż", "日本", "e\u{301}", "👩‍👩‍👧", "line\n", String(repeating: "x", count: 300)]
        for _ in 0..<200 {
            let edits = (0..<Int.random(in: 0...5, using: &random)).map { _ in
                TextEdit(
                    position: Int.random(in: 0...1_000_000, using: &random),
                    deletedCount: Int.random(in: 0...500, using: &random),
                    inserted: words.randomElement(using: &random) ?? "")
            }
            let read = try [TextEdit](decoding: edits.encoded())
            #expect(read == edits)
            #expect(
                zip(read, edits).allSatisfy { $0.inserted.unicodeScalars.elementsEqual($1.inserted.unicodeScalars) })
        }
    }

    @Test func `encoded edits after others are the edits of both`() throws {
        let (first, second) = (TextEdit(position: 1, inserted: "one"), TextEdit(position: 4, deletedCount: 2))
        #expect(try [TextEdit](decoding: [first].encoded() + [second].encoded()) == [first, second])
    }

    @Test func `bytes of another form are refused`() throws {
        let bytes = [TextEdit(position: 300, deletedCount: 1, inserted: "źle")].encoded()
        for end in 1..<bytes.count {
            #expect(throws: TextCRDTError.self) { try [TextEdit](decoding: Array(bytes[..<end])) }
        }
        var random = SeededGenerator(seed: 21)
        for _ in 0..<2000 {
            var changed = bytes
            for _ in 0...Int.random(in: 0...3, using: &random) {
                changed[Int.random(in: 0..<changed.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            // It is read or refused; nothing else happens.
            _ = try? [TextEdit](decoding: changed)
        }
        #expect(throws: TextCRDTError.self) { try [TextEdit](decoding: [0, 0, 1, 0xFF]) }
    }
}
