import JSON
import TestSupport
import Testing

@testable import MarketFormats

struct FieldValueTests {
    @Test func `a number of a chart is that of the standard library, wherever its point is`() throws {
        var random = SeededGenerator(seed: 11)
        func digits(_ count: ClosedRange<Int>) -> String {
            (0..<Int.random(in: count, using: &random)).map { _ in String(Int.random(in: 0...9, using: &random)) }
                .joined()
        }
        for round in 0..<1000 {
            let whole = Bool.random(using: &random) ? "0" : "\(Int.random(in: 1...9, using: &random))\(digits(0...20))"
            let sign = round % 3 == 0 ? "-" : ""
            let fraction = round % 4 == 0 ? "" : ".\(digits(1...24))"
            let exponent = round % 50 == 0 ? "e-\(round % 30)" : ""
            let text = sign + whole + fraction + exponent
            // Other bytes at once behind the number, and much or little of them, as it is read in words.
            let body = Array((round % 2 == 0 ? "[\(text)]" : "[\(text),1234567890.1234567890]").utf8)
            let found = try JSONCursor.read(body) { cursor throws(JSONCursor.Problem) in
                try cursor.beginArray()
                _ = try cursor.nextElement()
                let found = try cursor.doubleOrNil()
                while try cursor.nextElement() { try cursor.skip() }
                return found
            }
            let exact = try #require(Double(text))
            let distance = abs(try #require(found) - exact)
            #expect(distance <= 2 * exact.ulp, "\(text)")
            if text.filter(\.isNumber).count <= 15, exponent.isEmpty { #expect(distance == 0, "\(text)") }
        }
    }
}
