import CSV
import Testing

struct CSVWriterTests {
    @Test func `only what needs quotes gets them`() {
        let line = CSVWriter.line(["plain", "a,b", "say \"a\"", "two\nlines", " blank", "a;b", ""])
        #expect(
            String(decoding: line, as: UTF8.self)
                == "plain,\"a,b\",\"say \"\"a\"\"\",\"two\nlines\",\" blank\",a;b,\r\n")
    }

    @Test(arguments: ["\u{600}\"a", "a\"\u{301},b", ",\u{301}", "\u{600},"])
    func `a separator or quote that is one character with another scalar is quoted`(cell: String) {
        var parser = CSVParser(separator: UInt8(ascii: ","))
        let items = parser.feed(CSVWriter.line([cell, "b"])) + parser.finish()
        guard case .record(let record)? = items.first else {
            Issue.record("\(items)")
            return
        }
        #expect(record.cells == [cell, "b"])
    }
}
