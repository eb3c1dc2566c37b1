import CSV
import Testing

struct CSVWriterTests {
    @Test func `only what needs quotes gets them`() {
        let line = CSVWriter.line(["plain", "a,b", "say \"a\"", "two\nlines", " blank", "a;b", ""])
        #expect(
            String(decoding: line, as: UTF8.self)
                == "plain,\"a,b\",\"say \"\"a\"\"\",\"two\nlines\",\" blank\",a;b,\r\n")
    }
}
