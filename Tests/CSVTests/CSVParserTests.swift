import TestSupport
import Testing

@testable import CSV

struct CSVParserTests {
    /// Returns the items of `text`, which arrives in pieces of `length` bytes.
    private func items(_ bytes: [UInt8], separator: UInt8? = nil, length: Int = .max) -> [String] {
        var cutter = CSVParser(separator: separator)
        var items: [CSVParser.Item] = []
        var start = 0
        while start < bytes.count {
            let end = length < bytes.count - start ? start + length : bytes.count
            items += cutter.feed(Array(bytes[start..<end]))
            start = end
        }
        return (items + cutter.finish()).map { item in
            switch item {
            case .record(let record):
                "\(record.lines.lowerBound)-\(record.lines.upperBound) \(record.cells.joined(separator: "|"))"
            case .fault(let fault): "\(fault.line) \(fault.reason): \(fault.excerpt)"
            }
        }
    }

    private func items(_ text: String, separator: UInt8? = nil) -> [String] {
        items(Array(text.utf8), separator: separator)
    }

    @Test func `quotes hold separators, line ends and quotes`() {
        #expect(
            items("a,b\r\n\"1,2\",\"x\r\ny\"\r\n\"\"\"q\"\"\" ,\n") == ["1-1 a|b", "2-3 1,2|x\ny", "4-4 \"q\"|"])
    }

    @Test(arguments: [("a;b,c;d\n1;2;3\n", "1|2|3"), ("a\tb\n1\t2\n", "1|2"), ("a\n1,2\n", "1|2")])
    func `the first line tells the separator`(text: String, second: String) {
        #expect(items(text).last == "2-2 \(second)")
    }

    @Test func `a separator that is named is the only one`() {
        #expect(items("a;b\n1,2\n", separator: UInt8(ascii: ",")) == ["1-1 a;b", "2-2 1|2"])
    }

    @Test func `behind a broken record the next one is read`() {
        #expect(
            items("a,b\n\"open,1\n2,3\n\"x\"y,4\n5,6") == [
                "1-1 a|b", "2 has text after a closing quote: \"open,1", "3-3 2|3",
                "4 has text after a closing quote: \"x\"y,4", "5-5 5|6",
            ])
        #expect(
            items("a,b\n\"open,1\n2,\"3\"\n") == [
                "1-1 a|b", "2 has text after a closing quote: \"open,1", "3-3 2|3",
            ])
        #expect(
            items("a,b,c\n\"open,1,1\n\",3\n4,5,6\n") == [
                "1-1 a|b|c", "2 has 2 columns where the first line has 3; is a quote missing?: \"open,1,1",
                "3 has an unclosed quote: \",3", "4-4 4|5|6",
            ])
    }

    @Test func `a record longer than 1 MiB is given up`() {
        let long = String(repeating: "x", count: 3 << 19)
        let items = items(Array("a,b\n\(long),1\n2,3\n".utf8), length: 1 << 16)
        #expect(items.map { String($0.prefix(24)) } == ["1-1 a|b", "2 is longer than 1 MiB: ", "3-3 2|3"])
    }

    @Test(arguments: 0..<300 as Range<UInt64>) func `pieces of any length give the same records`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let bytes = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
            Array("ab,,;\"\"\"\r\r\n\n é".utf8).randomElement(using: &generator) ?? 0
        }
        let whole = items(bytes)
        for length in 1...9 { #expect(items(bytes, length: length) == whole, "\(bytes)") }
    }

    @Test(arguments: 0..<200 as Range<UInt64>) func `what is written reads back`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let width = Int.random(in: 2...4, using: &generator)
        let rows = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
            (0..<width).map { _ in
                String(
                    (0..<Int.random(in: 0...5, using: &generator)).map { _ in
                        "aé,;\" \n\t".randomElement(using: &generator) ?? "a"
                    })
            }
        }
        var cutter = CSVParser(separator: UInt8(ascii: ","))
        let items = cutter.feed(rows.flatMap { CSVWriter.line($0) }) + cutter.finish()
        let read = items.map { item -> [String] in
            guard case .record(let record) = item else { return [] }
            return record.cells
        }
        #expect(read == rows)
    }
}
