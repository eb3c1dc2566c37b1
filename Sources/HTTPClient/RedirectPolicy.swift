/// Where a redirect may lead, and who learns the credentials there.
package struct RedirectPolicy: Hashable, Sendable {
    /// How many redirects one request may take; 0 hands out every redirect as the answer it is.
    package var limit: Int
    /// Hosts that get the credentials over https, and so do their subdomains. The host that was asked always gets them.
    package var trustedHosts: Set<String>

    package init(limit: Int = 5, trustedHosts: Set<String> = []) {
        self.limit = limit
        self.trustedHosts = Set(trustedHosts.map { asciiLowercased($0) })
    }

    /// What is done with an answer.
    package enum Decision: Hashable, Sendable {
        /// It is no redirect that is to be followed.
        case deliver
        case follow(HTTPRequest)
        case refuse(RedirectRefusal)
    }

    /// What to do with the answer `status` and `location` to `request`, which took `taken` redirects so far.
    ///
    /// Method and body are kept, but a POST that is told to see another page (303) reads it. The target is https or of the
    /// same origin. Credentials stay with the origin, and go along when it moves from http to https on the standard ports.
    package func decide(
        status: Int, location: String?, request: HTTPRequest, taken: Int
    ) -> Decision {
        guard [301, 302, 303, 307, 308].contains(status), limit > 0, let location else { return .deliver }
        guard taken < limit else { return .refuse(.tooMany(limit)) }
        guard let target = request.url.resolving(location) else { return .refuse(.unreadable(location)) }
        guard target.scheme == .https || target.hasSameOrigin(as: request.url) else {
            return .refuse(.insecure(target.description))
        }
        var next = request
        next.url = target
        if status == 303, request.method == .post {
            next.method = .get
            next.body = nil
            next.headers["Content-Type"] = nil
        }
        if !mayAuthenticate(from: request.url, to: target) {
            next.credentials = nil
            for name in ["Authorization", "Cookie"] { next.headers[name] = nil }
        }
        return .follow(next)
    }

    private func mayAuthenticate(from origin: HTTPURL, to target: HTTPURL) -> Bool {
        if target.hasSameOrigin(as: origin) { return true }
        guard target.scheme == .https else { return false }
        if target.host == origin.host, origin.scheme == .http, origin.port == 80, target.port == 443 { return true }
        return trustedHosts.contains { target.host == $0 || target.host.hasSuffix("." + $0) }
    }
}

/// Why a redirect is not followed.
package enum RedirectRefusal: Hashable, Sendable {
    /// There were more than allowed.
    case tooMany(Int)
    /// It leads to another place without TLS; the place.
    case insecure(String)
    /// It leads to nothing that HTTP knows; its text.
    case unreadable(String)
}

extension RedirectRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooMany(let limit): "the server redirects more than \(limit) times"
        case .insecure(let place): "the server redirects to \(place), which is not secure"
        case .unreadable(let text): "the server redirects to “\(text.prefix(200))”, which is no web address"
        }
    }
}
