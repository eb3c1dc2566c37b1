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
                || ["53300", "57P01", "57P02", "57P03"].contains(refusal.sqlState)
        default: false
        }
    }
}

extension PostgresError {
    /// Reads why there is no connection: the lines of libpq, which has the kinds of errors in them, one attempt after the other.
    ///
    /// What a server refuses for good, such as a password, is not a server that is away. Of several servers all have to refuse it.
    init(connecting lines: [String]) {
        var said: [String] = []
        var states: [String?] = []
        for line in lines where !line.hasPrefix("LOCATION:") {
            let isAttempt = line.contains(" failed: ") || states.isEmpty
            if isAttempt { states.append(nil) }
            guard let kind = Self.sqlState(in: line) else {
                said.append(line)
                continue
            }
            if isAttempt { states[states.count - 1] = kind.state }
            said.append(kind.rest)
        }
        let message = said.joined(separator: " ")
        let first = states.first.flatMap(\.self)
        guard let first, states.allSatisfy({ $0.map(Self.isPermanent) ?? false }) else {
            self = .unreachable(message)
            return
        }
        self = .refused(Refusal(sqlState: first, message: message))
    }

    /// Whether the same connection is refused again: the user, the password, the rights or the name of the database.
    private static func isPermanent(_ state: String) -> Bool {
        state.hasPrefix("28") || state == "3D000" || state == "42501"
    }

    /// Returns the kind of an error that is in a line such as `FATAL:  28P01: password authentication failed`, and the line without it.
    private static func sqlState(in line: String) -> (state: String, rest: String)? {
        guard let severity = line.firstRange(of: ":  ") else { return nil }
        let words = line[severity.upperBound...]
        let (state, rest) = (words.prefix(5), words.dropFirst(5))
        guard state.utf8.count == 5, rest.hasPrefix(": "),
            state.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) })
        else { return nil }
        return (String(state), String(line[..<severity.upperBound]) + String(rest.dropFirst(2)))
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
