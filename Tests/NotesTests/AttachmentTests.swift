import HubKit
import JSON
import NotesDomain
import SQLite
import Storage
import TestSupport
import Testing
import Text

@testable import Notes

/// The files of notes: commands, sync between machines, history, and what becomes of their contents.
@Suite(.timeLimit(.minutes(20)))
@MainActor struct AttachmentTests {
    @discardableResult
    private func sync(_ hub: NotesHub) async -> String {
        let run = await hub.run("notes sync")
        #expect(run.exit == 0, "\(run.all)")
        return run.all
    }

    /// The paths of a note's attachments, each with its size.
    private func attachments(_ hub: NotesHub, _ note: String) async -> [String] {
        let output = await hub.run("notes attachments \(note) --json=path,size_bytes", isTerminal: false).output
        let rows = (try? JSONReader.read(Array(output.utf8)))?.array ?? []
        return rows.map { "\($0["path"]?.string ?? "") \($0["size_bytes"]?.integer ?? -1)" }
    }

    @Test func `files are attached, listed, saved and removed`() async throws {
        let (hub, files) = (try NotesHub(), try TemporaryFolder())
        await hub.run("notes new Trip -m hello --folder work")
        let (map, pdf) = (try files.write("MAP", to: "map [1].png"), try files.write("PDF", to: "a b.pdf"))
        #expect(
            await hub.shown("notes attach trip '\(map)' '\(pdf)'") == "Trip (xxx): 2 files attached. Undo: hub undo\n")
        let text = await hub.run("notes show trip --json=content", isTerminal: false).output
        #expect(
            text.contains(
                #"hello\n![map \\[1\\].png](../attachments/map%20%5B1%5D.png)\n[a b.pdf](../attachments/a%20b.pdf)"#),
            "\(text)")
        #expect(
            await hub.shown("notes attachments trip") == """
                NAME         TYPE             BYTES  LINKED  PATH
                a b.pdf      application/pdf      3  yes     attachments/a b.pdf
                map [1].png  image/png            3  yes     attachments/map [1].png

                """)
        #expect(await hub.run("notes save trip 'a b.pdf'", isTerminal: false).output == "PDF")
        // Another file of the same name gets another one; the same file is not added again.
        let other = try files.write("PDF 2", to: "x/a b.pdf".replacing("x/", with: ""))
        await hub.run("notes attach trip '\(other)' '\(map)'")
        #expect(
            await attachments(hub, "trip")
                == ["attachments/a b 2.pdf 5", "attachments/a b.pdf 3", "attachments/map [1].png 3"])
        #expect(await hub.run("notes links trip", isTerminal: false).output.isEmpty)
        #expect(await hub.shown("notes detach trip 'a b.pdf'").contains("a b.pdf removed"))
        let rest = await hub.run("notes show trip --json=content", isTerminal: false).output
        #expect(
            !rest.contains("../attachments/a%20b.pdf") && rest.contains("a b.pdf") && rest.contains("map"), "\(rest)")
        await hub.run("undo")
        #expect(await attachments(hub, "trip").count == 3)
        #expect(await hub.run("notes save trip 'a b.pdf'", isTerminal: false).output == "PDF")
        #expect(await hub.run("notes detach trip nothing").exit == 1)
        let large = await hub.run("notes attach trip /dev/zero")
        #expect(large.exit != 0 && large.all.contains("not a file"))
        #expect(await hub.run("notes history trip --json=changes", isTerminal: false).output.contains("attachment"))
    }

    @Test func `contents are kept as long as a note, the trash or undo needs them`() async throws {
        let (hub, files) = (try NotesHub(), try TemporaryFolder())
        func blobs() -> Int {
            let folders = (try? DirectoryHandle(hub.folder + "/.local/share/hub/blobs").names()) ?? []
            return folders.count { $0.bytes.count == 2 }
        }
        await hub.run("notes new Trip -m hello")
        await hub.run("notes attach trip '\(try files.write("PDF", to: "a.pdf"))'")
        #expect(blobs() == 1)
        await hub.run("notes detach trip a.pdf")
        await hub.run("trash empty --yes")
        #expect(await hub.run("doctor").all.contains("missing") == false)
        await hub.run("undo")
        #expect(await hub.run("notes save trip a.pdf", isTerminal: false).output == "PDF", "undo needs it")
        let backup = files.path + "/backup.db"
        #expect(await hub.run("backup \(backup)").exit == 0)
        await hub.run("notes rm trip --yes")
        #expect(await hub.run("notes save --trash trip a.pdf", isTerminal: false).output == "PDF")
        await hub.run("trash empty --yes")
        #expect(await hub.run("restore \(backup) --yes").exit == 0)
        #expect(await hub.run("notes save trip a.pdf", isTerminal: false).output == "PDF", "a backup has it")
    }

    @Test func `attachments reach the other machine, each content once`() async throws {
        let (server, files) = (try NotesServer(), try TemporaryFolder())
        let (first, second) = (try await server.machine("ada"), try await server.machine("ada"))
        await first.run("notes new Trip -m hello")
        let large = String(repeating: "0123456789abcdef", count: 300_000)
        await first.run(
            "notes attach trip '\(try files.write("MAP", to: "map.png"))' '\(try files.write(large, to: "x.bin"))'")
        await sync(first)
        await sync(second)
        #expect(await attachments(second, "trip") == ["attachments/map.png 3", "attachments/x.bin 4800000"])
        #expect(await second.run("notes save trip x.bin", isTerminal: false).output == large)
        // Both sides change.
        await first.run("notes detach trip map.png")
        await second.run("notes attach trip '\(try files.write("PDF", to: "a.pdf"))'")
        await sync(first)
        await sync(second)
        await sync(first)
        for machine in [first, second, server.hub] {
            #expect(await attachments(machine, "trip") == ["attachments/a.pdf 3", "attachments/x.bin 4800000"])
        }
        #expect(await sync(first).contains("up to date"))
        #expect(await sync(second).contains("up to date"))
        func status() async -> String {
            await first.run("notes status --json=waiting,detail", isTerminal: false).output
        }
        #expect(await status().contains(#""waiting":false"#))
        // A file that was changed without its note, and one whose content has not come.
        let data = first.folder + "/.local/share/hub"
        let fixture = try NotesFixture(locks: data + "/locks", at: .directory(data))
        try await fixture.store.write(fixture.operation()) { transaction in
            let (note, file) = try #require(try transaction.attachmentsOfNotes().first)
            _ = try transaction.setAttachment(
                StoredAttachment(path: file.path, blob: file.blob, size: file.size, link: "elsewhere.bin"), of: note)
        }
        #expect(await status().contains(#""waiting":true"#))
        try await fixture.store.write(fixture.operation()) { transaction in
            let (note, file) = try #require(try transaction.attachmentsOfNotes().first)
            let reference = AttachmentReference(path: ByteString("b.png"), hash: file.blob.text, size: 3, link: nil)
            try transaction.want(reference, for: note, from: "home")
        }
        #expect(await first.run("notes status").output.contains("1 attachment still to be fetched"))
    }

    @Test func `only who can read a note gets its attachments, and a hash alone opens nothing`() async throws {
        let (server, files) = (try NotesServer(), try TemporaryFolder())
        let (ada, bob) = (try await server.machine("ada"), try await server.machine("bob"))
        await ada.run("notes new Secret -m hello")
        await ada.run("notes attach secret '\(try files.write("MAP", to: "map.png"))'")
        await sync(ada)
        await sync(bob)
        let output = await ada.run("notes attachments secret --json=sha256", isTerminal: false).output
        let hash = try #require((try JSONReader.read(Array(output.utf8))).array?.first?["sha256"]?.string)
        let data = server.hub.folder + "/.local/share/hub"
        let notes = try NotesFixture(locks: data + "/locks", at: .directory(data)).notes
        for name in ["bob", "eve"] {
            guard case .notFound = try await notes.attachmentPiece(hash, at: 0, for: name) else {
                Issue.record("\(name) reads the attachment")
                continue
            }
            guard case .upload(0, false, _) = try await notes.uploadState(hash, of: name) else {
                Issue.record("\(name) learns that the content is there")
                continue
            }
        }
        guard case .piece(let bytes) = try await notes.attachmentPiece(hash, at: 0, for: "ada") else {
            Issue.record("the owner cannot read the attachment")
            return
        }
        #expect(bytes == Array("MAP".utf8))
        await ada.run("notes share secret bob")
        await sync(ada)
        await sync(bob)
        #expect(await bob.run("notes save secret map.png", isTerminal: false).output == "MAP")
    }

    @Test func `uploads go on where they ended, and are what they say`() async throws {
        let fixture = try NotesFixture()
        let content = Array("0123456789".utf8)
        let hash = try BlobStore.id(of: content).text
        func upload(_ offset: Int, _ bytes: ArraySlice<UInt8>, size: Int = 10) async throws -> String {
            switch try await fixture.notes.takeUpload(hash, at: offset, size: size, Array(bytes), from: "ada") {
            case .upload(let offset, let isStored, let isConflict): "\(offset) \(isStored) \(isConflict)"
            case .tooLarge: "too large"
            default: "other"
            }
        }
        #expect(try await upload(0, content[..<4]) == "4 false false")
        #expect(try await upload(6, content[6...]) == "4 false true")
        #expect(try await upload(4, content[4..<6]) == "6 false false")
        #expect(try await upload(6, "XXXX".utf8.map { $0 }[...]) == "0 false true", "other content begins again")
        #expect(try await upload(0, content[...]) == "10 true false")
        #expect(try await upload(0, [], size: NoteLimits.attachment + 1) == "too large")
        #expect(try await upload(8, content[..<4]) == "too large")
        guard case .upload(_, true, _) = try await fixture.notes.uploadState(hash, of: "ada") else {
            Issue.record("the content is not there")
            return
        }
        guard case .upload(0, false, _) = try await fixture.notes.uploadState(hash, of: "bob") else {
            Issue.record("another account has the content")
            return
        }
    }

    @Test func `contents that were in the database become files`() async throws {
        let folder = try TemporaryFolder()
        let schema = NotesPlugin.descriptor.schema
        let old = PluginSchema(
            owner: "notes", migrations: Array(schema.migrations.prefix(14)), recorded: schema.recorded)
        let database = Database(
            at: .directory(folder.path), plugins: [old], clock: StillClock(), executors: .queues)
        try await database.store(for: "notes").write(System.Operation("notes import")) { transaction in
            try transaction.run(
                """
                INSERT INTO notes_note (id, wire_id, folder, owner, pinned, revision, created_at, changed_at)
                VALUES ('1a', 'w', '', '', 0, 1, 0, 0)
                """)
            try transaction.run(
                """
                INSERT INTO notes_text (note, title, size, revision, changed_at, change, title_version, content_version,
                    content) VALUES ('1a', 'Trip', 0, 1, 0, 1, '', '', '')
                """)
            for (target, name, content) in [
                ("a.png", "a.png", "one"), ("b/A.png", "A.png", "two"), (":/id", "2/a.png", ""),
            ] {
                try transaction.run(
                    "INSERT INTO notes_attachment (note, target, name, content) VALUES ('1a', ?, ?, ?)", target, name,
                    Array(content.utf8))
            }
        }
        await database.close()
        let fixture = try NotesFixture(at: .directory(folder.path))
        let found = try await fixture.store.read { try $0.attachments(of: "1a") }
        var contents: [String: String] = [:]
        for attachment in found {
            let bytes = try await fixture.notes.blobs.bytes(of: attachment.blob, limit: 100)
            #expect(bytes.count == attachment.size)
            contents["\(attachment.path) \(attachment.link ?? "")"] = String(decoding: bytes, as: UTF8.self)
        }
        #expect(
            contents == [
                "attachments/a.png a.png": "one", "attachments/2/A.png b/A.png": "two", "attachments/2-a.png :/id": "",
            ])
        let check = try await fixture.database.checkBlobs()
        #expect(check.needed == 3 && check.missing.isEmpty && check.damaged.isEmpty && check.unneeded == 0)
        // The operation from before cannot be taken back in part.
        await #expect(throws: HubError.self) { try await fixture.undo() }
    }

    @Test func `removing links leaves the other words`() {
        func removed(_ text: String) -> String { AttachmentRemoval.text(text) { $0.hasSuffix("x.png") } }
        #expect(removed("a\n![p](x.png)\nb\n") == "a\nb\n")
        #expect(removed("see [the [big] map](<d/x.png> \"t\") and ![[x.png|100]]!") == "see the [big] map and !")
        #expect(removed("![p](y.png) [[x.png]]") == "![p](y.png) ")
        #expect(removed("[r]: x.png\n<img src=\"x.png\">") == "[r]: x.png\n<img src=\"x.png\">")
        let many = String(repeating: "]", count: 100_000) + String(repeating: "](x.png)", count: 10_000)
        #expect(removed(many).utf8.count > 100_000)
    }
}
