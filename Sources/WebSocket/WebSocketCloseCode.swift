/// The reason for closing a connection (RFC 6455 §7.4).
package struct WebSocketCloseCode: Error, Hashable, Sendable {
    /// The status code of a close frame (RFC 6455 §7.4).
    package let rawValue: UInt16

    package init(_ rawValue: UInt16) { self.rawValue = rawValue }

    /// 1000: the purpose of the connection is fulfilled.
    package static let normal = WebSocketCloseCode(1000)
    /// 1001: an endpoint is shutting down.
    package static let goingAway = WebSocketCloseCode(1001)
    /// 1002: a frame violated the protocol.
    package static let protocolError = WebSocketCloseCode(1002)
    /// The close frame had none; never sent.
    package static let noStatus = WebSocketCloseCode(1005)
    /// The stream ended without a close frame; never sent.
    package static let abnormal = WebSocketCloseCode(1006)
    /// Text that is not UTF-8.
    package static let invalidData = WebSocketCloseCode(1007)
    /// 1008: a message violated a policy of the endpoint.
    package static let policyViolation = WebSocketCloseCode(1008)
    /// 1009: a message was larger than the limit.
    package static let messageTooBig = WebSocketCloseCode(1009)
    /// 1011: the server met an unexpected condition.
    package static let internalError = WebSocketCloseCode(1011)
    /// 1013: the server is overloaded (IANA registry).
    package static let tryAgainLater = WebSocketCloseCode(1013)

    /// Whether a close frame may carry it: the registered codes, and those for libraries and private use.
    package var isValidOnWire: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    var bytes: [UInt8] { [UInt8(rawValue >> 8), UInt8(rawValue & 0xFF)] }
}
