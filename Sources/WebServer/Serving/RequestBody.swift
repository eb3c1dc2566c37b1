import Synchronization

/// A request's body while it arrives.
///
/// A body that is too large is read and dropped, for a client that is still sending when the connection closes may never
/// see the answer; but only so far.
struct RequestBody {
    private enum Refusal { case tooLarge, noRoom }

    /// Bytes that are read and dropped at most.
    static let mostDropped = 16 * 1024 * 1024

    private var bytes: [UInt8] = []
    private var reserved = 0
    private var dropped = 0
    private var refusal: Refusal?

    /// Takes note of the length that the client announces. Returns false when it is not worth reading.
    mutating func announce(_ length: Int, _ limits: ServerLimits) -> Bool {
        guard length > limits.body else { return true }
        refusal = .tooLarge
        return length <= Self.mostDropped
    }

    /// Keeps `piece`, unless the body gets larger than `limits` allow, or all bodies together do, which `budget` counts.
    /// Returns false when it is not worth reading on.
    mutating func append(
        _ piece: UnsafeRawBufferPointer, _ limits: ServerLimits, _ budget: borrowing Atomic<Int>
    ) -> Bool {
        if refusal == nil, bytes.count + piece.count > limits.body {
            refuse(.tooLarge, budget)
        }
        if refusal == nil {
            reserved += piece.count
            let total = budget.add(piece.count, ordering: .relaxed).newValue
            if total > limits.allBodies { refuse(.noRoom, budget) }
        }
        guard refusal != nil else {
            bytes.append(contentsOf: piece)
            return true
        }
        dropped += piece.count
        return dropped <= Self.mostDropped
    }

    /// The response to a body that is not kept.
    var answer: HTTPResponse? {
        switch refusal {
        case nil: nil
        case .tooLarge: .plain(413, "The request is too large.")
        case .noRoom: .plain(503, "The server is busy.")
        }
    }

    /// The bytes that have arrived, which are then the taker's.
    mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    /// Gives back what was taken from `budget`.
    mutating func release(_ budget: borrowing Atomic<Int>) {
        budget.subtract(reserved, ordering: .relaxed)
        reserved = 0
    }

    private mutating func refuse(_ refusal: Refusal, _ budget: borrowing Atomic<Int>) {
        self.refusal = refusal
        bytes = []
        release(budget)
    }
}

extension HTTPResponse {
    /// The answer to a target that cannot be decoded, as problem details (RFC 9457): programs get no other form.
    static let invalidTarget: HTTPResponse = {
        let problem =
            #"{"type":"about:blank","title":"Bad Request","status":400,"detail":"invalid request target","code":"bad-target"}"#
        var response = plain(400, problem)
        response.headers["Content-Type"] = "application/problem+json"
        return response
    }()

    /// An answer of the server itself, after which it closes the connection.
    static func plain(_ status: Int, _ text: String) -> HTTPResponse {
        var response = HTTPResponse.text(text + "\n", status: status)
        response.headers["Connection"] = "close"
        return response
    }

    /// A plain answer as it is sent, the last one of its connection.
    var lastMessage: [UInt8] {
        guard case .bytes(let body) = body else { return [] }
        var head = "HTTP/1.1 \(status) \r\nContent-Length: \(body.count)\r\n"
        for field in headers.fields { head += "\(field.name): \(field.value)\r\n" }
        return Array((head + "\r\n").utf8) + body
    }
}
