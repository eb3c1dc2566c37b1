import Commands
import ContactsDomain
import HubKit

/// The HTTP routes of duplicates, with the use cases of `hub contacts duplicates` and `merge`.
enum DuplicateRoutes {
    static let all = [
        Route(
            .get, "/api/contacts/duplicates", summary: "list possible duplicates",
            query: [.limit(of: "groups"), .init("all", "1 for similar names too")],
            fields: DuplicateGroupView.fields
        ) {
            (contacts: ContactsPlugin, request) in
            let limit = try request.number("limit", in: 1...500) ?? 100
            let tier: DuplicateTier = request.query["all"] == "1" ? .weak : .medium
            let groups = try await contacts.findDuplicates(upTo: tier, count: limit)
            return .output(.list(try await contacts.listed(groups), DuplicateGroupView.fields))
        },
        Route(
            .get, "/api/contacts/duplicates/known",
            summary: "list the possible duplicates that were found last",
            query: [.limit(of: "groups"), .init("all", "1 for similar names too")],
            fields: KnownDuplicatesView.fields
        ) {
            (contacts: ContactsPlugin, request) in
            let limit = try request.number("limit", in: 1...500) ?? 50
            let known = try await contacts.knownDuplicates(upTo: request.query["all"] == "1" ? .weak : .medium)
            let listed = try await contacts.listed(Array(known.groups.prefix(limit)))
            return .output(.record(KnownDuplicatesView(known: known, listed: listed), KnownDuplicatesView.fields))
        },
        Route(.post, "/api/contacts/duplicates/merge", summary: "merge all duplicates that need no decision") {
            (contacts: ContactsPlugin, request) in
            let merged = try await contacts.mergeSafeDuplicates(operation: request.operation)
            let dropped = merged.reduce(0) { $0 + $1.dropped.count }
            return .output(
                .record(
                    dropped,
                    [Field("contacts", "CONTACTS", help: "number of contacts merged into others") { .integer($0) }]))
        },
        Route(
            .post, "/api/contacts/duplicates/apart", summary: "mark contacts as different people",
            body: #"{"ids": ["…", "…"]}"#, required: ["ids"]
        ) {
            (contacts: ContactsPlugin, request) in
            let ids = try DuplicateRequest(request).ids("ids", atLeast: 2)
            let count = try await contacts.markDistinct(ids, operation: request.operation)
            return .output(.done(count == 0 ? "already marked as different" : "marked as different"))
        },
        Route(
            .post, "/api/contacts/merge", summary: "merge contacts",
            details: "into the one in `keep`; with `dry_run` nothing is changed",
            body: #"{"keep": "…", "drop": ["…"], "take": ["name"], "dry_run": false}"#, required: ["keep", "drop"],
            fields: MergeSummary.fields
        ) {
            (contacts: ContactsPlugin, request) in
            let body = try DuplicateRequest(request)
            let (keep, drop, taking) = (try body.keep, try body.ids("drop", atLeast: 1), try body.taking)
            let result =
                body.isDryRun
                ? try await contacts.planMerge(keep: keep, drop: drop, taking: taking)
                : try await contacts.merge(keep: keep, drop: drop, taking: taking, operation: request.operation)
            let summaries = try await contacts.mergeSummaries([result])
            return .output(.record(summaries[0], MergeSummary.fields))
        },
    ]
}

/// The duplicates as the page reads them.
private struct KnownDuplicatesView: Sendable {
    let known: KnownDuplicates
    let listed: [DuplicateGroupView]

    static let fields = [
        Field<KnownDuplicatesView>("searching", "SEARCHING", help: "whether a search runs") {
            .bool($0.known.isSearching)
        },
        Field<KnownDuplicatesView>("total", "TOTAL", help: "number of all groups") { .integer($0.known.groups.count) },
        Field<KnownDuplicatesView>("certain", "CERTAIN", help: "number of groups that are certain or very likely") {
            view in
            .integer(view.known.groups.count { $0.tier <= .strong })
        },
        Field<KnownDuplicatesView>("groups", "GROUPS", help: "the first groups") { view in
            .list(
                view.listed.map { group in
                    .object(DuplicateGroupView.fields.map { .init($0.descriptor.name, $0.value(group)) })
                })
        },
    ]
}

/// The JSON body of a request about duplicates.
private struct DuplicateRequest {
    private let value: JSONValue

    /// The maximum number of contacts in one request.
    private static let maximumIDs = 1000

    init(_ request: RouteRequest) throws {
        value = try request.json(depth: 8, example: #"{"keep": "…", "drop": ["…"]}"#)
    }

    var isDryRun: Bool { value["dry_run"]?.bool ?? false }

    var keep: String {
        get throws {
            guard let id = value["keep"]?.string else { throw DuplicateRequest.missing("keep", "an id") }
            return id
        }
    }

    var taking: Set<MergeField> {
        get throws {
            let words = value["take"]?.array ?? []
            return Set(
                try words.map { word in
                    guard let field = word.string.flatMap(MergeField.init(rawValue:)) else {
                        let names = MergeField.allCases.map(\.rawValue).joined(separator: ", ")
                        throw DuplicateRequest.missing("take", "an array of \(names)")
                    }
                    return field
                })
        }
    }

    /// The ids in the array `name`.
    func ids(_ name: String, atLeast count: Int) throws -> [String] {
        let ids = value[name]?.array?.compactMap(\.string) ?? []
        guard (count...DuplicateRequest.maximumIDs).contains(ids.count), ids.count == value[name]?.array?.count else {
            throw DuplicateRequest.missing(name, "an array of \(count) ids or more")
        }
        return ids
    }

    private static func missing(_ name: String, _ what: String) -> HubError {
        HubError(.invalid, code: "field-missing", "the body needs \"\(name)\"", details: ["expected \(what)"])
    }
}
