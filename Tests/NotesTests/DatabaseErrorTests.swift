import PostgreSQL
import System
import Testing

@testable import Notes

/// What an administrator reads when the database cannot be used.
struct DatabaseErrorTests {
    /// What PostgreSQL 15 and its libpq say, the code of hub, and a word of the way out.
    private static let refusals: [(String, String, String, String)] = [
        ("28P01", #"FATAL:  password authentication failed for user "hub""#, "database-login", ".pgpass"),
        ("28000", #"FATAL:  role "hub" does not exist"#, "database-login", "createuser"),
        (
            "28000",
            #"FATAL:  no pg_hba.conf entry for host "10.0.0.9", user "hub", database "hub", no encryption"#,
            "database-login", "sslmode=verify-full"
        ),
        (
            "28000", #"FATAL:  no pg_hba.conf entry for host "10.0.0.9", user "hub", database "hub", SSL encryption"#,
            "database-login", "pg_hba.conf"
        ),
        ("28000", #"FATAL:  Peer authentication failed for user "hub""#, "database-login", "localhost"),
        ("3D000", #"FATAL:  database "hub" does not exist"#, "database-missing", "createdb"),
        ("42501", "ERROR:  permission denied for schema public", "database-rights", "OWNER"),
    ]

    private static let failures: [(String, String, String)] = [
        ("fe_sendauth: no password supplied", "database-login", ".pgpass"),
        ("server does not support SSL, but SSL was required", "database-plaintext", "ssl = on"),
        (#"root certificate file "/ca.pem" does not exist"#, "database-certificate", "sslrootcert"),
        ("SSL error: certificate verify failed", "database-certificate", "sslrootcert"),
        (
            #"server certificate for "db" does not match host name "db.example.org""#, "database-certificate",
            "verify-ca"
        ),
        (#"invalid sslmode value: "full""#, "database-address", "sslmode=verify-full"),
        (#"could not translate host name "db" to address"#, "database-unavailable", "host in the address"),
        ("Connection refused", "database-unavailable", "listen_addresses"),
        ("the server did not answer in time", "database-unavailable", "try again"),
    ]

    @Test func `each refusal of a database says what to do, and ends a server that starts for good`() {
        for (state, message, code, way) in Self.refusals {
            let error = HubError(PostgresError.refused(.init(sqlState: state, message: message)))
            #expect(error.code == code && error.hint?.contains(way) == true, "\(message)")
            // Clients of a running server try again.
            #expect(error.kind == .unavailable && error.ofStart.kind == .config)
        }
    }

    @Test func `a database that cannot be reached says why, and is tried again unless settings are wrong`() {
        for (message, code, way) in Self.failures {
            let error = HubError(PostgresError.unreachable(message))
            #expect(error.code == code && error.hint?.contains(way) == true, "\(message)")
            #expect(error.kind == .unavailable)
            #expect((error.ofStart.kind == .unavailable) == (code == "database-unavailable"))
        }
    }

    @Test func `a database of an old PostgreSQL is refused with the version that is needed`() {
        #expect(throws: Never.self) { try PostgresSchema.check(serverVersion: 140_000) }
        let error = #expect(throws: HubError.self) { try PostgresSchema.check(serverVersion: 130_022) }
        #expect(error?.message == "the database is PostgreSQL 13" && error?.hint == "use PostgreSQL 14 or later")
    }
}
