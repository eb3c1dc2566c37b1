import Hashing
package import NotesDomain
package import Storage

/// The accounts of the server. A client with a token of an account acts under its name; the server keeps only hashes.
extension NotesPlugin {
    /// The time within which further uses of a token are not recorded.
    private static let useInterval = Duration.seconds(3600)

    /// Makes a token for a person, who may be new, and returns the invitation for their machine.
    package func invite(_ name: String, operation: Operation) async throws -> Invitation {
        guard !name.isEmpty, name.utf8.count <= NoteLimits.name, !name.contains(where: \.isNewline),
            TerminalSanitizer.line(name) == name
        else {
            throw HubError(
                .invalid, code: "name-invalid", "invalid name \"\(TerminalSanitizer.line(String(name.prefix(40))))\"",
                hint: "a name is one line of at most \(NoteLimits.name) bytes")
        }
        var generator = SystemRandomNumberGenerator()
        let token = String(
            decoding: (0..<32).map { _ in Identifier.alphabet[Int(generator.next(upperBound: UInt32(32)))] },
            as: UTF8.self)
        let hash = try Self.hash(token)
        try await store.write(operation) { try $0.addToken(hash, of: name) }
        return Invitation(url: serverSettings.url, name: name, token: token)
    }

    /// Returns all accounts by their names.
    package func serverAccounts() async throws -> [ServerAccount] { try await store.read { try $0.serverAccounts() } }

    /// Removes the account of a person and ends their connections; what they own and may open stays.
    package func removeAccount(_ name: String, operation: Operation) async throws {
        let count = try await store.write(operation) { transaction in
            // The server looks again whose connections are to be ended.
            transaction.afterCommit(NotesEvents.changed)
            return try transaction.removeTokens(of: name)
        }
        guard count > 0 else {
            throw HubError(
                .notFound, code: "user-not-found", "no account named \"\(TerminalSanitizer.line(name))\"",
                hint: "hub notes server users list shows all")
        }
    }

    /// Returns the name of the person who has a token; nil for an unknown one.
    package func person(withToken token: String) async throws -> String? {
        guard (16...200).contains(token.utf8.count) else { return nil }
        let hash = try Self.hash(token)
        guard let (person, usedAt) = try await store.read({ try $0.token(hash) }) else { return nil }
        let now = clock.now
        if usedAt.map({ now - $0 >= Self.useInterval }) ?? true {
            let operation = Operation("notes login", who: .service("notes server"), kind: .cache)
            try await store.write(operation) { try $0.setUsed(hash) }
        }
        return person
    }

    private static func hash(_ token: String) throws(HubError) -> [UInt8] {
        do {
            return try SHA256.hash(token.utf8)
        } catch {
            throw HubError(
                .unavailable, code: "library-missing", "accounts need libcrypto", hint: "apt install libssl3",
                cause: error)
        }
    }
}
