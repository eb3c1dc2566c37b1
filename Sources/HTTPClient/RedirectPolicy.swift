/// Which redirects are followed. Where they may lead is the request's ``HTTPScope``; inside it credentials go along.
package struct RedirectPolicy: Hashable, Sendable {
    /// The maximum number of redirects of one request; with 0, every redirect is returned as the response.
    package var limit: Int

    package init(limit: Int = 5) { self.limit = limit }

    /// The handling of a response.
    package enum Decision: Hashable, Sendable {
        /// It is not a redirect that is to be followed.
        case deliver
        case follow(HTTPRequest)
        case refuse(RedirectRefusal)
    }

    /// Returns how to handle the response `status` and `location` to `request`, which has followed `taken` redirects
    /// so far.
    ///
    /// Method and body are kept, except that a POST redirected with 303 becomes a GET.
    package func decide(
        status: Int, location: String?, request: HTTPRequest, taken: Int
    ) -> Decision {
        guard [301, 302, 303, 307, 308].contains(status), limit > 0, let location else { return .deliver }
        guard taken < limit else { return .refuse(.tooMany(limit)) }
        guard let target = request.url.resolving(location) else { return .refuse(.unreadable(location)) }
        // A scope may hold both schemes of a host, to move from plain HTTP to TLS and never back.
        if request.url.scheme == .https, target.scheme == .http { return .refuse(.insecure(target.description)) }
        guard request.scope.contains(target) else { return .refuse(.elsewhere(target.description)) }
        var next = request
        next.url = target
        if status == 303, request.method == .post {
            next.method = .get
            next.body = nil
            next.headers["Content-Type"] = nil
        }
        return .follow(next)
    }
}

/// The reason why a redirect is not followed.
package enum RedirectRefusal: Hashable, Sendable {
    /// There were more than allowed.
    case tooMany(Int)
    /// It leads from TLS to plain HTTP; the place.
    case insecure(String)
    /// It leads to a server that the request may not reach; the place.
    case elsewhere(String)
    /// It leads to nothing that HTTP knows; its text.
    case unreadable(String)
}

extension RedirectRefusal: CustomStringConvertible {
    /// A message that can be part of a sentence, without a full stop.
    package var description: String {
        switch self {
        case .tooMany(let limit): "the server redirects more than \(limit) times"
        case .insecure(let place): "the server redirects to \(place.prefix(200)), which is not secure"
        case .elsewhere(let place):
            "the server redirects to \(place.prefix(200)), which is another server; nothing was sent there"
        case .unreadable(let text): "the server redirects to “\(text.prefix(200))”, which is not a valid URL"
        }
    }
}
