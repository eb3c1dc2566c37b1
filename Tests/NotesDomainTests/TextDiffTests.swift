import TestSupport
import Testing
import TextCRDT

@testable import NotesDomain

/// The difference of two texts, and whole texts merged over what their writer had read.
@Suite(.timeLimit(.minutes(20)))
struct TextDiffTests {
    private func apply(_ edits: [TextEdit], to text: String) -> String {
        var scalars = Array(text.unicodeScalars)
        for edit in edits {
            scalars.replaceSubrange(
                edit.position..<edit.position + edit.deletedCount, with: Array(edit.inserted.unicodeScalars))
        }
        return String(String.UnicodeScalarView(scalars))
    }

    private static let cases: [(String, String, [TextEdit])] = [
        ("", "", []), ("a", "a", []), ("", "a", [TextEdit(position: 0, inserted: "a")]),
        ("a", "", [TextEdit(position: 0, deletedCount: 1)]),
        ("one two", "one new two", [TextEdit(position: 4, inserted: "new ")]),
        ("a\nb\n", "a\nc\nb\n", [TextEdit(position: 2, inserted: "c\n")]),
        ("a\nb\nb\n", "a\nb\n", [TextEdit(position: 4, deletedCount: 2)]),
        ("aaa", "aaaa", [TextEdit(position: 3, inserted: "a")]),
        ("buy one", "buy one\nsell one", [TextEdit(position: 7, inserted: "\nsell one")]),
        ("start\nmine one", "start\nmine one\ntheirs one", [TextEdit(position: 14, inserted: "\ntheirs one")]),
        ("one\ntwo", "one one\ntwo", [TextEdit(position: 3, inserted: " one")]),
        ("a and b", "a and and b", [TextEdit(position: 6, inserted: "and ")]),
        ("buy one\nsell one", "buy one", [TextEdit(position: 7, deletedCount: 9)]),
        ("e\u{301}", "\u{e9}", [TextEdit(position: 0, deletedCount: 2, inserted: "\u{e9}")]),
        ("abc", "axbxc", [TextEdit(position: 1, inserted: "x"), TextEdit(position: 3, inserted: "x")]),
    ]

    @Test(arguments: cases)
    func `known differences`(old: String, new: String, edits: [TextEdit]) {
        #expect(TextDiff.edits(from: old, to: new) == edits)
    }

    @Test func `random texts become each other, and nothing is deleted where all of it stays`() {
        var generator = SeededGenerator(seed: 21)
        let signs = Array("ab \ncé".unicodeScalars)
        for round in 0..<3000 {
            let old = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                signs[Int.random(in: 0..<signs.count, using: &generator)]
            }
            var new = old
            var isOnlyInserted = true
            for _ in 0..<Int.random(in: 0...6, using: &generator) {
                let place = Int.random(in: 0...new.count, using: &generator)
                if round % 2 == 0, !new.isEmpty, Bool.random(using: &generator) {
                    new.remove(at: min(place, new.count - 1))
                    isOnlyInserted = false
                } else {
                    new.insert(signs[Int.random(in: 0..<signs.count, using: &generator)], at: place)
                }
            }
            let (from, to) = (string(old), string(new))
            let edits = TextDiff.edits(from: from, to: to)
            #expect(apply(edits, to: from).unicodeScalars.elementsEqual(to.unicodeScalars))
            if isOnlyInserted { #expect(edits.allSatisfy { $0.deletedCount == 0 }) }
        }
    }

    private func string(_ scalars: [Unicode.Scalar]) -> String { String(String.UnicodeScalarView(scalars)) }

    /// Each stage alone must give a right answer, so texts are made that the one before gives up.
    @Test func `texts too different for one stage are left to the next`() {
        func lines(_ count: Int, _ line: (Int) -> String) -> String { (0..<count).map(line).joined(separator: "\n") }
        let old = lines(3000) { "line number \($0) with some words" }
        let edited = lines(3000) {
            $0 % 3 == 0 ? "line number \($0) with some other words" : "line number \($0) with some words"
        }
        let edits = TextDiff.edits(from: old, to: edited)
        #expect(apply(edits, to: old) == edited)
        #expect(edits.allSatisfy { $0.deletedCount == 0 })
        // One line without anchors: words.
        let words = (0..<4000).map { "w\($0 % 7)" }.joined(separator: " ")
        let more = (0..<4000).map { $0 % 5 == 0 ? "w\($0 % 7) and" : "w\($0 % 7)" }.joined(separator: " ")
        let wordEdits = TextDiff.edits(from: words, to: more)
        #expect(apply(wordEdits, to: words) == more)
        // Nothing in common.
        let (a, b) = (String(repeating: "a", count: 9000), String(repeating: "b", count: 9000))
        #expect(TextDiff.edits(from: a, to: b) == [TextEdit(position: 0, deletedCount: 9000, inserted: b)])
        // Far more than the budget of any stage, but one is part of the other.
        let mixed = (0..<9000).map { _ in "xa" }.joined()
        let inserted = TextDiff.edits(from: String(repeating: "a", count: 9000), to: mixed)
        #expect(apply(inserted, to: String(repeating: "a", count: 9000)) == mixed)
        #expect(inserted.allSatisfy { $0.deletedCount == 0 })
    }

    @Test func `the cost is bounded`() {
        var generator = SeededGenerator(seed: 4)
        func noise(_ count: Int) -> String {
            String(
                String.UnicodeScalarView(
                    (0..<count).map { _ in Unicode.Scalar(UInt8.random(in: 97...122, using: &generator)) }))
        }
        let inputs = [20_000: (noise(20_000), noise(20_000)), 160_000: (noise(160_000), noise(160_000))]
        Scaling.expectLinear("a difference", size: 20_000) {
            inputs[$0] ?? ("", "")
        } _: {
            _ = TextDiff.edits(from: $0.0, to: $0.1)
        }
    }

    @Test func `lines are compared as a reader does`() {
        #expect(LineDiff(from: "", to: "a\n\nb").lines.map(\.kind) == [.added, .added, .added], "nothing was removed")
        #expect(LineDiff(from: "a", to: "").lines.map(\.kind) == [.removed])
        let diff = LineDiff(from: "a\nb\nc", to: "a\nc\nd")
        #expect(diff.lines.map(\.kind) == [.unchanged, .removed, .unchanged, .added])
        #expect(diff.lines.map(\.text) == ["a", "b", "c", "d"])
        #expect(diff.lines.map(\.index) == [0, 1, 1, 2])
    }

    // MARK: Whole texts merged

    @Test func `a stale whole text changes only what its writer changed`() throws {
        var note = NoteDocument()
        try note.set(title: "Shopping", content: "- milk\n- bread\n", by: "a")
        let read = note.version
        try note.set(content: "- milk\n- tomatoes\n- bread\n", by: "b")
        let merge = try note.merge(title: "Shopping", content: "- oat milk\n- bread\n", base: read, by: "legacy")
        let edits = merge.edits
        #expect(try note.content.text(at: merge.written.content) == "- oat milk\n- bread\n")
        #expect(merge.written.title == read.title)
        #expect(note.content.text == "- oat milk\n- tomatoes\n- bread\n")
        #expect(edits.content == [TextEdit(position: 2, inserted: "oat ")])
        #expect(edits.title.isEmpty)
        let same = try note.merge(title: nil, content: "- milk\n- bread\n", base: read, by: "legacy")
        #expect(same.edits.isEmpty)
        #expect(same.written == read)
        #expect(try note.content.text(at: read.content) == "- milk\n- bread\n")
        try note.restore(read, by: "a")
        #expect(note.content.text == "- milk\n- bread\n")
    }

    @Test func `an agent whose base lacks its own edits gets another name`() throws {
        var note = NoteDocument()
        try note.set(content: "1", by: "a")
        let old = note.version
        try note.merge(title: nil, content: "1x", base: old, by: "l")
        try note.merge(title: nil, content: "1y", base: old, by: "l")
        try note.merge(title: nil, content: "1z", base: old, by: "l")
        #expect(Set(note.version.content.heads.map(\.agent)) == ["l", "l~2", "l~3"])
        #expect(Set(note.content.text) == ["1", "x", "y", "z"])
    }

    /// Clients that read and write whole texts at their own pace, and clients with a replica: each types only signs of its
    /// own, never one twice, and deletes only its own.
    @Test(arguments: 0..<40)
    func `no sign is lost that its writer did not delete`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: 500 + seed)
        var server = NoteDocument()
        var typed: Set<Unicode.Scalar> = []
        var deleted: Set<Unicode.Scalar> = []
        struct Client {
            let first: UInt32
            var next: UInt32 = 0
            var text: [Unicode.Scalar] = []
            var base = NoteVersion()
            var replica: NoteDocument?
            /// Whether there is text that was not written; who reads then throws it away by itself.
            var isDirty = false
        }
        var clients = (0..<4).map { Client(first: 0x4E00 + UInt32($0) * 0x800, replica: $0 < 2 ? nil : NoteDocument()) }
        for _ in 0..<200 {
            let index = Int.random(in: 0..<4, using: &generator)
            var client = clients[index]
            let agent = "c\(index)"
            switch Int.random(in: 0..<4, using: &generator) {
            case 0:  // read
                if var replica = client.replica {
                    try replica.merge(server.patch(since: replica.version))
                    client.text = Array(replica.content.text.unicodeScalars)
                    client.replica = replica
                } else if !client.isDirty {
                    client.text = Array(server.content.text.unicodeScalars)
                    client.base = server.version
                }
            case 1 where client.replica == nil:  // write
                let text = String(String.UnicodeScalarView(client.text))
                client.base = try server.merge(title: nil, content: text, base: client.base, by: agent).written
                client.isDirty = false
            case 1:
                if let replica = client.replica { try server.merge(replica.patch(since: server.version)) }
            default:
                client.isDirty = true
                let place = Int.random(in: 0...client.text.count, using: &generator)
                let own = client.text.indices.filter {
                    (client.first..<client.first + 0x800).contains(client.text[$0].value)
                }
                var edits: [TextEdit] = []
                if Int.random(in: 0..<4, using: &generator) == 0, let gone = own.randomElement(using: &generator) {
                    deleted.insert(client.text.remove(at: gone))
                    edits.append(TextEdit(position: gone, deletedCount: 1))
                } else {
                    var added: [Unicode.Scalar] = []
                    for _ in 0..<Int.random(in: 1...3, using: &generator) {
                        if let sign = Unicode.Scalar(client.first + client.next) { added.append(sign) }
                        client.next += 1
                    }
                    typed.formUnion(added)
                    client.text.insert(contentsOf: added, at: place)
                    edits.append(TextEdit(position: place, inserted: String(String.UnicodeScalarView(added))))
                }
                if var replica = client.replica {
                    try replica.apply(edits, to: .content, by: agent, at: replica.version.content)
                    client.replica = replica
                }
            }
            clients[index] = client
        }
        for (index, client) in clients.enumerated() {
            if let replica = client.replica {
                try server.merge(replica.patch(since: server.version))
            } else {
                let text = String(String.UnicodeScalarView(client.text))
                try server.merge(title: nil, content: text, base: client.base, by: "c\(index)")
            }
        }
        let final = Array(server.content.text.unicodeScalars)
        let isComplete = Set(final) == typed.subtracting(deleted)
        #expect(isComplete)
        #expect(final.count == Set(final).count, "no sign is doubled")
    }

    @Test func `the base is what the client read, else the most similar recent version`() {
        func version(_ number: Int) -> NoteVersion {
            NoteVersion(content: Version([EventID(agent: "a", sequence: number)]))
        }
        let recent = [(3, "one\ntwo\nthree\nfour"), (2, "one\ntwo\nthree"), (1, "one")].map {
            MergeBase.Candidate(version: version($0.0), title: "T", content: $0.1)
        }
        func choose(_ read: NoteVersion?, _ content: String) -> MergeBase {
            MergeBase.choose(lastRead: read, recent: recent, title: "T", content: content)
        }
        #expect(choose(version(1), "one\ntwo\nthree\nfour") == .known(version(1)))
        #expect(choose(nil, "one\ntwo\nthree!") == .similar(version(2)))
        #expect(choose(nil, "one\ntwo\nthree\nfour\nfive") == .similar(version(3)))
        #expect(choose(nil, String(repeating: "other ", count: 20)) == .current)
        #expect(MergeBase.choose(lastRead: nil, recent: [], title: "", content: "") == .current)
    }
}
