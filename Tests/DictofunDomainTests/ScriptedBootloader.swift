import DictofunDomain
import Hashing
import TestSupport

/// A bootloader in memory that speaks Nordic's Secure DFU and keeps its state when a link ends.
struct ScriptedBootloader {
    /// The largest object.
    var objectSizeLimit = 4096
    /// The init packet that was executed last.
    private(set) var acceptedInitPacket: [UInt8]?
    /// The parts of the image that were executed.
    private(set) var installed: [UInt8] = []
    /// Whether the image is complete and started.
    private(set) var isDone = false
    /// The packets that are lost, each with this chance in a thousand.
    var loss = 0
    /// The link ends after so many packets and requests; nil when it does not.
    var stepsBeforeCut: Int?
    var generator = SeededGenerator(seed: 4)
    private let imageSize: Int
    private var command: [UInt8] = []
    private var object: [UInt8] = []
    private var kind = DFURequest.ObjectKind.command
    private var sizes: [UInt8: Int] = [:]

    init(imageSize: Int) { self.imageSize = imageSize }

    /// Runs an engine until it finishes, and returns how, with the number of packets sent.
    mutating func run(_ image: FirmwarePackage.Image, packetSize: Int = 244) -> (
        outcome: DFUEngine.Outcome?, packetCount: Int
    ) {
        var engine = DFUEngine(image: image, packetSize: packetSize)
        var events: [DFUEngine.Event] = []
        var (packetCount, stepCount, timer) = (0, 0, 0)
        var actions = engine.start()
        var isConnected = true
        while stepCount < 100_000 {
            for action in actions {
                stepCount += 1
                if let cut = stepsBeforeCut, stepCount > cut, isConnected {
                    isConnected = false
                    events = [.disconnected]
                }
                switch action {
                case .subscribe: events.append(.subscribed)
                case .write(let bytes) where isConnected: events.append(.notification(answer(bytes)))
                case .writePacket(let bytes) where isConnected:
                    packetCount += 1
                    if loss == 0 || Int.random(in: 0..<1000, using: &generator) >= loss { receive(bytes) }
                case .startTimer(let number, _): timer = number
                case .finish(let outcome): return (outcome, packetCount)
                case .write, .writePacket: break
                }
            }
            actions = engine.handle(events.isEmpty ? .timeout(timer) : events.removeFirst())
        }
        return (nil, packetCount)
    }

    private mutating func receive(_ bytes: [UInt8]) {
        if kind == .command { command += bytes } else { object += bytes }
    }

    private func numbers(_ values: [Int]) -> [UInt8] {
        values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
    }

    private var state: [Int] {
        let bytes = kind == .command ? command : installed + object
        return [bytes.count, Int(CRC32.hash(bytes))]
    }

    private mutating func answer(_ request: [UInt8]) -> [UInt8] {
        func refuse(_ code: UInt8) -> [UInt8] { [0x60, request[0], code] }
        switch request[0] {
        case 1:
            kind = request[1] == 1 ? .command : .data
            let size = request[2..<6].reversed().reduce(0) { $0 << 8 | Int($1) }
            guard size > 0, size <= objectSizeLimit else { return refuse(3) }
            if kind == .command {
                (command, installed, object, acceptedInitPacket) = ([], [], [], nil)
            } else {
                guard acceptedInitPacket != nil else { return refuse(8) }
                // An object that is full but not executed is replaced by the next one.
                object = []
            }
            sizes[request[1]] = size
        case 2: break
        case 3: return [0x60, 3, 1] + numbers(state)
        case 4:
            if kind == .command {
                guard !command.isEmpty, command.count == sizes[1] else { return refuse(8) }
                acceptedInitPacket = command
            } else {
                guard !object.isEmpty, object.count == sizes[2] else { return refuse(8) }
                (installed, object) = (installed + object, [])
                isDone = installed.count == imageSize
            }
        case 6:
            kind = request[1] == 1 ? .command : .data
            return [0x60, 6, 1] + numbers([objectSizeLimit] + state)
        default: return refuse(2)
        }
        return [0x60, request[0], 1]
    }
}
