import CSV
import TestSupport
import Testing

struct ScalingTests {
    @Test(arguments: ["a,b\n", "\"a\nb\",c\n", "\"", "\"\"", ",", "\n", "\r", "a\"b,", "\"a\"b\n", "\"a,\n", ";", " "])
    func `a table`(part: String) {
        Scaling.expectLinear(part, size: 8000) {
            repeated(part, $0, after: "a,b\n")
        } _: {
            var cutter = CSVParser()
            for case .record(let record) in cutter.feed($0) + cutter.finish() { _ = CSVWriter.line(record.cells) }
        }
    }
}
