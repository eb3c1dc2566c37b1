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

    /// Returns the numbers after removing the element at `index` of a sorted list from the home page, or adding it at
    /// the end.
    package static func toggled(_ orders: [Int], at index: Int) -> [Int] {
        var orders = orders
        let last = orders.filter { $0 >= 0 }.max()
        orders[index] = orders[index] >= 0 ? excluded : (last ?? -1) + 1
        return sorted(orders) { $0 }
    }

    /// Returns the numbers after a drag: 0, 1, 2 … up to the first analysis off the home page, and none after it.
    package static func renumbered(_ orders: [Int]) -> [Int] {
        let end = orders.firstIndex { $0 < 0 } ?? orders.endIndex
        return orders.indices.map { $0 < end ? $0 : excluded }
    }

    /// Returns the codes of the rules that the numbers of all analyses violate together.
    package static func breaches(_ orders: [Int]) -> [RuleCode] {
        let included = orders.filter { $0 >= 0 }
        return orders.contains { $0 < excluded } || Set(included).count < included.count ? ["ANL-5"] : []
    }
}
