import NotesDomain
import Storage
import Sync
import TestSupport
import Testing

@testable import Notes

/// Front matter of other programs in the mirrored folders of several machines, over a server of hub.
@Suite(.timeLimit(.minutes(20)))
struct FrontMatterSyncTests {
    private static let trip = """
        ---
        title: "Trip: plan"
        # of Obsidian
        date:   2026-03-01 # spring
        aliases: ['Journey', "T"]
        cssclasses:
          - wide
        author: Ada
        ---
        Pack.

        """

    /// A machine with a mirrored folder.
    private struct Machine {
        let hub: NotesHub
        let folder: TemporaryFolder

        init(_ hub: NotesHub) async throws {
            (self.hub, folder) = (hub, try TemporaryFolder())
            let run = await hub.run("notes mirror \(folder.path)")
            #expect(run.exit == 0, "\(run.all)")
        }

        /// Brings the folder, the notes and the server up to date.
        func sync() async {
            for line in ["notes mirror", "notes sync", "notes mirror"] {
                let run = await hub.run(line)
                #expect(run.exit == 0, "\(run.all)")
            }
        }

        func write(_ text: String, to name: String) throws { try folder.write(text, to: name) }
        func read(_ name: String) -> String? { folder.read(name) }

        func replace(_ old: String, with new: String, in name: String) throws {
            let text = try #require(read(name))
            #expect(text.contains(old))
            try write(text.replacing(old, with: new), to: name)
        }
    }

    @Test func `front matter reaches the folders of other machines byte for byte`() async throws {
        let server = try NotesServer()
        let first = try await Machine(try await server.machine("ada"))
        let second = try await Machine(try await server.machine("ada"))
        let files = [
            "trip.md": Self.trip, "plain.md": "plain\n", "tags.md": "---\ntags:\n  - a # own\n---\n",
            "crlf.md": "\u{FEFF}---\r\ndate: 1\r\n---\r\ntext\r\n",
        ]
        for (name, text) in files { try first.write(text, to: name) }
        await first.sync()
        await second.sync()
        for (name, text) in files { #expect(second.read(name) == text, "\(name)") }
        // What is moved to the trash and back, and what is written to other folders.
        await second.hub.run("notes rm Trip --yes")
        await second.sync()
        await first.sync()
        #expect(first.read("trip.md") == nil && second.read("trip.md") == nil)
        await first.hub.run("notes restore Trip")
        await first.sync()
        await second.sync()
        #expect(first.read("trip.md") == Self.trip && second.read("trip.md") == Self.trip)
        let (mirrored, exported) = (try TemporaryFolder(), try TemporaryFolder())
        await server.hub.run("notes mirror \(mirrored.path)")
        await second.hub.run("notes export -o \(exported.path)/out")
        for (name, text) in files {
            #expect(mirrored.read(name) == text && exported.read("out/" + name) == text, "\(name)")
        }
        for machine in [first, second] {
            #expect(await machine.hub.run("notes sync").all.contains("up to date"))
            #expect(await machine.hub.run("notes mirror").all.contains("up to date"))
        }
    }

    @Test func `keys that two machines change, add and remove are merged`() async throws {
        let server = try NotesServer()
        let first = try await Machine(try await server.machine("ada"))
        let second = try await Machine(try await server.machine("ada"))
        try first.write(Self.trip, to: "trip.md")
        await first.sync()
        await second.sync()
        // Both edit before either has seen the other, and so does a text.
        try first.replace("2026-03-01", with: "2026-04-01", in: "trip.md")
        try first.replace("author: Ada\n", with: "", in: "trip.md")
        try second.replace("- wide", with: "- wide\n  - dark", in: "trip.md")
        try second.replace("---\nPack.", with: "draft: true\n---\nPack all.", in: "trip.md")
        await second.hub.run("notes tag Trip spring")
        await first.sync()
        await second.sync()
        await first.sync()
        let expected = """
            ---
            title: "Trip: plan"
            # of Obsidian
            date:   2026-04-01 # spring
            aliases: ['Journey', "T"]
            cssclasses:
              - wide
              - dark
            draft: true
            tags: [spring]
            ---
            Pack all.

            """
        func sorted(_ text: String?) -> [Substring]? { text?.split(separator: "\n").sorted() }
        #expect(sorted(first.read("trip.md")) == sorted(expected))
        #expect(sorted(second.read("trip.md")) == sorted(expected))
        #expect(
            first.read("trip.md")?.hasPrefix("---\ntitle: \"Trip: plan\"\n# of Obsidian\ndate:   2026-04-01 # spring\n")
                == true)
        // One key on both: what is synced last counts, on every machine.
        try first.replace("draft: true", with: "draft: 1", in: "trip.md")
        try second.replace("draft: true", with: "draft: 2", in: "trip.md")
        await first.sync()
        await second.sync()
        await first.sync()
        for machine in [first, second] {
            #expect(machine.read("trip.md")?.contains("\ndraft: 2\n") == true)
            #expect(await machine.hub.run("notes sync").all.contains("up to date"))
            #expect(await machine.hub.run("notes mirror").all.contains("up to date"))
        }
        // A file that is edited while the folder is not synced is merged with what came meanwhile.
        await second.hub.run("notes mirror --off")
        try second.replace("aliases: ['Journey', \"T\"]", with: "aliases: [T]", in: "trip.md")
        try first.replace("draft: 2\n", with: "", in: "trip.md")
        await first.sync()
        await second.hub.run("notes sync")
        await second.hub.run("notes mirror \(second.folder.path)")
        await second.sync()
        await first.sync()
        for machine in [first, second] {
            let text = machine.read("trip.md") ?? ""
            #expect(text.contains("aliases: [T]") && !text.contains("draft"), "\(text)")
        }
    }

    // MARK: Other peers

    private let account = Account(name: "home", address: .server("https://home.example"))

    private func outgoing(
        _ fixture: NotesFixture, _ queue: OutgoingQueue, _ contents: OutgoingContents, isConfirmed: Bool = true
    ) async throws -> (
        notes: [OutgoingNote], failed: [String: String], queue: OutgoingQueue, contents: OutgoingContents
    ) {
        try await fixture.store.write(fixture.operation("notes sync")) { [account] tx in
            var (queue, contents) = (queue, contents)
            let (notes, _, failed) = try tx.outgoing(
                &queue, to: account, SyncNoteApp.Others(names: ["home"], folders: [], takesNewNotes: true), limit: 10,
                excluding: [], contents: &contents)
            for note in notes where isConfirmed { try tx.confirm(note, on: account.name) }
            return (notes, failed, queue, contents)
        }
    }

    @Test func `a server that keeps no front matter gets none, and a later one does`() async throws {
        let fixture = try NotesFixture()
        let id = try await fixture.make("Trip", "Pack.").id
        try await fixture.store.write(fixture.operation()) { transaction in
            try transaction.setNoteFile(of: id, stem: "trip", head: "---\ndate: 1\n---\n")
        }
        var sent = try await outgoing(fixture, OutgoingQueue(), OutgoingContents())
        #expect(sent.notes.map(\.change?.head) == [nil])
        var contents = sent.contents
        #expect(contents.takeFiles() == [id])
        var queue = sent.queue
        queue.add([id])
        sent = try await outgoing(fixture, queue, contents)
        #expect(
            sent.notes.map(\.change) == [NoteChange(head: HeadChange(base: nil, head: FileHead("---\ndate: 1\n---\n")))]
        )
        queue = sent.queue
        queue.add([id])
        #expect(try await outgoing(fixture, queue, contents).notes.isEmpty)
        // What is too large stays here, and is named.
        let large = "---\ntext: \(String(repeating: "x", count: FileHead.maximumSize))\n---\n"
        try await fixture.store.write(fixture.operation()) { try $0.setNoteFile(of: id, stem: "trip", head: large) }
        queue.add([id])
        sent = try await outgoing(fixture, queue, contents)
        #expect(sent.notes.isEmpty)
        #expect(
            sent.failed == [
                id: "the front matter of its file stays here: it has 65,551 bytes, and at most 65,536 are sent"
            ])
    }

    @Test func `front matter that a client sends is merged, whole and of bounded size`() async throws {
        let fixture = try NotesFixture()
        let id = try await fixture.make("Trip", "Pack.").id
        let access = try await fixture.get(id).access
        let session = ServerSession(actor: .local, epoch: "e", latest: 0)
        func set(_ base: String?, _ head: String) async -> ServerSession.Outcome {
            let change = HeadChange(base: base.map { FileHead($0) }, head: FileHead(head))
            return await fixture.notes.perform(
                NoteRequest(1, id, .set(NoteChange(head: change))), of: session.client, as: "you",
                operation: fixture.operation())
        }
        func head() async throws -> String? { try await fixture.store.read { try $0.frontMatter(of: id) } }
        #expect(access.owner.isEmpty)
        #expect(await set(nil, "---\na: 1\nb: 1\n---\n") == .done)
        let before = try await fixture.store.read { try $0.latestChange() }
        #expect(await set("---\na: 1\nb: 1\n---\n", "---\na: 2\nb: 1\n---\n") == .done)
        #expect(await set("---\na: 1\nb: 1\n---\n", "---\na: 1\nb: 2\n---\n") == .done)
        #expect(try await head() == "---\na: 2\nb: 2\n---\n")
        // Clients of hub's own protocol are told.
        let page = try await fixture.store.read { try $0.changePage(after: before, limit: 10) }
        #expect(page.notes.map(\.metadata.file?.head.text) == ["---\na: 2\nb: 2\n---\n"])
        #expect(page.notes.map(\.isMetadataChanged) == [true])
        // A repeated request changes nothing.
        let last = try await fixture.store.read { try $0.latestChange() }
        #expect(await set("---\na: 1\nb: 1\n---\n", "---\na: 1\nb: 2\n---\n") == .done)
        #expect(try await fixture.store.read { try $0.latestChange() } == last)
        func code(_ outcome: ServerSession.Outcome) -> RefusalCode? {
            if case .refused(let code, _) = outcome { code } else { nil }
        }
        #expect(code(await set(nil, "---\na: 1\n---\ntext")) == .invalid)
        #expect(code(await set(nil, "text")) == .invalid)
        #expect(code(await set(nil, "---\nx: \(String(repeating: "x", count: 1 << 16))\n---\n")) == .tooLarge)
        #expect(try await head() == "---\na: 2\nb: 2\n---\n")
    }
}
