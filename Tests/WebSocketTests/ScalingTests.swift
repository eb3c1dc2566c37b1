import TestSupport
import Testing
import WebSocket

/// No stream costs more than its length, however it is cut into frames and pieces.
struct ScalingTests {
    private static let wire = Wire(role: .server)

    @Test(
        arguments: [
            ("texts", wire.text("é")), ("empty texts", wire.text("")), ("pings", wire.frame(9)),
            ("pongs", wire.frame(10, [1])), ("fragments", wire.frame(0, [0x61], isFinal: false)),
            ("empty fragments", wire.frame(0, isFinal: false)),
            ("text and ping", wire.text("a", isFinal: false) + wire.frame(9) + wire.frame(0, [0x62])),
        ], [1, 1 << 20])
    func `many frames`(frame: (name: String, bytes: [UInt8]), piece: Int) {
        Scaling.expectLinear("\(frame.name) in pieces of \(piece)", size: 333) { count in
            let isFragment = frame.name.contains("fragments")
            return (isFragment ? Self.wire.text("a", isFinal: false) : [])
                + [[UInt8]](repeating: frame.bytes, count: count).joined()
        } _: { stream in
            var connection = Self.wire.connection()
            for start in stride(from: 0, to: stream.count, by: piece) {
                _ = connection.receive(stream[start..<min(start + piece, stream.count)])
            }
        }
    }

    @Test(arguments: [1, 1 << 20])
    func `a long message`(piece: Int) {
        Scaling.expectLinear("a message in pieces of \(piece)", size: 2666) { count in
            Self.wire.text(String(repeating: "é", count: count))
        } _: { stream in
            var connection = Self.wire.connection()
            for start in stride(from: 0, to: stream.count, by: piece) {
                _ = connection.receive(stream[start..<min(start + piece, stream.count)])
            }
        }
    }
}
