package import Links

extension HubError {
    /// The failure of a talk with the account `name`, as a person is told of it.
    package init(_ error: LinkError, account name: String, _ words: AccountWords) {
        let test = words.command("test \(name)")
        switch error {
        case .unreachable(let reason):
            self.init(
                .unavailable, code: "account-unreachable", "\(name) cannot be reached", details: [reason],
                hint: "what was changed here waits; \(test) looks again")
        case .untrusted(let reason):
            self.init(
                .unavailable, code: "account-untrusted", "\(name) cannot prove who it is", details: [reason],
                hint: "nothing was sent; check the address: \(words.command("edit \(name) --url URL"))")
        case .denied(let reason):
            self.init(
                .denied, code: "account-denied", "\(name) does not accept user and password", details: [reason],
                hint: words.command("edit \(name) --password asks for a new one"))
        case .needsOAuth(let service):
            self.init(
                .denied, code: "account-needs-oauth", "\(service) takes no password here, only OAuth",
                details: ["hub does not speak OAuth"],
                hint: words.withoutPassword)
        case .notFound(let reason):
            self.init(
                .notFound, code: "account-not-found", "\(name) is not where it was", details: [reason],
                hint: "nothing was removed; if it has moved: \(words.command("edit \(name) --url ADDRESS"))")
        case .tokenExpired:
            self.init(
                .unavailable, code: "account-confused", "\(name) forgot how far it was synced", hint: test)
        case .busy(let seconds):
            self.init(
                .busy, code: "account-busy", "\(name) is busy",
                details: seconds.map { ["it wants to be asked again in \($0) s"] } ?? [],
                hint: "try again later: hub \(words.plugin) sync \(name)")
        case .serverError(let reason):
            self.init(
                .unavailable, code: "account-server-error", "\(name) reports an error of its own", details: [reason],
                hint: "local changes will be sent with a later sync; \(test) tests the account")
        case .refused(let reason):
            self.init(.unavailable, code: "account-refused", "\(name) refuses", details: [reason], hint: test)
        case .malformed(let reason):
            self.init(
                .unavailable, code: "account-malformed", "the answer of \(name) makes no sense", details: [reason],
                hint: test)
        }
        cause = error
    }
}

extension HubError {
    /// The same failure for an account that is only being connected: nothing of it is kept, so no command can name it.
    package func whileAdding(_ words: AccountWords) -> HubError {
        var error = self
        if error.code == "account-not-found" { error.message = "there are no \(words.things) at this address" }
        if error.hint?.contains("hub \(words.plugin)") == true, error.code != "account-needs-oauth" {
            error.hint = "nothing was kept; look at address, user and password, and add it again"
        }
        return error
    }
}

extension LinkError {
    /// After how many seconds the other side wants to be asked again, where it said so.
    package var retryAfter: Int? { if case .busy(let seconds) = self { seconds } else { nil } }
}

extension HubError {
    /// A sync was asked for while nothing may go out.
    package static let offline = HubError(
        .unavailable, code: "offline", "hub is offline, so nothing can be synced",
        details: ["what was changed here waits"], hint: "leave out --offline, or unset HUB_OFFLINE")
}
