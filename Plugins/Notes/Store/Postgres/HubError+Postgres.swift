import PostgreSQL
import System

extension HubError {
    /// What is said of a pooler that cannot be used.
    static let sharedConnections = HubError(
        .config, code: "database-pooler",
        "the pooler in front of the database lends a connection to several clients in turn",
        details: ["Prepared statements and LISTEN belong to one connection."],
        hint: "set pool_mode = session in PgBouncer, or name the database itself")

    /// What is said when the database does not do what it is asked for.
    init(_ error: PostgresError) {
        if error.isOfSharedConnection {
            self = .sharedConnections
            return
        }
        switch error {
        case .invalidText:
            self.init(.invalid, code: "text-invalid", "a name has the character U+0000, which is not stored")
        case .outcomeUnknown:
            self.init(.unavailable, code: "outcome-unknown", "\(error)", hint: "read it again before it is repeated")
        case .invalidAddress: self.init(.config, code: "database-address", "\(error)", hint: Self.addressHint)
        case .libraryMissing:
            self.init(.unavailable, code: "database-unavailable", "\(error)", hint: "apt install libpq5")
        case .lost, .timedOut:
            self.init(.unavailable, code: "database-unavailable", "\(error)", hint: Self.unavailableHint)
        case .unreachable(let reason):
            let known = Self.unreachable.first { reason.contains($0.words) }
            self.init(
                .unavailable, code: known?.code ?? "database-unavailable", "\(error)",
                hint: known?.hint ?? Self.unavailableHint)
        case .refused(let refusal):
            let known = Self.refusals.first {
                refusal.sqlState.hasPrefix($0.state) && ($0.words.isEmpty || refusal.message.contains($0.words))
            }
            self.init(.unavailable, code: known?.code ?? "database-unavailable", "\(error)", hint: known?.hint)
        }
    }

    /// The same error for a server that starts: what only another setting, or an administrator, can change is not tried again.
    var ofStart: HubError {
        guard Self.needAdministrator.contains(code) else { return self }
        var error = self
        error.kind = .config
        return error
    }

    private static let addressHint = "postgres://USER@HOST/DATABASE?sslmode=verify-full is an address"
    private static let unavailableHint = "look at the database, and try again"
    private static let passwordHint =
        "write HOST:PORT:DATABASE:USER:PASSWORD into ~/.pgpass, or the file that PGPASSFILE names; only you may read it"
    private static let authorityHint =
        "add sslrootcert=FILE to the address, with the authority of the server's certificate"

    private static let needAdministrator: Set<String> = [
        "database-login", "database-missing", "database-rights", "database-certificate", "database-plaintext",
        "database-address",
    ]

    /// What servers refuse, by the begin of its kind and by words in it; the first that fits.
    private static let refusals: [(state: String, words: String, code: String, hint: String)] = [
        ("28P01", "", "database-login", passwordHint),
        ("28", "no encryption", "database-login", "add sslmode=verify-full to the address"),
        ("28", "pg_hba.conf", "database-login", "allow this machine, user and database in pg_hba.conf of the server"),
        ("28", "does not exist", "database-login", "createuser --pwprompt USER makes the user"),
        (
            "28", "Peer authentication", "database-login",
            "name the user of this process, or a host: postgres://USER@localhost/DATABASE asks for a password"
        ),
        ("28", "", "database-login", "look at the user and at pg_hba.conf of the server"),
        (
            "3D000", "", "database-missing",
            "createdb --owner=USER --encoding=UTF8 --template=template0 DATABASE makes one"
        ),
        ("42501", "", "database-rights", "ALTER DATABASE … OWNER TO … gives the user of the address its rights"),
    ]

    /// What libpq says without a word of the server, by words in it.
    private static let unreachable: [(words: String, code: String, hint: String)] = [
        ("no password supplied", "database-login", passwordHint),
        ("does not support SSL", "database-plaintext", "set ssl = on in postgresql.conf of the server"),
        ("root certificate file", "database-certificate", authorityHint),
        ("certificate verify failed", "database-certificate", authorityHint),
        (
            "does not match host name", "database-certificate",
            "use a name that is in the server's certificate, or sslmode=verify-ca"
        ),
        ("invalid sslmode value", "database-address", addressHint),
        ("could not translate host name", "database-unavailable", "look at the host in the address"),
        (
            "Connection refused", "database-unavailable",
            "start PostgreSQL there, and let it listen (listen_addresses, port)"
        ),
    ]
}
