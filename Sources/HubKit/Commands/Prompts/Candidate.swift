/// One of several items that a selector matches.
package struct Candidate: Sendable, Equatable {
    /// Its id, as short as it is unique.
    package let id: String
    /// The name that the user knows it by.
    package let name: String

    package init(id: String, name: String) {
        self.id = id
        self.name = name
    }

    /// The maximum number of candidates that are shown; the rest is counted.
    static let shown = 20

    /// The lines that list them, with numbers to choose by.
    package static func lines(_ candidates: [Candidate], numbered: Bool) -> [String] {
        let width = String(candidates.count).count
        let idWidth = candidates.map(\.id.count).max() ?? 0
        return candidates.enumerated().map { index, candidate in
            let number = String(index + 1)
            let prefix = numbered ? String(repeating: " ", count: width - number.count) + number + "  " : ""
            let id = candidate.id + String(repeating: " ", count: idWidth - candidate.id.count)
            return "  \(prefix)\(id)  \(candidate.name)"
        }
    }
}

extension HubError {
    /// Returns the error for a selector that matches several items when there is no terminal to ask on.
    package static func ambiguous(_ candidates: [Candidate], named word: String, noun: String) -> HubError {
        var details = Candidate.lines(Array(candidates.prefix(Candidate.shown)), numbered: false).map {
            String($0.dropFirst(2))
        }
        if candidates.count > Candidate.shown { details.append("and \(candidates.count - Candidate.shown) more") }
        return HubError(
            .usage, code: "ambiguous", "\"\(word)\" matches \(candidates.count) \(noun)", details: details,
            hint: candidates.first.map { "use an id, such as \($0.id)" })
    }
}
