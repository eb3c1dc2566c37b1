import DNS
import TestSupport
import Testing

struct DNSMessageTests {
    /// An answer to a question for `_carddavs._tcp.a.org`, with its name as a pointer in each record.
    private static func message(_ records: [(type: UInt8, data: [UInt8])]) -> [UInt8] {
        var bytes: [UInt8] = [0, 1, 0x81, 0x80, 0, 1, 0, UInt8(records.count), 0, 0, 0, 0]
        bytes += name(["_carddavs", "_tcp", "a", "org"]) + [0, 33, 0, 1]
        for record in records {
            bytes += [0xC0, 12, 0, record.type, 0, 1, 0, 0, 0, 60, 0, UInt8(record.data.count)] + record.data
        }
        return bytes
    }

    private static func name(_ labels: [String]) -> [UInt8] {
        labels.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
    }

    @Test func `services and texts are read`() throws {
        let service = [0, 10, 0, 5, 0x01, 0xBB] + DNSMessageTests.name(["dav", "a", "org"])
        let text = [UInt8(6)] + Array("path=/".utf8) + [3] + Array("x=y".utf8)
        let message = try #require(
            DNSMessage(DNSMessageTests.message([(33, service), (16, text), (1, [127, 0, 0, 1])])))
        #expect(
            message.answers == [
                .service(ServiceRecord(priority: 10, weight: 5, port: 443, target: "dav.a.org")),
                .text(["path=/", "x=y"]),
            ])
    }

    @Test func `a pointer that leads forwards or to itself is refused`() {
        for target: UInt8 in [200, 49, 57] {
            let service: [UInt8] = [0, 10, 0, 5, 0x01, 0xBB, 0xC0, target]
            let bytes = DNSMessageTests.message([(33, service)])
            // The name of the record's data begins at 12 + 22 + 4 + 12 + 6.
            if Int(target) >= bytes.count - 2 { #expect(DNSMessage(bytes) == nil) }
        }
        #expect(DNSMessage(DNSMessageTests.message([(33, [0, 1, 0, 1, 0, 1, 0xC0, 0xFF])])) == nil)
    }

    @Test func `servers are tried by priority, then weight`() {
        let records = [(20, 0, "c"), (10, 1, "b"), (10, 9, "a")].map {
            ServiceRecord(priority: $0.0, weight: $0.1, port: 443, target: $0.2)
        }
        #expect(ServiceRecord.inOrder(records).map(\.target) == ["a", "b", "c"])
    }

    @Test func `any bytes give a message or nothing`() {
        var random = SeededGenerator(seed: 7)
        let service = [0, 10, 0, 5, 0x01, 0xBB] + DNSMessageTests.name(["dav", "a", "org"])
        let seed = DNSMessageTests.message([(33, service), (16, [3, 1, 2, 3]), (33, service)])
        var sound = 0
        for _ in 0..<20_000 {
            var bytes = Array(seed.prefix(Int.random(in: 0...seed.count, using: &random)))
            for _ in 0..<Int.random(in: 0...4, using: &random) where !bytes.isEmpty {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if let message = DNSMessage(bytes) { sound += message.answers.count <= 255 ? 1 : 0 }
        }
        #expect(sound > 0)
    }
}
