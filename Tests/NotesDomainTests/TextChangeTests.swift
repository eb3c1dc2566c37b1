import JSON
import NotesDomain
import TestSupport
import Testing
import TextCRDT

/// Changes of texts that are carried over each other, and editors without a history.
struct TextChangeTests {
    private func edits(_ text: String, _ sign: String, _ generator: inout SeededGenerator) -> [TextEdit] {
        var text = text
        return (0..<Int.random(in: 0...4, using: &generator)).map { _ in
            let count = text.unicodeScalars.count
            let position = Int.random(in: 0...count, using: &generator)
            let edit = TextEdit(
                position: position, deletedCount: Int.random(in: 0...min(3, count - position), using: &generator),
                inserted: String(repeating: sign, count: Int.random(in: 0...2, using: &generator)))
            text = TextChange([edit]).applied(to: text)
            return edit
        }
    }

    @Test func `consecutive edits are one change, and changes carried over each other meet`() {
        var generator = SeededGenerator(seed: 31)
        for _ in 0..<4000 {
            let text = String("abcdé\u{1F600}fgh".prefix(Int.random(in: 0...9, using: &generator)))
            let (mine, theirs) = (edits(text, "X", &generator), edits(text, "Y", &generator))
            let (a, b) = (TextChange(mine), TextChange(theirs))
            let stepwise = mine.reduce(text) { TextChange([$1]).applied(to: $0) }
            #expect(a.applied(to: text) == stepwise)
            #expect(a.edits.reduce(text) { TextChange([$1]).applied(to: $0) } == stepwise)
            let first = b.over(a, isFirst: true).applied(to: a.applied(to: text))
            let second = a.over(b, isFirst: false).applied(to: b.applied(to: text))
            #expect(first == second)
            #expect(a.then(b.over(a, isFirst: true)).applied(to: text) == first)
            #expect(a.isEmpty == (mine.allSatisfy { $0.deletedCount == 0 && $0.inserted.isEmpty }) || a.isEmpty)
        }
    }

    @Test func `changes and their combinations are those of the page`() throws {
        let cases = try #require(try JSONReader.read(Array(PageVectors.read("changes").utf8)).array)
        #expect(!cases.isEmpty)
        for item in cases {
            let text = try #require(item["text"]?.string)
            func edits(_ name: String) throws -> [TextEdit] {
                try #require(item[name]?.array).map { edit in
                    let parts = try #require(edit.array)
                    return TextEdit(
                        position: try #require(parts[0].integer), deletedCount: try #require(parts[1].integer),
                        inserted: try #require(parts[2].string))
                }
            }
            let (mine, theirs) = (TextChange(try edits("mine")), TextChange(try edits("theirs")))
            let (first, second) = (mine.over(theirs, isFirst: true), theirs.over(mine, isFirst: false))
            let places = 0...text.unicodeScalars.count
            #expect(try mine.edits == edits("edits"), "\(text)")
            #expect(mine.applied(to: text) == item["result"]?.string, "\(text)")
            #expect(mine.isEmpty == item["isEmpty"]?.bool, "\(text)")
            #expect(try first.edits == edits("over"), "\(text)")
            #expect(try second.edits == edits("overTheirs"), "\(text)")
            #expect(second.applied(to: mine.applied(to: text)) == item["both"]?.string, "\(text)")
            #expect(try mine.then(second).edits == edits("then"), "\(text)")
            #expect(places.map { mine.position(of: $0) } == item["places"]?.array?.compactMap(\.integer), "\(text)")
            let after = places.map { mine.position(of: $0, isAfterInsertion: true) }
            #expect(after == item["placesAfter"]?.array?.compactMap(\.integer), "\(text)")
        }
    }

    @Test func `places move with what is before them`() {
        let change = TextChange([TextEdit(position: 2, inserted: "xx"), TextEdit(position: 6, deletedCount: 2)])
        let places = (0...8).map { change.position(of: $0) }
        #expect(places == [0, 1, 2, 5, 6, 6, 6, 7, 8])
        #expect(change.position(of: 2, isAfterInsertion: true) == 4)
    }

    @Test func `many edits cost little more than their number`() {
        Scaling.expectLinear("a change", size: 500) { count in
            (0..<count).map { TextEdit(position: $0 * 7 % (count + 1), inserted: "ab") }
        } _: {
            _ = TextChange($0)
        }
    }

    private let version = { (number: Int) in Version([EventID(agent: "a", sequence: number)]) }

    @Test func `an editor keeps what is not confirmed over a reload`() throws {
        var editor = EditClient(note: "1ab")
        editor.type([TextEdit(position: 0, inserted: "typed before it was open")])
        let early = editor.request(number: 1)
        #expect(early == nil)
        let whole = TextDelta(
            note: "1ab", field: .content, from: nil, to: version(4), edits: [TextEdit(position: 0, inserted: "Hello")],
            acknowledged: 0)
        let shown = editor.receive(whole)
        #expect(shown == [TextEdit(position: 0, inserted: "Hello")])
        let again = editor.opened(acknowledged: 0, number: 2)
        #expect(again == nil)
        let sent = editor.request(number: 3)
        let request = try #require(sent)
        let second = editor.request(number: 4)
        #expect(second == nil, "one at a time")
        editor.type([TextEdit(position: editor.text.count, inserted: "!")])
        var reloaded = EditClient(note: "1ab", editor.snapshot)
        #expect(reloaded.text == "Hellotyped before it was open!")
        #expect(!reloaded.isSaved)
        // The server has nothing of it yet: someone else has deleted the greeting.
        let since = TextDelta(
            note: "1ab", field: .content, from: version(4), to: version(5),
            edits: [TextEdit(position: 0, deletedCount: 5)], acknowledged: 0)
        var change = reloaded.receive(since)
        #expect(change == [TextEdit(position: 0, deletedCount: 5)])
        let opened = reloaded.opened(acknowledged: 0, number: 1)
        let repeated = try #require(opened)
        guard case .edit(let first) = request.kind, case .edit(let second) = repeated.kind else {
            Issue.record("not edits")
            return
        }
        #expect(second.sequence == first.sequence)
        #expect(second.edits == [TextEdit(position: 0, inserted: "typed before it was open")])
        #expect(second.base == version(5))
        let own = TextDelta(
            note: "1ab", field: .content, from: version(5), to: version(6), edits: second.edits, acknowledged: 24)
        change = reloaded.receive(own)
        #expect(change == [])
        let rest = reloaded.request(number: 2)
        let last = try #require(rest)
        guard case .edit(let edit) = last.kind else { return }
        #expect(edit.sequence == 24)
        #expect(edit.edits == [TextEdit(position: 24, inserted: "!")])
    }

    /// An editor that shows `abXXXOOOd`, of which the letters O are in flight and the letters X are of another.
    private func editorBesideOthers() throws -> EditClient {
        var editor = EditClient(note: "1ab")
        func delta(from: Int?, to: Int, _ edit: TextEdit) -> TextDelta {
            TextDelta(
                note: "1ab", field: .content, from: from.map(version), to: version(to), edits: [edit], acknowledged: 0)
        }
        _ = editor.receive(delta(from: nil, to: 1, TextEdit(position: 0, inserted: "abd")))
        _ = editor.opened(acknowledged: 0, number: 1)
        editor.type([TextEdit(position: 2, inserted: "OOO")])
        _ = editor.request(number: 2)
        _ = editor.receive(delta(from: 1, to: 2, TextEdit(position: 2, inserted: "XXX")))
        try #require(editor.text == "abXXXOOOd")
        return editor
    }

    @Test(arguments: [
        (edit: TextEdit(position: 5, deletedCount: 2), text: "abOXXXd"),
        (edit: TextEdit(position: 2, deletedCount: 2), text: "abOOOXd"),
        (edit: TextEdit(position: 8, inserted: "P"), text: "abOOOPXXXd"),
        (edit: TextEdit(position: 6, deletedCount: 3, inserted: "P"), text: "abOPXXX"),
    ])
    func `what was typed meanwhile stays with its letters when the server places the edits in flight elsewhere`(
        edit: TextEdit, text: String
    ) throws {
        for isReloaded in [false, true] {
            var editor = try editorBesideOthers()
            editor.type([edit])
            // After a reload the edits of others are in the same delta.
            if isReloaded { editor = EditClient(note: "1ab", editor.snapshot) }
            let shown = editor.text
            let others = isReloaded ? [TextEdit(position: 0, inserted: "Y")] : []
            let edits = [TextEdit(position: 2, inserted: "OOO")] + others
            let change = editor.receive(
                TextDelta(
                    note: "1ab", field: .content, from: version(2), to: version(3), edits: edits, acknowledged: 3))
            #expect(TextChange(try #require(change)).applied(to: shown) == editor.text)
            #expect(editor.text == (isReloaded ? "Y" : "") + text)
        }
    }

    @Test func `an editor refuses a delta that does not follow what it knows`() {
        var editor = EditClient(note: "1ab")
        let delta = TextDelta(
            note: "1ab", field: .content, from: version(1), to: version(2), edits: [], acknowledged: 0)
        let change = editor.receive(delta)
        #expect(change == nil)
    }
}
