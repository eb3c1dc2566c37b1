/// The target of a request in origin form: a path and a query (RFC 9112 §3.2.1), both decoded.
package struct RequestTarget: Hashable, Sendable {
    /// One `name=value` of the query.
    package struct QueryItem: Hashable, Sendable {
        /// The part before the first `=`.
        package let name: String
        /// The part after it.
        package let value: String
    }

    /// The target as it was sent.
    package let text: String
    /// The path as it was sent, without the query.
    package let path: String
    /// The parts between the slashes. They are decoded one by one, so a part may hold an encoded slash.
    package let segments: [String]
    /// The query in order; an item without `=` has an empty value.
    package let query: [QueryItem]

    /// Parses `text`; nil when it is not in origin form, an escape is invalid, or it is not UTF-8.
    ///
    /// It is split by bytes: a combining character after a separator forms one `Character` with it.
    package init?(_ text: String) {
        self.text = text
        guard text.utf8.first == UInt8(ascii: "/") else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        path = String(Substring(parts[0]))
        var segments: [String] = []
        for part in parts[0].dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let segment = PercentEncoding.decode(Substring(part)) else { return nil }
            segments.append(segment)
        }
        self.segments = parts[0].count == 1 ? [] : segments
        var query: [QueryItem] = []
        for part in parts.count == 2 ? parts[1].split(separator: UInt8(ascii: "&")) : [] {
            let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decode(Substring(pair[0]), plusIsSpace: true),
                let value = PercentEncoding.decode(pair.count == 2 ? Substring(pair[1]) : "", plusIsSpace: true)
            else { return nil }
            query.append(QueryItem(name: name, value: value))
        }
        self.query = query
    }
}
