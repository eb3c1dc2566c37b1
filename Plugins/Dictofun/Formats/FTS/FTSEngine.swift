/// Fetches the new files of a recorder over a link that others own: events in, actions out. It does no I/O and has no clock.
///
/// The owner carries the actions out in order. It may be wrong at any byte: whatever the device does, each request is sent a
/// limited number of times, "receive complete" follows only the confirmation that every file is durable, and the last action
/// is one `finish`.
package struct FTSEngine: Sendable {
    /// What happened.
    package enum Event: Hashable, Sendable {
        /// The last `subscribe` succeeded.
        case subscribed
        /// The last `write` was acknowledged.
        case written
        /// The last `subscribe` or `write` failed.
        case failed(FTSLinkError)
        case notification(FTSCharacteristic, [UInt8])
        /// The timer with this number ran out.
        case timeout(Int)
        /// The file with this number is durable, and so is the row that names it.
        case stored(Int)
        /// The file with this number cannot be kept.
        case storeFailed(Int, reason: String)
        case battery(BatteryLevel)
        case disconnected
        /// The user wants no more.
        case cancelled
    }

    /// What the owner has to do.
    package enum Action: Hashable, Sendable {
        case subscribe(FTSCharacteristic)
        /// Write to the control point, with response.
        case write([UInt8])
        /// Start the only timer; the one before it is forgotten.
        case startTimer(Int, Duration)
        case stopTimer
        /// A file begins; its parts follow.
        case begin(File)
        case append([UInt8])
        /// Drop the parts of the file that began last.
        case discard
        /// Make the file with this number durable, then say `stored` or `storeFailed`.
        case store(Int)
        case disconnect
        /// The last action. The next connection should wait for `holdOff`.
        case finish(FTSReport, holdOff: Duration)
    }

    /// A file to store.
    package struct File: Hashable, Sendable {
        /// Its place in the list; files with the same id have different numbers.
        package let number: Int
        /// Its id on the device.
        package let id: FileID
        /// Its description.
        package let info: FileInfo
    }

    /// The files that are here already, those in the trash included: none of them is fetched again.
    package struct Inventory: Hashable, Sendable {
        /// The ids of all files of this device.
        package var ids: Set<FileID>
        /// The sizes of the files whose id is ``FileID/isFallback``, since that id says nothing.
        package var fallbackSizes: Set<Int>

        package init(ids: Set<FileID> = [], fallbackSizes: Set<Int> = []) {
            self.ids = ids
            self.fallbackSizes = fallbackSizes
        }
    }

    /// The most attempts for a request.
    package static let maximumAttemptCount = 3
    /// The most requests that may fail in a row, after all their attempts.
    package static let maximumFailureCount = 3
    /// The most messages to a request that say nothing but "wait".
    package static let maximumKeepAliveCount = 64

    /// The most notifications before a request for which it waits; all of the device's memory in the smallest packets is less.
    package static let maximumDrainedCount = 1 << 20

    /// A request that is made of the device, in the order of a connection.
    enum Step: Hashable, Sendable {
        case list
        /// The number of the file.
        case info(Int)
        case data(Int)
        case storage, receiveComplete
    }

    enum State: Hashable, Sendable {
        case ready
        /// The subscriptions left; the first one is under way.
        case subscribing([FTSCharacteristic])
        /// The first subscription left failed for the moment and comes again.
        case pausingSubscription([FTSCharacteristic])
        case requesting(Step)
        /// Nothing is asked until the device is certainly idle.
        case pausing(before: Step)
        /// All of a file came; more than that would show that it is not what it should be.
        case verifying(Int)
        /// No request is left; files are being stored.
        case storing
        /// "Receive complete" was acknowledged.
        case awaitingDisconnect
        case disconnecting
        case disconnected
        case finished
    }

    /// A file of the list.
    struct Entry: Hashable, Sendable {
        let id: FileID
        var info: FileInfo?
        /// It was here before this connection.
        var isKnown: Bool
        /// It was fetched, and is durable.
        var isStored = false
        var isGone = false
        var failure: FTSFailure?

        /// Whether nothing has to be asked about it.
        var isSettled: Bool { isKnown || isStored || isGone }
    }

    let characteristics: Set<FTSCharacteristic>
    let inventory: Inventory
    let timeouts: FTSTimeouts
    let tellsCompletion: Bool

    var state = State.ready
    var report = FTSReport(outcome: .interrupted)
    var entries: [Entry] = []
    /// The numbers of files whose durability is not yet confirmed.
    var pendingStores: Set<Int> = []
    var attemptCount = 0
    var failureCount = 0
    var keepAliveCount = 0
    /// The notifications since the last request was given up or answered.
    var drainedCount = 0
    var isAcknowledged = false
    var isAnswered = false
    /// The answer so far, of all requests but those of data and the list.
    var answer: [UInt8] = []
    var listParser: FileListParser
    var receivedCount = 0
    var timer = 0
    var battery: BatteryLevel?
    /// The index of the first entry that may still need a request of its kind.
    var nextEntry = 0

    /// Creates an engine for one connection.
    /// - Parameters:
    ///   - characteristics: Those that the device has.
    ///   - battery: The last known charge; when it is low, nothing is asked.
    ///   - tellsCompletion: Whether completion may be confirmed to the device; false for its built-in test files.
    package init(
        characteristics: Set<FTSCharacteristic>, inventory: Inventory, battery: BatteryLevel? = nil,
        timeouts: FTSTimeouts = FTSTimeouts(), tellsCompletion: Bool = true
    ) {
        self.characteristics = characteristics
        self.inventory = inventory
        self.battery = battery
        self.timeouts = timeouts
        self.tellsCompletion = tellsCompletion
        listParser = FileListParser(hasContinuation: characteristics.contains(.fileListNext))
    }

    /// Whether `finish` was given out.
    package var isFinished: Bool { state == .finished }

    /// Begins; the link is connected and its services are known.
    package mutating func start() -> [Action] {
        guard state == .ready else { return [] }
        if battery?.isLow == true { return end(.lowBattery) }
        let missing = FTSCharacteristic.required.subtracting(characteristics)
        guard missing.isEmpty else { return end(.unsupported(missing: missing)) }
        // The device is silent towards those who have not subscribed.
        let order: [FTSCharacteristic] = [.status, .fileList, .fileListNext, .fileInfo, .storage, .fileData]
        return subscribe(order.filter(characteristics.contains))
    }

    /// Takes an event; events that come too late change nothing.
    package mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .stored(let number): return handleStored(number)
        case .storeFailed(let number, let reason): return handleStoreFailed(number, reason)
        case .disconnected: return handleDisconnect()
        default: break
        }
        switch state {
        case .ready, .disconnected, .finished: return []
        case .disconnecting:
            if case .timeout(timer) = event { return handleDisconnect() }
            return []
        default: break
        }
        switch event {
        case .subscribed: return handleSubscribed()
        case .written: return handleAcknowledgement()
        case .failed(let error): return handleLinkError(error)
        case .notification(let characteristic, let bytes): return receive(bytes, characteristic)
        case .timeout(let number): return number == timer ? handleTimeout() : []
        case .battery(let level):
            battery = level
            return level.isLow ? end(.lowBattery) : []
        case .cancelled: return end(.cancelled)
        case .stored, .storeFailed, .disconnected: return []
        }
    }
}
