import Hashing
package import HubKit
package import NotesDomain
import Synchronization

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
        try await serverStore.addToken(hash, of: name, operation: operation)
        return Invitation(url: serverSettings.url, name: name, token: token)
    }

    /// Returns all accounts by their names.
    package func serverAccounts() async throws -> [ServerAccount] { try await serverStore.accounts() }

    /// Sets the limits of an account; nil gives it those of the settings.
    package func setLimits(_ limits: AccountLimits?, of name: String, operation: Operation) async throws {
        guard try await serverAccounts().contains(where: { $0.name == name }) else {
            throw HubError(
                .notFound, code: "user-not-found", "no account named \"\(TerminalSanitizer.line(name))\"",
                hint: "hub notes server users list shows all")
        }
        try await serverStore.setLimits(limits, of: name, operation: operation)
    }

    /// Removes the account of a person and ends their connections; what they own and may open stays.
    package func removeAccount(_ name: String, operation: Operation) async throws {
        guard try await serverStore.removeAccount(name, operation: operation) else {
            throw HubError(
                .notFound, code: "user-not-found", "no account named \"\(TerminalSanitizer.line(name))\"",
                hint: "hub notes server users list shows all")
        }
    }

    /// Returns the name of the person who has a token; nil for an unknown one, of which it is recorded that `peer`, an address, came with it.
    package func person(withToken token: String, from peer: String? = nil) async throws -> String? {
        guard (16...200).contains(token.utf8.count) else { return nil }
        let hash = try Self.hash(token)
        guard let (person, usedAt) = try await serverStore.account(ofToken: hash) else {
            if let peer, refusals.isDue(at: clock.monotonicNow) {
                try await serverStore.record(AuditEntry(at: clock.now, person: peer, .refused, detail: "unknown token"))
            }
            return nil
        }
        let now = clock.now
        if usedAt.map({ now - $0 >= Self.useInterval }) ?? true {
            try await serverStore.recordUse(ofToken: hash)
        }
        return person
    }

    /// Returns the account that a trusted proxy has logged in; nil if the request does not come from one. An account that is new here is made.
    package func person(
        forwardedIn headers: [String: String], from peer: String, by proxy: TrustedProxy?
    ) async throws -> String? {
        guard let name = try proxy?.account(in: headers, from: peer) else { return nil }
        if try await !serverStore.position().accounts.contains(name) {
            // Its token is known to no one: the proxy is the way in.
            var generator = SystemRandomNumberGenerator()
            let token = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
            try await serverStore.addToken(
                token, of: name, operation: Operation("notes login", who: .service("notes server"), kind: .cache))
        }
        if forwarded.isDue(name, at: clock.monotonicNow) {
            try await serverStore.record(AuditEntry(at: clock.now, person: name, .login, name, detail: "proxy \(peer)"))
        }
        return name
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

/// Which refused logins are recorded: not more than one in some seconds, so that a program that tries tokens does not fill the list.
final class RefusedLogins: Sendable {
    private static let interval = Duration.seconds(10)
    private let next = Mutex<Duration?>(nil)

    func isDue(at now: Duration) -> Bool {
        next.withLock { next in
            if let next, now < next { return false }
            next = now + Self.interval
            return true
        }
    }
}

/// The people that a proxy has logged in, of whom it is recorded once an hour.
final class ForwardedLogins: Sendable {
    private static let (interval, maximumCount) = (Duration.seconds(3600), 10_000)
    private let logins = Mutex<[String: Duration]>([:])

    /// Whether a login is to be recorded now.
    func isDue(_ name: String, at now: Duration) -> Bool {
        logins.withLock { logins in
            if let last = logins[name], now - last < Self.interval { return false }
            if logins.count >= Self.maximumCount { logins = [:] }
            logins[name] = now
            return true
        }
    }
}

extension NotesPlugin {
    /// The most entries that are shown at once.
    package static let maximumAuditCount = 10_000

    /// Returns who did what at the server, the newest first; only what one account did, or was done to it or a note, with `person`.
    package func serverAudit(of person: String?, limit: Int) async throws -> [AuditEntry] {
        try await serverStore.audit(of: person, limit: min(limit, Self.maximumAuditCount))
    }
}
