/// What one reader looks at: places of the board, and tokens by themselves.
package struct PricesInSight: Hashable, Sendable {
    /// The places in the order of ranks, from 0.
    package var places: Range<Int>
    /// The keys of tokens.
    package var tokens: [TokenKey]

    package init(places: Range<Int> = 0..<0, tokens: [TokenKey] = []) {
        self.places = places
        self.tokens = tokens
    }

    /// Whether all that `other` has is in this one.
    package func covers(_ other: PricesInSight) -> Bool {
        (other.places.isEmpty
            || places.lowerBound <= other.places.lowerBound && places.upperBound >= other.places.upperBound)
            && Set(other.tokens).isSubset(of: tokens)
    }
}

extension [PricesInSight] {
    /// The places of all readers, without gaps between them and without overlaps.
    package var places: [Range<Int>] {
        map(\.places).filter { !$0.isEmpty }.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { merged, next in
            if let last = merged.last, last.upperBound >= next.lowerBound {
                merged[merged.count - 1] = last.lowerBound..<Swift.max(last.upperBound, next.upperBound)
            } else {
                merged.append(next)
            }
        }
    }

    /// The tokens of all readers, each once.
    package var tokens: [TokenKey] {
        Set(flatMap(\.tokens)).sorted { ($0.catalogue.rawValue, $0.id) < ($1.catalogue.rawValue, $1.id) }
    }
}
