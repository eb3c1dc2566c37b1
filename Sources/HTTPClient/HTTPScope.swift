/// The servers that a request may reach, with or without credentials, redirects included.
///
/// It follows only from what the user typed. A response, such as a redirect or an address in a body, never widens it,
/// so no server can send a password elsewhere or make hub call other hosts and ports. TLS never falls back to plain
/// HTTP. ``HTTPClient`` checks each request against it right before it is sent.
package struct HTTPScope: Hashable, Sendable {
    private enum Place: Hashable {
        /// The origin of a URL: scheme, host and port.
        case origin(HTTPURL.Scheme, host: String, port: Int)
        /// A domain and its subdomains over TLS, at these ports.
        case domain(String, ports: Set<Int>)
    }

    private var places: Set<Place>

    /// The origin of `url`. From the standard port of plain HTTP a request may also move to the same host over TLS.
    package init(origin url: HTTPURL) {
        places = [.origin(url.scheme, host: url.host, port: url.port)]
        if url.scheme == .http, url.port == HTTPURL.Scheme.http.defaultPort {
            places.insert(.origin(.https, host: url.host, port: HTTPURL.Scheme.https.defaultPort))
        }
    }

    /// The servers of a domain and its subdomains over TLS, at the standard port.
    package init(domain: String) { places = [.domain(domain.lowercasedASCII, ports: [443])] }

    /// This scope with all servers of the other one.
    package func union(_ other: HTTPScope) -> HTTPScope {
        var union = self
        union.places.formUnion(other.places)
        return union
    }

    /// The same scope with another port of its domains, as DNS names it (RFC 6764 §3). Origins stay as they are.
    package func allowing(port: Int) -> HTTPScope {
        var changed = self
        changed.places = Set(
            places.map { place in
                guard case .domain(let name, let ports) = place else { return place }
                return .domain(name, ports: ports.union([port]))
            })
        return changed
    }

    /// Whether a request may be sent to `url`.
    package func contains(_ url: HTTPURL) -> Bool {
        places.contains { place in
            switch place {
            case .origin(let scheme, let host, let port): url.scheme == scheme && url.host == host && url.port == port
            case .domain(let name, let ports):
                url.scheme == .https && ports.contains(url.port)
                    && (url.host == name || url.host.hasSuffix("." + name))
            }
        }
    }
}
