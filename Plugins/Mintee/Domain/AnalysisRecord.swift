package import Time

/// A stored analysis.
package struct AnalysisRecord: Hashable, Sendable {
    /// The id of the analysis.
    package let id: String
    /// The data entered by the user.
    package var analysis: Analysis
    /// The position on the home page, from 0; -1 if it is not there.
    package let order: Int
    /// The revision, which increases with every change; an edit names the one that it is based on.
    package let revision: Int
    /// The time of the move to the trash; nil for a live analysis.
    package let deletedAt: Instant?

    package init(id: String, analysis: Analysis, order: Int, revision: Int, deletedAt: Instant? = nil) {
        self.id = id
        self.analysis = analysis
        self.order = order
        self.revision = revision
        self.deletedAt = deletedAt
    }
}

/// The order of analyses on the home page: numbers from 0, and -1 for those that are not on it.
package enum AnalysisOrder {
    /// The number of an analysis that is not on the home page.
    package static let excluded = -1

    /// Sorts the list of all analyses: those on the home page by number, then all others in their order.
    package static func sorted<Element>(_ elements: [Element], order: (Element) -> Int) -> [Element] {
        let included = elements.enumerated().filter { order($0.element) >= 0 }
            .sorted { (order($0.element), $0.offset) < (order($1.element), $1.offset) }
        return included.map(\.element) + elements.filter { order($0) < 0 }
    }

    /// Returns the codes of the rules that the numbers of all analyses violate together.
    package static func breaches(_ orders: [Int]) -> [RuleCode] {
        let included = orders.filter { $0 >= 0 }
        return orders.contains { $0 < excluded } || Set(included).count < included.count ? ["ANL-5"] : []
    }
}
