import RegexBuilder

/// Makes two runs of a command show the same text.
enum Alike {
    private nonisolated(unsafe) static let age = /, (just now|\d+ (s|min) ago)/
    private nonisolated(unsafe) static let id = /\b([0-9][a-z][0-9a-z]+)( {2,})?/
    private nonisolated(unsafe) static let heading = /^ID {2,}/

    /// Returns the line with the ids of `names` replaced by the names, including the following columns.
    static func line(_ line: String, _ names: [String: String]) -> String {
        line.replacing(age) { _ in ", AGE" }
            .replacing(heading) { _ in "ID   " }
            .replacing(id) { match in
                let full = names.keys.filter { $0.hasPrefix(match.1) }
                guard full.count == 1, let name = names[full[0]] else { return String(match.0) }
                return name + (match.2 == nil ? "" : "  ")
            }
    }
}
