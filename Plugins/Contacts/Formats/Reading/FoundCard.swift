/// An item that a reader found, in the order of the stream.
package enum FoundCard: Hashable, Sendable {
    /// A card, read from a vCard file or converted from an entry in another format.
    case card(RawCard)
    /// An entry that cannot be used, with the reason.
    case problem(InputProblem)
}

/// An incremental reader of one format. An invalid entry is reported, and reading continues with the next.
protocol CardTextReader: Sendable {
    /// Reads the next bytes, any number of them, and returns the completed items.
    mutating func feed(_ chunk: [UInt8]) -> [FoundCard]
    /// Ends the stream and returns the remaining items.
    mutating func finish() -> [FoundCard]
}
