import CivilDate
import Commands
import Testing

@Suite struct FieldValueJSONTests {
    @Test func `members keep their order and values their kind`() {
        var writer = JSONWriter()
        writer.value(
            .object([
                .init("id", .id("7kt3xd9m2qwz5v8rjh41", shown: 3)), .init("price", .decimal("0.10")),
                .init("count", .integer(-3)), .init("done", .bool(true)), .init("none", .null),
                .init("at", .instant(Instant(milliseconds: 1_795_176_600_250))),
                .init("tags", .list([.text("a\"b"), .text("c\\d")])), .init("empty", .list([])),
            ]))
        #expect(
            writer.string
                == #"{"id":"7kt3xd9m2qwz5v8rjh41","price":"0.10","count":-3,"done":true,"none":null,"#
                + #""at":"2026-11-20T12:10:00.250Z","tags":["a\"b","c\\d"],"empty":[]}"#)
    }
}
