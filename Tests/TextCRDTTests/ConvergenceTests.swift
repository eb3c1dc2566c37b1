import TestSupport
import Testing
import TextCRDT

/// Replicas that edit and exchange at random agree in the end, and nothing that was typed is lost or doubled.
@Suite(.timeLimit(.minutes(20)))
struct ConvergenceTests {
    /// A replica whose person types only signs of its own, each one once.
    private struct Typist {
        let name: String
        var text = ReplicatedText()
        /// The text of a view that follows only the edits.
        var view: [Unicode.Scalar] = []
        var typedCount = 0

        mutating func show(_ edits: [TextEdit]) {
            for edit in edits {
                view.replaceSubrange(
                    edit.position..<edit.position + edit.deletedCount, with: Array(edit.inserted.unicodeScalars))
            }
        }

        mutating func edit(_ generator: inout SeededGenerator) throws {
            let position = Int.random(in: 0...text.count, using: &generator)
            var edit = TextEdit(position: position)
            if Int.random(in: 0..<3, using: &generator) == 0 {
                edit.deletedCount = Int.random(in: 0...min(4, text.count - position), using: &generator)
            }
            if edit.deletedCount == 0 || Bool.random(using: &generator) {
                for _ in 0..<Int.random(in: 1...5, using: &generator) {
                    edit.inserted += "\(name)\(typedCount);"
                    typedCount += 1
                }
            }
            try text.apply(edit, by: name)
            show([edit])
        }
    }

    @Test func `agents whose names differ in their Unicode form alone are two`() throws {
        let names = ["caf\u{E9}", "cafe\u{301}"]
        var texts = [ReplicatedText(), ReplicatedText()]
        for (index, name) in names.enumerated() {
            try texts[index].apply(TextEdit(position: 0, inserted: "\(index)"), by: name)
        }
        let patches = texts.map { $0.encoded() }
        for index in texts.indices { try texts[index].merge(patches[1 - index]) }
        #expect(texts[0].text == texts[1].text && texts[0].text.count == 2)
        #expect(texts[0].version == texts[1].version && texts[0].version.heads.count == 2)
        // The names of both are in one patch, and in what is known of either.
        var third = ReplicatedText()
        try third.merge(texts[0].encoded())
        #expect(third.text == texts[0].text && names.allSatisfy { third.nextSequence(of: $0) == 1 })
        #expect(EventID(agent: names[0], sequence: 0) != EventID(agent: names[1], sequence: 0))
    }

    @Test(arguments: 0..<40)
    func `replicas that hold the same events hold the same text`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var typists = (0..<(2 + Int(seed % 4))).map { Typist(name: String(UnicodeScalar(UInt8(97 + $0)))) }
        for _ in 0..<120 {
            let one = typists.indices.randomElement(using: &generator) ?? 0
            try typists[one].edit(&generator)
            guard Int.random(in: 0..<3, using: &generator) == 0 else { continue }
            let other = typists.indices.randomElement(using: &generator) ?? 0
            let patch = typists[one].text.encoded(since: typists[other].text.version)
            typists[other].show(try typists[other].text.merge(patch))
            // The same once more changes nothing.
            #expect(try typists[other].text.merge(patch).isEmpty)
        }
        for _ in 0..<2 {
            for one in typists.indices {
                for other in typists.indices where one != other {
                    let patch = typists[one].text.encoded(since: typists[other].text.version)
                    typists[other].show(try typists[other].text.merge(patch))
                }
            }
        }
        let text = typists[0].text.text
        for typist in typists {
            #expect(typist.text.text == text)
            #expect(String(String.UnicodeScalarView(typist.view)) == text)
            #expect(typist.text.version == typists[0].text.version)
            #expect(typist.text.authors() == typists[0].text.authors())
        }
    }

    @Test(arguments: 0..<10)
    func `without deletions every sign stands once, in its author's order`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: 100 + seed)
        var replicas = (0..<3).map { _ in ReplicatedText() }
        var typed = [0, 0, 0]
        for _ in 0..<200 {
            let one = Int.random(in: 0..<3, using: &generator)
            let sign = String(UnicodeScalar(UInt8(65 + one)))
            try replicas[one].apply(
                TextEdit(position: Int.random(in: 0...replicas[one].count, using: &generator), inserted: sign), by: sign
            )
            typed[one] += 1
            let other = Int.random(in: 0..<3, using: &generator)
            try replicas[other].merge(replicas[one].encoded(since: replicas[other].version))
        }
        for one in 0..<3 { for other in 0..<3 { try replicas[other].merge(replicas[one].encoded()) } }
        for replica in replicas {
            #expect(replica.text == replicas[0].text)
            for one in 0..<3 {
                #expect(replica.text.count { $0 == Character(UnicodeScalar(UInt8(65 + one))) } == typed[one])
            }
        }
    }

    @Test(arguments: 0..<20)
    func `each past version is the text that was seen then`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: 200 + seed)
        var typists = [Typist(name: "a"), Typist(name: "b")]
        var seen: [(version: Version, text: String)] = []
        for _ in 0..<60 {
            let one = Int.random(in: 0..<2, using: &generator)
            try typists[one].edit(&generator)
            if Int.random(in: 0..<4, using: &generator) == 0 {
                typists[one].show(try typists[one].text.merge(typists[1 - one].text.encoded()))
            }
            seen.append((typists[one].text.version, typists[one].text.text))
        }
        try typists[0].text.merge(typists[1].text.encoded())
        for moment in seen { #expect(try typists[0].text.text(at: moment.version) == moment.text) }
    }

    @Test(arguments: 0..<20)
    func `an edit on an old version is one made there and merged`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: 300 + seed)
        var here = Typist(name: "a")
        for _ in 0..<20 { try here.edit(&generator) }
        var there = ReplicatedText()
        try there.merge(here.text.encoded())
        let old = here.text.version
        for _ in 0..<20 { try here.edit(&generator) }
        let edit = TextEdit(
            position: Int.random(in: 0...there.count, using: &generator), inserted: "\u{1F600}é legacy")
        try there.apply(edit, by: "z")
        var direct = here.text
        try direct.apply([edit], by: "z", at: old)
        try here.text.merge(there.encoded())
        #expect(direct.text == here.text.text)
        #expect(direct.version == here.text.version)
    }

    @Test(arguments: 0..<20)
    func `what came after a version leads from its text to the newest`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: 600 + seed)
        var typists = [Typist(name: "a"), Typist(name: "b"), Typist(name: "c")]
        var seen: [(version: Version, text: String)] = []
        for _ in 0..<80 {
            let one = Int.random(in: 0..<3, using: &generator)
            try typists[one].edit(&generator)
            if Int.random(in: 0..<3, using: &generator) == 0 {
                let other = typists[Int.random(in: 0..<3, using: &generator)].text
                let patch = other.encoded(since: typists[one].text.version)
                typists[one].show(try typists[one].text.merge(patch))
            }
            seen.append((typists[one].text.version, typists[one].text.text))
        }
        var newest = typists[0].text
        for typist in typists { try newest.merge(typist.text.encoded()) }
        for moment in seen {
            var text = Array(moment.text.unicodeScalars)
            for edit in try newest.edits(since: moment.version) {
                text.replaceSubrange(
                    edit.position..<edit.position + edit.deletedCount, with: Array(edit.inserted.unicodeScalars))
            }
            #expect(String(String.UnicodeScalarView(text)) == newest.text)
            var count = 0
            for part in newest.events(since: moment.version) {
                count += part.sequences.count
                for sequence in part.sequences {
                    let event = EventID(agent: part.agent, sequence: sequence)
                    #expect(!newest.contains(event, in: moment.version))
                }
            }
            var past = ReplicatedText()
            try past.merge(newest.encoded(upTo: moment.version))
            #expect(past.eventCount + count == newest.eventCount)
            #expect(newest.joined([moment.version, newest.version]) == newest.version)
        }
    }

    /// Edits far from each other are put together before the text is changed.
    @Test func `many edits at places far apart give the text that single ones give`() throws {
        var generator = SeededGenerator(seed: 9)
        var (whole, other) = (ReplicatedText(), ReplicatedText())
        try whole.apply(TextEdit(position: 0, inserted: String(repeating: "abcdefgh", count: 500)), by: "w")
        try other.merge(whole.encoded())
        let old = whole.version
        for index in 0..<4000 {
            let position = Int.random(in: 0..<other.count - 8, using: &generator)
            let edit =
                index % 3 == 0
                ? TextEdit(position: position, deletedCount: Int.random(in: 1...4, using: &generator))
                : TextEdit(position: position, inserted: "\(index),")
            try other.apply(edit, by: "o")
        }
        try whole.apply(TextEdit(position: 2000, deletedCount: 3, inserted: "here"), by: "w")
        let before = Array(whole.text.unicodeScalars)
        let edits = try whole.merge(other.encoded(since: old))
        var text = before
        for edit in edits {
            text.replaceSubrange(
                edit.position..<edit.position + edit.deletedCount, with: Array(edit.inserted.unicodeScalars))
        }
        #expect(edits.count > 1000)
        #expect(String(String.UnicodeScalarView(text)) == whole.text)
        try other.merge(whole.encoded())
        #expect(other.text == whole.text)
    }

    @Test(arguments: 0..<20)
    func `an undo brings back what one person changed and nothing else`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: 400 + seed)
        var (me, other) = (Typist(name: "a"), Typist(name: "b"))
        for _ in 0..<10 { try me.edit(&generator) }
        try other.text.merge(me.text.encoded())
        let before = me.text.text
        let first = me.text.nextSequence(of: "a")
        for _ in 0..<5 { try me.edit(&generator) }
        for edit in try me.text.edits(undoing: [("a", first..<me.text.nextSequence(of: "a"))]) {
            try me.text.apply(edit, by: "a")
        }
        #expect(me.text.text == before)
        // Concurrent edits of another replica are kept.
        try other.text.apply(TextEdit(position: other.text.count, inserted: "ENDE"), by: "b")
        try me.text.merge(other.text.encoded())
        #expect(me.text.text == before + "ENDE")
    }
}
