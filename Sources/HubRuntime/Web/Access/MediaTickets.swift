import Synchronization

/// The tickets with which a player of sound reads a path of the API: a browser sends the cookie for it, and cannot send the key.
///
/// A ticket opens one path for one session and for reading only. It is kept in memory, so it ends with hub, and earlier when
/// many others were made.
final class MediaTickets: Sendable {
    /// The number of tickets that are kept; the oldest one makes room.
    static let maximumCount = 256

    private let hashes = Mutex<[[UInt8]]>([])

    /// Returns a new ticket for `path`, for the session with the cookie.
    func make(for path: String, cookie: String) throws -> String {
        let ticket = WebSecret.make()
        let hash = try Self.hash(ticket, path, cookie)
        hashes.withLock { hashes in
            if hashes.count >= Self.maximumCount { hashes.removeFirst() }
            hashes.append(hash)
        }
        return ticket
    }

    /// Whether `ticket` was made for this path and session.
    func opens(_ path: String, _ ticket: String, cookie: String) throws -> Bool {
        let hash = try Self.hash(ticket, path, cookie)
        return hashes.withLock { hashes in hashes.reduce(false) { WebSecret.isEqual($1, hash) || $0 } }
    }

    // A path may contain anything, the other two have no slash: different triples have different texts.
    private static func hash(_ ticket: String, _ path: String, _ cookie: String) throws -> [UInt8] {
        try WebSecret.hash(ticket + "/" + cookie + "/" + path)
    }
}
