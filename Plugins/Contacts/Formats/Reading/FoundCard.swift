/// What a reader of an address book found, in the order of the stream.
package enum FoundCard: Hashable, Sendable {
    /// A card, cut out of a file of cards or made of an entry in another format.
    case card(RawCard)
    /// An entry that cannot be used, and why.
    case problem(InputProblem)
}

/// Reads one outside format piece by piece. What is wrong with an entry is told, and the next one is read.
protocol CardTextReader: Sendable {
    /// Takes the next bytes, any number of them, and returns what they completed.
    mutating func feed(_ chunk: [UInt8]) -> [FoundCard]
    /// Ends the stream and returns what is left.
    mutating func finish() -> [FoundCard]
}
