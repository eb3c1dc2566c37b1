/// Takes links to files out of a text.
package enum AttachmentRemoval {
    /// Returns the text without the links whose targets `isRemoved`: pictures and embedded files as a whole, and with their line if
    /// nothing else is on it; of other links the words stay.
    package static func text(_ text: String, _ isRemoved: (String) -> Bool) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var next = 0
        for range in MarkdownTargets.ranges(in: bytes) where range.lowerBound >= next {
            guard isRemoved(String(decoding: bytes[range], as: UTF8.self)),
                let (whole, words) = link(around: range, bytes, from: next)
            else { continue }
            result += bytes[next..<whole.lowerBound]
            result += bytes[words]
            next = whole.upperBound
            // An empty line is left out, with the end of it.
            let isAlone =
                words.isEmpty && (result.isEmpty || result.last == 0x0A) && next < bytes.count && bytes[next] == 0x0A
            if isAlone { next += 1 }
        }
        return next == 0 ? text : String(decoding: result + bytes[next...], as: UTF8.self)
    }

    /// Returns where the link around a target is, and its words that stay; nil for a form that is left as it is.
    private static func link(
        around target: Range<Int>, _ bytes: [UInt8], from start: Int
    ) -> (whole: Range<Int>, words: Range<Int>)? {
        let (open, close) = (UInt8(ascii: "["), UInt8(ascii: "]"))
        var (low, high) = (target.lowerBound, target.upperBound)
        if low >= start + 2, bytes[low - 1] == open, bytes[low - 2] == open {
            guard let end = bytes[high...].firstIndex(of: close), end + 1 < bytes.count, bytes[end + 1] == close,
                !bytes[high..<end].contains(0x0A)
            else { return nil }
            low -= 2
            if low > start, bytes[low - 1] == UInt8(ascii: "!") { low -= 1 }
            return (low..<end + 2, low..<low)
        }
        if low > start, bytes[low - 1] == UInt8(ascii: "<") { low -= 1 }
        guard low >= start + 2, bytes[low - 1] == UInt8(ascii: "("), bytes[low - 2] == close else { return nil }
        while high < bytes.count, bytes[high] != UInt8(ascii: ")"), bytes[high] != 0x0A { high += 1 }
        guard high < bytes.count, bytes[high] == UInt8(ascii: ")") else { return nil }
        // The bracket that opens the words, over pairs inside of them.
        var (index, depth) = (low - 3, 0)
        while index >= start {
            if bytes[index] == 0x0A || low - index > 4096 { return nil }
            if bytes[index] == close { depth += 1 }
            if bytes[index] == open {
                if depth == 0 { break }
                depth -= 1
            }
            index -= 1
        }
        guard index >= start else { return nil }
        let words = index + 1..<low - 2
        if index > start, bytes[index - 1] == UInt8(ascii: "!") {
            return (index - 1..<high + 1, words.lowerBound..<words.lowerBound)
        }
        return (index..<high + 1, words)
    }
}
