import CivilDate
import ICalendar
import TestSupport
import Testing

struct HostileCalendarTests {
    private func failure(_ bytes: [UInt8], limits: ICalLimits = ICalLimits()) -> ICalError? {
        do throws(ICalError) {
            _ = try ICalReader.read(bytes, limits: limits)
            return nil
        } catch {
            return error
        }
    }

    private func failure(_ text: String, limits: ICalLimits = ICalLimits()) -> ICalError? {
        failure(Array(text.utf8), limits: limits)
    }

    @Test func `what is no calendar is refused with its line`() {
        #expect(failure("") == .empty)
        #expect(failure("\r\n \r\n") == .empty)
        #expect(failure("garbage") == .outside(line: 1))
        #expect(failure("END:VTODO") == .outside(line: 1))
        #expect(failure("BEGIN:VTODO\nA:1\n") == .unbalanced(line: 1, name: "VTODO"))
        #expect(failure("BEGIN:A\nBEGIN:B\nEND:A\nEND:B\n") == .unbalanced(line: 2, name: "B"))
        #expect(failure("BEGIN:A\nEND:A\nX:1\n") == .outside(line: 3))
        #expect(failure(Array("BEGIN:A\nX:".utf8) + [0] + Array("\nEND:A".utf8)) == .notText(line: 2))
        #expect(failure(Array("BEGIN:A\nX:".utf8) + [0xFF] + Array("\nEND:A".utf8)) == .notText(line: 2))
        #expect(failure([UInt8](repeating: 0, count: 1000)) == .notText(line: 1))
    }

    @Test func `size, depth and numbers are bounded`() {
        let limits = ICalLimits(bytes: 100_000, lineBytes: 100, depth: 3, components: 5, properties: 5)
        #expect(failure([UInt8](repeating: 0x41, count: 100 << 20)) == .tooLarge(limit: 64 << 20))
        #expect(failure(String(repeating: "A", count: 101), limits: limits) == .lineTooLong(line: 1, limit: 100))
        let folded = "BEGIN:A\nX:" + String(repeating: "aaaaaaaaa\n ", count: 12)
        #expect(failure(folded, limits: limits) == .lineTooLong(line: 2, limit: 100))
        #expect(failure(String(repeating: "BEGIN:A\n", count: 4), limits: limits) == .tooDeep(line: 4, limit: 3))
        let flat = String(repeating: "BEGIN:A\nEND:A\n", count: 6)
        #expect(failure(flat, limits: limits) == .tooMany(line: 11, limit: 5))
        #expect(
            failure("BEGIN:A\n" + String(repeating: "X:1\n", count: 6), limits: limits) == .tooMany(line: 7, limit: 5))
        #expect(failure(String(repeating: "BEGIN:VTODO\n", count: 100_000)) == .tooDeep(line: 17, limit: 16))
    }

    @Test func `no change of a byte crashes the reader, and what is read is written alike`() throws {
        let text = """
            BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:1\r\nSUMMARY;X=\"a:b\";Y=c:żółw\\n\r\n 2\r\nRRULE:FREQ=DAILY\r
            END:VTODO\r\nEND:VCALENDAR\r\n
            """
        var generator = SeededGenerator(seed: 7)
        var wereRead = 0
        for _ in 0..<4000 {
            var bytes = Array(text.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: bytes.indices, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: index)
                case 2: bytes.insert(Array("\r\n :;,=\"\\".utf8).randomElement(using: &generator) ?? 0x0A, at: index)
                default: bytes.removeSubrange(index...)
                }
                if bytes.isEmpty { bytes = [0x0A] }
            }
            guard let roots = try? ICalReader.read(bytes) else { continue }
            wereRead += 1
            let written = roots.flatMap(ICalWriter.write)
            let again = try ICalReader.read(written)
            #expect(again.flatMap(ICalWriter.write) == written)
        }
        #expect(wereRead > 300)
    }
}
