import HTTPTypes

/// The part of a list that a request asks for, with the values of its filters.
package struct EntityQuery: Sendable {
    /// The words that an item must match; empty for all items.
    package let words: String
    /// The tag that an item must have; nil for any.
    package let tag: String?
    /// The number of items before the part.
    package let offset: Int
    /// The largest number of items in the part.
    package let limit: Int
    /// The ids of the last items before the part, by which its place is found when the list has changed since; empty without a cursor.
    let anchors: [String]
    private let values: [String: String]

    /// The largest number of items in one response.
    package static let maximumLimit = 500

    /// The whole list, with the same filters.
    package var whole: EntityQuery { EntityQuery(words: words, tag: tag, offset: 0, limit: Int(Int32.max), values) }

    private init(
        words: String, tag: String?, offset: Int, limit: Int, anchors: [String] = [], _ values: [String: String]
    ) {
        self.words = words
        self.tag = tag
        self.offset = offset
        self.limit = limit
        self.anchors = anchors
        self.values = values
    }

    /// Reads `q`, `tag`, `offset` or `cursor`, and `limit` of a request's query, and the plugin's own filters.
    package init(_ request: RouteRequest) throws(HubError) {
        if let cursor = request.query["cursor"], !cursor.isEmpty {
            (offset, anchors) = try Self.place(cursor)
        } else {
            (offset, anchors) = (try request.number("offset", in: 0...1_000_000_000) ?? 0, [])
        }
        limit = try request.number("limit", in: 1...Self.maximumLimit) ?? 100
        values = request.query
        words = values["q"] ?? ""
        tag = values["tag"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The value of the plugin's own filter `name`; nil if it is missing or empty.
    package subscript(name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// The same part from another place.
    func moved(to offset: Int, limit: Int) -> EntityQuery {
        EntityQuery(words: words, tag: tag, offset: offset, limit: limit, values)
    }

    /// The number of anchors in a cursor: the last item may be gone when the next part is read.
    private static let anchorCount = 3

    /// Reads a cursor.
    private static func place(_ cursor: String) throws(HubError) -> (offset: Int, anchors: [String]) {
        let parts = cursor.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard (2...1 + anchorCount).contains(parts.count), let offset = Int(parts[0]),
            (0...1_000_000_000).contains(offset)
        else { throw HubError(field: "cursor", "must be that of the Link of an answer") }
        return (offset, Array(parts.dropFirst()))
    }

    /// The path and query of the part that begins after `offset` items, of which the last ones have these ids.
    func next(at path: String, after ids: some Collection<String>, offset: Int) -> String {
        let others = values.filter { !["offset", "cursor", "limit"].contains($0.key) && !$0.value.isEmpty }
        let cursor = (["\(offset)"] + ids.suffix(Self.anchorCount)).joined(separator: ".")
        let fields = others.sorted { $0.key < $1.key } + [("cursor", cursor), ("limit", "\(limit)")]
        let query = fields.map { "\(PercentEncoding.encode($0.0))=\(PercentEncoding.encode($0.1))" }
        return "\(path)?\(query.joined(separator: "&"))"
    }
}

/// A part of the list of an entity's items, in the order in which a page shows them.
package struct EntityPage<Row: Sendable>: Sendable {
    /// A heading of the list.
    package struct Group: Sendable {
        /// The words of the heading, such as a letter.
        package let label: String
        /// The position of the first item below it.
        package let start: Int

        package init(_ label: String, start: Int) {
            self.label = label
            self.start = start
        }
    }

    /// The items.
    package let rows: [Row]
    /// The number of all items that match.
    package let total: Int
    /// The headings of the whole list; empty for none.
    package let groups: [Group]

    package init(_ rows: [Row], total: Int, groups: [Group] = []) {
        self.rows = rows
        self.total = total
        self.groups = groups
    }

    /// Creates the part of a list that a query asks for.
    package init(_ query: EntityQuery, of all: [Row]) {
        self.init(Array(all.dropFirst(query.offset).prefix(query.limit)), total: all.count)
    }
}

/// The JSON body of a request about several items: `{"ids": ["…"], …}`.
package struct EntitySelection: Sendable {
    /// The ids, at least one.
    package let ids: [String]
    private let json: JSONValue

    /// The largest number of items in one request.
    package static let maximumCount = 100_000

    /// Reads the body. Throws a usage error without ids.
    package init(_ request: RouteRequest) throws(HubError) {
        json = try request.json(limit: 8 << 20, depth: 4, example: #"{"ids": ["…"]}"#)
        let values = json["ids"]?.array ?? []
        ids = values.compactMap(\.string)
        guard (1...Self.maximumCount).contains(ids.count), ids.count == values.count else {
            throw HubError(field: "ids", "must be an array of 1 to \(NumberFormat.grouped(Self.maximumCount)) ids")
        }
    }

    /// Returns the texts in the array `name`; none if it is missing.
    package func words(_ name: String) -> [String] { json[name]?.array?.compactMap(\.string) ?? [] }

    /// Returns the text `name`; nil if it is missing or empty.
    package func word(_ name: String) -> String? { json[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }

    /// Returns the value of the member `name`; nil if it is missing or neither true nor false.
    package func flag(_ name: String) -> Bool? { json[name]?.bool }
}
