/// A table from method and path to an endpoint, which is whatever the owner of the table wants to find.
package struct Router<Endpoint: Sendable>: Sendable {
    /// The result of a look-up.
    package enum Match: Sendable {
        /// The endpoint and the decoded segments that its pattern captured.
        case found(Endpoint, captures: [String: String])
        /// The path is known, but not with this method; `allowed` is the value of the `Allow` field.
        case methodNotAllowed(allowed: String)
        case notFound
    }

    /// The reason why a route cannot be added.
    package enum Problem: Error, Equatable {
        /// The pattern cannot be read.
        case malformed(String)
        /// The same method and shape is in the table already, with the pattern given.
        case duplicate(String)
    }

    private struct Row {
        let pattern: RoutePattern
        var endpoints: [(method: HTTPMethod, endpoint: Endpoint)]
    }

    private var rows: [Row] = []

    package init() {}

    /// Adds a route. The order of additions does not matter: a fixed segment always beats a capture.
    package mutating func add(_ method: HTTPMethod, _ pattern: String, _ endpoint: Endpoint) throws(Problem) {
        guard let pattern = RoutePattern(pattern) else { throw .malformed(pattern) }
        for row in rows
        where row.pattern.coincides(with: pattern) && row.endpoints.contains(where: { $0.method == method }) {
            throw .duplicate(row.pattern.text)
        }
        if let index = rows.firstIndex(where: { $0.pattern == pattern }) {
            rows[index].endpoints.append((method, endpoint))
        } else {
            let index = rows.firstIndex { pattern.precedes($0.pattern) } ?? rows.endIndex
            rows.insert(Row(pattern: pattern, endpoints: [(method, endpoint)]), at: index)
        }
    }

    /// Finds the endpoint for a request; `HEAD` is answered by the endpoint of `GET` (RFC 9110 §9.3.2).
    package func match(_ method: HTTPMethod, _ target: RequestTarget) -> Match {
        var allowed: [HTTPMethod] = []
        for row in rows {
            guard let captures = row.pattern.captures(from: target.segments) else { continue }
            let wanted = method == .head ? .get : method
            if let found = row.endpoints.first(where: { $0.method == method || $0.method == wanted }) {
                return .found(found.endpoint, captures: captures)
            }
            allowed += row.endpoints.map(\.method)
        }
        guard !allowed.isEmpty else { return .notFound }
        if allowed.contains(.get) { allowed.append(.head) }
        return .methodNotAllowed(allowed: Set(allowed.map(\.rawValue)).sorted().joined(separator: ", "))
    }
}
