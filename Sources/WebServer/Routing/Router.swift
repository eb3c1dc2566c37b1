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

    /// Finds the endpoint for a request. A fixed segment beats a capture for all methods, so a path such as `/teas/trash` never reaches
    /// the endpoints of `/teas/{id}`. `HEAD` is answered by the endpoint of `GET` (RFC 9110 §9.3.2).
    package func match(_ method: HTTPMethod, _ target: RequestTarget) -> Match {
        var allowed: [HTTPMethod] = []
        var first: RoutePattern?
        for row in rows where first?.coincides(with: row.pattern) ?? true {
            guard let captures = row.pattern.captures(from: target.segments) else { continue }
            let wanted = method == .head ? .get : method
            if let found = row.endpoints.first(where: { $0.method == method || $0.method == wanted }) {
                return .found(found.endpoint, captures: captures)
            }
            first = row.pattern
            allowed += row.endpoints.map(\.method)
        }
        guard !allowed.isEmpty else { return .notFound }
        if allowed.contains(.get) { allowed.append(.head) }
        return .methodNotAllowed(allowed: Set(allowed.map(\.rawValue)).sorted().joined(separator: ", "))
    }
}

/// The shape of a path: fixed segments and captures, such as `/contacts/{id}/photo`. A last segment `{name...}` captures the
/// rest of any path, which may be empty.
package struct RoutePattern: Hashable, Sendable {
    enum Segment: Hashable, Sendable {
        case literal(String)
        case capture(String)
        /// All segments from here on.
        case rest(String)
    }

    let segments: [Segment]
    /// The pattern as it was written.
    package let text: String

    /// Reads a pattern; `nil` when it does not begin with `/`, or a segment is empty, or a brace is left open.
    package init?(_ text: String) {
        guard text.first == "/" else { return nil }
        var segments: [Segment] = []
        for part in text == "/" ? [] : text.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            if case .rest = segments.last { return nil }
            if part.first == "{", part.hasSuffix("...}"), part.count > 5 {
                segments.append(.rest(String(part.dropFirst().dropLast(4))))
            } else if part.first == "{", part.last == "}", part.count > 2 {
                segments.append(.capture(String(part.dropFirst().dropLast())))
            } else if !part.isEmpty, !part.contains(where: { $0 == "{" || $0 == "}" }) {
                segments.append(.literal(String(part)))
            } else {
                return nil
            }
        }
        self.segments = segments
        self.text = text
    }

    private var isOpen: Bool { if case .rest = segments.last { true } else { false } }

    /// The captured segments by name when `path` has this shape; a capture takes one segment that is not empty.
    func captures(from path: [String]) -> [String: String]? {
        var captures: [String: String] = [:]
        if case .rest(let name) = segments.last {
            guard path.count >= segments.count - 1 else { return nil }
            captures[name] = path.dropFirst(segments.count - 1).joined(separator: "/")
        } else {
            guard path.count == segments.count else { return nil }
        }
        for (segment, part) in zip(segments, path) {
            switch segment {
            case .rest: break
            case .literal(let text): guard text == part else { return nil }
            case .capture(let name):
                guard !part.isEmpty else { return nil }
                captures[name] = part
            }
        }
        return captures
    }

    /// Whether this one is tried before `other`: shorter ones first, and where two first differ in kind, a fixed segment
    /// beats a capture. Those that capture the rest come last, the longest first. It is a total order of the kinds of segments,
    /// so a table can be kept sorted by it.
    func precedes(_ other: RoutePattern) -> Bool {
        guard isOpen == other.isOpen else { return other.isOpen }
        guard segments.count == other.segments.count else { return (segments.count < other.segments.count) != isOpen }
        for (mine, theirs) in zip(segments, other.segments) {
            switch (mine, theirs) {
            case (.literal, .capture): return true
            case (.capture, .literal): return false
            default: continue
            }
        }
        return false
    }

    /// Whether both stand for the same paths, whatever their captures are called.
    func coincides(with other: RoutePattern) -> Bool {
        segments.count == other.segments.count
            && zip(segments, other.segments).allSatisfy { mine, theirs in
                switch (mine, theirs) {
                case (.literal(let mine), .literal(let theirs)): mine == theirs
                case (.capture, .capture), (.rest, .rest): true
                default: false
                }
            }
    }
}
