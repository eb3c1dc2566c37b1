import JSON
import TestSupport
import Testing

struct ScalingTests {
    @Test(arguments: [
        "1,", "\"a\\n\\u00e9\",", "{\"a\":1},", "[],", "[", "\"", "\\", "-1.5e3,", " ", "nul", "é",
        "\"\\ud83d\\ude00\",",
    ])
    func `JSON`(part: String) {
        Scaling.expectLinear(part, size: 666) {
            repeated(part, $0, after: "[", before: "0]")
        } _: {
            guard let value = try? JSONReader.read($0) else { return }
            var writer = JSONWriter()
            writer.value(value)
        }
    }

    @Test func `an object of many members`() {
        Scaling.expectLinear("members", size: 333) {
            numbered($0, after: "{", before: "\"z\":1}") { "\"m\($0)\":\($0)," }
        } _: {
            guard let value = try? JSONReader.read($0) else { return }
            var writer = JSONWriter()
            writer.value(value)
        }
    }
}
