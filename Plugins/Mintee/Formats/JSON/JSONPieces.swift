package import JSON

/// Splits JSON (RFC 8259) into the texts of its parts without decoding them, so that an invalid part does not affect
/// others.
///
/// A text never contains a line end, and brackets match; a part that violates this ends with its first line.
package struct JSONPieces: Sendable {
    /// A part, as the range of its text.
    package typealias Piece = Range<Int>

    /// The maximum number of invalid elements of a list before the rest is skipped, which limits the time for a hostile
    /// file.
    private static let maximumFaults = 100

    private let bytes: [UInt8]
    private let lineStarts: [Int]

    /// Prepares the bytes of a JSON file for reading in parts; a byte order mark is removed.
    package init(_ file: [UInt8]) {
        bytes = file.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(file.dropFirst(3)) : file
        lineStarts = bytes.withUnsafeBufferPointer { bytes in
            var starts = [0]
            var index = 0
            while index < bytes.count {
                if bytes[index] == 0x0A { starts.append(index + 1) }
                index += 1
            }
            return starts
        }
    }

    /// The whole document; all values if there is one per line.
    package var root: Piece { skippingBlanks(0)..<bytes.count }

    /// The text of a part.
    package func text(_ piece: Piece) -> [UInt8] { Array(bytes[piece]) }

    /// The line on which a part begins, counted from 1.
    package func line(of piece: Piece) -> Int {
        var (low, high) = (0, lineStarts.count)
        while low < high {
            let middle = (low + high) / 2
            if lineStarts[middle] <= piece.lowerBound { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The start of the line on which a part begins.
    package func excerpt(of piece: Piece) -> String {
        let start = lineStarts[line(of: piece) - 1]
        let line = bytes[start...].prefix(400).prefix { $0 != 0x0A && $0 != 0x0D }
        return String(String(decoding: line, as: UTF8.self).prefix(160))
    }

    /// The elements of an array; nil if the part is not an array.
    package func elements(of piece: Piece) -> [Piece]? {
        guard at(piece.lowerBound) == UInt8(ascii: "[") else { return nil }
        return values(from: piece.lowerBound + 1, to: piece.upperBound)
    }

    /// Consecutive values without brackets, one per line or separated by commas.
    package func values() -> [Piece] { values(from: 0, to: bytes.count) }

    /// The member `name` of an object; nil if there is none, or if the part is not an object.
    package func member(_ name: String, of piece: Piece) -> Piece? { members(of: piece)[name] }

    /// The members of an object by name; empty if the part is not an object.
    package func members(of piece: Piece) -> [String: Piece] {
        guard at(piece.lowerBound) == UInt8(ascii: "{") else { return [:] }
        var members: [String: Piece] = [:]
        var index = skippingSeparators(piece.lowerBound + 1)
        while index < piece.upperBound, at(index) == UInt8(ascii: "\"") {
            let nameEnd = endOfValue(from: index).end
            let name = String(decoding: bytes[index + 1..<max(index + 1, nameEnd - 1)], as: UTF8.self)
            index = skippingBlanks(nameEnd)
            guard at(index) == UInt8(ascii: ":") else { return members }
            index = skippingBlanks(index + 1)
            let value = endOfValue(from: index)
            // An invalid part may contain valid ones: it is assumed to extend to the end.
            let end = value.isBroken ? bytes.count : value.end
            if members[name] == nil { members[name] = index..<end }
            if value.isBroken { return members }
            index = skippingSeparators(value.end)
        }
        return members
    }

    /// Returns the members of a part that is an object; throws the reason if it cannot be read.
    package func fields(_ piece: Piece) throws(JSONFields.Problem) -> JSONFields {
        let value: JSONValue
        do throws(JSONReader.Problem) {
            value = try JSONReader.read(bytes[piece], limits: JSONReader.Limits(bytes: bytes.count))
        } catch {
            throw JSONFields.Problem(reason: error.kind == .duplicateName ? error.kind.reason : "invalid JSON")
        }
        return try JSONFields(value)
    }

    private func at(_ index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

    private func values(from start: Int, to end: Int) -> [Piece] {
        var pieces: [Piece] = []
        var faults = 0
        var index = skippingSeparators(start)
        while index < end, let first = at(index), first != UInt8(ascii: "]"), first != UInt8(ascii: "}") {
            let value = endOfValue(from: index)
            pieces.append(index..<value.end)
            index = skippingSeparators(value.end)
            if value.isBroken {
                faults += 1
                if faults == JSONPieces.maximumFaults { return pieces }
                index = nextObject(from: index)
            }
        }
        return pieces
    }

    /// Returns the start of the next line that begins with an object.
    private func nextObject(from start: Int) -> Int {
        var index = start
        while index < bytes.count, at(index) != UInt8(ascii: "{") {
            index = skippingBlanks(endOfLine(from: index))
        }
        return index
    }

    private func skippingBlanks(_ start: Int) -> Int {
        var index = start
        while let byte = at(index), byte == 0x20 || (0x09...0x0D).contains(byte) { index += 1 }
        return index
    }

    private func skippingSeparators(_ start: Int) -> Int {
        var index = skippingBlanks(start)
        while at(index) == UInt8(ascii: ",") { index = skippingBlanks(index + 1) }
        return index
    }

    /// The end of the value that begins at `start`, always after it. A value without an end is broken, and ends with
    /// its first line.
    private func endOfValue(from start: Int) -> (end: Int, isBroken: Bool) {
        var index = start
        var open: [UInt8] = []
        while let byte = at(index) {
            switch byte {
            case UInt8(ascii: "\""):
                guard let end = endOfText(from: index) else { return (endOfLine(from: start), true) }
                index = end
                if open.isEmpty { return (index, false) }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                open.append(byte)
                index += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                // The closing sign is two places after the opening one.
                guard let last = open.popLast() else { return (max(index, start + 1), false) }
                guard last + 2 == byte else { return (endOfLine(from: start), true) }
                index += 1
                if open.isEmpty { return (index, false) }
            case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09...0x0D:
                if open.isEmpty, index > start { return (index, false) }
                index += 1
            default: index += 1
            }
        }
        return open.isEmpty ? (bytes.count, false) : (endOfLine(from: start), true)
    }

    /// Returns the index after the closing quote of the text that begins at `start`; nil if its line ends first.
    private func endOfText(from start: Int) -> Int? {
        bytes.withUnsafeBufferPointer { bytes in
            var index = start + 1
            while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D {
                if bytes[index] == UInt8(ascii: "\"") { return index + 1 }
                index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
            }
            return nil
        }
    }

    private func endOfLine(from start: Int) -> Int {
        var index = start
        while let byte = at(index), byte != 0x0A { index += 1 }
        return max(index, start + 1)
    }
}
