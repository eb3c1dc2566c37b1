import PostgreSQL
import Synchronization
import System

/// What servers of one database tell each other beside what they store, such as where cursors are. It may get lost.
final class PostgresMessenger: Sendable {
    static let channel = "hub_notes_messages"
    /// The shortest time between two messages, of which each has all that waits.
    private static let pause = Duration.milliseconds(50)
    /// The most bytes of one message, which is a limit of the database, and the most texts that wait.
    private static let (size, limit) = (7900, 1000)

    private struct State {
        /// What waits, the newest text of each key, and the order of the keys.
        var texts: [String: String] = [:]
        var keys: [String] = []
        var isSending = false
        var receive: (@Sendable (_ server: String, _ texts: [String]) -> Void)?
    }

    private let pool: PostgresPool
    /// The name of this server.
    private let server: String
    private let state = Mutex(State())

    init(_ pool: PostgresPool, server: String) { (self.pool, self.server) = (pool, server) }

    /// Sets what gets the texts of other servers, with the name of the one that has sent them.
    func receive(_ receive: @escaping @Sendable (_ server: String, _ texts: [String]) -> Void) {
        state.withLock { $0.receive = receive }
    }

    /// Tells the others a text of one line, instead of one with the same key that has not been sent yet.
    func tell(_ text: String, key: String) {
        guard text.utf8.count + server.utf8.count + 2 <= Self.size else { return }
        let begins = state.withLock { state in
            guard state.keys.count < Self.limit || state.texts[key] != nil else { return false }
            if state.texts.updateValue(text, forKey: key) == nil { state.keys.append(key) }
            defer { state.isSending = true }
            return !state.isSending
        }
        guard begins else { return }
        Task { [weak self] in
            while let self, let message = self.next() {
                _ = try? await self.pool.run(PostgresQuery("SELECT pg_notify($1, $2)", Self.channel, message))
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    /// Takes as much as one message may have; nil if nothing waits.
    private func next() -> String? {
        state.withLock { state in
            state.isSending = !state.keys.isEmpty
            if state.keys.isEmpty { return nil }
            var message = server
            var count = 0
            for key in state.keys {
                let text = state.texts[key] ?? ""
                guard message.utf8.count + 1 + text.utf8.count <= Self.size else { break }
                message += "\n" + text
                count += 1
            }
            for key in state.keys.prefix(count) { state.texts[key] = nil }
            state.keys.removeFirst(count)
            return message
        }
    }

    /// Takes a message of any server.
    func received(_ message: String) {
        let lines = message.split(separator: "\n").map(String.init)
        guard let sender = lines.first, sender != server else { return }
        state.withLock(\.receive)?(sender, Array(lines.dropFirst()))
    }
}
