import Commands
import Hashing
import HubKit
import System
import WebServer

/// The conditions of a request about one item, alike for all items (RFC 9110 §13, RFC 6585 §3).
///
/// A program reads an item with its `ETag`, and names that, or the revision alone, in `If-Match` when it changes or removes the item. Pages
/// show what is in the trash, and send the revision only where they can lose something.
struct RouteConditions: Sendable {
    private let route: Route
    private let host: any PluginHost

    init(_ route: Route, _ host: any PluginHost) {
        self.route = route
        self.host = host
    }

    /// What a request may go on with.
    struct Passed: Sendable {
        /// The revision on which a change is based; nil without a condition.
        var ifMatch: String?
        /// The revision of the item that a program reads; nil for others.
        var read: Int?
    }

    /// Throws 404 for an item that is not there or in the trash, 412 for one that was changed, and 428 without a condition where a
    /// program needs one.
    func check(_ request: HTTPRequest, _ captures: [String: String]) async throws -> Passed {
        let fields = request.headers.values("If-Match")
        guard let item = route.item, let id = captures["id"] else {
            return Passed(ifMatch: fields.first.map { $0.filter { $0 != "\"" } })
        }
        let isProgram = APIClient.current != nil
        let isReading = route.method == .get
        guard isProgram || !isReading && !fields.isEmpty else { return Passed() }
        let state = try await item.state(host, id, isReading)
        guard !state.isTrashed || route.isOpenToTrash else {
            throw HubError(
                .notFound, code: "\(item.one)-in-trash", "\(state.name) is in the trash",
                hint: "POST \(item.path)/restore brings it back")
        }
        if isReading { return Passed(read: state.revision) }
        if fields.isEmpty {
            guard route.method == .put || route.method == .delete else { return Passed() }
            throw HubError.conditionMissing
        }
        let revision = String(state.revision)
        guard fields.contains(where: { Self.names(revision, in: $0) }) else {
            throw HubError(
                .conflict, code: "edit-conflict", "\(state.name) was changed in the meantime",
                details: ["now its revision is \(revision)"], hint: "reload it and repeat your change")
        }
        return Passed(ifMatch: revision)
    }

    /// Whether a field of `If-Match` names a revision: by `*`, by a strong tag with the revision, such as `"3"` or `"3-k2f…"`, or by the
    /// bare number. Weak tags never do (RFC 9110 §13.1.1).
    static func names(_ revision: String, in field: String) -> Bool {
        field.split(separator: ",").contains { part in
            let tag = part.filter { $0 != " " && $0 != "\t" }
            if tag == "*" || tag == revision { return true }
            guard tag.count > 2, tag.first == "\"", tag.last == "\"" else { return false }
            return tag.dropFirst().dropLast().prefix { $0 != "-" } == revision
        }
    }

    /// The answer to a program that reads an item: with the tag of its revision and of the rest that it shows, such as statistics; 304 if
    /// the program has it.
    static func answer(_ bytes: [UInt8], revision: Int, to request: HTTPRequest) -> HTTPResponse {
        let tag = EntityTag("\(revision)-\(String(FNV1a.hash(bytes), radix: 36))")
        let isHeld = request.holds(tag)
        return HTTPResponse(
            status: isHeld ? 304 : 200,
            headers: ["Content-Type": "application/json", "ETag": tag.field, "Cache-Control": "no-cache"],
            body: .bytes(isHeld ? [] : bytes))
    }
}

extension HubError {
    /// The error for a change without a condition.
    fileprivate static let conditionMissing = HubError(
        .usage, code: "revision-missing", "the request has no If-Match header with the revision",
        hint: "send the ETag or revision that was read, such as If-Match: \"3\", or If-Match: * for any")

    /// The status of an error of conditions; nil for other errors.
    func conditionStatus(_ request: HTTPRequest) -> Int? {
        switch code {
        case "edit-conflict" where request.headers["If-Match"] != nil: 412
        case "revision-missing": 428
        default: nil
        }
    }
}
