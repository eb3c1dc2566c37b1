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

    /// Lets the statement with this number that changes contents fail from now on, and returns how many came since the last call.
    @discardableResult
    private func fail(at number: Int, _ database: PostgresNoteDatabase) async throws -> Int {
        try await database.read { reader in
            let last = try await reader.pool.run(PostgresQuery("SELECT last_value FROM contents_step"))[0].first?.int(0)
            _ = try await reader.pool.run(
                PostgresQuery("UPDATE contents_fault SET number = $1", number + 1),
                PostgresQuery("SELECT setval('contents_step', 1)"))
            return (last ?? 0) - 1
        }
    }

    /// Counts all statements that change contents, and fails one.
    private func countSteps(_ database: PostgresNoteDatabase) async throws {
        _ = try await database.read { reader in
            // A number stays taken when its transaction is rolled back.
            for statement in [
                "CREATE SEQUENCE contents_step", "SELECT setval('contents_step', 1)",
                "CREATE TABLE contents_fault (number bigint)", "INSERT INTO contents_fault VALUES (0)",
                """
                CREATE FUNCTION contents_step() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    IF nextval('contents_step') = (SELECT number FROM contents_fault) THEN
                        RAISE EXCEPTION 'the server ended here';
                    END IF;
                    RETURN NULL;
                END $$
                """,
                "CREATE TRIGGER step AFTER INSERT OR UPDATE OR DELETE ON hub_content EXECUTE FUNCTION contents_step()",
                "CREATE TRIGGER step AFTER INSERT OR UPDATE OR DELETE ON hub_piece EXECUTE FUNCTION contents_step()",
            ] { _ = try await reader.pool.run(PostgresQuery(statement)) }
        }
    }

    /// Expects that each row of contents has exactly the pieces that it says, without a gap or an overlap, and that what is complete is what its hash
    /// says, once. Returns the hashes of what is complete, and the number of rows that are not.
    private func sound(_ database: PostgresNoteDatabase) async throws -> (complete: [String], begun: Int) {
        let rows = try await database.read {
            try await $0.pool.run(
                PostgresQuery(
                    """
                    SELECT c.hash, c.person IS NULL, c.received, coalesce(sum(length(p.bytes)), 0)::bigint,
                        encode(sha256(coalesce(string_agg(p.bytes, ''::bytea ORDER BY p.start), ''::bytea)), 'hex'),
                        array_agg(coalesce(p.start, 0) ORDER BY p.start),
                        array_agg(coalesce(length(p.bytes), 0)::bigint ORDER BY p.start)
                    FROM hub_content c LEFT JOIN hub_piece p ON p.content = c.id GROUP BY c.id ORDER BY c.hash
                    """))[0].rows
        }
        for row in rows {
            #expect(row.int(2) == row.int(3), "the bytes that are there are those that were received")
            var end = 0
            for (start, length) in zip(row.ints(5), row.ints(6)) {
                #expect(start == end, "each piece begins where the one before it ends")
                end += length
            }
            if row.bool(1) { #expect(row.text(0) == row.text(4), "what is complete is what its hash says") }
        }
        let complete = rows.filter { $0.bool(1) }.map { $0.text(0) }
        return (complete, rows.count - complete.count)
    }

    @Test func `a server that ends at any step of moving contents loses nothing, and goes on when it starts`()
        async throws
    {
        let server = try await servers(1)[0]
        let notes = server.notes
        let database = try #require((notes.serverStore as? PostgresNoteServerStore)?.database)
        // One in two pieces, and one in a single piece.
        let picture = (0..<(1 << 20) + 7).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 9) }
        let kept = [try await notes.blobs.store(picture), try await notes.blobs.store(Array("small".utf8))]
        let hashes = kept.map(\.id.text).sorted()
        _ = try await database.read { reader in
            for (number, (hash, size)) in zip(kept.map(\.id.text), [picture.count, 5]).enumerated() {
                _ = try await reader.pool.run(
                    PostgresQuery(
                        "INSERT INTO hub_attachment (note, path, size, hash) VALUES ('1a', $1, $2, $3)",
                        Array("\(number)".utf8), size, hash))
            }
        }
        try await countSteps(database)
        #expect(try await notes.moveContents().moved == 2)
        let steps = try await fail(at: 0, database)
        // Each piece makes or finds its row, is stored and counted; the first of a content removes others, and each content is completed.
        #expect(steps == 3 * 3 + 2 + 2)
        for step in 1...steps {
            _ = try await database.read { try await $0.pool.run(PostgresQuery("DELETE FROM hub_content")) }
            try await fail(at: step, database)
            await #expect(throws: HubError.self, "step \(step)") { try await notes.moveContents() }
            let interrupted = try await sound(database)
            #expect(interrupted.begun <= 1)
            // The next start, of the same folder.
            let done = interrupted.complete.count
            #expect(try await notes.moveContents().moved == 2 - done, "step \(step)")
            let whole = try await sound(database)
            #expect(whole.complete == hashes && whole.begun == 0, "step \(step)")
            #expect(try await fail(at: 0, database) <= steps + 4, "a piece that was stored is not sent again")
        }
        // A third start has nothing to do, and the files are where they were.
        #expect(try await notes.moveContents() == ContentMove())
        for blob in kept { #expect(notes.blobs.size(of: blob.id) != nil) }
        withExtendedLifetime(kept) {}
    }

    @Test func `two servers that move the same content at once store it once`() async throws {
        let servers = try await servers(2)
        let database = try #require((servers[0].notes.serverStore as? PostgresNoteServerStore)?.database)
        let picture = (0..<(1 << 20) + 7).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
        let kept = [try await servers[0].notes.blobs.store(picture), try await servers[1].notes.blobs.store(picture)]
        _ = try await database.read {
            try await $0.pool.run(
                PostgresQuery(
                    "INSERT INTO hub_attachment (note, path, size, hash) VALUES ('1a', $1, $2, $3)", Array("0".utf8),
                    picture.count, kept[0].id.text))
        }
        async let first = servers[0].notes.moveContents()
        async let second = servers[1].notes.moveContents()
        #expect(try await first.damaged + second.damaged == 0)
        let whole = try await sound(database)
        #expect(whole.complete == [kept[0].id.text] && whole.begun == 0)
        withExtendedLifetime(kept) {}
    }
}
