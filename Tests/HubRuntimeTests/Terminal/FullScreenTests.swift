import Commands
import TestSupport
import Testing

@testable import HubRuntime

/// The parts of a full screen that are values.
struct FullScreenTests {
    private func painter(_ columns: Int = 20, _ rows: Int = 3) -> ScreenPainter {
        ScreenPainter(
            size: ScreenSize(columns: columns, rows: rows), palette: Palette(isColored: false),
            glyphs: Glyphs(isUTF8: true))
    }

    private func frame(_ lines: String...) -> ScreenFrame { ScreenFrame(lines: lines.map { [.init($0)] }) }

    @Test func `only cells that differ are drawn`() {
        var painter = painter()
        #expect(String(decoding: painter.paint(frame("price 91,203.50")), as: UTF8.self).contains("price"))
        #expect(painter.paint(frame("price 91,203.50")) == [])
        #expect(
            String(decoding: painter.paint(frame("price 91,204.10")), as: UTF8.self) == "\u{1B}[1;12H4\u{1B}[1;14H1")
        // A line that is gone is blanked.
        #expect(String(decoding: painter.paint(frame("price")), as: UTF8.self) == "\u{1B}[1;7H         ")
    }

    @Test func `a screen of another size is drawn anew, and no line is longer than it`() {
        var painter = painter()
        _ = painter.paint(frame("one", "two", "three", "four"))
        painter.resize(ScreenSize(columns: 4, rows: 2))
        let text = String(decoding: painter.paint(frame("一二三", "abcdef")), as: UTF8.self)
        #expect(text == "\u{1B}[0m\u{1B}[2J\u{1B}[1;1H一二\u{1B}[2;1Habcd")
    }

    @Test func `control characters of data are shown as escapes`() {
        var painter = painter(40)
        let text = String(decoding: painter.paint(frame("\u{1B}]0;owned\u{7}x")), as: UTF8.self)
        #expect(!text.dropFirst(8).contains("\u{1B}]") && text.contains("\\e]0;owned"))
    }

    /// A terminal that obeys what is drawn shows the frame, whichever frames came before.
    @Test func `what is drawn adds up to the frame`() {
        var random = SeededGenerator(seed: 3)
        let letters = Array("ab 一é…")
        var painter = painter(12, 4)
        var screen = Array(repeating: Array(repeating: " ", count: 12), count: 4)
        for _ in 0..<300 {
            let lines = (0..<4).map { _ in
                String(
                    (0..<Int.random(in: 0...9, using: &random)).compactMap { _ in letters.randomElement(using: &random)
                    })
            }
            let bytes = painter.paint(ScreenFrame(lines: lines.map { [.init($0)] }))
            Self.obey(String(decoding: bytes, as: UTF8.self), &screen)
            for (row, line) in lines.enumerated() {
                var expected: [String] = []
                for character in line where expected.count + DisplayWidth.of(character) <= 12 {
                    expected.append(String(character))
                    if DisplayWidth.of(character) == 2 { expected.append("") }
                }
                expected += Array(repeating: " ", count: 12 - expected.count)
                #expect(screen[row] == expected)
            }
        }
    }

    private static func obey(_ text: String, _ screen: inout [[String]]) {
        var (row, column) = (0, 0)
        var rest = text[...]
        while let character = rest.popFirst() {
            guard character == "\u{1B}" else {
                let width = DisplayWidth.of(character)
                // Writing over one half of a wide character takes the other half away.
                if screen[row][column].isEmpty, column > 0 { screen[row][column - 1] = " " }
                screen[row][column] = String(character)
                if width == 2 {
                    screen[row][column + 1] = ""
                    if column + 2 < screen[row].count, screen[row][column + 2].isEmpty { screen[row][column + 2] = " " }
                } else if column + 1 < screen[row].count, screen[row][column + 1].isEmpty {
                    screen[row][column + 1] = " "
                }
                column += width
                continue
            }
            let sequence = rest.prefix { !$0.isLetter }
            rest = rest.dropFirst(sequence.count)
            let numbers = sequence.dropFirst().split(separator: ";").compactMap { Int($0) }
            switch rest.popFirst() {
            case "H": (row, column) = (numbers[0] - 1, numbers[1] - 1)
            case "J": screen = screen.map { $0.map { _ in " " } }
            default: break
            }
        }
    }

    @Test func `keys come as bytes, in any pieces`() {
        let text = "a\u{1B}[A\u{1B}[6~é\r\u{3}\u{1B}OH\u{7F}"
        let keys: [ScreenKey] = [
            .character("a"), .up, .pageDown, .character("é"), .enter, .interrupt, .home, .backspace,
        ]
        var whole = ScreenKeyParser()
        #expect(whole.feed(Array(text.utf8)) == keys)
        var escape = ScreenKeyParser()
        #expect(escape.feed([0x1B]) == [.escape])
        var pieces = ScreenKeyParser()
        var found: [ScreenKey] = []
        // A lone escape would be a key, so its sequence stays together.
        for piece in ["a", "\u{1B}[", "A", "\u{1B}[6", "~"] { found += pieces.feed(Array(piece.utf8)) }
        for byte in "é\r".utf8 { found += pieces.feed([byte]) }
        #expect(found == [.character("a"), .up, .pageDown, .character("é"), .enter])
        var unknown = ScreenKeyParser()
        #expect(unknown.feed(Array("\u{1B}[99;99Zx".utf8)) == [.character("x")])
    }
}
