import DNS
import TestSupport
import Testing

struct ScalingTests {
    /// A message is at most 64 KiB long.
    private static func message(_ count: Int, _ record: (Int) -> [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = [0, 1, 0x81, 0x80, 0, 0, UInt8(count >> 8), UInt8(count & 255), 0, 0, 0, 0]
        for _ in 0..<count { bytes += record(bytes.count) }
        return bytes
    }

    @Test func `a message of many records`() {
        Scaling.expectLinear("text", size: 100) { count in
            Self.message(count) { _ in [0, 0, 16, 0, 1, 0, 0, 0, 1, 0, 4, 3, 97, 98, 99] }
        } _: {
            _ = DNSMessage($0)
        }
    }

    @Test func `a message of names that lead from one to the other`() {
        Scaling.expectLinear("pointers", size: 40) { count in
            // Each record's name is a pointer to the name of the record before it.
            var last = 0
            return Self.message(count) { place in
                defer { last = place }
                let name: [UInt8] = last == 0 ? [0] : [0xC0 | UInt8(last >> 8), UInt8(last & 255)]
                return name + [0, 1, 0, 1, 0, 0, 0, 1, 0, 0]
            }
        } _: {
            _ = DNSMessage($0)
        }
    }
}
