package import Commands
package import DBus
import HubKit

/// Secrets from where the config file says: the keyring, a command, a file, or the text itself.
package struct SystemSecrets: Secrets {
    private let address: @Sendable () throws(DBusError) -> DBusAddress
    private let patience: Duration
    private let promptTime: Duration

    /// Uses the keyring on the bus at `address`, with `patience` for each call. `promptTime` is the extra time for a
    /// prompt: zero in the background, more when the user has just typed a command.
    package init(
        patience: Duration = .seconds(3), promptTime: Duration = .zero,
        address: @escaping @Sendable () throws(DBusError) -> DBusAddress = { () throws(DBusError) in
            try DBusAddress.session()
        }
    ) {
        self.patience = patience
        self.promptTime = promptTime
        self.address = address
    }

    /// Returns the secret of `source`: from the config, the keyring, a file or the output of a command.
    package func read(_ source: SecretSource) async throws(HubError) -> String {
        switch source {
        case .text(let text): return text
        case .command(let command): return try await SecretCommand.read(command)
        case .file(let path): return try SecretFile.read(path)
        case .keyring(let entry):
            if let secret = try await secret(of: entry) { return secret }
            throw HubError(
                .notFound, code: "secret-not-found", "the keyring has no entry \(entry)",
                hint: SystemSecrets.hint(entry))
        }
    }

    /// Returns the secret of a keyring entry; nil when there is none.
    package func secret(of entry: KeyringEntry) async throws(HubError) -> String? {
        let bytes = try await ask { service throws(SecretServiceError) in try await service.secret(of: entry) }
        guard let bytes else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw HubError(
                .invalid, code: "secret-not-text", "the keyring entry \(entry) is not text",
                hint: SystemSecrets.hint(entry))
        }
        return text
    }

    /// Stores or replaces the secret of a keyring entry.
    package func save(_ secret: String, as entry: KeyringEntry) async throws(HubError) {
        try await ask { service throws(SecretServiceError) in try await service.save(Array(secret.utf8), as: entry) }
    }

    /// Deletes a keyring entry; returns whether it existed.
    package func remove(_ entry: KeyringEntry) async throws(HubError) -> Bool {
        try await ask { service throws(SecretServiceError) in try await service.remove(entry) }
    }

    /// Returns the names of hub's entries in the keyring.
    package func names() async throws(HubError) -> [String] {
        try await ask { service throws(SecretServiceError) in try await service.names() }
    }

    /// Returns the hint for storing an entry again.
    private static func hint(_ entry: KeyringEntry) -> String {
        switch entry {
        case .named(let name), .old(let name): "hub secrets set \(ShellWords.quote(name))"
        case .account(let plugin, let name, _): "hub \(plugin) accounts edit \(name) --password"
        }
    }

    /// One exchange with the keyring, over in time.
    private func ask<Answer>(
        _ body: (inout SecretService) async throws(SecretServiceError) -> Answer
    ) async throws(HubError) -> Answer {
        let deadline = ContinuousClock.now + patience
        let connection: DBusConnection
        do {
            connection = try await DBusConnection.open(try address(), timeout: patience)
        } catch {
            throw SystemSecrets.unavailable(.bus(error))
        }
        var service = SecretService(connection: connection, deadline: deadline, promptTime: promptTime)
        do {
            return try await body(&service)
        } catch {
            throw SystemSecrets.unavailable(error)
        }
    }

    private static func unavailable(_ error: SecretServiceError) -> HubError {
        HubError(
            error == .stayedLocked ? .denied : .unavailable, code: "keyring-unavailable", "the keyring cannot be used",
            details: [error.description],
            hint: #"in the config file, use { command = "…" } or { file = "…" } instead of the keyring"#,
            cause: error)
    }
}
