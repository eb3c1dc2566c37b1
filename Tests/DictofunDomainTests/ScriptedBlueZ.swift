import DictofunDomain

/// A Bluetooth service in memory, which answers the calls of an engine one after the other.
struct ScriptedBlueZ {
    static let adapter = "/org/bluez/hci0"

    /// A recorder as the service knows it.
    struct Recorder {
        var address = "C0:DE:00:00:00:01"
        var isPaired = false
        var isNearby = true
        /// It is in the service's memory from before.
        var isCached = false
        var isConnected = false
        var characteristics = FTSCharacteristic.allCases
        /// Its keys are gone: links end right after they are made.
        var hasForgotten = false

        var path: String { ScriptedBlueZ.adapter + "/dev_" + address.replacing(":", with: "_") }
    }

    var recorders: [Recorder]
    var isPowered = true
    var hasAdapter = true
    /// Whether answers come before the signals of what they changed, as with a client that takes them in different ways.
    var answersFirst = false
    /// Whether it connects with paired recorders nearby as soon as a client has registered its profile.
    var connectsByItself = false
    /// Errors to answer with, for the next calls of a kind.
    var errors: [String: [BlueZError]] = [:]
    /// Events that come instead of the answer to the call of this number.
    var interruptions: [Int: [ConnectionEngine.Event]] = [:]
    private(set) var calls: [BlueZCall] = []
    private(set) var ready: ConnectionEngine.Link?
    private(set) var found: [String] = []
    private(set) var isDiscovering = false

    init(_ recorders: [Recorder] = [Recorder()]) { self.recorders = recorders }

    var cache: BlueZCache {
        var cache = BlueZCache()
        if hasAdapter {
            cache.add(
                ScriptedBlueZ.adapter,
                [.adapter: ["Powered": .truth(isPowered), "Roles": .texts(["central", "peripheral"])]])
        }
        for recorder in recorders where recorder.isCached { cache.add(recorder.path, [.device: properties(recorder)]) }
        return cache
    }

    private func properties(_ recorder: Recorder) -> BlueZCache.Properties {
        [
            "Address": .text(recorder.address), "Name": .text("dict"), "Paired": .truth(recorder.isPaired),
            "Connected": .truth(recorder.isConnected), "ServicesResolved": .truth(false), "RSSI": .number(-60),
            "UUIDs": .texts([FTSCharacteristic.service.uppercased()]),
        ]
    }

    /// Runs an engine until it finishes or the link is ready, and returns how it finished.
    mutating func run(_ engine: inout ConnectionEngine, isServiceRunning: Bool = true) -> ConnectionEngine.Outcome? {
        var events: [ConnectionEngine.Event] = []
        var timer = 0
        var actions = engine.start(isServiceRunning: isServiceRunning)
        for _ in 0..<1000 {
            for action in actions {
                switch action {
                case .call(let call):
                    calls.append(call)
                    events += interruptions.removeValue(forKey: calls.count) ?? answer(call)
                case .startTimer(let number, _): timer = number
                case .found(let device): found.append(device.address)
                case .ready(let link): ready = link
                case .battery: break
                case .finish(let outcome): return outcome
                }
            }
            if ready != nil { return nil }
            actions = engine.handle(events.isEmpty ? .timeout(timer) : events.removeFirst())
        }
        return nil
    }

    /// The names of the calls so far, without their places.
    var callNames: [String] { calls.map(ScriptedBlueZ.name) }

    static func name(_ call: BlueZCall) -> String { String(String(describing: call).prefix { $0 != "(" }) }

    private mutating func answer(_ call: BlueZCall) -> [ConnectionEngine.Event] {
        if let error = errors[ScriptedBlueZ.name(call)]?.first {
            errors[ScriptedBlueZ.name(call)]?.removeFirst()
            // A search that runs already goes on.
            return [.failed(call, error)]
                + (error == .inProgress && call == .startDiscovery(adapter: ScriptedBlueZ.adapter) ? heard : [])
        }
        switch call {
        case .getObjects: return [.objects(cache)]
        case .power:
            isPowered = true
            return [.succeeded(call), changed(ScriptedBlueZ.adapter, .adapter, ["Powered": .truth(true)])]
        case .startDiscovery:
            isDiscovering = true
            return [.succeeded(call)] + heard
        case .stopDiscovery:
            isDiscovering = false
            return [.succeeded(call)]
        case .connect(let path): return connect(call, path)
        case .pair(let path):
            recorders[place(path)].isPaired = true
            return [changed(path, .device, ["Paired": .truth(true)]), .succeeded(call)]
        case .disconnect(let path):
            recorders[place(path)].isConnected = false
            return [changed(path, .device, ["Connected": .truth(false)]), .succeeded(call)]
        case .registerTimeService where connectsByItself:
            return [.succeeded(call)]
                + recorders.filter { $0.isPaired && $0.isNearby }.flatMap { recorder in
                    let connection = BlueZCall.connect(device: recorder.path)
                    return connect(connection, recorder.path).filter { $0 != .succeeded(connection) }
                }
        case .registerAgent, .registerTimeService, .setDiscoveryFilter, .trust, .writePairing, .removeDevice:
            return [.succeeded(call)]
        }
    }

    /// The recorders nearby, as the service tells of them.
    private var heard: [ConnectionEngine.Event] {
        recorders.filter(\.isNearby).map { recorder in
            recorder.isCached
                ? changed(recorder.path, .device, ["RSSI": .number(-61)])
                : .added(recorder.path, [.device: properties(recorder)])
        }
    }

    private mutating func connect(_ call: BlueZCall, _ path: String) -> [ConnectionEngine.Event] {
        let recorder = recorders[place(path)]
        recorders[place(path)].isConnected = true
        let connected = changed(path, .device, ["Connected": .truth(true)])
        if recorder.hasForgotten {
            return [connected, .succeeded(call), changed(path, .device, ["Connected": .truth(false)])]
        }
        let service = path + "/service0010"
        let objects = recorder.characteristics.map { characteristic -> ConnectionEngine.Event in
            .added(
                service + "/char\(characteristic.rawValue)",
                [.characteristic: ["UUID": .text(characteristic.uuid), "Service": .text(service)]])
        }
        return (answersFirst ? [.succeeded(call), connected] : [connected, .succeeded(call)])
            + [
                .added(service, [.service: ["UUID": .text(FTSCharacteristic.service), "Device": .text(path)]]),
                // A service of the same base with the same numbers.
                .added(
                    path + "/service0090/char1",
                    [.characteristic: ["UUID": .text(FTSCharacteristic.fileData.uuid), "Service": .text("other")]]),
                .added(path, [.battery: ["Percentage": .number(72)]]),
            ] + objects + [changed(path, .device, ["ServicesResolved": .truth(true)])]
    }

    private func place(_ path: String) -> Int { recorders.firstIndex { $0.path == path } ?? 0 }

    private func changed(
        _ path: String, _ interface: BlueZCache.Interface, _ properties: BlueZCache.Properties
    ) -> ConnectionEngine.Event { .changed(path, interface, properties, invalidated: []) }
}
