package import HTTPClient

/// The address of an account as the user types it: a URL, a mail address or a host.
package struct AccountAddress: Hashable, Sendable {
    /// The form of an address.
    package enum Kind: Hashable, Sendable {
        case url(HTTPURL)
        /// A mail address or a bare host; the domain whose services are looked up.
        case domain(String)
    }

    /// The form of the address.
    package let kind: Kind
    /// The user's name that the address holds, for a mail address the whole of it.
    package let user: String?

    /// Reads an address; nil when it is none of the three.
    package init?(_ text: String) {
        if text.contains("://") {
            guard let (address, user) = AccountAddress.withoutUser(text), let url = HTTPURL(address) else { return nil }
            kind = .url(url)
            self.user = user
            return
        }
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count <= 2, let last = parts.last, let url = HTTPURL("https://\(last)"), url.host.contains("."),
            !last.contains("/"), parts.count == 1 || !parts[0].isEmpty
        else { return nil }
        guard url.port == 443 else {
            guard parts.count == 1 else { return nil }
            kind = .url(url)
            user = nil
            return
        }
        kind = .domain(url.host)
        user = parts.count == 2 ? text : nil
    }

    /// The servers that an account at this address may reach: the origin of a URL, or those of the domain of an e-mail address
    /// over TLS. Large services keep an account's data at a host below the one that is typed, so an address at the
    /// standard port of TLS stands for its subdomains too.
    package var scope: HTTPScope {
        switch kind {
        case .domain(let domain): HTTPScope(domain: domain)
        case .url(let url):
            url.scheme == .https && url.port == 443
                ? HTTPScope(origin: url).union(HTTPScope(domain: url.host)) : HTTPScope(origin: url)
        }
    }

    /// The host or domain that it names.
    package var host: String {
        switch kind {
        case .url(let url): url.host
        case .domain(let domain): domain
        }
    }

    /// A URL freed of its user name, and that name. A URL with a password is refused: it would be shown and logged.
    private static func withoutUser(_ text: String) -> (address: String, user: String?)? {
        guard let start = text.range(ofSlashes: "://") else { return nil }
        let authority = text[start...].prefix { !"/?#".contains($0) }
        guard let sign = authority.lastIndex(of: "@") else { return (text, nil) }
        let user = authority[..<sign]
        guard !user.contains(":") else { return nil }
        let address = text[..<start] + text[authority.index(after: sign)...]
        return (String(address), PercentEncoding.decodeLossy(String(user)))
    }
}

extension String {
    /// Returns the first range of `mark`.
    fileprivate func range(ofSlashes mark: String) -> String.Index? {
        indices.first { self[$0...].hasPrefix(mark) }.map { index($0, offsetBy: mark.count) }
    }
}
