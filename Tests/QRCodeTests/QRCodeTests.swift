import QRCode
import Testing

struct QRCodeTests {
    @Test func `a code has the size of its version and the marks in three corners`() throws {
        let code = try QRCode(Array("hello".utf8))
        #expect(code.size == 21)
        for (x, y) in [(0, 0), (14, 0), (0, 14)] {
            for step in 0..<7 {
                #expect(code.isDark(x + step, y) && code.isDark(x + step, y + 6))
                #expect(code.isDark(x, y + step) && code.isDark(x + 6, y + step))
            }
            #expect(!code.isDark(x + 1, y + 1) && code.isDark(x + 3, y + 3))
        }
        #expect(!code.isDark(-1, 0) && !code.isDark(0, 21))
    }

    @Test func `it holds 2,953 bytes and not one more`() throws {
        #expect(try QRCode([UInt8](repeating: 0xC3, count: QRCode.maximumLength)).size == 177)
        #expect(throws: QRCode.Failure.length(2954)) { try QRCode([UInt8](repeating: 0xC3, count: 2954)) }
        #expect(throws: QRCode.Failure.length(0)) { try QRCode([]) }
    }

    @Test func `text that is not ASCII says that it is UTF-8, where there is room`() throws {
        let text = String(repeating: "ü", count: 1475)
        #expect(try QRCode(Array(text.utf8)).size == 177)
        #expect(try QRCode(Array("ü\(text)x".utf8)).size == 177)
        // Of equal length, but no text.
        #expect(try QRCode(Array("üü".utf8)) != QRCode([0xC3, 0xBC, 0xC3, 0xBC].reversed()))
    }

    @Test func `half blocks and ASCII draw the same modules`() throws {
        let code = try QRCode(Array("BEGIN:VCARD".utf8))
        let side = code.size + 2 * QRCode.margin
        #expect(code.ascii.count == side)
        #expect(code.ascii.allSatisfy { $0.count == side * 2 })
        #expect(code.halfBlocks.count == (side + 1) / 2)
        for (row, line) in code.halfBlocks.enumerated() {
            for (column, letter) in line.enumerated() {
                let (x, y) = (column - QRCode.margin, row * 2 - QRCode.margin)
                #expect((letter == " " || letter == "▄") == code.isDark(x, y))
                #expect((letter == " " || letter == "▀") == code.isDark(x, y + 1))
            }
        }
    }

    @Test func `pictures have the right size`() throws {
        let code = try QRCode(Array("hello".utf8))
        let png = code.png(scale: 2)
        #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        #expect(png[16..<24].elementsEqual([0, 0, 0, 58, 0, 0, 0, 58]))
        #expect(code.svg.contains("viewBox=\"0 0 29 29\""))
    }
}
