import ContentLines
import TestSupport
import Testing
import TextDecoding

struct FoldingTests {
    private static let lineEnds: [[UInt8]] = [[0x0D, 0x0A], [0x0A], [0x0D], [0x0D, 0x0D, 0x0A]]

    /// A line of characters of one to four bytes, escapes, separators and combining marks.
    private func line(_ random: inout SeededGenerator) -> [UInt8] {
        let pieces = ["a", "b", " ", "\t", ":", ";", ",", "\\\\", "\\n", "\\;", "ł", "\u{301}", "日", "😀", "\"", "="]
        let count = Int.random(in: 0...200, using: &random)
        return Array(
            "NAME:".utf8 + (0..<count).flatMap { _ in Array((pieces.randomElement(using: &random) ?? "").utf8) })
    }

    @Test(arguments: lineEnds)
    func `a folded line is the same line when it is put together`(lineEnd: [UInt8]) {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<300 {
            let line = line(&random)
            let folded = LineFolding.folded(line, lineEnd)
            let (end, next, folds) = folded.span.endOfFoldedLine(from: 0)
            #expect(next == folded.count)
            #expect(end == folded.count - lineEnd.count)
            #expect(folded.span.unfolded(0..<end) == line)
            let physical = folded.split(separator: lineEnd)
            #expect(physical.count == folds + 1)
            for part in physical {
                #expect(part.count <= LineFolding.width)
                #expect(String(validating: part, as: UTF8.self) != nil)
                #expect(part.reversed().prefix { $0 == UInt8(ascii: "\\") }.count.isMultiple(of: 2))
            }
        }
    }

    @Test(arguments: lineEnds)
    func `softly broken lines are the same line when they are put together`(lineEnd: [UInt8]) {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<300 {
            let count = Int.random(in: 0...150, using: &random)
            let value = (0..<count).map { _ in ["a", "=C3", "=3D", " b"].randomElement(using: &random) ?? "" }.joined()
            let line = Array("NOTE;ENCODING=QUOTED-PRINTABLE:\(value)x".utf8)
            let broken = LineFolding.softlyBroken(line, lineEnd)
            #expect(
                broken.span.unfolded(0..<(broken.count - lineEnd.count), keepingBlanks: true, joiningSoftBreaks: true)
                    == line)
            for part in broken.split(separator: lineEnd) { #expect(part.count <= 76) }
        }
    }

    @Test func `a name that is longer than a line is cut between characters only`() {
        for name in [String(repeating: "n", count: 200), "n" + String(repeating: "é", count: 100)] {
            let folded = LineFolding.folded(Array("\(name):value".utf8), [0x0A])
            #expect(folded.split(separator: 0x0A).allSatisfy { String(validating: $0, as: UTF8.self) != nil })
            #expect(folded.span.unfolded(0..<(folded.count - 1)) == Array("\(name):value".utf8))
        }
    }

    @Test func `bytes that are not UTF-8 are folded too`() {
        let line = Array("N:".utf8) + [UInt8](repeating: 0x80, count: 500)
        let folded = LineFolding.folded(line, [0x0D, 0x0A])
        #expect(folded.span.unfolded(0..<(folded.count - 2)) == line)
    }

    @Test(arguments: [
        ("a\r\n b", "ab", "a b"), ("a\n\tb", "ab", "a\tb"), ("a\r b", "ab", "a b"), ("a\r\r\n  b", "a b", "a  b"),
        ("a\nb", "ab", "ab"), ("a=\n b", "a=b", "a= b"), ("\n a", "a", " a"), ("a\r\n ", "a", "a "),
    ])
    func `the space of a fold is left out, or kept for vCard 2.1`(folded: String, standard: String, old: String) {
        let bytes = Array(folded.utf8)
        #expect(bytes.span.unfolded(bytes.indices) == Array(standard.utf8))
        #expect(bytes.span.unfolded(bytes.indices, keepingBlanks: true) == Array(old.utf8))
    }

    @Test(arguments: [
        ("a=\r\nb", "ab"), ("a= \t\r\nb", "ab"), ("a=\r\n b", "a b"), ("a\r\n b", "ab"), ("=\n=\nb", "b"),
        (" =\n =\nb", "  b"), ("a \n=\nb", "a b"),
    ])
    func `a soft break joins lines, and keeps the space after it`(broken: String, text: String) {
        let bytes = Array(broken.utf8)
        #expect(bytes.span.unfolded(bytes.indices, joiningSoftBreaks: true) == Array(text.utf8))
    }

    @Test(arguments: [
        ("a\r\nb", 1, 3, 0), ("a\r\n b\r\nc", 5, 7, 1), ("a\n\tb\n c", 7, 7, 2), ("", 0, 0, 0), ("\n\n", 0, 1, 0),
        ("\n b", 3, 3, 1), ("a\r\r\n b\rc", 6, 7, 1), ("a\r", 1, 2, 0),
    ])
    func `a logical line ends where the next line does not begin with a space`(
        text: String, end: Int, next: Int, folds: Int
    ) {
        let bytes = Array(text.utf8)
        let found = bytes.span.endOfFoldedLine(from: 0)
        #expect((found.end, found.next, found.folds) == (end, next, folds))
    }

    @Test(arguments: ["\n ", "=\n", " =\n", "\r", "\r\r\n ", "é", "\\", ":", " "])
    func `a line of many parts`(part: String) {
        Scaling.expectLinear(part, size: 4000) {
            repeated(part, $0, after: "NAME:", before: "x\n")
        } _: { bytes in
            _ = bytes.span.endOfFoldedLine(from: 0)
            _ = bytes.span.unfolded(bytes.indices, joiningSoftBreaks: true)
            _ = LineFolding.folded(bytes, [0x0A])
            _ = LineFolding.softlyBroken(bytes, [0x0A])
        }
    }
}
