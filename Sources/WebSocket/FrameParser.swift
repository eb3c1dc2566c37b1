/// The kinds of frames (RFC 6455 §5.2).
enum Opcode: UInt8, Sendable {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    var isControl: Bool { rawValue >= 8 }
}

/// Cuts a byte stream into frames. Payloads of data frames are handed on as they come, unmasked; those of control frames, which
/// are short, as a whole.
struct FrameParser: Sendable {
    enum Event {
        /// A data frame begins.
        case begin(Opcode, length: Int)
        case payload([UInt8])
        /// The data frame is over.
        case end(isFinal: Bool)
        case ping([UInt8])
        case pong([UInt8])
        case close([UInt8])
    }

    private struct Frame {
        let opcode: Opcode
        let isFinal: Bool
        let mask: [UInt8]
        var left: Int
        /// The number of payload bytes received.
        var offset = 0
        /// The payload of a control frame so far.
        var control: [UInt8] = []
    }

    private let expectsMask: Bool
    private var header: [UInt8] = []
    private var frame: Frame?

    init(expectsMask: Bool) { self.expectsMask = expectsMask }

    /// Parses bytes; `body` gets each event and says whether to go on.
    mutating func parse(
        _ bytes: ArraySlice<UInt8>, _ messageSize: Int,
        _ body: (Event) throws(WebSocketCloseCode) -> Bool
    ) throws(WebSocketCloseCode) {
        var rest = bytes
        while true {
            if var current = frame {
                let piece = unmasked(rest.prefix(current.left), current)
                rest = rest.dropFirst(piece.count)
                current.left -= piece.count
                current.offset += piece.count
                if current.opcode.isControl { current.control += piece }
                frame = current
                if !current.opcode.isControl, !piece.isEmpty {
                    guard try body(.payload(piece)) else { return }
                }
                guard current.left == 0 else { return }
                frame = nil
                guard try body(end(of: current)) else { return }
            }
            while frame == nil, let byte = rest.popFirst() {
                header.append(byte)
                frame = try readHeader()
            }
            guard let begun = frame else { return }
            if !begun.opcode.isControl { guard try body(.begin(begun.opcode, length: begun.left)) else { return } }
        }
    }

    private func end(of frame: Frame) -> Event {
        switch frame.opcode {
        case .close: .close(frame.control)
        case .ping: .ping(frame.control)
        case .pong: .pong(frame.control)
        case .continuation, .text, .binary: .end(isFinal: frame.isFinal)
        }
    }

    private func unmasked(_ bytes: ArraySlice<UInt8>, _ frame: Frame) -> [UInt8] {
        guard !frame.mask.isEmpty else { return Array(bytes) }
        var offset = frame.offset
        return bytes.map {
            defer { offset += 1 }
            return $0 ^ frame.mask[offset & 3]
        }
    }

    /// Returns the frame once its header is complete; nil while bytes are missing. Errors are thrown as soon as they
    /// are detected.
    private mutating func readHeader() throws(WebSocketCloseCode) -> Frame? {
        guard let opcode = Opcode(rawValue: header[0] & 0x0F), header[0] & 0x70 == 0 else { throw .protocolError }
        let isFinal = header[0] & 0x80 != 0
        guard isFinal || !opcode.isControl else { throw .protocolError }
        guard header.count >= 2 else { return nil }
        let (isMasked, short) = (header[1] & 0x80 != 0, Int(header[1] & 0x7F))
        guard isMasked == expectsMask, short < 126 || !opcode.isControl else { throw .protocolError }
        let lengthSize = short == 126 ? 2 : short == 127 ? 8 : 0
        guard header.count >= 2 + lengthSize else { return nil }
        var length = short
        if lengthSize > 0 {
            guard lengthSize == 2 || header[2] < 0x80 else { throw .protocolError }
            length = header[2..<2 + lengthSize].reduce(0) { $0 << 8 | Int($1) }
            // The shortest form that holds it must be used.
            guard length > (lengthSize == 2 ? 125 : 65535) else { throw .protocolError }
        }
        guard header.count == 2 + lengthSize + (isMasked ? 4 : 0) else { return nil }
        let mask = isMasked ? Array(header.suffix(4)) : []
        header.removeAll(keepingCapacity: true)
        return Frame(opcode: opcode, isFinal: isFinal, mask: mask, left: length)
    }
}
