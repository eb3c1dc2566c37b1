import DictofunDomain
import TestSupport

/// A recorder in memory, driven by the actions of an engine, with the quirks of the firmware and faults to be drawn.
///
/// Time is a number: the earliest event comes next, so a run needs no clock and no waiting.
struct ScriptedRecorder {
    /// A file on the device.
    struct StoredFile {
        var id: [UInt8]
        var data: [UInt8]
        /// What the device says about the size; nil for the truth.
        var info: String?
        /// It is listed, and unknown when its description is asked for.
        var isGone = false
        /// It cannot be opened.
        var isLocked = false
        /// Its descriptor was never closed.
        var isCorrupt = false
    }

    /// The faults that the device may show, each with this chance in a thousand wherever it can.
    struct Faults {
        var skippedPacket = 0
        var duplicatedPacket = 0
        var droppedRequest = 0
        var corruptAnswer = 0
        var keepAlive = 0
        var linkError = 0
        var emptyNotification = 0
        var disconnect = 0
        var lateAcknowledgement = 0
        var noise = 0
    }

    /// What happened in a run.
    struct Result {
        var report: FTSReport?
        var stored: [Int: [UInt8]] = [:]
        var files: [Int: FTSEngine.File] = [:]
        var requests: [[UInt8]] = []
        var actionCount = 0
        var eventCount = 0
        var violations: [String] = []
        var subscribed: Set<FTSCharacteristic> = []
    }

    var files: [StoredFile]
    var version = FTSVersion.v3
    var mtu = 247
    var faults = Faults()
    var storage: [UInt8] = [14, 0, 0, 0xD0, 0xFF, 0, 0, 0x20, 0, 0, 0, 0, 0, 0]
    /// The link ends with this notification; nil when it does not.
    var notificationsBeforeCut: Int?
    /// The bytes that can be stored; nil for no limit.
    var diskSize: Int?
    /// Events that come by themselves, at their times in milliseconds.
    var scheduled: [(Int, FTSEngine.Event)] = []
    var generator: SeededGenerator
    /// The first file of each id: no other one can be had.
    private var places: [[UInt8]: Int] = [:]

    init(_ files: [StoredFile], seed: UInt64 = 1) {
        self.files = files
        generator = SeededGenerator(seed: seed)
    }

    var characteristics: Set<FTSCharacteristic> {
        Set(FTSCharacteristic.allCases).subtracting(version == .v1 ? [.fileListNext] : [])
    }

    private mutating func happens(_ chance: Int) -> Bool {
        chance > 0 && Int.random(in: 0..<1000, using: &generator) < chance
    }

    /// Runs an engine against the device until it finishes, or until it has taken more steps than it may.
    mutating func run(
        inventory: FTSEngine.Inventory = .init(), battery: BatteryLevel? = nil, tellsCompletion: Bool = true,
        stepLimit: Int = 200_000
    ) -> Result {
        var engine = FTSEngine(
            characteristics: characteristics, inventory: inventory, battery: battery, tellsCompletion: tellsCompletion)
        places = Dictionary(files.enumerated().map { ($0.element.id, $0.offset) }) { first, _ in first }
        var result = Result()
        var queue = EventQueue(scheduled)
        var isConnected = true
        var sentCount = 0
        var lastNotification = -1000
        var partial: [UInt8] = []
        var current: Int?
        var actions = engine.start()
        while true {
            for action in actions {
                result.actionCount += 1
                if result.report != nil { result.violations.append("an action after the last one") }
                switch action {
                case .subscribe(let characteristic):
                    result.subscribed.insert(characteristic)
                    if happens(faults.linkError) {
                        queue.add(5, .failed(.busy))
                    } else {
                        queue.add(5, .subscribed)
                    }
                case .write(let bytes):
                    result.requests.append(bytes)
                    if queue.now - lastNotification < 50 { result.violations.append("a request came too soon") }
                    if bytes == [6], queue.isStoring {
                        result.violations.append("completion was told before a file was durable")
                    }
                    respond(to: bytes, &queue, &isConnected, &sentCount, result.subscribed)
                case .startTimer(let number, let duration):
                    queue.timer = (queue.now + Int(duration / .milliseconds(1)), number)
                case .stopTimer: queue.timer = nil
                case .begin(let file):
                    if current != nil { result.violations.append("a file begins inside another") }
                    (current, partial) = (file.number, [])
                    result.files[file.number] = file
                case .append(let bytes):
                    if current == nil { result.violations.append("parts of no file") }
                    partial += bytes
                case .discard:
                    if current == nil { result.violations.append("no file to discard") }
                    current = nil
                case .store(let number):
                    if current != number { result.violations.append("another file is stored than the one received") }
                    if let diskSize, result.stored.values.reduce(0, { $0 + $1.count }) + partial.count > diskSize {
                        queue.add(20, .storeFailed(number, reason: "disk full"))
                    } else {
                        result.stored[number] = partial
                        queue.add(Int.random(in: 1...400, using: &generator), .stored(number))
                    }
                    current = nil
                case .disconnect:
                    isConnected = false
                    queue.dropLink()
                    queue.add(30, .disconnected)
                case .finish(let report, _):
                    result.report = report
                    if current != nil { result.violations.append("a file is left open") }
                }
            }
            if result.report != nil { return result }
            guard let event = queue.next(), result.eventCount < stepLimit else {
                result.violations.append("the engine does not end")
                return result
            }
            result.eventCount += 1
            if case .notification = event { lastNotification = queue.now }
            actions = engine.handle(event)
        }
    }

    // MARK: The device

    private mutating func respond(
        to bytes: [UInt8], _ queue: inout EventQueue, _ isConnected: inout Bool, _ sentCount: inout Int,
        _ subscribed: Set<FTSCharacteristic>
    ) {
        guard isConnected else { return queue.add(1, .failed(.notConnected)) }
        if happens(faults.linkError) {
            return queue.add(1, .failed(Bool.random(using: &generator) ? .busy : .other("0x0e")))
        }
        queue.add(happens(faults.lateAcknowledgement) ? 900 : 3, .written)
        if bytes == [6] {
            isConnected = false
            queue.dropLink(after: 3)
            return queue.add(40, .disconnected)
        }
        if happens(faults.droppedRequest) { return }
        if happens(faults.noise) { queue.add(4, .notification(.fileInfo, [1, 2, 3])) }
        let answer = answer(to: bytes)
        let parts = pieces(answer.bytes, of: answer.characteristic, bytes[0])
        var delay = 5
        for (characteristic, part) in parts {
            guard subscribed.contains(characteristic) else { continue }
            if bytes[0] == 3, happens(faults.skippedPacket) { continue }
            if happens(faults.keepAlive) { queue.add(delay, .notification(.status, [1])) }
            sentCount += 1
            if happens(faults.disconnect) || notificationsBeforeCut.map({ sentCount > $0 }) ?? false {
                isConnected = false
                queue.add(delay, .disconnected)
                return
            }
            queue.add(delay, .notification(characteristic, part))
            if happens(faults.duplicatedPacket) { queue.add(delay, .notification(characteristic, part)) }
            if happens(faults.emptyNotification) { queue.add(delay, .notification(characteristic, [])) }
            delay += 2
        }
    }

    private mutating func answer(to bytes: [UInt8]) -> (characteristic: FTSCharacteristic, bytes: [UInt8]) {
        if happens(faults.corruptAnswer) { return (.status, [3]) }
        let id = Array(bytes.dropFirst())
        let file = places[id].map { files[$0] }
        switch bytes[0] {
        case 1:
            let count = (0..<8).map { UInt8(truncatingIfNeeded: files.count >> ($0 * 8)) }
            return (.fileList, count + files.flatMap(\.id))
        case 2:
            guard let file, !file.isGone else { return (.status, [2] + id) }
            if file.isCorrupt { return (.status, [3]) }
            let json = Array((file.info ?? "{\"s\":\(file.data.count)}").utf8)
            return (.fileInfo, [UInt8(json.count), 0] + json)
        case 3:
            guard let file, !file.isGone, !file.isLocked else { return (.status, [2] + id) }
            return (.fileData, file.data)
        case 4: return (.storage, storage)
        default: return (.status, [])
        }
    }

    /// The notifications of an answer: 200 and 56 bytes of a file, or less where the MTU is smaller.
    private func pieces(
        _ bytes: [UInt8], of characteristic: FTSCharacteristic, _ opcode: UInt8
    ) -> [(FTSCharacteristic, [UInt8])] {
        var blocks: [(FTSCharacteristic, ArraySlice<UInt8>)] = []
        switch characteristic {
        case .fileList:
            let first = min(bytes.count, 8 + 7 * 16)
            blocks.append((.fileList, bytes[..<first]))
            for start in stride(from: first, to: bytes.count, by: 128) {
                blocks.append(
                    (version == .v1 ? .fileList : .fileListNext, bytes[start..<min(start + 128, bytes.count)]))
            }
        case .fileData:
            for start in stride(from: 0, to: bytes.count, by: 256) {
                let end = min(start + 256, bytes.count)
                blocks.append((.fileData, bytes[start..<min(start + 200, end)]))
                if start + 200 < end { blocks.append((.fileData, bytes[start + 200..<end])) }
            }
        default: blocks.append((characteristic, bytes[...]))
        }
        let size = mtu - 3
        return blocks.flatMap { characteristic, block in
            stride(from: block.startIndex, to: block.endIndex, by: size).map { start in
                // What is left of a continuation comes on the first characteristic of the list.
                let isRest = characteristic == .fileListNext && start > block.startIndex
                return (isRest ? .fileList : characteristic, Array(block[start..<min(start + size, block.endIndex)]))
            }
        }
    }
}

/// The events to come, the earliest first; those of the same time in the order in which they were added.
private struct EventQueue {
    var now = 0
    var timer: (time: Int, number: Int)?
    private var events: [(time: Int, event: FTSEngine.Event)] = []
    private var position = 0

    init(_ events: [(Int, FTSEngine.Event)]) {
        for (time, event) in events { add(time, event) }
    }

    mutating func add(_ delay: Int, _ event: FTSEngine.Event) {
        let time = now + delay
        let place = events[position...].lastIndex { $0.time <= time }.map { $0 + 1 } ?? position
        events.insert((time, event), at: place)
    }

    /// Whether a file is not yet durable.
    var isStoring: Bool {
        events[position...].contains { _, event in
            switch event {
            case .stored, .storeFailed: true
            default: false
            }
        }
    }

    /// Forgets what the link would still have brought after `delay`.
    mutating func dropLink(after delay: Int = 0) {
        let end = now + delay
        events = events[position...].filter { time, event in
            switch event {
            case .stored, .storeFailed: true
            default: time <= end
            }
        }
        position = 0
    }

    mutating func next() -> FTSEngine.Event? {
        if let timer, events.count == position || events[position].time > timer.time {
            now = max(now, timer.time)
            self.timer = nil
            return .timeout(timer.number)
        }
        guard position < events.count else { return nil }
        defer { position += 1 }
        now = max(now, events[position].time)
        return events[position].event
    }
}
