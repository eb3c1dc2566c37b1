import JSON
import MinteeDomain

/// JSON: the strict reader with its writer, and the cutter of files that may be broken.
enum JSONFuzzing {
    static func json(_ input: [UInt8]) -> String? {
        if let value = try? JSONReader.read(input) {
            var writer = JSONWriter()
            writer.value(value)
            guard (try? JSONReader.read(writer.bytes)) == value else { return "a value is read as it was written" }
        }
        let pieces = JSONPieces(input)
        for piece in (pieces.elements(of: pieces.root) ?? []) + pieces.values() {
            guard piece.upperBound > piece.lowerBound else { return "a part of a file is not empty" }
            _ = pieces.text(piece)
            _ = pieces.excerpt(of: piece)
            _ = pieces.members(of: piece)
        }
        return nil
    }
}
