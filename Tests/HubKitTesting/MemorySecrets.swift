package import Commands
import HubKit
import Synchronization

/// A keyring in memory, for tests; other sources are their own secrets.
package final class MemorySecrets: Secrets {
    private struct State {
        var entries: [KeyringEntry: String] = [:]
        var isAway = false
    }

    private let state: Mutex<State>

    /// Creates a keyring in memory with the given entries.
    package init(_ entries: [KeyringEntry: String] = [:]) { state = Mutex(State(entries: entries)) }

    /// All entries.
    package var entries: [KeyringEntry: String] { state.withLock(\.entries) }

    /// Makes every call fail from now on.
    package func goAway() { state.withLock { $0.isAway = true } }

    /// Makes calls work again after ``goAway()``.
    package func comeBack() { state.withLock { $0.isAway = false } }

    /// Returns the secret of `source`; throws `secret-not-found` when the keyring has no such entry.
    package func read(_ source: SecretSource) async throws(HubError) -> String {
        switch source {
        case .text(let text), .command(let text), .file(let text): return text
        case .keyring(let entry):
            if let secret = try await secret(of: entry) { return secret }
            throw HubError(.notFound, code: "secret-not-found", "the keyring has no entry \(entry)")
        }
    }

    /// Returns the secret of an entry; nil when there is none.
    package func secret(of entry: KeyringEntry) async throws(HubError) -> String? { try opened { $0[entry] } }

    /// Stores or replaces the secret of an entry.
    package func save(_ secret: String, as entry: KeyringEntry) async throws(HubError) {
        try opened { $0[entry] = secret }
    }

    /// Deletes an entry; returns whether it existed.
    package func remove(_ entry: KeyringEntry) async throws(HubError) -> Bool {
        try opened { $0.removeValue(forKey: entry) != nil }
    }

    /// Returns the names of all named entries in alphabetical order.
    package func names() async throws(HubError) -> [String] {
        try opened { entries in
            entries.keys.compactMap { if case .named(let name) = $0 { name } else { nil } }.sorted()
        }
    }

    private func opened<Answer>(
        _ body: (inout [KeyringEntry: String]) -> Answer
    ) throws(HubError) -> Answer {
        let answer = state.withLock { state -> Answer? in state.isAway ? nil : body(&state.entries) }
        if let answer { return answer }
        throw HubError(
            .unavailable, code: "keyring-unavailable", "the keyring cannot be used", details: ["no session bus"])
    }
}
