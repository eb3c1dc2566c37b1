import NotesDomain
import Testing
import TextCRDT

/// Texts in memory: what follows from an older version, and the memory that it takes to know it.
struct OpenTextsTests {
    private func type(_ text: String, into texts: inout OpenTexts) throws {
        let content = texts.document.content
        _ = try texts.perform(
            EditRequest(
                field: .content, sequence: content.nextSequence(of: "ada"), base: texts.version.content,
                edits: [TextEdit(position: 0, inserted: text)]),
            in: "note", by: "ada", known: texts.version.content)
    }

    @Test func `what follows from an older version is the same without the changes in memory`() throws {
        var texts = OpenTexts(NoteDocument())
        var versions: [(version: Version, text: String)] = []
        for number in 0..<20 {
            versions.append((texts.version.content, texts.document.content.text))
            try type("\(number) ", into: &texts)
        }
        var small = texts
        small.forgetChanges()
        #expect(small.version == texts.version && small.document.content.text == texts.document.content.text)
        for known in versions {
            for texts in [texts, small] {
                let way = texts.way(.content, since: known.version)
                #expect(way.from == known.version)
                var text = known.text
                for edit in way.edits {
                    let place = text.index(text.startIndex, offsetBy: edit.position)
                    text.replaceSubrange(place..<text.index(place, offsetBy: edit.deletedCount), with: edit.inserted)
                }
                #expect(text == texts.document.content.text)
            }
        }
    }

    @Test func `the changes that are kept are counted, and are so many at most`() throws {
        var texts = OpenTexts(NoteDocument())
        let empty = texts.size
        try type("a", into: &texts)
        var bare = texts
        bare.forgetChanges()
        let (event, change) = (bare.size - empty, texts.size - bare.size)
        #expect(event > 0 && change > 100)
        for _ in 1..<1024 {
            try type("a", into: &texts)
            #expect(texts.size <= texts.document.content.eventCount * event + 512 * change)
        }
        #expect(texts.size == 1024 * event + 512 * change)
        try type("a", into: &texts)
        #expect(texts.size == 1025 * event + 257 * change)
    }
}
