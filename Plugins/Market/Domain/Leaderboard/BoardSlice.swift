/// A part of a board: the places that were asked for, and the tokens that a provider has there.
package struct BoardSlice: Hashable, Sendable {
    /// The places in the order of ranks, from 0.
    package let places: Range<Int>
    /// The number of all tokens; nil if the provider does not send it.
    package let total: Int?
    /// The rows of the places, without gaps.
    package let rows: MarketPage

    package init(places: Range<Int>, total: Int?, rows: MarketPage) {
        self.places = places
        self.total = total
        self.rows = rows
    }

    /// The place after the last row.
    package var end: Int { places.lowerBound + rows.sentCount }
    /// Whether no token follows: there are fewer rows than places, or the number of all is reached.
    package var isLast: Bool { rows.sentCount < places.count || total.map { places.upperBound >= $0 } ?? false }

    /// The number of tokens that a board may lose at once; more than that is a slice that came back short.
    ///
    /// Tokens leave a board one by one. A provider that sends a part of its list, or none of it, says nothing of the others.
    package static func isPlausible(losing lost: Int, of known: Int) -> Bool { lost <= max(10, known / 4) }
}
