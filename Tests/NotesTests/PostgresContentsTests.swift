import Glibc
import Hashing
import HubKit
import NotesDomain
import PostgreSQL
import PostgresTestSupport
import Storage
import TestSupport
import Testing

@testable import Notes

/// Contents of attachments in a database of PostgreSQL, which its servers share.
@Suite(.timeLimit(.minutes(5)))
struct PostgresContentsTests {
    /// Makes servers on one empty database.
    private func servers(_ count: Int) async throws -> [NotesFixture] {
        let url = try await PostgresServer.emptyURL()
        return try (0..<count).map { _ in
            let server = try NotesFixture()
            try server.notes.useServerStore(url)
            return server
        }
    }

    @Test func `content that changes while it is checked is not kept`() async throws {
        let server = try await servers(1)[0]
        let contents = try #require(server.notes.serverStore.contents as? PostgresContents)
        let right = Array("what its hash says".utf8)
        let hash = try SHA256.hexadecimal(right)
        #expect(try await contents.add(right, to: hash, at: 0, from: "maria") == right.count)
        let checked = try #require(try await contents.upload(hash, "maria"))
        #expect(try await contents.add(Array("something else".utf8), to: hash, at: 0, from: "maria") == 14)
        #expect(try await !contents.keep(checked))
        #expect(try await contents.complete(hash, from: "maria") == nil)
        #expect(try await contents.size(of: hash) == nil)
        _ = try await contents.add(right, to: hash, at: 0, from: "maria")
        #expect(try await contents.complete(hash, from: "maria") != nil)
        #expect(try await contents.size(of: hash) == right.count)
    }

    @Test func `contents that an earlier release kept in the folder of a server are moved into the database`()
        async throws
    {
        let servers = try await servers(2)
        let (here, notes) = (servers[0].notes.blobs, servers[0].notes)
        let database = try #require((notes.serverStore as? PostgresNoteServerStore)?.database)
        // One in three pieces, one that was begun before the server was killed, one that another server has, and one that is damaged.
        let picture = (0..<(2 << 20) + 7).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 9) }
        let (stored, damaged) = (try await here.store(picture), try await here.store(Array("damaged".utf8)))
        let begun = try await here.store(Array("begun and ended".utf8))
        let elsewhere = try await servers[1].notes.blobs.store(Array("elsewhere".utf8))
        let path = here.path(of: damaged.id)
        #expect(unlink(path) == 0)
        let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
        #expect(write(descriptor, "other", 5) == 5)
        close(descriptor)
        _ = try await database.read { reader in
            for (number, (hash, size)) in [
                (stored.id.text, picture.count), (begun.id.text, 15), (elsewhere.id.text, 9), (damaged.id.text, 7),
            ].enumerated() {
                _ = try await reader.pool.run(
                    PostgresQuery(
                        "INSERT INTO hub_attachment (note, path, size, hash) VALUES ('1a', $1, $2, $3)",
                        Array("\(number)".utf8), size, hash))
            }
        }
        let contents = notes.serverStore.contents
        _ = try await contents.add(Array("begun".utf8), to: begun.id.text, at: 0, from: notes.contentSender)
        let whole = try await notes.moveContents()
        #expect(whole == ContentMove(moved: 2, bytes: picture.count + 15, damaged: 1, missing: 1))
        #expect(try await contents.size(of: stored.id.text) == picture.count)
        #expect(try await contents.piece(of: stored.id.text, at: 2 << 20, limit: 99) == Array(picture.suffix(7)))
        #expect(try await contents.size(of: damaged.id.text) == nil)
        // Once more, nothing is left to do; the other server has what this one lacks.
        #expect(try await notes.moveContents() == ContentMove(moved: 0, bytes: 0, damaged: 1, missing: 1))
        #expect(try await servers[1].notes.moveContents() == ContentMove(moved: 1, bytes: 9, damaged: 0, missing: 1))
        #expect(try await contents.piece(of: elsewhere.id.text, at: 0, limit: 99) == Array("elsewhere".utf8))
        withExtendedLifetime((stored, damaged, begun, elsewhere)) {}
    }
}
