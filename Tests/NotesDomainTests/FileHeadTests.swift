import NotesDomain
import TestSupport
import Testing
import Text

/// What several machines do to the front matter of one file.
struct FileHeadTests {
    private static let plan = """
        ---
        # of Obsidian
        title: "Trip: plan"
        date:   2026-03-01 # spring
        aliases: ['a', "b"]
        tags:
          - travel
        cssclasses:
          - wide

        author: Ada
        ---

        """

    private func merged(_ base: String?, _ current: String, _ change: String) -> String {
        FileHead.merged(base: base.map { FileHead($0) }, current: FileHead(current), change: FileHead(change)).text
    }

    private func plan(_ changes: (String, String)...) -> String {
        changes.reduce(Self.plan) { $0.replacing($1.0, with: $1.1) }
    }

    @Test func `keys that each side has changed are both there`() {
        let ours = plan(("2026-03-01", "2026-04-01"))
        let theirs = plan(("Ada", "Bob"), ("- wide", "- wide\n  - dark"))
        let both = plan(("2026-03-01", "2026-04-01"), ("Ada", "Bob"), ("- wide", "- wide\n  - dark"))
        #expect(merged(Self.plan, theirs, ours) == both)
        #expect(merged(Self.plan, ours, theirs) == both)
        #expect(merged(Self.plan, Self.plan, ours) == ours)
        #expect(merged(Self.plan, ours, Self.plan) == ours)
    }

    @Test func `a removed key is gone, and stays if the other side has changed it`() {
        let removed = plan(("date:   2026-03-01 # spring\n", ""))
        let theirs = plan(("Ada", "Bob"))
        #expect(merged(Self.plan, theirs, removed) == plan(("date:   2026-03-01 # spring\n", ""), ("Ada", "Bob")))
        let changed = plan(("2026-03-01", "2026-04-01"), ("Ada", "Bob"))
        let alone = plan(("date:   2026-03-01 # spring\n", ""), ("- wide", "- dark"))
        for result in [merged(Self.plan, changed, alone), merged(Self.plan, alone, changed)] {
            #expect(FileHead(result).isSame(as: FileHead(result)) && result.contains("date:   2026-04-01 # spring\n"))
            #expect(result.contains("- dark") && result.contains("author: Bob"))
        }
    }

    @Test func `of one key that both have changed, the change counts`() {
        let (ours, theirs) = (plan(("Ada", "Ann")), plan(("Ada", "Bob"), ("2026-03-01", "2026-04-01")))
        #expect(merged(Self.plan, theirs, ours) == plan(("Ada", "Ann"), ("2026-03-01", "2026-04-01")))
        #expect(merged(Self.plan, ours, theirs) == theirs)
    }

    @Test func `new keys stand where they stood`() {
        let ours = plan(("cssclasses:", "draft: true\ncssclasses:"), ("---\n# of", "---\nfirst: 1\n# of"))
        let theirs = plan(("author: Ada\n", "author: Ada\nlast: 2\n"))
        #expect(merged(Self.plan, theirs, ours) == ours.replacing("author: Ada\n", with: "author: Ada\nlast: 2\n"))
        #expect(merged(nil, "---\na: 1\n---\n", "---\nb: 2\n---\n") == "---\nb: 2\na: 1\n---\n")
        #expect(merged(nil, "", "---\nb: 2\n---\n") == "---\nb: 2\n---\n")
        #expect(merged(nil, "---\nb: 2\n---\n", "") == "---\nb: 2\n---\n")
        #expect(merged("---\nb: 2\n---\n", "---\nb: 2\n---\n", "") == "")
    }

    @Test func `hub's own keys make no difference, and comments do`() {
        func isSame(_ a: String, _ b: String) -> Bool { FileHead(a).isSame(as: FileHead(b)) }
        #expect(isSame(Self.plan, plan(("  - travel", "  - travel\n  - home"))))
        #expect(isSame("---\nhub-id: 1ab\ntags: [a]\n---\n", ""))
        #expect(isSame("---\nhub-id: 1ab\na: 1\n---\n", "---\na: 1\npinned: true\n---\n"))
        #expect(!isSame(Self.plan, plan(("# of Obsidian\n", ""))))
        #expect(!isSame(Self.plan, plan((" # spring", ""))))
        #expect(!isSame("\u{FEFF}", ""))
        #expect(!isSame("---\na: é\n---\n", "---\na: e\u{301}\n---\n"))
        // A title that hub cannot read is another program's.
        #expect(!isSame("---\ntitle: &t x\n---\n", ""))
        #expect(FileHead("---\nhub-id: 1ab\na: 1\n---\n").naming("cd").text == "---\nhub-id: cd\na: 1\n---\n")
        #expect(FileHead("---\na: 1\n---\n").naming("cd").text == "---\na: 1\n---\n")
        #expect(FileHead("---\nhub-id: 1ab\n---\n").with(id: nil).text == "")
    }

    @Test func `what is no list of keys is one value`() {
        for text in ["---\n{a: 1,\nb: 2}\n---\n", "---\na: 1\na: 2\n---\n", "---\na: [1\nb: 2\n---\n"] {
            let change = text.replacing("2", with: "3")
            #expect(merged(text, text, change) == change)
            #expect(merged(text, "---\nc: 1\n---\n", change) == change)
            #expect(merged(text, change, text) == change)
        }
    }

    @Test func `two sides that merge what the other sent get the same keys`() {
        var generator = SeededGenerator(seed: 6)
        let keys = ["a", "b", "c", "d", "hub-id", "tags"]
        func random(_ text: String) -> String {
            var lines = text.isEmpty ? [] : text.split(separator: "\n").dropFirst().dropLast().map(String.init)
            for _ in 0..<Int.random(in: 0...2, using: &generator) {
                let key = keys.randomElement(using: &generator) ?? ""
                let line = "\(key): v\(Int.random(in: 0..<100, using: &generator))"
                if let index = lines.firstIndex(where: { $0.hasPrefix(key + ":") }) {
                    if Bool.random(using: &generator) { lines[index] = line } else { lines.remove(at: index) }
                } else {
                    lines.insert(line, at: Int.random(in: 0...lines.count, using: &generator))
                }
            }
            return lines.isEmpty ? "" : "---\n\(lines.joined(separator: "\n"))\n---\n"
        }
        func foreign(_ text: String) -> Set<Substring> {
            Set(text.split(separator: "\n").filter { !$0.hasPrefix("hub-id") && !$0.hasPrefix("tags") && $0 != "---" })
        }
        for number in 0..<2000 {
            let base = random(random(""))
            let (server, client) = (random(base), random(base))
            // The server takes in what the client has changed; then the client what the server has.
            let onServer = merged(base, server, client)
            let onClient = merged(client, onServer, client)
            #expect(foreign(onServer) == foreign(onClient), "case \(number) of seed 6")
            let fromBoth = foreign(server).union(foreign(client))
            #expect(foreign(onServer).isSubset(of: fromBoth), "case \(number) of seed 6")
            let names = onServer.split(separator: "\n").compactMap { $0.split(separator: ":").first }
            #expect(Set(names.dropFirst().dropLast()).count == max(0, names.count - 2), "case \(number) of seed 6")
        }
    }
}
