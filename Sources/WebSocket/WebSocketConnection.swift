/// One end of a WebSocket (RFC 6455) after its handshake: bytes in, actions out. It does no I/O and keeps no clock; the
/// owner of the byte stream carries the actions out in order, and ends the stream after `.closed`.
///
/// Text is checked as it arrives, so a message that cannot become valid is refused before its end. What is kept is bounded by
/// `Limits`; a message of any number of pieces costs time linear in its bytes.
package struct WebSocketConnection: Sendable {
    /// The side of the connection, which decides about masking (RFC 6455 §5.3).
    package enum Role: Sendable {
        /// Expects masked frames and sends unmasked ones.
        case server
        /// Sends masked frames and expects unmasked ones.
        case client
    }

    /// The limits for the peer.
    package struct Limits: Sendable {
        /// The largest message, in bytes.
        package var messageSize: Int
        /// The most frames that one message may come in.
        package var fragmentCount: Int

        package init(messageSize: Int = 1 << 20, fragmentCount: Int = 4096) {
            self.messageSize = messageSize
            self.fragmentCount = fragmentCount
        }
    }

    /// A complete data message.
    package enum Message: Hashable, Sendable {
        case text(String)
        case binary([UInt8])
    }

    /// Messages for many clients of a server: their frames are made once for all.
    package struct Broadcast: Sendable {
        /// The messages, in their order.
        package let messages: [Message]
        /// What a server sends to each of them.
        package let frames: [UInt8]

        /// Makes the frames of messages.
        package init(_ messages: [Message]) {
            self.messages = messages
            frames = messages.reduce(into: []) { frames, message in
                let (opcode, payload) = message.content
                WebSocketConnection.begin(opcode, payload.count, isMasked: false, in: &frames)
                frames += payload
            }
        }
    }

    /// The action that the owner of the connection has to take.
    package enum Action: Hashable, Sendable {
        /// A whole message has come.
        case deliver(Message)
        /// These bytes are to be sent.
        case send([UInt8])
        /// The other end answered a ping, or sent a pong unasked.
        case pong([UInt8])
        /// It is over. Nothing more is read or sent; a server ends the stream, a client waits for its end first.
        case closed(WebSocketCloseCode, reason: String)
    }

    private enum State {
        case open
        /// A close frame was sent and its answer is awaited.
        case closing
        case closed
    }

    private let role: Role
    private let limits: Limits
    private var masks: any RandomNumberGenerator & Sendable
    private var state = State.open
    private var frames: FrameParser
    /// The message whose frames are coming in.
    private var message: PartialMessage?

    private struct PartialMessage {
        let isText: Bool
        var bytes: [UInt8] = []
        var fragmentCount = 0
        var validator = UTF8Validator()
    }

    /// `masks` makes a client's masking keys; they must not be predictable (§10.3).
    package init(
        role: Role, limits: Limits = Limits(),
        masks: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.role = role
        self.limits = limits
        self.masks = masks
        frames = FrameParser(expectsMask: role == .server)
    }

    /// Whether messages can be sent.
    package var isOpen: Bool { state == .open }

    // MARK: Receiving

    /// Takes in what came from the other end, in pieces of any size.
    package mutating func receive(_ bytes: some Collection<UInt8>) -> [Action] { receive(Array(bytes)[...]) }

    private mutating func receive(_ bytes: ArraySlice<UInt8>) -> [Action] {
        var actions: [Action] = []
        guard state != .closed else { return actions }
        var parser = frames
        defer { frames = parser }
        do throws(WebSocketCloseCode) {
            try parser.parse(bytes, limits.messageSize) { event throws(WebSocketCloseCode) in
                try self.handle(event, &actions)
                return self.state != .closed
            }
        } catch {
            fail(error, &actions)
        }
        return actions
    }

    /// Says that the byte stream ended, by whichever side.
    package mutating func streamEnded() -> [Action] {
        guard state != .closed else { return [] }
        state = .closed
        return [.closed(.abnormal, reason: "")]
    }

    private mutating func handle(_ event: FrameParser.Event, _ actions: inout [Action]) throws(WebSocketCloseCode) {
        switch event {
        case .begin(let opcode, let length): try begin(opcode, length)
        case .payload(let bytes): try append(bytes)
        case .end(let isFinal): if isFinal { try finish(&actions) }
        case .ping(let payload): if state == .open { actions.append(.send(frame(.pong, payload))) }
        case .pong(let payload): actions.append(.pong(payload))
        case .close(let payload): try receiveClose(payload, &actions)
        }
    }

    private mutating func begin(_ opcode: Opcode, _ length: Int) throws(WebSocketCloseCode) {
        switch (opcode, message) {
        case (.continuation, nil), (.text, .some), (.binary, .some): throw .protocolError
        case (.continuation, _): break
        case (let opcode, _): message = PartialMessage(isText: opcode == .text)
        }
        message?.fragmentCount += 1
        guard let message, message.fragmentCount <= limits.fragmentCount,
            length <= limits.messageSize - message.bytes.count
        else { throw .messageTooBig }
    }

    private mutating func append(_ bytes: [UInt8]) throws(WebSocketCloseCode) {
        guard message?.isText != true || message?.validator.accept(bytes) != false else { throw .invalidData }
        message?.bytes += bytes
    }

    private mutating func finish(_ actions: inout [Action]) throws(WebSocketCloseCode) {
        guard let message else { return }
        self.message = nil
        guard message.isText else {
            actions.append(.deliver(.binary(message.bytes)))
            return
        }
        guard message.validator.isComplete else { throw .invalidData }
        actions.append(.deliver(.text(String(decoding: message.bytes, as: UTF8.self))))
    }

    private mutating func receiveClose(_ payload: [UInt8], _ actions: inout [Action]) throws(WebSocketCloseCode) {
        var (code, reason) = (WebSocketCloseCode.noStatus, "")
        if !payload.isEmpty {
            guard payload.count >= 2 else { throw .protocolError }
            code = WebSocketCloseCode(UInt16(payload[0]) << 8 | UInt16(payload[1]))
            guard code.isValidOnWire else { throw .protocolError }
            guard let text = String(validating: payload[2...], as: UTF8.self) else { throw .invalidData }
            reason = text
        }
        if state == .open { actions.append(.send(frame(.close, Array(payload.prefix(2))))) }
        state = .closed
        actions.append(.closed(code, reason: reason))
    }

    private mutating func fail(_ code: WebSocketCloseCode, _ actions: inout [Action]) {
        if state == .open { actions.append(.send(frame(.close, code.bytes))) }
        state = .closed
        message = nil
        actions.append(.closed(code, reason: ""))
    }

    // MARK: Sending

    /// The bytes of a message; nil when the connection is closing or closed.
    package mutating func send(_ message: Message) -> [UInt8]? {
        guard state == .open else { return nil }
        let (opcode, payload) = message.content
        return frame(opcode, payload)
    }

    /// The bytes of a ping with at most 125 bytes, which the other end sends back; nil when the connection is closing or
    /// closed.
    package mutating func ping(_ payload: [UInt8] = []) -> [UInt8]? {
        state == .open ? frame(.ping, Array(payload.prefix(125))) : nil
    }

    /// The bytes that begin the closing handshake; nil when it has begun. A reason of more than 123 bytes is cut.
    package mutating func close(_ code: WebSocketCloseCode = .normal, reason: String = "") -> [UInt8]? {
        guard state == .open else { return nil }
        state = .closing
        guard code.isValidOnWire else { return frame(.close, []) }
        var text = ""
        for scalar in reason.unicodeScalars where text.utf8.count + UTF8.width(scalar) <= 123 {
            text.unicodeScalars.append(scalar)
        }
        return frame(.close, code.bytes + text.utf8)
    }

    private mutating func frame(_ opcode: Opcode, _ payload: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        Self.begin(opcode, payload.count, isMasked: role == .client, in: &bytes)
        guard role == .client else { return bytes + payload }
        let mask = UInt32.random(in: 0 ... .max, using: &masks)
        let key = (0..<4).map { UInt8(mask >> (24 - 8 * $0) & 0xFF) }
        bytes += key
        bytes.reserveCapacity(bytes.count + payload.count)
        for (index, byte) in payload.enumerated() { bytes.append(byte ^ key[index & 3]) }
        return bytes
    }

    /// Appends the first bytes of a frame, up to its mask.
    private static func begin(_ opcode: Opcode, _ count: Int, isMasked: Bool, in bytes: inout [UInt8]) {
        bytes.append(0x80 | opcode.rawValue)
        let maskBit: UInt8 = isMasked ? 0x80 : 0
        switch count {
        case ..<126: bytes.append(maskBit | UInt8(count))
        case ..<65536: bytes += [maskBit | 126, UInt8(count >> 8), UInt8(count & 0xFF)]
        default:
            bytes.append(maskBit | 127)
            for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(count >> shift & 0xFF)) }
        }
    }
}

extension WebSocketConnection.Message {
    fileprivate var content: (opcode: Opcode, payload: [UInt8]) {
        switch self {
        case .text(let text): (.text, Array(text.utf8))
        case .binary(let bytes): (.binary, bytes)
        }
    }
}

extension UTF8 {
    fileprivate static func width(_ scalar: Unicode.Scalar) -> Int { UTF8.encode(scalar)?.count ?? 0 }
}
