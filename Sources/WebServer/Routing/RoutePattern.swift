/// The shape of a path: fixed segments and captures, such as `/contacts/{id}/photo`.
package struct RoutePattern: Hashable, Sendable {
    enum Segment: Hashable, Sendable {
        case literal(String)
        case capture(String)
    }

    let segments: [Segment]
    /// The pattern as it was written.
    package let text: String

    /// Reads a pattern; `nil` when it does not begin with `/`, or a segment is empty, or a brace is left open.
    package init?(_ text: String) {
        guard text.first == "/" else { return nil }
        var segments: [Segment] = []
        for part in text == "/" ? [] : text.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            if part.first == "{", part.last == "}", part.count > 2 {
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

    /// The captured segments by name when `path` has this shape; a capture takes one segment that is not empty.
    func captures(from path: [String]) -> [String: String]? {
        guard path.count == segments.count else { return nil }
        var captures: [String: String] = [:]
        for (segment, part) in zip(segments, path) {
            switch segment {
            case .literal(let text): guard text == part else { return nil }
            case .capture(let name):
                guard !part.isEmpty else { return nil }
                captures[name] = part
            }
        }
        return captures
    }

    /// Whether this one is tried before `other`: shorter ones first, and where two first differ in kind, a fixed segment
    /// beats a capture. It is a total order of the kinds of segments, so a table can be kept sorted by it.
    func precedes(_ other: RoutePattern) -> Bool {
        guard segments.count == other.segments.count else { return segments.count < other.segments.count }
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
                case (.capture, .capture): true
                default: false
                }
            }
    }
}
