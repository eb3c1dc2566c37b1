import HTTPClient

extension HTTPURL {
    /// What an href of an answer from here means; nil when it is no web address.
    ///
    /// Servers behind one that adds TLS write their own hrefs with plain http; those are at this server all the same.
    func meaning(of href: String) -> HTTPURL? {
        guard var place = resolving(href) else { return nil }
        if scheme == .https, place.scheme == .http, place.host == host, place.port == 80 || place.port == port {
            (place.scheme, place.port) = (scheme, port)
        }
        return place
    }
}
