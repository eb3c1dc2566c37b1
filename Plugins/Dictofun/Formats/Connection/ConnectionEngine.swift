/// Finds a recorder, connects and pairs with it through the Bluetooth service: facts in, calls out. It does no I/O.
///
/// There is at most one call under way. What the service does meanwhile (it restarts, its adapter goes off, the device vanishes)
/// is taken at any point. Every attempt is limited, so each run ends.
package struct ConnectionEngine: Sendable {
    /// What the run is for.
    package enum Goal: Hashable, Sendable {
        /// List the recorders nearby until the time is over.
        case scan
        /// Connect with the paired recorder of this address, or with the first paired one that is nearby.
        case connect(address: String?)
        /// Connect and pair with the recorder of this address.
        case pair(address: String)
        /// Delete the bonds on both sides.
        case unpair(address: String)
        /// Connect with the paired recorder of this address, or with its bootloader where that runs, to replace its firmware.
        case update(address: String)
    }

    /// What happened.
    package enum Event: Hashable, Sendable {
        /// The answer to `getObjects`.
        case objects(BlueZCache)
        case added(String, [BlueZCache.Interface: BlueZCache.Properties])
        case removed(String, [BlueZCache.Interface])
        case changed(String, BlueZCache.Interface, BlueZCache.Properties, invalidated: [String])
        /// The owner of the service's name appeared or vanished.
        case serviceChanged(isRunning: Bool)
        case succeeded(BlueZCall)
        case failed(BlueZCall, BlueZError)
        /// The timer with this number ran out.
        case timeout(Int)
        case cancelled
    }

    /// What the owner has to do.
    package enum Action: Hashable, Sendable {
        case call(BlueZCall)
        /// Start the only timer; the one before it is forgotten.
        case startTimer(Int, Duration)
        /// A recorder was found, or what is known of it changed.
        case found(Device)
        /// The link is ready for the file transfer engine. The run goes on until the link ends.
        case ready(Link)
        /// The charge of the connected recorder became known or changed.
        case battery(BatteryLevel)
        /// The last action.
        case finish(Outcome)
    }

    /// A connected recorder.
    package struct Link: Hashable, Sendable {
        /// The path of the device.
        package let path: String
        /// What is known of it.
        package let device: Device
        /// The paths of its characteristics for files.
        package let characteristics: [FTSCharacteristic: String]
        /// The paths of its characteristics for firmware.
        package let firmware: [DFUCharacteristic: String]
        /// The bytes that fit in a packet of firmware.
        package let packetSize: Int

        /// Whether it is a bootloader.
        package var isBootloader: Bool { firmware[.controlPoint] != nil && firmware[.packet] != nil }
    }

    /// How a run ended.
    package enum Outcome: Hashable, Sendable {
        /// The time of a scan is over.
        case scanned([Device])
        case unpaired
        /// The link was ready and has ended.
        case disconnected
        case cancelled
        case failed(Failure)
    }

    /// When a scan ends before its time: some time after a recorder was heard that is looked for.
    package struct ScanEnd: Sendable {
        /// The time that others have to be heard too.
        package let time: Duration
        /// Whether a recorder is looked for.
        package let isWanted: @Sendable (Device) -> Bool

        package init(after time: Duration, isWanted: @escaping @Sendable (Device) -> Bool = { _ in true }) {
            self.time = time
            self.isWanted = isWanted
        }
    }

    /// How a paired recorder is found when any of them will do.
    package struct Search: Hashable, Sendable {
        /// Whether the service is to connect with paired recorders by itself as soon as it hears them. Then there is no discovery, which costs
        /// power and disturbs other connections.
        package var isSilent: Bool
        /// The addresses of recorders that were connected before, the last one last: others go first.
        package var served: [String]

        /// Creates a search; without arguments, a discovery that takes the first recorder.
        package init(isSilent: Bool = false, served: [String] = []) {
            self.isSilent = isSilent
            self.served = served.map { $0.uppercased() }
        }
    }

    /// Why there is no link.
    package enum Failure: Error, Hashable, Sendable {
        /// The Bluetooth service is not running, or ended repeatedly.
        case serviceMissing
        case noAdapter
        case adapterOff
        /// The user may not use Bluetooth: a matter of groups and policies.
        case notPermitted
        /// No such recorder is nearby.
        case notFound
        /// The recorder is not paired.
        case notPaired
        case pairingFailed(BlueZError)
        /// The recorder has forgotten the bond that this computer still has: unpair, then pair again.
        case bondLost
        /// The recorder lacks what the run is for, or the service remembers an older firmware.
        case unsupported
        case connectionFailed(BlueZError)
    }

    /// The most attempts of a call that failed for the moment.
    package static let maximumAttemptCount = 3
    /// The most starts of the service during a run.
    package static let maximumRestartCount = 3
    /// The time that other recorders have to be heard before one that was connected before.
    static let turnTime = Duration.seconds(3)
    /// The time that the service and the adapter have to come back.
    static let serviceTime = Duration.seconds(20)

    enum State: Hashable, Sendable {
        case ready
        /// The service is not running now.
        case awaitingService
        /// There was an adapter, which is off or missing now; without it the run fails.
        case awaitingAdapter(Failure)
        case calling(BlueZCall)
        /// The call failed for the moment and comes again.
        case retrying(BlueZCall)
        case discovering
        /// The service is to connect with a recorder by itself.
        case listening
        case resolving
        case linked
        case finished
    }

    let goal: Goal
    let scanTime: Duration
    let scanEnd: ScanEnd?
    let search: Search
    let switchesOn: Bool
    /// Whether the adapter was usable, so that it may come back.
    var expectsAdapter: Bool
    var state = State.ready
    var cache = BlueZCache()
    var adapter = ""
    /// The path of the chosen recorder.
    var device: String?
    /// The path of a recorder that was connected before, and is chosen if no other is heard soon.
    var nextDevice: String?
    /// Whether the service has connected with the chosen recorder by itself.
    package internal(set) var wasConnectedByService = false
    /// The recorders that were heard since the discovery began; others are in the service's memory only.
    var present: Set<String> = []
    /// Whether a recorder that is looked for was heard, so that the scan ends soon.
    var isEnding = false
    var attemptCount = 0
    var restartCount = 0
    var timer = 0
    /// What comes after the disconnection.
    var pendingOutcome: Outcome?

    /// Creates an engine for one run.
    /// - Parameters:
    ///   - scanTime: How long recorders are looked for.
    ///   - scanEnd: When a scan ends before; nil if it takes all of its time.
    ///   - search: How any paired recorder is found.
    ///   - switchesOn: Whether an adapter that is off is switched on.
    ///   - expectsAdapter: Whether the adapter was usable a moment ago: then it is waited for.
    package init(
        _ goal: Goal, scanTime: Duration = .seconds(30), scanEnd: ScanEnd? = nil, search: Search = Search(),
        switchesOn: Bool = true, expectsAdapter: Bool = false
    ) {
        self.goal = goal
        self.scanTime = scanTime
        self.scanEnd = scanEnd
        self.search = search
        self.switchesOn = switchesOn
        self.expectsAdapter = expectsAdapter
    }

    /// Whether `finish` was given out.
    package var isFinished: Bool { state == .finished }

    /// Begins; the service is running or not.
    package mutating func start(isServiceRunning: Bool) -> [Action] {
        guard state == .ready else { return [] }
        return isServiceRunning ? call(.getObjects) : awaitService()
    }

    /// Takes an event; answers to other calls than the one under way change nothing.
    package mutating func handle(_ event: Event) -> [Action] {
        guard state != .finished, state != .ready else { return [] }
        switch event {
        case .serviceChanged(let isRunning): return isRunning ? restart() : awaitService()
        case .objects(let objects): return state == .calling(.getObjects) ? begin(objects) : []
        case .added(let path, let interfaces):
            cache.add(path, interfaces)
            return heard(path, isNew: interfaces[.device] != nil, battery: interfaces[.battery] != nil) + checkLink()
        case .removed(let path, let interfaces):
            cache.remove(path, interfaces)
            return checkLink()
        case .changed(let path, let interface, let properties, let invalidated):
            cache.change(path, interface, properties, invalidated: invalidated)
            return heard(path, isNew: properties["RSSI"] != nil, battery: interface == .battery) + checkLink()
        case .succeeded(let call): return state == .calling(call) ? succeed(call) : []
        case .failed(let call, let error): return state == .calling(call) ? fail(call, error) : []
        case .timeout(let number): return number == timer ? handleTimeout() : []
        case .cancelled: return leave(.cancelled)
        }
    }
}
