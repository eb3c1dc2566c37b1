import NotesDomain
import TestSupport
import Testing
import TextCRDT
import Time

/// Texts of several machines on a server of whole notes: no word that anyone typed is lost, doubled or mixed with another.
@Suite(.timeLimit(.minutes(20)))
struct ServerTextMergeTests {
    /// A machine with one note.
    private struct Machine {
        let agent: String
        private(set) var document = NoteDocument()
        private var sent = SentEdits()

        init(_ agent: String) { self.agent = agent }

        var text: String { document.content.text }

        mutating func set(_ content: String) throws { try document.set(content: content, by: agent) }
        mutating func append(_ line: String) throws { try set(text.isEmpty ? line : text + "\n" + line) }

        /// Inserts a word at a place in scalars.
        mutating func insert(_ word: String, at place: Int) throws {
            try document.apply(
                [TextEdit(position: place, inserted: word)], to: .content, by: agent, at: document.content.version)
        }

        /// Takes in the text of the server, and returns what is to be sent.
        mutating func take(_ server: String, at now: Instant = Instant(milliseconds: 0)) throws -> String? {
            try document.merge(
                serverTitle: "", content: server, sent: &sent, at: now, by: agent, server: agent + "@server")
            return text == server ? nil : text
        }

        /// Syncs until both sides are the same.
        mutating func sync(_ server: inout String) throws {
            while let changed = try take(server) { server = changed }
        }
    }

    private struct Merge: CustomTestStringConvertible {
        let base: String
        let first: String
        let second: String
        let expected: String
        var testDescription: String { expected }
    }

    private static let merges = [
        Merge(
            base: "- [ ] buy salt", first: "- [ ] buy milk", second: "- [ ] buy bread",
            expected: "- [ ] buy salt\n- [ ] buy milk\n- [ ] buy bread"),
        Merge(
            base: "Plan", first: "Meeting at 10:30", second: "Meeting at 11:45",
            expected: "Plan\nMeeting at 10:30\nMeeting at 11:45"),
        Merge(
            base: "Today", first: "call Anna", second: "call Mona about Friday",
            expected: "Today\ncall Anna\ncall Mona about Friday"),
        Merge(base: "List", first: "- 3 apples", second: "- 5 pears", expected: "List\n- 3 apples\n- 5 pears"),
        Merge(
            base: "Log", first: "12:00 INFO started with 4 workers", second: "12:01 INFO started with 8 workers",
            expected: "Log\n12:00 INFO started with 4 workers\n12:01 INFO started with 8 workers"),
        Merge(base: "", first: "milk", second: "bread", expected: "milk\nbread"),
        Merge(base: "a\n", first: "goat cheese", second: "oat", expected: "a\n\ngoat cheese\noat"),
        Merge(base: "", first: "- milk", second: "- tea", expected: "- milk\n- tea"),
    ]

    @Test(arguments: merges) private func `lines that two machines append stay whole`(merge: Merge) throws {
        var server = merge.base
        var (one, two) = (Machine("one"), Machine("two"))
        try one.sync(&server)
        try two.sync(&server)
        try one.append(merge.first)
        try two.append(merge.second)
        try one.sync(&server)
        try two.sync(&server)
        try one.sync(&server)
        for text in [server, one.text, two.text] { #expect(text == merge.expected) }
    }

    @Test(arguments: merges) private func `lines of PUTs that race stay whole`(merge: Merge) throws {
        var server = merge.base
        var (one, two) = (Machine("one"), Machine("two"))
        try one.sync(&server)
        try two.sync(&server)
        try one.append(merge.first)
        try two.append(merge.second)
        let (first, second) = (try one.take(server), try two.take(server))
        // Each has read the base; the second PUT replaces the first one.
        server = try #require(first)
        server = try #require(second)
        for _ in 0..<3 {
            try one.sync(&server)
            try two.sync(&server)
        }
        let lines = server.split(separator: "\n").sorted()
        #expect(lines == merge.expected.split(separator: "\n").sorted())
        for text in [one.text, two.text] { #expect(text == server) }
    }

    @Test(arguments: merges) private func `a line of a phone and one of a machine without a network stay whole`(
        merge: Merge
    ) throws {
        var server = merge.base
        var machine = Machine("one")
        try machine.sync(&server)
        try machine.append(merge.second)
        server = merge.base.isEmpty ? merge.first : merge.base + "\n" + merge.first
        try machine.sync(&server)
        #expect(server == merge.expected)
    }

    @Test func `a line that is being typed is not torn by one of another machine`() throws {
        var server = "salt"
        var (one, two) = (Machine("one"), Machine("two"))
        try one.sync(&server)
        try two.sync(&server)
        try one.set("salt\nHel")
        try one.sync(&server)
        try two.sync(&server)
        try one.set("salt\nHello wor")
        try two.append("bread")
        try two.sync(&server)
        try one.sync(&server)
        try one.set(one.text.replacing("wor", with: "world"))
        try one.sync(&server)
        #expect(server == "salt\nHello world\nbread")
    }

    @Test func `a word that someone else goes on with is found`() throws {
        var server = "mil"
        var machine = Machine("one")
        try machine.sync(&server)
        try machine.set("milk")
        try machine.sync(&server)
        server = "milks and more"
        try machine.sync(&server)
        #expect(machine.text == "milks and more")
    }

    @Test func `a letter that is the same in another word is sent again`() throws {
        var server = "fruit\n"
        var machine = Machine("one")
        try machine.sync(&server)
        try machine.set("fruit\na")
        try machine.sync(&server)
        server = "fruit\nbanana"
        try machine.sync(&server)
        #expect(server == "fruit\nbanana\na")
    }

    @Test func `a line is found whole where another one that is gone has its words`() throws {
        var server = "call Anna"
        var machine = Machine("one")
        try machine.sync(&server)
        try machine.append("- milk milk tea")
        try machine.sync(&server)
        server = "call Anna\n- buy milk early\n- meeting at ten\n- milk milk tea"
        try machine.sync(&server)
        server = "call Anna\n- milk milk tea"
        try machine.sync(&server)
        for text in [server, machine.text] { #expect(text == "call Anna\n- milk milk tea") }
    }

    @Test func `a line that was sent is found where lines before it are gone and others came after it`() throws {
        var server = "list\n- the meeting at ten with Mona\n- milk the tea"
        var machine = Machine("one")
        try machine.sync(&server)
        try machine.append("- the bread rolls")
        try machine.sync(&server)
        server = "list\n- the bread rolls\n- call Anna\n- meeting a friend"
        try machine.sync(&server)
        #expect(server == "list\n- the bread rolls\n- call Anna\n- meeting a friend")
    }

    @Test func `a line that was sent is found with words in it, where another line with its words is gone`() throws {
        var server = "start here"
        var machine = Machine("one")
        try machine.sync(&server)
        try machine.append("- meeting w3g")
        try machine.sync(&server)
        // Another client that had not read the line writes its own text; so the line is sent again after that.
        server = "start w2w here\n- buy meeting w4t"
        try machine.sync(&server)
        // A phone that had read the first text of this machine.
        server = "start here\n- w9r meeting w10p w3g"
        try machine.sync(&server)
        #expect(server == "start here\n- w9r meeting w10p w3g")
    }

    /// What a machine has before and after it edits, what the server has meanwhile, and what both have then.
    private struct Meeting: CustomTestStringConvertible {
        let base: String
        let here: String
        let there: String
        let expected: String
        var testDescription: String { expected }
    }

    private static let meetings = [
        // A word that someone has changed begins with letters that are new, and one of those that were there.
        Meeting(
            base: "start here", here: "- buy milk\nstart here", there: "w21s here", expected: "- buy milk\nw21s here"),
        Meeting(base: "list\n", here: "list\n- tea", there: "list\n- milk", expected: "list\n- milk\n- tea"),
        Meeting(base: "- all", here: "- tea\n- all", there: "- all\n- salt", expected: "- tea\n- all\n- salt"),
        // Words that were added to a line that is deleted here.
        Meeting(
            base: "- milk\n- tea\n- salt", here: "- milk\n- salt", there: "- milk\n- tea green\n- salt",
            expected: "- milk\n green\n- salt"),
        Meeting(base: "some milk", here: "some", there: "some milkshake", expected: "some shake"),
    ]

    @Test(arguments: meetings) private func `words and lines stay whole where both sides edit`(meeting: Meeting) throws
    {
        var server = meeting.base
        var machine = Machine("one")
        try machine.sync(&server)
        try machine.set(meeting.here)
        server = meeting.there
        try machine.sync(&server)
        #expect(server == meeting.expected)
    }

    @Test func `a word at its place is found where a line that was sent with it is deleted at once`() throws {
        var server = "start here"
        var machine = Machine("one")
        try machine.sync(&server)
        try machine.set("start tea here\n- meeting people")
        try machine.sync(&server)
        server = "start tea here\n- milk"
        try machine.sync(&server)
        #expect(server == "start tea here\n- milk\n- meeting people")
    }

    // MARK: Ledger

    /// Several machines and a phone that write whole texts; each has read what it read at some time.
    private struct Ledger {
        var generator: SeededGenerator
        var server = "start here"
        var machines: [Machine]
        /// The texts that each machine is about to send.
        var pending: [String?]
        var phone = "start here"
        var words = ["start", "here"]
        /// The words that someone has deleted.
        var deleted: Set<String> = []
        var now = Instant(milliseconds: 0)
        private let deletes: Bool

        init(seed: UInt64, machines count: Int, deletes: Bool) {
            generator = SeededGenerator(seed: seed)
            self.deletes = deletes
            machines = (0..<count).map { Machine("machine\($0)") }
            pending = machines.map { _ in nil }
        }

        private static let common = ["buy", "call", "the", "a", "meeting", "milk"]

        mutating func draw(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

        mutating func makeWord() -> String {
            words.append("w\(words.count)" + String(UnicodeScalar(UInt8(97 + draw(26)))))
            return words[words.count - 1]
        }

        /// A line that begins as many others do.
        mutating func makeLine() -> String {
            let start = (0..<draw(3)).map { _ in Self.common[draw(Self.common.count)] }
            return (["-"] + start + (0...draw(2)).map { _ in makeWord() }).joined(separator: " ")
        }

        /// Returns the text with a new line, or a word between two words; or, if lines may be deleted, without a line or a word, or with a
        /// line at any place.
        mutating func typed(_ text: String) -> String {
            if deletes, let changed = changed(text) { return changed }
            if draw(2) == 0 { return text + "\n" + makeLine() }
            let scalars = Array(text.unicodeScalars)
            let gaps = scalars.indices.filter { scalars[$0] == " " }
            guard !gaps.isEmpty else { return text + " " + makeWord() }
            let gap = gaps[draw(gaps.count)]
            var result = String.UnicodeScalarView(scalars[..<gap])
            result += (" " + makeWord()).unicodeScalars
            result += scalars[gap...]
            return String(result)
        }

        private mutating func changed(_ text: String) -> String? {
            var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            let place = draw(lines.count)
            switch draw(8) {
            case 0, 1: lines.insert(makeLine(), at: place)
            case 2:
                guard lines.count > 2 else { return nil }
                deleted.formUnion(lines.remove(at: place).split(separator: " ").map(String.init))
            case 3:
                var parts = lines[place].split(separator: " ").map(String.init)
                guard parts.count > 2 else { return nil }
                deleted.insert(parts.remove(at: draw(parts.count)))
                lines[place] = parts.joined(separator: " ")
            default: return nil
            }
            return lines.joined(separator: "\n")
        }

        mutating func step() throws {
            now = now + .milliseconds(Int64(draw(500)))
            let index = draw(machines.count)
            switch draw(8) {
            case 0:
                let text = typed(machines[index].text)
                try machines[index].set(text)
            case 1: phone = server
            case 2:
                // What a machine is about to send takes away what no machine has read; so none is.
                phone = typed(phone)
                server = phone
                pending = pending.map { _ in nil }
            case 3, 4: try look(index)
            default:
                guard let text = pending[index] else { return }
                pending[index] = nil
                server = text
            }
        }

        mutating func look(_ index: Int) throws {
            pending[index] = try machines[index].take(server, at: now)
        }

        mutating func finish() throws {
            for _ in 0..<4 {
                for index in machines.indices {
                    for _ in 0..<6 {
                        try look(index)
                        if let text = pending[index] { server = text }
                    }
                }
            }
        }
    }

    /// What a ledger is drawn from.
    private struct Draw: CustomTestStringConvertible {
        let seed: UInt64
        let machines: Int
        var steps = 400
        var deletes = false
        var testDescription: String { "seed \(seed), \(machines) machines" }
    }

    /// All but the first ones have torn, doubled or glued lines once.
    private static let draws =
        (0..<3).map { Draw(seed: $0, machines: 2 + Int($0 % 2), steps: 150) } + [
            Draw(seed: 0xA268_4A87_BD05_DF25, machines: 3),
            Draw(seed: 0xCE71_BF2E_6E23_3AF9, machines: 3),
            Draw(seed: 0x107F_EE28_77CF_44B1, machines: 2, steps: 200),
            Draw(seed: 0xE476_7981_C6B1_E8E4, machines: 3),
            Draw(seed: 0x41FF_B8A1_DF3D_12CC, machines: 2, steps: 100),
            Draw(seed: 0xE468_0329_9C42_F204, machines: 2, steps: 120),
            Draw(seed: 0x5804_72F5_37CB_C0C6, machines: 3, steps: 250),
            Draw(seed: 0xE1A5_9D14_2BE3_3D61, machines: 2, steps: 150),
            Draw(seed: 0xDEF1_AD56_E5F2_7FBD, machines: 2, steps: 50),
            Draw(seed: 0x97F4_6CE2_07CA_3CBB, machines: 2, steps: 101),
            Draw(seed: 0xAD7C_5425_94EB_A85D, machines: 2, steps: 28),
            Draw(seed: 0xB9B0_6199_6199_F48A, machines: 3, steps: 230),
            Draw(seed: 20, machines: 2, steps: 30, deletes: true),
            Draw(seed: 38, machines: 3, steps: 70, deletes: true),
            Draw(seed: 55, machines: 2, steps: 90, deletes: true),
        ]

    @Test(.seeded, arguments: draws)
    private func `random lines and words of machines and a phone are there once`(draw: Draw) throws {
        var ledger = Ledger(seed: draw.seed, machines: draw.machines, deletes: draw.deletes)
        for _ in 0..<4 { try ledger.finish() }
        for _ in 0..<draw.steps { try ledger.step() }
        try ledger.finish()
        for machine in ledger.machines { #expect(machine.text == ledger.server) }
        let found = ledger.server.split { $0 == " " || $0 == "\n" }.map(String.init)
        var counts: [String: Int] = [:]
        for word in found { counts[word, default: 0] += 1 }
        let lost = ledger.words.filter { counts[$0] == nil && !ledger.deleted.contains($0) }
        // A line of which someone has just deleted a part may be there in both forms.
        let doubled = draw.deletes ? [] : ledger.words.filter { counts[$0] ?? 0 > 1 }
        let typed = Set(ledger.words + ["-", "buy", "call", "the", "a", "meeting", "milk"])
        let mixed = found.filter { !typed.contains($0) }
        #expect(lost.isEmpty && doubled.isEmpty && mixed.isEmpty, "lost \(lost), doubled \(doubled), mixed \(mixed)")
    }
}
