/// The order of tasks on a day: by section, then by their numbers, then by creation.
package enum TaskOrder {
    /// The sections that belong to a time of day, in their order; they come before all others.
    package static let times = ["Morning", "Noon", "Afternoon", "Evening", "Night"]

    /// Returns the name of a section as it is stored: without needless blanks, and
    /// beginning with a capital; a time of day in its own spelling.
    package static func section(_ text: some StringProtocol) -> String {
        let name = text.singleSpaced
        if let time = times.first(where: { TagName.folded($0) == TagName.folded(name) }) { return time }
        return name.prefix(1).uppercased() + name.dropFirst()
    }

    /// Sorts tasks, which come in the order of their creation. Those without a section come first; own sections come in the order
    /// of their first task.
    package static func sorted<Element>(
        _ elements: [Element], section: (Element) -> String?, position: (Element) -> Int?
    ) -> [Element] {
        order(of: elements.map(section), at: elements.map { position($0) ?? .max }).map { elements[$0] }
    }

    private static func order(of sections: [String?], at places: [Int]) -> [Int] {
        var order = Array(places.indices)
        if places.contains(where: { $0 != .max }) {
            order.sort { (places[$0], $0) < (places[$1], $1) }
        }
        var ranks: [String: Int] = [:]
        for (index, name) in times.enumerated() { ranks[TagName.folded(name)] = index + 1 }
        // The rank of the section of each element in their order, which sorts them with their number in it.
        let keys = order.map { index -> Int in
            guard let name = sections[index] else { return 0 }
            let key = TagName.folded(name)
            if let rank = ranks[key] { return rank }
            let rank = ranks.count + 1
            ranks[key] = rank
            return rank
        }
        if keys.allSatisfy({ $0 == 0 }) { return order }
        return order.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }.map { order[$0] }
    }

    /// Puts `chosen` into the places that they have in `all`, in their new order; all others stay where they are.
    package static func reordered(_ all: [String], placing chosen: [String]) -> [String] {
        let wanted = Set(chosen)
        var rest = chosen[...]
        return all.map { wanted.contains($0) ? rest.popFirst() ?? $0 : $0 }
    }
}
