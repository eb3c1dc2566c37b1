import XML

/// A report (RFC 3253 §3.6) that the server gives.
enum ReportRequest {
    /// The changes since a token, all items when it is empty (RFC 6578).
    case changes(since: String, limit: Int?, PropertyRequest)
    /// The items at some paths, which are kept as the client wrote them (RFC 6352 §8.7).
    case items(hrefs: [String], PropertyRequest)
    /// The items that pass a filter; all without one (RFC 6352 §8.6).
    case search(CardFilter?, limit: Int?, PropertyRequest)

    init(_ body: [UInt8]) throws(DAVFailure) {
        let root = try DAVBody.read(body)
        let properties = PropertyRequest(in: root)
        switch root.name {
        case DAVName.dav("sync-collection"):
            let level = root.child(DAVName.dav("sync-level"))?.trimmedText ?? "1"
            guard level == "1" else { throw DAVFailure(403, "<d:sync-traversal-supported/>") }
            let token = root.child(DAVName.dav("sync-token"))?.trimmedText ?? ""
            self = .changes(
                since: token, limit: Self.limit(root.child(DAVName.dav("limit")), DAVName.dav("nresults")), properties)
        case DAVName.card("addressbook-multiget"):
            var known: Set<String> = []
            let hrefs = root.children(DAVName.dav("href")).map(\.trimmedText).filter { known.insert($0).inserted }
            self = .items(hrefs: hrefs, properties)
        case DAVName.card("addressbook-query"):
            let filter = try root.child(DAVName.card("filter")).map(CardFilter.init)
            self = .search(
                filter, limit: Self.limit(root.child(DAVName.card("limit")), DAVName.card("nresults")), properties)
        default: throw DAVFailure(403, "<d:supported-report/>")
        }
        if case .named(let asked) = properties, asked.contains(where: \.isUnsupported) {
            throw DAVFailure(403, "<card:supported-address-data-conversion/>")
        }
    }

    /// The number in a `limit`; one that cannot be read does not limit anything.
    private static func limit(_ element: XMLElement?, _ name: XMLName) -> Int? {
        element?.child(name).flatMap { Int($0.trimmedText) }.flatMap { $0 > 0 ? $0 : nil }
    }
}
