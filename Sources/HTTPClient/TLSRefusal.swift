/// An error of a connection that is not trusted, or has no TLS.
package struct TLSRefusal: Hashable, Sendable {
    /// The reason why a certificate is not trusted.
    package enum Problem: Hashable, Sendable {
        case expired, notYetValid
        /// The certificate names other hosts.
        case wrongHost
        /// The certificate is signed by itself, or by an authority that signed itself.
        case selfSigned
        /// No authority that this machine knows signed the certificate.
        case unknownAuthority
        /// Another certificate or key than the one that is trusted.
        case changed
        /// There was no TLS, or no certificate to look at.
        case other
    }

    /// The reason for the refusal.
    package let problem: Problem
    /// The server.
    package let url: HTTPURL
    /// The message of the TLS library.
    package let reason: String

    /// Creates a refusal; `reason` is the message of the TLS library.
    package init(_ problem: Problem, at url: HTTPURL, reason: String) {
        (self.problem, self.url, self.reason) = (problem, url, reason)
    }

    /// `reason` in the words of OpenSSL and libcurl.
    init(at url: HTTPURL, reason: String) {
        let words = reason.lowercasedASCII
        func says(_ texts: String...) -> Bool { texts.contains { words.contains($0) } }
        let problem: Problem =
            if says("has expired") {
                .expired
            } else if says("not yet valid") {
                .notYetValid
            } else if says("subject name", "does not match target host") {
                .wrongHost
            } else if says("self-signed", "self signed") {
                .selfSigned
            } else if says("local issuer", "unable to verify", "unable to get issuer") {
                .unknownAuthority
            } else {
                .other
            }
        self.init(problem, at: url, reason: reason)
    }
}

extension TLSRefusal: CustomStringConvertible {
    /// A message that can be part of a sentence, without a full stop.
    package var description: String {
        switch problem {
        case .expired: "the certificate of \(url.host) has expired"
        case .notYetValid: "the certificate of \(url.host) is not valid yet"
        case .wrongHost: "the certificate is for other hosts than \(url.host)"
        case .selfSigned: "the certificate of \(url.host) is self-signed or signed by a private authority"
        case .unknownAuthority:
            "the certificate of \(url.host) is signed by an unknown authority"
        case .changed: "\(url.host) presented a different certificate than the trusted one"
        case .other: "TLS error: \(reason)"
        }
    }
}
