import Collation

/// The words of records and of searches for them, in the form in which they are compared: without case and accents.
package enum RecordWords {
    /// The longest part of a text that is searched, in characters.
    package static let maximumLength = 1 << 20

    /// Returns the folded form of a text; longer ones are folded piece by piece, since the folding is limited.
    package static func fold(_ text: String) -> String {
        var folded = ""
        var rest = text.prefix(maximumLength)
        while !rest.isEmpty {
            var piece = rest.prefix(Transliterator.limit / 8)
            if piece.endIndex < rest.endIndex, let space = piece.lastIndex(where: \.isWhitespace) {
                piece = piece[...space]
            }
            folded += Transliterator.fold(String(piece))
            rest = rest[piece.endIndex...]
        }
        return folded
    }

    /// Returns the folded words of a text.
    package static func split(_ text: String) -> [String] {
        fold(text).split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    /// Returns the form of a tag in which equal tags are the same.
    package static func foldedTag(_ tag: String) -> String {
        fold(tag.split { $0.isWhitespace }.joined(separator: " ").lowercased())
    }
}
