import Commands
import HubKit
import HubKitTesting
import NotesDomain
import Storage
import System
import TestSupport
import Testing

@testable import Notes

/// Links between notes: where they lead, and what becomes of them when notes are renamed.
@MainActor struct LinkTests {
    private let fixture: NotesFixture

    init() throws { fixture = try NotesFixture() }

    /// Where the links of a note lead, each with the name of the note or "-".
    private func links(of id: String) async throws -> [String] {
        try await fixture.notes.links(of: id).filter { $0.direction != .from }
            .map {
                "\($0.title) \($0.note.map { [$0.folder, $0.title].filter { !$0.isEmpty }.joined(separator: "/") } ?? "-")"
            }
    }

    private func content(_ id: String) async throws -> String { try await fixture.get(id).content }

    private func rename(_ id: String, _ title: String, updatesLinks: Bool = true) async throws -> [LinkUpdate] {
        try await fixture.notes.rename(
            id, to: title, updatesLinks: updatesLinks, operation: fixture.operation("notes rename"))
    }

    @Test(arguments: [1, 2026, 77]) func `links of a vault lead where an independent resolver says`(seed: Int)
        async throws
    {
        let folder = try TemporaryFolder()
        let lines = try PythonProgram("Models/vault.py", [folder.path, String(seed)]).lines()
        let source = NoteImportSource(path: folder.path)
        _ = try await fixture.notes.importNotes([source], operation: fixture.operation("notes import"))
        var expected: [String: [[String]: String]] = [:]
        for line in lines {
            let row = try #require(try JSONReader.read(Array(line.utf8)).array)
            let (path, target) = (try #require(row[0].string), try #require(row[1].string))
            let kind = row[2].bool == true ? "m" : "w"
            expected[path, default: [:]][[target.lowercased(), kind]] = row[3].string ?? "-"
        }
        let found = try await fixture.store.read { transaction in
            var paths: [String: String] = [:]
            for id in try transaction.noteIDs() {
                let source = try #require(try transaction.source(of: id))
                paths[id] = String(source.dropFirst("file:\(folder.path)/".count).dropLast(3))
            }
            var found: [String: [[String]: String]] = [:]
            for (id, path) in paths {
                for (link, target) in try transaction.links(of: id) {
                    let kind = link.isMarkdown ? "m" : "w"
                    found[path, default: [:]][[link.title.lowercased(), kind]] = target.flatMap { paths[$0.id] } ?? "-"
                }
            }
            return found
        }
        #expect(lines.count > 1500 && found.count == expected.count)
        for (path, links) in expected {
            for (target, goal) in links where found[path]?[target] != goal {
                Issue.record(
                    "seed \(seed): \(path): \(target) leads to \(found[path]?[target] ?? "nothing"), not to \(goal)")
            }
            #expect(found[path]?.count == links.count, "seed \(seed): \(path)")
        }
    }

    @Test func `a moved note and its links lead where they led`() async throws {
        let trip = try await fixture.make(
            "Trip", "[map](../maps/Coast.md) [[Coast]] [gone](Nothing.md) ![](../img/sea.png) [home](Packing.md#Bag)",
            folder: "trips")
        let coast = try await fixture.make(
            "Coast", "[[trips/Trip]] and [back](../trips/Trip.md#Day%201)", folder: "maps")
        let packing = try await fixture.make("Packing", "[trip](Trip.md) [[Trip]]", folder: "trips")
        try await fixture.store.write(fixture.operation()) { transaction in
            let blob = try #require(BlobID(String(repeating: "a", count: 64)))
            _ = try transaction.setAttachment(
                StoredAttachment(path: "img/sea.png", blob: blob, size: 3), of: trip.id)
        }
        let plan = try await fixture.notes.planMove([trip.id], to: "a/b", operation: fixture.operation("notes move"))
        #expect(try await fixture.get(trip.id).folder == "trips")
        let moved = try await fixture.notes.move([trip.id], to: "a/b", operation: fixture.operation("notes move"))
        #expect(moved.links == plan && moved.count == 1)
        #expect(
            try await content(trip.id)
                == "[map](../../maps/Coast.md) [[Coast]] [gone](Nothing.md) ![](../../img/sea.png) [home](Packing.md#Bag)"
        )
        #expect(try await content(coast.id) == "[[a/b/Trip]] and [back](../a/b/Trip.md#Day%201)")
        #expect(try await content(packing.id) == "[trip](Trip.md) [[Trip]]")
        try await fixture.undo()
        #expect(try await content(coast.id) == "[[trips/Trip]] and [back](../trips/Trip.md#Day%201)")
        #expect(try await fixture.get(trip.id).folder == "trips")
    }

    /// Where each link leads, by note and place in its text; broken ones are left out.
    private func targets() async throws -> [String: String] {
        try await fixture.notes.catchUp()
        return try await fixture.store.read { transaction in
            var targets: [String: String] = [:]
            for id in try transaction.noteIDs() {
                let note = try #require(try transaction.note(id))
                for (place, link) in WikiLink.links(in: note.content).enumerated() {
                    targets["\(id) \(place)"] = try transaction.resolve(link, from: note.folder)?.note
                }
            }
            return targets
        }
    }

    private static let (names, folders) = (["A", "a", "B", "Ä", "C d"], ["", "x", "y", "x/y", "y/x"])

    /// A link to a note by one of its names, or by a name that may be no one's.
    private static func link(
        to note: NoteRecord, from folder: String, using random: inout SeededGenerator
    ) -> String {
        let path = [note.folder, note.title].filter { !$0.isEmpty }.joined(separator: "/")
        let up = String(repeating: "../", count: folder.split(separator: "/").count)
        return switch Int.random(in: 0..<7, using: &random) {
        case 0: "[[\(note.title)]]"
        case 1: "[[\(path)|shown]]"
        case 2: "[[/\(path)#Heading]]"
        case 3: "![[\(up)\(path)]]"
        case 4: "[x](\(up)\(path.replacing(" ", with: "%20")).md#h)"
        case 5: "[x](<\(note.title).md>)"
        default: "[[other \(note.title)]]"
        }
    }

    @Test(arguments: [3, 32, 320]) func `links of a random tree lead where they led after every move and new title`(
        seed: UInt64
    ) async throws {
        var random = SeededGenerator(seed: seed)
        var ids: [String] = []
        for _ in 0..<10 {
            let note = try await fixture.make(
                Self.names.randomElement(using: &random) ?? "", folder: Self.folders.randomElement(using: &random) ?? ""
            )
            ids.append(note.id)
            let alias = "other \(Self.names.randomElement(using: &random) ?? "")"
            try await fixture.store.write(fixture.operation()) { transaction in
                try transaction.changed(note.id) {
                    try transaction.setSource(nil, frontMatter: "---\naliases: [\(alias)]\n---\n", of: note.id)
                }
            }
        }
        for id in ids {
            let note = try await fixture.get(id)
            var links: [String] = []
            for _ in 0..<4 {
                let target = try await fixture.get(ids.randomElement(using: &random) ?? id)
                links.append(Self.link(to: target, from: note.folder, using: &random))
            }
            try await fixture.write(links.joined(separator: " "), to: id)
        }
        var lost = 0
        for step in 0..<12 {
            let before = try await targets()
            let chosen = Array(ids.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)))
            let (name, folder) = (Self.names.randomElement(using: &random), Self.folders.randomElement(using: &random))
            let plan: [LinkUpdate]
            let done: [LinkUpdate]
            if Bool.random(using: &random) {
                plan = try await fixture.notes.planRename(
                    chosen[0], to: name ?? "", operation: fixture.operation("notes rename"))
                done = try await rename(chosen[0], name ?? "")
            } else {
                plan = try await fixture.notes.planMove(chosen, to: folder ?? "", operation: fixture.operation())
                done = try await fixture.notes.move(chosen, to: folder ?? "", operation: fixture.operation()).links
            }
            #expect(plan == done)
            let after = try await targets()
            let changed = before.filter { after[$0.key] != $0.value }.count
            #expect(changed == done.filter { $0.new == nil }.reduce(0) { $0 + $1.count }, "seed \(seed), step \(step)")
            lost += changed
        }
        #expect(lost < 60, "seed \(seed): only notes without a name of their own lose links")
    }

    @Test func `a link gets longer when another note gets its name, in one operation`() async throws {
        try await fixture.make("Plan", folder: "trips")
        let other = try await fixture.make("Other", "[[Plan#Monday|the plan]] and ![[plan]]")
        let idea = try await fixture.make("Idea", "[[Idea]]")
        let updates = try await rename(idea.id, "Plan")
        #expect(updates.compactMap(\.new).sorted() == ["Plan", "trips/Plan", "trips/Plan"])
        #expect(try await content(other.id) == "[[trips/Plan#Monday|the plan]] and ![[trips/Plan]]")
        #expect(try await content(idea.id) == "[[Plan]]")
        #expect(try await links(of: other.id) == ["trips/Plan trips/Plan", "trips/Plan trips/Plan"])
        try await fixture.undo()
        #expect(try await content(other.id) == "[[Plan#Monday|the plan]] and ![[plan]]")
        // The same by a move.
        let near = try await fixture.make("Plan", folder: "trips/deep")
        let moved = try await fixture.notes.move([near.id], to: "", operation: fixture.operation("notes move"))
        #expect(moved.links.map(\.new) == ["trips/Plan", "trips/Plan"])
        #expect(try await links(of: other.id) == ["trips/Plan trips/Plan", "trips/Plan trips/Plan"])
    }

    @Test func `links prefer a path, then their own folder, then the shortest path`() async throws {
        for folder in ["b", "a", "a/deep"] { try await fixture.make("Plan", "", folder: folder) }
        let top = try await fixture.make("Top", "[[Plan]] [[deep/plan]] [[/b/Plan]] [x](a/deep/Plan.md) [y](/Plan.md)")
        let deep = try await fixture.make(
            "Deep", "[[Plan]] [[../Plan]] [x](Plan.md) [y](../../b/Plan.md)", folder: "a/deep")
        #expect(
            try await links(of: top.id) == [
                "Plan a/Plan", "deep/plan a/deep/Plan", "/b/Plan b/Plan", "a/deep/Plan.md a/deep/Plan", "/Plan.md -",
            ])
        #expect(
            try await links(of: deep.id) == [
                "Plan a/deep/Plan", "../Plan a/Plan", "Plan.md a/deep/Plan", "../../b/Plan.md b/Plan",
            ])
        try await fixture.make("Plan")
        #expect(
            try await links(of: deep.id) == [
                "Plan Plan", "../Plan a/Plan", "Plan.md a/deep/Plan", "../../b/Plan.md b/Plan",
            ])
    }

    @Test func `a target of Markdown without .md is a link only where it leads to a note`() async throws {
        let note = try await fixture.make(
            "A", "[x](Beta) [y](nowhere) [z](https://example.org/Beta) [w](gone.md) [v](pic.png)")
        try await fixture.make("Beta")
        #expect(try await links(of: note.id) == ["Beta Beta", "gone.md -"])
        var broken = NoteFilter()
        broken.hasBrokenLinks = true
        #expect(try await fixture.notes.list(broken).rows.map(\.title) == ["A"])
        try await fixture.write("[y](nowhere)", to: note.id)
        #expect(try await fixture.notes.list(broken).rows.isEmpty)
    }

    @Test func `the heading of a link is found, also inside of others, and a block`() async throws {
        let note = try await fixture.make("A", "[[B#Second]] [[B#First#Same]] [[B#^id1]] [[B#Missing]] [[B]]")
        try await fixture.make("B", "# First\n## Same\nx\n# Second: *bold*\n## Same\nwords ^id1\n")
        let lines = try await fixture.notes.links(of: note.id).map { "\($0.heading ?? "") \($0.line ?? 0)" }
        #expect(lines == ["Second 0", "First#Same 2", "^id1 6", "Missing 0", " 0"])
        #expect(NoteAnchor.line(of: "second bold", in: "# First\n# Second: *bold*") == 2)
        #expect(NoteAnchor.line(of: "Second#Same", in: "# First\n## Same\n# Second\n### x\n### Same") == 5)
        #expect(NoteAnchor.line(of: "a", in: "```\n# a\n```\n    # a\n#a\n# A") == 6)
    }

    @Test func `embedded notes and parts of them are shown in place`() async throws {
        try await fixture.make("B", "# First\nx\n## Inner\ny\n```\n# no\n```\n# Second\nwords ^id1\n\n![[A]]\n![[C]]\n")
        try await fixture.make("C", "c\n")
        let text =
            "![[B#First]]\n ![[b#^ID1]] \n![[B#Second]]\n![[A]]\n![[Missing]]\n![[C]] and more\n`![[C]]`\n```\n![[C]]\n```\nend"
        let note = try await fixture.make("A", text)
        let first = "> # First\n> x\n> ## Inner\n> y\n> ```\n> # no\n> ```\n"
        let second = "> # Second\n> words ^id1\n>\n> ![[A]]\n> > c\n"
        #expect(
            try await fixture.notes.textWithEmbeds(of: note)
                == "\(first)\n> words\n\n\(second)\n![[A]]\n![[Missing]]\n![[C]] and more\n`![[C]]`\n```\n![[C]]\n```\nend"
        )
        #expect(NoteAnchor.part(of: "Missing", in: text) == nil)
    }

    @Test func `renaming a note changes the links to it in one operation`() async throws {
        let shopping = try await fixture.make("Shopping", "[[Shopping#Milk]]", folder: "lists")
        let plan = try await fixture.make(
            "Plan",
            "é [[shopping|the list]] ![[lists/Shopping.md#Milk]] `[[Shopping]]` [x](lists/Shopping.md \"t\") [[Other]]")
        let deep = try await fixture.make(
            "Deep", "[x](<../../lists/Shopping.md>) [[../../lists/Shopping]]", folder: "a/b")
        let updates = try await rename(shopping.id, "Weekly (1) shopping")
        #expect(updates.reduce(0) { $0 + $1.count } == 6)
        #expect(try await content(shopping.id) == "[[Weekly (1) shopping#Milk]]")
        #expect(
            try await content(plan.id)
                == "é [[Weekly (1) shopping|the list]] ![[lists/Weekly (1) shopping.md#Milk]] `[[Shopping]]` "
                + "[x](lists/Weekly%20%281%29%20shopping.md \"t\") [[Other]]")
        #expect(
            try await content(deep.id)
                == "[x](<../../lists/Weekly%20%281%29%20shopping.md>) [[../../lists/Weekly (1) shopping]]")
        #expect(try await links(of: deep.id).allSatisfy { !$0.hasSuffix(" -") })
        try await fixture.undo()
        #expect(try await content(plan.id).hasPrefix("é [[shopping|the list]] ![[lists/Shopping.md"))
        #expect(try await fixture.get(shopping.id).title == "Shopping")
        #expect(try await fixture.notes.staleLinkCount() == 0)
    }

    @Test func `a link gets the path where the new name leads elsewhere, and aliases stay`() async throws {
        try await fixture.make("Plan", "the other")
        let note = try await fixture.make("Idea", folder: "a")
        try await fixture.store.write(fixture.operation()) { transaction in
            try transaction.changed(note.id) {
                try transaction.setSource(nil, frontMatter: "---\naliases: [Thought]\n---\n", of: note.id)
            }
        }
        let other = try await fixture.make("Other", "[[Idea]] [[Thought]] [[a/idea]]")
        #expect(try await links(of: other.id) == ["Idea a/Idea", "Thought a/Idea", "a/idea a/Idea"])
        _ = try await rename(note.id, "Plan")
        #expect(try await content(other.id) == "[[a/Plan]] [[Thought]] [[a/Plan]]")
        _ = try await rename(note.id, "A|B #1")
        #expect(try await content(other.id) == "[[a/Plan]] [[Thought]] [[a/Plan]]", "brackets cannot hold the new name")
    }

    @Test func `links that use a former name are changed only when asked for`() async throws {
        let note = try await fixture.make("Old")
        let other = try await fixture.make("Other", "[[Old]] [x](Old.md) [[Old]]")
        try await fixture.store.write(fixture.operation("notes edit")) { transaction in
            try transaction.changed(note.id) {
                try transaction.changeTexts(of: note.id) { try $0.set(title: "New", by: $1) }
            }
        }
        #expect(try await content(other.id) == "[[Old]] [x](Old.md) [[Old]]")
        #expect(try await fixture.notes.staleLinkCount(to: note.id) == 3)
        let plan = try await fixture.notes.planLinkUpdates(operation: fixture.operation())
        #expect(
            plan.map { [$0.note.title, $0.old, $0.new, String($0.count)] } == [
                ["Other", "Old", "New", "2"], ["Other", "Old.md", "New.md", "1"],
            ])
        #expect(try await content(other.id) == "[[Old]] [x](Old.md) [[Old]]")
        _ = try await fixture.notes.updateLinks(operation: fixture.operation("notes relink"))
        #expect(try await content(other.id) == "[[New]] [x](New.md) [[New]]")
        #expect(try await fixture.notes.staleLinkCount() == 0)
        try await fixture.undo()
        #expect(try await fixture.notes.staleLinkCount() == 3)
        // A name that another note has is not that of the first one any more.
        try await fixture.make("Old")
        #expect(try await fixture.notes.staleLinkCount() == 0)
    }

    @Test func `notes that are locked keep their links`() async throws {
        let note = try await fixture.make("Old")
        let locked = try await fixture.make("Locked", "[[Old]]")
        try await fixture.store.write(fixture.operation()) { transaction in
            try transaction.changed(locked.id) { try transaction.setAccess(NoteAccess(owner: "maria"), of: locked.id) }
        }
        #expect(try await rename(note.id, "New").isEmpty)
        #expect(try await content(locked.id) == "[[Old]]")
    }

    @Test func `a file that another program renames leaves the links for its owner to change`() async throws {
        let folder = try TemporaryFolder()
        try Directory.make("\(folder.path)/notes")
        _ = try folder.write("see [[Beta]]\n", to: "notes/Alpha.md")
        _ = try folder.write("---\naliases: B\n---\ntext\n", to: "notes/Beta.md")
        let fixture = try NotesFixture(locks: folder.path + "/locks")
        let path = folder.path + "/notes"
        _ = try await fixture.notes.syncMirror(path)
        let handle = try DirectoryHandle(path)
        #expect(try handle.rename("Beta.md", toNew: "Gamma.md"))
        let report = try #require(try await fixture.notes.syncMirror(path))
        #expect(report.staleLinks == 1)
        #expect(String(decoding: try handle.read("Alpha.md", limit: 100), as: UTF8.self) == "see [[Beta]]\n")
        _ = try await fixture.notes.updateLinks(operation: fixture.operation("notes relink"))
        #expect(try await fixture.notes.syncMirror(path)?.staleLinks == 0)
        #expect(String(decoding: try handle.read("Alpha.md", limit: 100), as: UTF8.self) == "see [[Gamma]]\n")
    }

    @Test func `the terminal shows links before it changes them`() async throws {
        let hub = try NotesHub()
        await hub.run("notes new Shopping")
        await hub.run("notes new Plan -m '[[Shopping]] and [[shopping]]'")
        #expect(await hub.run("notes rename shopping Groceries", isTerminal: false).exit == 64)
        #expect(await hub.run("notes rename shopping Groceries -n").output.contains("Groceries"))
        #expect(await hub.run("notes show plan", isTerminal: false).output.contains("[[Shopping]] and"))
        let console = ScriptedConsole(answers: ["y"])
        let renamed = await hub.run("notes rename shopping Groceries", console: console)
        #expect(renamed.all.contains("renamed to Groceries, with 2 links in 1 note"), "\(renamed.all)")
        #expect(console.transcript.contains("Plan: Shopping → Groceries"))
        #expect(await hub.run("notes show plan", isTerminal: false).output.contains("[[Groceries]] and [[Groceries]]"))
        await hub.run("undo --yes")
        #expect(await hub.run("notes show plan", isTerminal: false).output.contains("[[Shopping]] and [[shopping]]"))
        #expect(await hub.run("notes relink").all.contains("No link uses a former name"))
    }
}
