import Commands
import HubRuntime
import TestSupport
import Testing

@Suite struct TableRendererTests {
    struct Row: Sendable {
        var name: String
        var note: String
        var amount: String

        static let fields: [Field<Row>] = [
            Field("name", "NAME", help: "the name") { .text($0.name) },
            Field("note", "NOTE", help: "a note", column: .ifRoom(1)) { .text($0.note) },
            Field("amount", "AMOUNT", help: "how much", align: .trailing) { .decimal($0.amount) },
        ]
    }

    private func lines(_ rows: [Row], width: Int?, isUTF8: Bool = true) -> [String] {
        TableRenderer(
            width: width, glyphs: Glyphs(isUTF8: isUTF8), palette: Palette(isColored: false),
            formatter: CellFormatter(now: nil, zone: .utc)
        ).lines(Rows(rows, Row.fields))
    }

    @Test func `numbers stand at the right, wide characters count twice`() {
        let rows = [
            Row(name: "日本", note: "a", amount: "1204.5"), Row(name: "Łukasz", note: "e\u{301}é", amount: "-3"),
            Row(name: "👍🏽", note: "👨‍👩‍👧‍👦", amount: "10"),
        ]
        #expect(
            lines(rows, width: nil) == [
                "NAME    NOTE   AMOUNT", "日本    a     1,204.5", "Łukasz  e\u{301}é         -3", "👍🏽      👨‍👩‍👧‍👦         10",
            ])
    }

    @Test func `a table that is too wide loses columns, then text, never digits`() {
        let rows = [Row(name: "Bartholomew Featherstonehaugh", note: "something rather long", amount: "123456789.25")]
        #expect(
            lines(rows, width: 40) == [
                "NAME                              AMOUNT", "Bartholomew Featherston…  123,456,789.25",
            ])
        #expect(lines(rows, width: 20).last == "Bar…  123,456,789.25")
        #expect(lines(rows, width: nil).last?.contains("something rather long") == true)
    }

    @Test func `glyphs have twins in a plain locale`() {
        let rows = [Row(name: String(repeating: "x", count: 60), note: "", amount: "1")]
        let line = lines(rows, width: 30, isUTF8: false)[1]
        #expect(line.contains("xxx...") && line.utf8.allSatisfy { $0 < 0x80 })
        #expect(Glyphs(isUTF8: false).adapt("■▼▲□· ▁▇█ Łukasz") == "#-+o. 178 Łukasz")
    }

    @Test(.seeded) func `random text never puts a table out of line and never reaches the terminal raw`() {
        var generator = SeededGenerator()
        for _ in 0..<300 {
            let rows = (0..<5).map { _ in
                Row(
                    name: text(&generator), note: text(&generator),
                    amount: String(Int.random(in: -99...99, using: &generator)))
            }
            let width = Int.random(in: 24...100, using: &generator)
            let all = lines(rows, width: width)
            let end = DisplayWidth.of(all[0])
            for line in all {
                #expect(DisplayWidth.of(line) == end && end <= width)
                #expect(line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
            }
        }
    }

    private func text(_ generator: inout SeededGenerator) -> String {
        let ranges: [ClosedRange<UInt32>] = [
            0...0x7F, 0x20...0x7E, 0x80...0x24F, 0x300...0x36F, 0x4E00...0x4EFF, 0x1F300...0x1F64F,
        ]
        var text = "x"
        for _ in 0..<Int.random(in: 0...30, using: &generator) {
            let range = ranges[Int.random(in: 0..<ranges.count, using: &generator)]
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
