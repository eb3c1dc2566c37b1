import Synchronization

/// A request's body while it arrives.
///
/// A body that is too large is read and dropped, for a client that is still sending when the connection closes may never
/// see the answer; but only so far.
struct RequestBody {
    private enum Refusal { case tooLarge, noRoom, diskFull }

    /// Bytes that are read and dropped at most.
    static let mostDropped = 16 * 1024 * 1024

    private var bytes: [UInt8] = []
    private var reserved = 0
    private var dropped = 0
    private var refusal: Refusal?
    private var spool: BodySpool?
    private var room = 0
    private var size = 0
    private var file: SpooledBody?

    /// Lets the body be as large as `spool` takes, on the disk.
    mutating func allow(_ spool: BodySpool) {
        self.spool = spool
        room = spool.room
    }

    /// Takes note of the length that the client announces. Returns false when it is not worth reading.
    mutating func announce(_ length: Int, _ limits: ServerLimits) -> Bool {
        guard length > (spool == nil ? limits.body : room) else { return true }
        refusal = spool.map { length <= $0.limit } ?? false ? .diskFull : .tooLarge
        return length <= Self.mostDropped
    }

    /// Keeps `piece`, unless the body gets larger than `limits` allow, or all bodies together do, which `budget` counts.
    /// Returns false when it is not worth reading on.
    mutating func append(
        _ piece: UnsafeRawBufferPointer, _ limits: ServerLimits, _ budget: borrowing Atomic<Int>
    ) -> Bool {
        if refusal == nil, spool != nil, appendToFile(piece, budget) { return true }
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

    /// Writes a piece to the file of a large body; false if it belongs into the memory, or is refused.
    private mutating func appendToFile(_ piece: UnsafeRawBufferPointer, _ budget: borrowing Atomic<Int>) -> Bool {
        guard let spool, file != nil || bytes.count + piece.count > spool.threshold else { return false }
        if file == nil {
            file = SpooledBody(in: spool.folder)
            size = bytes.count
            guard let file, bytes.withUnsafeBytes(file.append) else {
                refuse(.diskFull, budget)
                return false
            }
            bytes = []
            release(budget)
        }
        size += piece.count
        guard size <= room, file?.append(piece) ?? false else {
            refuse(size > spool.limit ? .tooLarge : .diskFull, budget)
            return false
        }
        return true
    }

    /// The file of a large body, which is then the taker's.
    mutating func takeFile() -> SpooledBody? { file.take() }

    /// The response to a body that is not kept.
    var answer: HTTPResponse? {
        switch refusal {
        case nil: nil
        case .tooLarge: .plain(413, "The request is too large.")
        case .noRoom: .plain(503, "The server is busy.")
        case .diskFull: .plain(507, "The disk is full.")
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
        file = nil
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
