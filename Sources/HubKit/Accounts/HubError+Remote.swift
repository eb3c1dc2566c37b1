package import Sync

extension HubError {
    /// Creates the error for a failed exchange with the account `name`.
    package init(_ error: RemoteError, account name: String, _ kind: AccountKind) {
        let test = kind.command("test \(name)")
        switch error {
        case .unreachable(let reason):
            self.init(
                .unavailable, code: "account-unreachable", "\(name) cannot be reached", details: [reason],
                hint: "local changes will be sent with the next sync; \(test) tests the \(kind.noun.one)")
        case .untrusted(let reason, let certificate):
            self.init(
                .unavailable, code: "account-untrusted", "the certificate of \(name) is not trusted",
                details: [reason, "no password was sent"]
                    + (certificate.map { ["SHA-256 of its certificate: \($0)"] } ?? []),
                hint: certificate.map {
                    "if it is your server and this is its certificate: \(kind.command("edit \(name) --trust \($0)"))"
                } ?? "check the address: \(kind.command("edit \(name) --\(kind.addresses.key) URL"))")
        case .denied(let reason):
            self.init(
                .denied, code: "account-denied", "\(name): authentication failed", details: [reason],
                hint: kind.command("edit \(name) --\(kind.secretWord) asks for a new one"))
        case .needsOAuth(let service):
            self.init(
                .denied, code: "account-needs-oauth", "\(service) accepts only OAuth here, not passwords",
                details: [kind.takesOAuth ? "sign in with a client of your own" : "hub does not support OAuth here"],
                hint: kind.takesOAuth
                    ? "add it with --oauth-client FILE; or \(kind.withoutPassword)" : kind.withoutPassword)
        case .signInNeeded(let reason):
            self.init(
                .denied, code: "account-sign-in", "\(name): the access that you allowed was revoked or has expired",
                details: [reason],
                hint: "nothing was changed; to sign in again: \(kind.command("edit \(name) --oauth-client FILE"))")
        case .notFound(let reason):
            self.init(
                .notFound, code: "account-not-found", "\(name) was not found at its address", details: [reason],
                hint:
                    "nothing was deleted; if it has moved: \(kind.command("edit \(name) --\(kind.addresses.key) ADDRESS"))"
            )
        case .tokenExpired:
            self.init(
                .unavailable, code: "account-confused", "the sync token of \(name) has expired", hint: test)
        case .busy(let seconds):
            self.init(
                .busy, code: "account-busy", "\(name) is busy",
                details: seconds.map { ["retry after \($0) s"] } ?? [],
                hint: "try again later: hub \(kind.plugin) sync \(name)")
        case .serverError(let reason):
            self.init(
                .unavailable, code: "account-server-error", "\(name) reported a server error", details: [reason],
                hint: "local changes will be sent with a later sync; \(test) tests the \(kind.noun.one)")
        case .refused(let reason):
            self.init(
                .unavailable, code: "account-refused", "\(name) refused the request", details: [reason], hint: test)
        case .malformed(let reason):
            self.init(
                .unavailable, code: "account-malformed", "unexpected response from \(name)", details: [reason],
                hint: test)
        }
        cause = error
    }
}

extension HubError {
    /// Returns the same error for an account that is still being added: it is not saved, so hints cannot name it.
    package func whileAdding(_ kind: AccountKind) -> HubError {
        var error = self
        let again = "nothing was saved; "
        switch cause as? RemoteError {
        case .untrusted(_, let certificate?)?:
            error.hint = again + "if it is your server and this is its certificate, add it with --trust \(certificate)"
        case .untrusted?: error.hint = again + "check the address and add it again"
        case .unreachable?: error.hint = again + "check the address and the network, and add it again"
        case .denied?: error.hint = again + "check user and password, and add it again"
        case .notFound?:
            error.message = "there are no \(kind.things) at this address"
            error.hint = again + "check the address and add it again"
        case .busy?, .serverError?: error.hint = again + "add it again later"
        case .needsOAuth?, .signInNeeded?: break
        case .refused?, .malformed?, .tokenExpired?:
            error.hint = again + "check the address and add it again"
        case nil: break
        }
        return error
    }
}

extension RemoteError {
    /// The number of seconds after which the server allows a retry, if it said so.
    package var retryAfter: Int? { if case .busy(let seconds) = self { seconds } else { nil } }
}

extension HubError {
    /// The error for a sync while hub is offline.
    package static let offline = HubError(
        .unavailable, code: "offline", "cannot sync while offline",
        details: ["local changes will be sent with the next sync"], hint: "omit --offline or unset HUB_OFFLINE")
}
