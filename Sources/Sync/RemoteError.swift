/// An error in the exchange with an account. Reasons quote the server, never a password.
package enum RemoteError: Error, Hashable, Sendable {
    /// There was no answer: no network, no such host, a time limit passed. Trying later may help.
    case unreachable(reason: String)
    /// The identity of the server cannot be proved; the certificate that it shows, where it shows one.
    case untrusted(reason: String, certificate: CertificateFingerprint?)
    /// User or password are missing or wrong.
    case denied(reason: String)
    /// The service takes no passwords, only OAuth, which hub does not speak; the service's name.
    case needsOAuth(service: String)
    /// The collection, folder or account does not exist.
    case notFound(reason: String)
    /// The sync token is too old: ask for everything.
    case tokenExpired
    /// The server is busy; the number of seconds to wait before the next request, if it said so.
    case busy(retryAfter: Int?)
    /// The server has an error of its own (5xx). Trying later may help.
    case serverError(reason: String)
    /// The server refuses the request.
    case refused(reason: String)
    /// The answer makes no sense, or is larger than any that would.
    case malformed(reason: String)
}
