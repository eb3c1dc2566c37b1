import Glibc
import Testing
import Text

@Suite struct DisplayWidthTests {
    @Test(arguments: [
        ("", 0), ("Ada", 3), ("Łukasz", 6), ("e\u{301}", 1), ("日本語", 6), ("ｈｕｂ", 6), ("한글", 4),
        ("\u{1112}\u{1161}\u{11AB}", 2), ("👍", 2), ("👍🏽", 2), ("👨‍👩‍👧‍👦", 2), ("🇵🇱", 2), ("❤️", 2), ("1️⃣", 2), ("©", 1),
        ("a\u{200B}b", 2), ("\u{AD}", 0), ("שלום", 4), ("नमस्ते", 4), ("■▼▲□·", 5), ("▇▆▅", 3), ("\u{1B}[1m", 3), ("│", 1),
    ])
    func `text is measured as a terminal shows it`(text: String, width: Int) {
        #expect(DisplayWidth.of(text) == width, "\(text.unicodeScalars.map(\.value))")
    }

    @Test func `a text is as wide as its characters, whatever stands beside each`() {
        let scalars: [UInt32] = [
            0x1F, 0x20, 0x41, 0x7E, 0x7F, 0x80, 0x9F, 0xA0, 0xAD, 0xAE, 0xFF, 0x2FF, 0x300, 0x36F, 0x370, 0x5D0, 0x2014,
            0x24FF,
            0x2500, 0x25BF, 0x25C0, 0x25F7, 0x25F8, 0x25FD, 0x2600, 0xFE0F, 0x200D, 0x4E00, 0xAC00, 0xFEFF, 0x1F44D,
        ]
        for first in scalars {
            for second in scalars {
                for count in [0, 1, 7, 8, 9] {
                    let text = scalarText([first] + Array(repeating: 0x78, count: count) + [second])
                    let expected = text.reduce(0) { $0 + DisplayWidth.of($1) }
                    #expect(DisplayWidth.of(text) == expected, "\(first) \(second) \(count)")
                }
            }
        }
    }

    @Test func `single characters are as wide as the C library says`() throws {
        let utf8 = try #require(newlocale(LC_CTYPE_MASK, "C.UTF-8", nil))
        let previous = uselocale(utf8)
        defer {
            uselocale(previous)
            freelocale(utf8)
        }
        // The header hides it with a feature macro.
        let symbol = try #require(dlsym(nil, "wcwidth"))
        let wcwidth = unsafeBitCast(symbol, to: (@convention(c) (wchar_t) -> Int32).self)
        var differing: [String] = []
        for value in UInt32(0x20)...0x1FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let theirs = wcwidth(wchar_t(value))
            let category = scalar.properties.generalCategory
            guard theirs >= 0, category != .unassigned, category != .privateUse, category != .format else { continue }
            let ours = DisplayWidth.of(String(scalar))
            if ours != Int(theirs) { differing.append("\(String(value, radix: 16)):\(ours)/\(theirs)") }
        }
        // A mark or two changed its category between versions of Unicode.
        #expect(differing.count < 4, Comment(rawValue: differing.joined(separator: " ")))
    }

    @Test(arguments: [("", "    "), ("ab", "ab  "), ("日", "日  "), ("e\u{301}", "e\u{301}   "), ("abcde", "abcde")])
    func `a text is filled with spaces to a number of columns`(text: String, padded: String) {
        #expect(text.padded(to: 4) == padded)
        #expect(DisplayWidth.of(text.leftPadded(to: 4)) == DisplayWidth.of(padded))
        #expect(text.leftPadded(to: 4).hasSuffix(text) && text.padded(to: -1) == text)
    }

    @Test func `names are listed in one order, and the rest is counted`() {
        #expect(NameList.line(["b", "a"]) == "a, b")
        #expect(NameList.line(["c", "b", "a"], limit: 2) == "a, b and 1 more")
        #expect(NameList.line([]) == "")
    }
}

/// The text of these scalars.
func scalarText(_ values: [UInt32]) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: values.compactMap(Unicode.Scalar.init))
    return String(text)
}
