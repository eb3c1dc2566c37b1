import ContactsDomain
package import HubKit
package import Links

extension HubError {
    /// The failure of a talk with the account `name`, as a person is told of it.
    package init(_ error: LinkError, account name: String) {
        let test = "hub contacts accounts test \(name)"
        switch error {
        case .unreachable(let reason):
            self.init(
                .unavailable, code: "account-unreachable", "\(name) cannot be reached", details: [reason],
                hint: "what was changed here waits; \(test) looks again")
        case .untrusted(let reason):
            self.init(
                .unavailable, code: "account-untrusted", "\(name) cannot prove who it is", details: [reason],
                hint: "nothing was sent; check the address: hub contacts accounts edit \(name) --url URL")
        case .denied(let reason):
            self.init(
                .denied, code: "account-denied", "\(name) does not accept user and password", details: [reason],
                hint: "hub contacts accounts edit \(name) --password asks for a new one")
        case .needsOAuth(let service):
            self.init(
                .denied, code: "account-needs-oauth", "\(service) takes no password here, only OAuth",
                details: ["hub does not speak OAuth"],
                hint: "export the contacts there as vCard and read them: hub contacts import contacts.vcf")
        case .notFound(let reason):
            self.init(
                .notFound, code: "account-not-found", "\(name) is not where it was", details: [reason],
                hint: "nothing was removed; if it has moved: hub contacts accounts edit \(name) --url ADDRESS")
        case .tokenExpired:
            self.init(
                .unavailable, code: "account-confused", "\(name) forgot how far it was synced", hint: test)
        case .busy(let seconds):
            self.init(
                .busy, code: "account-busy", "\(name) is busy",
                details: seconds.map { ["it wants to be asked again in \($0) s"] } ?? [],
                hint: "try again later: hub contacts sync \(name)")
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
    func whileAdding() -> HubError {
        var error = self
        if error.code == "account-not-found" { error.message = "there are no contacts at this address" }
        if error.hint?.contains("hub contacts") == true, error.code != "account-needs-oauth" {
            error.hint = "nothing was kept; look at address, user and password, and add it again"
        }
        return error
    }
}

extension LinkError {
    /// After how many seconds the other side wants to be asked again, where it said so.
    var retryAfter: Int? { if case .busy(let seconds) = self { seconds } else { nil } }
}
