import PostgresTestSupport
import Synchronization
import Testing

@testable import PostgreSQL

/// Against Debian's server.
@Suite(.timeLimit(.minutes(5)))
struct PostgreSQLTests {
    private func pool(_ maximum: Int = 2, _ server: PostgresServer? = nil) throws -> PostgresPool {
        PostgresPool(try PostgresAddress(try (server ?? .start()).url()), maximum: maximum)
    }

    private final class Counter: Sendable {
        private let value = Mutex(0)
        var count: Int { value.withLock(\.self) }
        func next() -> Int {
            value.withLock { value in
                value += 1
                return value
            }
        }
    }

    @Test func `values go there and back`() async throws {
        let pool = try pool()
        let query = PostgresQuery(
            "SELECT $1::bigint, $2::text, $3::bytea, $4::boolean, $5::bigint[], $6::text[], $7::bytea[], $8::text[], $9::text",
            -7, "Łódź", [UInt8]([0, 255]), true, [1, .max, .min], ["", "ż"], [[0], []] as [[UInt8]],
            [nil, "a"] as [String?], String?.none)
        let result = try await pool.run(
            query, PostgresQuery("SELECT 1 WHERE false"), PostgresQuery("SELECT $1", [Int]()))
        let row = try #require(result[0].first)
        #expect(row.int(0) == -7 && row.text(1) == "Łódź" && row.bytes(2) == [0, 255] && row.bool(3))
        #expect(row.ints(4) == [1, .max, .min] && row.texts(5) == ["", "ż"] && row.blobs(6) == [[0], []])
        #expect(row.optionalTexts(7) == [nil, "a"] && row.isNull(8) && row.optionalText(8) == nil)
        #expect(result[1].rows.isEmpty && result[2].first?.ints(0) == [])
        await #expect(throws: PostgresError.invalidText) { try await pool.run(PostgresQuery("SELECT $1", "a\0b")) }
        // A megabyte, more than a socket takes at once.
        let large = [UInt8](repeating: 7, count: 3 << 20)
        #expect(try await pool.run(PostgresQuery("SELECT $1::bytea", large))[0].first?.bytes(0) == large)
    }

    @Test func `a pipeline is one transaction, and its error says which rule was broken`() async throws {
        let pool = try pool()
        _ = try await pool.run(PostgresQuery("CREATE TABLE pipeline (id bigint CONSTRAINT one PRIMARY KEY)"))
        let error = await #expect(throws: PostgresError.self) {
            try await pool.run(
                PostgresQuery("INSERT INTO pipeline VALUES ($1)", 1),
                PostgresQuery("INSERT INTO pipeline VALUES ($1)", 1), PostgresQuery("SELECT 'not prepared before'"))
        }
        #expect(error?.isDuplicate == true && error?.isConflict == false)
        guard case .refused(let refusal)? = error else { return }
        #expect(refusal.constraint == "one")
        // The connection goes on, and the statement that was not reached is prepared now.
        let results = try await pool.run(
            PostgresQuery("SELECT 'not prepared before'"), PostgresQuery("SELECT count(*) FROM pipeline"))
        #expect(results[1].first?.int(0) == 0)
        let syntax = await #expect(throws: PostgresError.self) { try await pool.run(PostgresQuery("SELEKT")) }
        #expect(syntax?.sqlState == "42601")
        #expect(try await pool.run(PostgresQuery("DELETE FROM pipeline"))[0].count == 0)
    }

    @Test func `who is in another's way begins again`() async throws {
        let pool = try pool(4)
        _ = try await pool.run(
            PostgresQuery("CREATE TABLE counter (id bigint PRIMARY KEY, value bigint NOT NULL)"),
            PostgresQuery("INSERT INTO counter VALUES (1, 0), (2, 0)"))
        // Both orders at once would end in deadlocks, which the database breaks after a moment.
        try await withThrowingTaskGroup { group in
            for number in 0..<4 {
                group.addTask {
                    try await pool.transaction { transaction in
                        let order = number % 2 == 0 ? [1, 2] : [2, 1]
                        for id in order {
                            _ = try await transaction.run([
                                PostgresQuery("SET LOCAL deadlock_timeout = '20ms'"),
                                PostgresQuery("UPDATE counter SET value = value + 1 WHERE id = $1", id),
                            ])
                        }
                        _ = try await transaction.commit()
                    }
                }
            }
            try await group.waitForAll()
        }
        let rows = try await pool.run(PostgresQuery("SELECT value FROM counter"))[0].rows
        #expect(rows.map { $0.int(0) } == [4, 4])
        // What does not commit leaves nothing, and an error of the body ends it.
        try await pool.transaction { _ = try await $0.run([PostgresQuery("DELETE FROM counter")]) }
        await #expect(throws: CancellationError.self) {
            try await pool.transaction { transaction in
                _ = try await transaction.run([PostgresQuery("DELETE FROM counter")])
                throw CancellationError()
            }
        }
        #expect(try await pool.run(PostgresQuery("SELECT count(*) FROM counter"))[0].first?.int(0) == 2)
    }

    @Test func `a connection is waited for until the deadline`() async throws {
        let pool = try pool(1)
        try await pool.withConnection { _ in
            _ = await #expect(throws: PostgresError.self) {
                try await pool.run(PostgresQuery("SELECT 1"), deadline: .now + .milliseconds(30))
            }
        }
        let error = await #expect(throws: PostgresError.self) {
            try await pool.run(PostgresQuery("SELECT pg_sleep(60)"), deadline: .now + .milliseconds(30))
        }
        #expect(error == .timedOut)
        #expect(try await pool.run(PostgresQuery("SELECT 1"))[0].first?.int(0) == 1, "with another connection")
    }

    @Test func `the outcome of a commit is learned when its answer is lost`() async throws {
        let pool = try pool(3)
        _ = try await pool.run(PostgresQuery("CREATE TABLE kept (id bigint PRIMARY KEY)"))
        // The server ends the connection in the pipeline of the commit: before it, or after it.
        for isCommitted in [false, true] {
            let runs = Counter()
            let results = try await pool.transaction { transaction -> [PostgresResult]? in
                let isFirst = runs.next() == 1
                _ = try await transaction.run([PostgresQuery("INSERT INTO kept VALUES ($1)", isCommitted ? 1 : 0)])
                let proof = PostgresQuery("SELECT EXISTS (SELECT 1 FROM kept WHERE id = $1)", isCommitted ? 1 : 0)
                guard isFirst else { return try await transaction.commit(proof: proof) }
                let end = PostgresQuery("SELECT pg_terminate_backend(pg_backend_pid())")
                return try await transaction.commit(isCommitted ? [PostgresQuery("COMMIT"), end] : [end], proof: proof)
            }
            #expect(runs.count == (isCommitted ? 1 : 2))
            #expect((results == nil) == isCommitted)
        }
        // Without a proof nothing is guessed.
        let error = await #expect(throws: PostgresError.self) {
            try await pool.transaction { transaction in
                _ = try await transaction.run([])
                _ = try await transaction.commit([PostgresQuery("SELECT pg_terminate_backend(pg_backend_pid())")])
            }
        }
        #expect(error == .outcomeUnknown)
        let rows = try await pool.run(PostgresQuery("SELECT id FROM kept ORDER BY id"))[0].rows
        #expect(rows.map { $0.int(0) } == [0, 1])
    }

    @Test func `a restarted server is found again`() async throws {
        let server = try PostgresServer()
        let pool = try pool(2, server)
        _ = try await pool.run(
            PostgresQuery("CREATE TABLE kept (id bigint)"), PostgresQuery("INSERT INTO kept VALUES (1)"))
        try server.stop()
        await #expect(throws: PostgresError.self) {
            try await pool.run(PostgresQuery("SELECT 1"), deadline: .now + .milliseconds(100))
        }
        await #expect(throws: PostgresError.self) {
            try await pool.run(PostgresQuery("SELECT 1"), deadline: .now + .milliseconds(100))
        }
        #expect(pool.outage != nil)
        async let count = pool.run(PostgresQuery("SELECT count(*) FROM kept"))
        try server.start()
        #expect(try await count[0].first?.int(0) == 1)
        #expect(pool.outage == nil)
    }

    @Test func `who listens is told, and a broken connection ends`() async throws {
        let pool = try pool()
        let (told, continuation) = AsyncStream.makeStream(of: String.self)
        let listener = try await pool.listen(to: "news") { continuation.yield($1) }
        _ = try await pool.run(PostgresQuery("SELECT pg_notify('news', $1)", "milk"))
        #expect(await told.first { _ in true } == "milk")
        #expect(listener.isUsable)
        listener.close()
        let error = await #expect(throws: PostgresError.self) {
            try await listener.run([PostgresQuery("SELECT 1")], deadline: .now + .seconds(5))
        }
        #expect(error?.isLoss == true)
    }

    @Test func `what a server refuses for good is told at once, with its kind`() async throws {
        let server = try PostgresServer()
        let rules = [
            "local all hub trust", "local all guest scram-sha-256", "local all ghost trust", "local all barred reject",
        ]
        let setting = try pool(1, server)
        for statement in [
            "CREATE ROLE guest LOGIN PASSWORD 'right'", "CREATE ROLE barred LOGIN", "CREATE DATABASE closed",
            "REVOKE CONNECT ON DATABASE closed FROM PUBLIC",
            "COPY (SELECT unnest(ARRAY['\(rules.joined(separator: "','"))'])) TO '\(server.directory)/data/pg_hba.conf'",
        ] { _ = try await setting.run(PostgresQuery(statement)) }
        setting.close()
        try server.restart()
        for (database, user, password, state, words) in [
            ("postgres", "guest", "wrong", "28P01", "password authentication failed"),
            ("postgres", "ghost", "", "28000", "does not exist"),
            ("postgres", "barred", "", "28000", "pg_hba.conf"),
            ("postgres", "stranger", "", "28000", "pg_hba.conf"),
            ("nothing", "hub", "", "3D000", "does not exist"),
            ("closed", "guest", "right", "42501", "permission denied"),
        ] {
            let url = server.url(database).replacing("user=hub", with: "user=\(user)")
            let pool = PostgresPool(try PostgresAddress(url, password: password))
            let error = await #expect(throws: PostgresError.self) { try await pool.run(PostgresQuery("SELECT 1")) }
            guard case .refused(let refusal)? = error else {
                Issue.record("\(user): \(String(describing: error))")
                continue
            }
            #expect(refusal.sqlState == state && refusal.message.contains(words), "\(refusal)")
            #expect(!refusal.message.contains("LOCATION") && !refusal.message.contains(state))
            #expect(error?.isLoss == false)
            pool.close()
        }
        let url = server.url().replacing("user=hub", with: "user=guest")
        let right = PostgresPool(try PostgresAddress(url, password: "right"))
        #expect(try await right.run(PostgresQuery("SELECT 1"))[0].first?.int(0) == 1)
        // Errors of statements do not say where in the server they are.
        let syntax = await #expect(throws: PostgresError.self) { try await right.run(PostgresQuery("SELEKT")) }
        #expect(syntax.map { !"\($0)".contains("LOCATION") } == true)
    }

    @Test func `of several servers all have to refuse, and a server that is away or full is tried again`() {
        let place = #"connection to server at "db" (10.0.0.1), port 5432 failed: "#
        let denied = place + "FATAL:  28P01: password authentication failed"
        let away = place + "Connection refused"
        let full = place + "FATAL:  53300: sorry, too many clients already"
        let source = "LOCATION:  auth_failed, auth.c:331"
        #expect(PostgresError(connecting: [denied, source]).sqlState == "28P01")
        #expect(PostgresError(connecting: [denied, source, denied, source]).sqlState == "28P01")
        let both = PostgresError(connecting: [denied, source, away])
        #expect(both == .unreachable(denied.replacing("28P01: ", with: "") + " " + away))
        #expect(PostgresError(connecting: [away, "\tIs the server running on that host?"]).isLoss)
        #expect(PostgresError(connecting: [full]).isLoss && PostgresError(connecting: []).isLoss)
    }

    @Test func `a certificate is checked by the authorities of the system unless the address names some`() throws {
        func authority(_ url: String) throws -> String? {
            try PostgresAddress(url).parameters.last { $0.0 == "sslrootcert" }?.1
        }
        #expect(try authority("postgres://db/hub?sslmode=verify-full") != nil)
        #expect(try authority("postgres://db/hub?sslmode=verify-full&sslrootcert=/ca.pem") == "/ca.pem")
        // Any certificate of the web would do for these.
        #expect(try authority("postgres://db/hub?sslmode=verify-ca") == nil)
        #expect(try authority("postgres://db/hub?sslmode=require") == nil)
    }

    @Test func `an address is shown without its password`() throws {
        let address = try PostgresAddress("postgres://hub:secret@db1.example,db2.example/notes?sslmode=verify-full")
        #expect(address.shown == "postgres://db1.example,db2.example/notes")
        #expect(!address.isLocal && address.isEncrypted)
        #expect(try PostgresAddress("host=/run/postgresql dbname=hub").isLocal)
        #expect(throws: PostgresError.self) { try PostgresAddress("postgres://h/d?nonsense=1") }
        let parameters = try PostgresAddress("postgres:///d", password: "p").parameters
        #expect(parameters.contains { $0 == ("password", "p") })
    }
}
