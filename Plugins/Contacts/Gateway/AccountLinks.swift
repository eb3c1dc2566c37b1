import ContactsDomain
package import Links

/// Opens the way to accounts; tests script it.
package protocol AccountLinks: Sendable {
    /// The way to `account`; nothing is sent yet. `password` is nil where the account has none. `isBrief` is for a person
    /// who waits: a server that does not answer is given up after seconds.
    func link(to account: Account, password: String?, isBrief: Bool) throws(LinkError) -> any AccountLink
}
