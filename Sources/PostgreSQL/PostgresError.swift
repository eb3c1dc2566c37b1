/// Why PostgreSQL did not do what was asked.
package enum PostgresError: Error, Hashable, Sendable {
    /// libpq is not installed, with the loader's words.
    case libraryMissing(String)
    /// The address of the database cannot be read.
    case invalidAddress(String)
    /// There is no connection: nothing was sent.
    case unreachable(String)
    /// The connection broke while an answer was awaited: whether the statements were carried out is not known here.
    case lost(String)
    /// The database did not answer in time; the connection was given up, and the same is not known.
    case timedOut
    /// A commit was sent, and the connection broke: neither the answer nor the state of the transaction could be learned.
    case outcomeUnknown
    /// A parameter cannot be stored: PostgreSQL has no text with U+0000.
    case invalidText
    /// The database refused a statement.
    case refused(Refusal)

    /// An error of the database.
    package struct Refusal: Hashable, Sendable {
        /// The five characters of its kind.
        package let sqlState: String
        /// What it says.
        package let message: String
        /// The constraint that would be broken; empty without one.
        package let constraint: String

        /// Creates the refusal of a server.
        package init(sqlState: String, message: String, constraint: String = "") {
            (self.sqlState, self.message, self.constraint) = (sqlState, message, constraint)
        }
    }

    /// The kind of an error of the database; nil for others.
    package var sqlState: String? { if case .refused(let refusal) = self { refusal.sqlState } else { nil } }

    /// Whether the same transaction, made again from its beginning, may succeed: it was in another one's way and left nothing.
    package var isConflict: Bool {
        switch sqlState {
        // Serialization failure, deadlock, lock not available.
        case "40001", "40P01", "55P03": true
        default: false
        }
    }

    /// Whether a prepared statement is that of another client, or is not there: something lends the connection to several clients.
    package var isOfSharedConnection: Bool { sqlState == "26000" || sqlState == "42P05" }

    /// Whether a row with the same key was there.
    package var isDuplicate: Bool { sqlState == "23505" }

    /// Whether the connection, or the server behind it, is of no use any more: shut down, a standby now, or gone.
    package var isLoss: Bool {
        switch self {
        case .lost, .timedOut, .unreachable: true
        case .refused(let refusal):
            refusal.sqlState.hasPrefix("08") || refusal.sqlState == "25006"
                || ["57P01", "57P02", "57P03"].contains(refusal.sqlState)
        default: false
        }
    }
}

extension PostgresError: CustomStringConvertible {
    /// What happened, in words.
    package var description: String {
        switch self {
        case .libraryMissing(let reason): "PostgreSQL needs libpq: \(reason)"
        case .invalidAddress(let reason): "the address of the database is not valid: \(reason)"
        case .unreachable(let reason): "cannot connect to the database: \(reason)"
        case .lost(let reason): "the connection to the database broke: \(reason)"
        case .timedOut: "the database did not answer in time"
        case .outcomeUnknown:
            "the connection broke during a commit, and whether it was carried out could not be learned"
        case .invalidText: "a text has the character U+0000, which PostgreSQL cannot store"
        case .refused(let refusal): "\(refusal.message) (SQLSTATE \(refusal.sqlState))"
        }
    }
}
