import Hashing

/// What is done over one link with a recorder about its firmware: events in, actions out.
package protocol DFUProcedure: Sendable {
    /// Begins; the link is connected.
    mutating func start() -> [DFUEngine.Action]

    /// Takes an event; events that come too late change nothing.
    mutating func handle(_ event: DFUEngine.Event) -> [DFUEngine.Action]

    /// The bytes that were accepted, and those of all.
    var progress: (accepted: Int, total: Int) { get }
}

/// Sends one firmware image to the bootloader: events in, actions out. It does no I/O and has no clock.
///
/// An image that was sent in part before is continued where the bootloader's checksum agrees. Each object is sent a limited
/// number of times, so the work is linear in the size of the image.
package struct DFUEngine: DFUProcedure {
    /// What happened.
    package enum Event: Hashable, Sendable {
        /// The control point's notifications are on.
        case subscribed
        /// A notification of the control point.
        case notification([UInt8])
        /// A subscription or write failed, for the given reason.
        case failed(String)
        /// The timer with this number ran out.
        case timeout(Int)
        case disconnected
        case cancelled
    }

    /// What the owner has to do, in this order.
    package enum Action: Hashable, Sendable {
        case subscribe
        /// Write to the control point, with response.
        case write([UInt8])
        /// Write to the packet characteristic, without response.
        case writePacket([UInt8])
        /// Start the only timer; the one before it is forgotten.
        case startTimer(Int, Duration)
        /// The last action. After success the device disconnects and starts with the new image.
        case finish(Outcome)
    }

    /// How it ended.
    package enum Outcome: Hashable, Sendable {
        /// The image is installed, or what else the procedure is for.
        case done
        /// What was sent is kept by the bootloader and is continued the next time.
        case failed(Failure)
    }

    /// Why an image was not installed.
    package enum Failure: Error, Hashable, Sendable {
        case refused(DFURefusal)
        /// The recorder does not start its bootloader.
        case entryRefused
        /// The bootloader did not answer in time.
        case timeout
        /// What the bootloader has differs from what was sent, after several attempts.
        case checksumMismatch
        /// The init packet is larger than the bootloader takes.
        case initPacketTooLarge(limit: Int)
        /// The bootloader answers in another form than the protocol has.
        case malformed
        case link(String)
        case disconnected
        case cancelled
    }

    /// The most attempts to send an object.
    package static let maximumAttemptCount = 3
    /// How long an answer may take: the bootloader erases flash before some of them.
    package static let timeout = Duration.seconds(20)

    private enum State: Hashable, Sendable {
        case ready, subscribing, finished
        /// The answer to this request is awaited.
        case requesting(DFURequest)
    }

    private let image: FirmwarePackage.Image
    private let packetSize: Int
    private let timeout: Duration
    private var state = State.ready
    private var timer = 0
    private var kind = DFURequest.ObjectKind.command
    /// The part of the payload that the current object holds.
    private var object = 0..<0
    /// The checksum of the payload before the current object.
    private var checksum = CRC32()
    private var objectSizeLimit = 0
    private var attemptCount = 0
    /// Whether the bootloader may have executed the current object before.
    private var mayBeExecuted = false
    /// Whether the bootloader's part of another image was dropped.
    private var hasStartedOver = false

    /// Creates an engine for a link whose packets may have `packetSize` bytes: the MTU less 3. Each answer may take `timeout`.
    package init(image: FirmwarePackage.Image, packetSize: Int, timeout: Duration = DFUEngine.timeout) {
        self.image = image
        self.timeout = timeout
        // The bootloader writes words of 4 bytes to its flash.
        self.packetSize = max(4, packetSize / 4 * 4)
    }

    /// The bytes of the image that the bootloader has accepted, and those of all of it.
    package var progress: (accepted: Int, total: Int) {
        (kind == .data ? object.lowerBound : 0, image.firmware.count)
    }

    /// Begins; the link to the bootloader is connected.
    package mutating func start() -> [Action] {
        guard state == .ready else { return [] }
        state = .subscribing
        return [.subscribe, startTimer()]
    }

    /// Takes an event; events that come too late change nothing.
    package mutating func handle(_ event: Event) -> [Action] {
        guard state != .finished, state != .ready else { return [] }
        switch event {
        case .subscribed: return state == .subscribing ? request(.setReceiptInterval(0)) : []
        case .notification(let bytes): return receive(bytes)
        case .failed(let reason): return fail(.link(reason))
        case .timeout(let number): return number == timer ? fail(.timeout) : []
        case .cancelled: return fail(.cancelled)
        case .disconnected:
            // The new image starts at once, so its answer may never come.
            let isLast = state == .requesting(.execute) && kind == .data && object.upperBound == image.firmware.count
            return isLast ? finish(.done) : fail(.disconnected)
        }
    }

    private var payload: [UInt8] { kind == .command ? image.initPacket : image.firmware }

    private mutating func startTimer() -> Action {
        timer += 1
        return .startTimer(timer, timeout)
    }

    private mutating func finish(_ outcome: Outcome) -> [Action] {
        state = .finished
        return [.finish(outcome)]
    }

    private mutating func fail(_ failure: Failure) -> [Action] { finish(.failed(failure)) }

    private mutating func request(_ request: DFURequest) -> [Action] {
        state = .requesting(request)
        return [.write(request.bytes), startTimer()]
    }

    private mutating func receive(_ bytes: [UInt8]) -> [Action] {
        guard case .requesting(let request) = state, let response = DFUResponse(bytes),
            response.opcode == request.opcode
        else { return [] }
        if let refusal = response.refusal {
            if request == .execute, mayBeExecuted, refusal.result == DFURefusal.notPermitted { return finishObject() }
            return fail(.refused(refusal))
        }
        switch request {
        case .setReceiptInterval: return self.request(.select(.command))
        case .select(let kind):
            guard response.numbers.count >= 3, (1...1 << 20).contains(response.numbers[0]) else {
                return fail(.malformed)
            }
            objectSizeLimit = response.numbers[0]
            return resume(kind, at: response.numbers[1], checksum: UInt32(response.numbers[2]))
        case .create: return send(from: object.lowerBound)
        case .checksum:
            guard response.numbers.count >= 2 else { return fail(.malformed) }
            return verify(offset: response.numbers[0], checksum: UInt32(response.numbers[1]))
        case .execute: return finishObject()
        }
    }

    /// Continues a payload of which the bootloader has the first `offset` bytes, if these are ours.
    private mutating func resume(_ kind: DFURequest.ObjectKind, at offset: Int, checksum known: UInt32) -> [Action] {
        self.kind = kind
        (checksum, attemptCount, mayBeExecuted) = (CRC32(), 0, false)
        let payload = payload
        if kind == .command {
            guard payload.count <= objectSizeLimit else { return fail(.initPacketTooLarge(limit: objectSizeLimit)) }
            object = 0..<payload.count
        } else {
            object = 0..<min(objectSizeLimit, payload.count)
        }
        guard offset > 0, !(kind == .command && hasStartedOver) else { return create() }
        guard offset <= payload.count, CRC32.hash(payload[..<offset]) == known else {
            return kind == .command ? create() : startOver()
        }
        if kind == .data {
            // At the end of an object it is unknown whether it was executed.
            let start = (offset - 1) / objectSizeLimit * objectSizeLimit
            object = start..<min(start + objectSizeLimit, payload.count)
            checksum.add(payload[..<start])
        }
        guard offset == object.upperBound else { return send(from: offset) }
        mayBeExecuted = kind == .data
        return request(.execute)
    }

    /// Sends the init packet again, which makes the bootloader forget a part of another image.
    private mutating func startOver() -> [Action] {
        guard !hasStartedOver else { return fail(.checksumMismatch) }
        hasStartedOver = true
        return request(.select(.command))
    }

    private mutating func create() -> [Action] {
        attemptCount += 1
        guard attemptCount <= DFUEngine.maximumAttemptCount else { return fail(.checksumMismatch) }
        return request(.create(kind, size: object.count))
    }

    /// Sends the object's bytes from `start` on and asks for the checksum.
    private mutating func send(from start: Int) -> [Action] {
        let payload = payload
        let packets = stride(from: start, to: object.upperBound, by: packetSize).map { place in
            Action.writePacket(Array(payload[place..<min(place + packetSize, object.upperBound)]))
        }
        return packets + request(.checksum)
    }

    private mutating func verify(offset: Int, checksum received: UInt32) -> [Action] {
        var expected = checksum
        expected.add(payload[object])
        guard offset == object.upperBound, received == expected.value else { return create() }
        return request(.execute)
    }

    private mutating func finishObject() -> [Action] {
        guard kind == .data else { return request(.select(.data)) }
        let payload = payload
        checksum.add(payload[object])
        let end = object.upperBound
        object = end..<min(end + objectSizeLimit, payload.count)
        (attemptCount, mayBeExecuted) = (0, false)
        return end == payload.count ? finish(.done) : create()
    }
}
