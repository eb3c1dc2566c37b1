import Time
import XML

/// A report (RFC 3253 §3.6) that the server gives.
enum ReportRequest {
    /// The changes since a token, all items when it is empty (RFC 6578).
    case changes(since: String, limit: Int?, PropertyRequest)
    /// The items at some paths, which are kept as the client wrote them (RFC 6352 §8.7).
    case items(hrefs: [String], PropertyRequest)
    /// The items that pass a filter (RFC 6352 §8.6, RFC 4791 §7.8).
    case search(ItemFilter, limit: Int?, PropertyRequest)

    /// Reads a report on a collection of this kind.
    init(_ root: XMLElement, on kind: DAVCollection.Kind, zone: TimeZoneRules) throws(DAVFailure) {
        let isBook = kind == .addressBook
        let properties = PropertyRequest(in: root)
        switch root.name {
        case DAVName.dav("sync-collection"):
            let level = root.child(DAVName.dav("sync-level"))?.trimmedText ?? "1"
            guard level == "1" else { throw DAVFailure(403, "<d:sync-traversal-supported/>") }
            let token = root.child(DAVName.dav("sync-token"))?.trimmedText ?? ""
            self = .changes(
                since: token, limit: Self.limit(root.child(DAVName.dav("limit")), DAVName.dav("nresults")), properties)
        case DAVName.card("addressbook-multiget") where isBook, DAVName.calendar("calendar-multiget") where !isBook:
            var known: Set<String> = []
            let hrefs = root.children(DAVName.dav("href")).map(\.trimmedText).filter { known.insert($0).inserted }
            self = .items(hrefs: hrefs, properties)
        case DAVName.card("addressbook-query") where isBook:
            let filter = try root.child(DAVName.card("filter")).map(CardFilter.init)
            self = .search(
                filter.map { .cards($0) } ?? .all,
                limit: Self.limit(root.child(DAVName.card("limit")), DAVName.card("nresults")), properties)
        case DAVName.calendar("calendar-query") where !isBook:
            // It is required, and some clients leave it out, as they may for cards.
            var filter = ItemFilter.all
            if let element = root.child(DAVName.calendar("filter")) {
                let wanted = try CalendarFilter(element, zone: zone)
                if !wanted.passesAll(of: kind.components) { filter = .calendars(wanted) }
            }
            self = .search(
                filter,
                limit: Self.limit(root.child(DAVName.calendar("limit")), DAVName.calendar("nresults")), properties)
        default: throw DAVFailure(403, "<d:supported-report/>")
        }
        if case .named(let asked) = properties, let broken = asked.compactMap(\.unsupported).first {
            throw DAVFailure(403, "<\(broken)/>")
        }
    }

    /// The number in a `limit`; one that cannot be read does not limit anything.
    private static func limit(_ element: XMLElement?, _ name: XMLName) -> Int? {
        element?.child(name).flatMap { Int($0.trimmedText) }.flatMap { $0 > 0 ? $0 : nil }
    }
}

/// The filter of a search.
enum ItemFilter {
    case all
    case cards(CardFilter)
    case calendars(CalendarFilter)

    /// Whether an item passes.
    func matches(_ content: [UInt8]) -> Bool {
        switch self {
        case .all: true
        case .cards(let filter): filter.matches(content)
        case .calendars(let filter): filter.matches(content)
        }
    }
}
