import HTTPClient

extension HTTPURL {
    /// Resolves an href of a response from this URL; nil when it is not a valid URL.
    ///
    /// Servers behind a TLS proxy write their own hrefs with plain http; those still mean this server.
    func meaning(of href: String) -> HTTPURL? {
        guard var place = resolving(href) else { return nil }
        if scheme == .https, place.scheme == .http, place.host == host, place.port == 80 || place.port == port {
            (place.scheme, place.port) = (scheme, port)
        }
        return place
    }
}
