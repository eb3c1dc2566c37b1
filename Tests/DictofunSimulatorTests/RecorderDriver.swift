import CivilDate
import DBus
import DictofunDomain
import Time

@testable import Dictofun

/// Carries the actions of both engines out over a bus, as a client of BlueZ does.
final class RecorderDriver {
    /// What came of a run.
    struct Result {
        var connection: ConnectionEngine.Outcome?
        var report: FTSReport?
        var stored: [FileID: [UInt8]] = [:]
        var usedDescriptor = false
    }

    private enum Input: Sendable {
        case connection(ConnectionEngine.Event)
        case transfer(FTSEngine.Event)
        case notification(path: String, [UInt8])
    }

    private let connection: DBusConnection
    private let stream: AsyncStream<Input>
    private let inputs: AsyncStream<Input>.Continuation
    private var engine: ConnectionEngine
    private var transfer: FTSEngine?
    private let inventory: FTSEngine.Inventory
    private var link: ConnectionEngine.Link?
    private var paths: [String: FTSCharacteristic] = [:]
    private var result = Result()
    private var parts: [UInt8] = []
    private var current: FTSEngine.File?
    private var tasks: [Task<Void, Never>] = []
    private var connectionTimer: Task<Void, Never>?
    private var transferTimer: Task<Void, Never>?

    private let timeouts: FTSTimeouts
    private let tellsCompletion: Bool

    /// Creates a driver; `patience` is how long it waits for the next part of an answer. It should be long where nothing is lost,
    /// since the machine may be busy.
    init(
        _ connection: DBusConnection, _ goal: ConnectionEngine.Goal, inventory: FTSEngine.Inventory = .init(),
        patience: Duration = .seconds(300), tellsCompletion: Bool = true
    ) {
        self.tellsCompletion = tellsCompletion
        timeouts = FTSTimeouts(answer: patience, data: patience, storage: patience, pause: .milliseconds(20))
        self.connection = connection
        self.inventory = inventory
        engine = ConnectionEngine(goal, expectsAdapter: true)
        (stream, inputs) = AsyncStream.makeStream()
    }

    /// Runs both engines until they finish.
    func run() async throws -> Result {
        exportObjects()
        for member in ["InterfacesAdded", "InterfacesRemoved", "PropertiesChanged"] {
            let signals = try await connection.signals(
                matching: DBusMatchRule(sender: "org.bluez", member: member), limit: 1 << 20)
            listen(signals) { RecorderDriver.inputs(of: $0) }
        }
        let owners = try await connection.signals(
            matching: DBusMatchRule(
                sender: "org.freedesktop.DBus", member: "NameOwnerChanged", firstArgument: "org.bluez"))
        listen(owners) { [.connection(.serviceChanged(isRunning: $0.arguments.last?.text?.isEmpty == false))] }
        perform(engine.start(isServiceRunning: true))
        for await input in stream {
            switch input {
            case .connection(let event): perform(engine.handle(event))
            case .transfer(let event): perform(transfer?.handle(event) ?? [])
            case .notification(let path, let bytes):
                if let characteristic = paths[path] {
                    perform(transfer?.handle(.notification(characteristic, bytes)) ?? [])
                }
            }
            if engine.isFinished, transfer?.isFinished ?? true { break }
        }
        for task in tasks { task.cancel() }
        connectionTimer?.cancel()
        transferTimer?.cancel()
        return result
    }

    private func listen(
        _ signals: AsyncThrowingStream<DBusSignal, any Error>, _ map: @escaping @Sendable (DBusSignal) -> [Input]
    ) {
        tasks.append(
            Task { [inputs] in
                do { for try await signal in signals { for input in map(signal) { inputs.yield(input) } } } catch {}
            })
    }

    private func exportObjects() {
        connection.export("/agent") { _ in [] }
        let time = "/app/time"
        connection.export("/app") { _ in
            let service: DBusValue = .properties(["UUID": .string(CurrentTime.service), "Primary": .boolean(true)])
            let characteristic: DBusValue = .properties([
                "UUID": .string(CurrentTime.characteristic), "Service": .objectPath("/app/service"),
                "Flags": .strings(["read"]),
            ])
            func interfaces(_ name: String, _ value: DBusValue) -> DBusValue {
                .dictionary(key: .string, value: .dictionary(key: .string, value: .variant), [.string(name): value])
            }
            return [
                .dictionary(
                    key: .objectPath,
                    value: .dictionary(key: .string, value: .dictionary(key: .string, value: .variant)),
                    [
                        .objectPath("/app/service"): interfaces("org.bluez.GattService1", service),
                        .objectPath(time): interfaces("org.bluez.GattCharacteristic1", characteristic),
                    ])
            ]
        }
        connection.export(time) { _ in
            [.bytes(CurrentTime.bytes(LocalTime(day: CivilDate(daysSinceEpoch: 20_000), millisecond: 3_723_000)))]
        }
    }

    // MARK: The connection

    private func perform(_ actions: [ConnectionEngine.Action]) {
        for action in actions {
            switch action {
            case .call(let call): make(call)
            case .startTimer(let number, let duration):
                connectionTimer?.cancel()
                connectionTimer = timer(duration, .connection(.timeout(number)))
            case .found: break
            case .battery(let level): perform(transfer?.handle(.battery(level)) ?? [])
            case .ready(let link):
                self.link = link
                paths = Dictionary(link.characteristics.map { ($0.value, $0.key) }) { first, _ in first }
                transfer = FTSEngine(
                    characteristics: Set(link.characteristics.keys), inventory: inventory, battery: link.device.battery,
                    timeouts: timeouts, tellsCompletion: tellsCompletion)
                perform(transfer?.start() ?? [])
            case .finish(let outcome):
                result.connection = outcome
                perform(transfer?.handle(.disconnected) ?? [])
            }
        }
    }

    private func timer(_ duration: Duration, _ input: Input) -> Task<Void, Never> {
        Task { [inputs] in
            guard (try? await Task.sleep(for: duration)) != nil else { return }
            inputs.yield(input)
        }
    }

    private func make(_ call: BlueZCall) {
        let (path, interface, member, arguments) = RecorderDriver.message(call)
        tasks.append(
            Task { [connection, inputs] in
                do throws(DBusError) {
                    let reply = try await connection.call(
                        "org.bluez", path: path, interface: interface, member: member, arguments, timeout: .seconds(600)
                    )
                    if call == .getObjects {
                        inputs.yield(.connection(.objects(RecorderDriver.cache(reply.first))))
                    } else {
                        inputs.yield(.connection(.succeeded(call)))
                    }
                } catch {
                    inputs.yield(.connection(.failed(call, RecorderDriver.meaning(error))))
                }
            })
    }

    private static func meaning(_ error: DBusError) -> BlueZError {
        if case .remote(let name, let message) = error { return BlueZError(name: name, message: message) }
        return .failed(error.description)
    }

    private static func message(_ call: BlueZCall) -> (String, String, String, [DBusValue]) {
        let (adapter1, device1) = ("org.bluez.Adapter1", "org.bluez.Device1")
        switch call {
        case .getObjects: return ("/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects", [])
        case .power(let adapter): return set(adapter, adapter1, "Powered")
        case .registerAgent:
            let arguments: [DBusValue] = [.objectPath("/agent"), .string("NoInputNoOutput")]
            return ("/org/bluez", "org.bluez.AgentManager1", "RegisterAgent", arguments)
        case .registerTimeService(let adapter):
            return (adapter, "org.bluez.GattManager1", "RegisterApplication", [.objectPath("/app"), .properties([:])])
        case .setDiscoveryFilter(let adapter):
            let filter: DBusValue = .properties([
                "Transport": .string("le"), "UUIDs": .strings([FTSCharacteristic.service]),
                "DuplicateData": .boolean(false),
            ])
            return (adapter, adapter1, "SetDiscoveryFilter", [filter])
        case .startDiscovery(let adapter): return (adapter, adapter1, "StartDiscovery", [])
        case .stopDiscovery(let adapter): return (adapter, adapter1, "StopDiscovery", [])
        case .connect(let device): return (device, device1, "Connect", [])
        case .pair(let device): return (device, device1, "Pair", [])
        case .trust(let device): return set(device, device1, "Trusted")
        case .writePairing(let characteristic, let command): return write(characteristic, [command.rawValue])
        case .disconnect(let device): return (device, device1, "Disconnect", [])
        case .removeDevice(let adapter, let device): return (adapter, adapter1, "RemoveDevice", [.objectPath(device)])
        }
    }

    private static func set(_ path: String, _ interface: String, _ name: String) -> (
        String, String, String, [DBusValue]
    ) {
        let arguments: [DBusValue] = [.string(interface), .string(name), .variant(.boolean(true))]
        return (path, "org.freedesktop.DBus.Properties", "Set", arguments)
    }

    private static func write(_ path: String, _ bytes: [UInt8]) -> (String, String, String, [DBusValue]) {
        let options: DBusValue = .properties(["type": .string("request")])
        return (path, "org.bluez.GattCharacteristic1", "WriteValue", [.bytes(bytes), options])
    }

    // MARK: The transfer

    private func perform(_ actions: [FTSEngine.Action]) {
        for action in actions {
            switch action {
            case .subscribe(let characteristic): subscribe(characteristic)
            case .write(let bytes):
                guard let path = link?.characteristics[.controlPoint] else { continue }
                send(RecorderDriver.write(path, bytes), .written)
            case .startTimer(let number, let duration):
                transferTimer?.cancel()
                transferTimer = timer(duration, .transfer(.timeout(number)))
            case .stopTimer: transferTimer?.cancel()
            case .begin(let file): (current, parts) = (file, [])
            case .append(let bytes): parts += bytes
            case .discard: current = nil
            case .store(let number):
                if let current { result.stored[current.id] = parts }
                inputs.yield(.transfer(.stored(number)))
            case .disconnect:
                if let link { make(.disconnect(device: link.path)) }
            case .finish(let report, _): result.report = report
            }
        }
    }

    private func send(_ message: (String, String, String, [DBusValue]), _ success: FTSEngine.Event) {
        tasks.append(
            Task { [connection, inputs] in
                do throws(DBusError) {
                    _ = try await connection.call(
                        "org.bluez", path: message.0, interface: message.1, member: message.2, message.3,
                        timeout: .seconds(600))
                    inputs.yield(.transfer(success))
                } catch {
                    inputs.yield(.transfer(.failed(RecorderDriver.meaning(error).linkError)))
                }
            })
    }

    private func subscribe(_ characteristic: FTSCharacteristic) {
        guard let path = link?.characteristics[characteristic] else { return }
        let interface = "org.bluez.GattCharacteristic1"
        guard characteristic == .fileData else { return send((path, interface, "StartNotify", []), .subscribed) }
        let acquiring = Task { [connection] in
            try? await connection.call(
                "org.bluez", path: path, interface: interface, member: "AcquireNotify", [.properties([:])])
        }
        tasks.append(
            Task { [inputs, connection] in
                if case .unixDescriptor(let descriptor)? = await acquiring.value?.first {
                    _ = NotificationReader(descriptor, of: path) { inputs.yield(.notification(path: path, $0.take())) }
                    inputs.yield(.transfer(.subscribed))
                } else {
                    _ = try? await connection.call("org.bluez", path: path, interface: interface, member: "StartNotify")
                    inputs.yield(.transfer(.subscribed))
                }
            })
    }

    // MARK: Signals

    private static func inputs(of signal: DBusSignal) -> [Input] {
        switch signal.member {
        case "InterfacesAdded":
            guard let path = signal.arguments.first?.text else { return [] }
            return [.connection(.added(path, interfaces(signal.arguments.last)))]
        case "InterfacesRemoved":
            let names = signal.arguments.last?.elements?.compactMap(\.text) ?? []
            guard let path = signal.arguments.first?.text else { return [] }
            return [.connection(.removed(path, names.compactMap(BlueZCache.Interface.init)))]
        default:
            guard let name = signal.arguments.first?.text, let interface = BlueZCache.Interface(rawValue: name),
                signal.arguments.count == 3
            else { return [] }
            if interface == .characteristic {
                return signal.arguments[1]["Value"]?.data.map { [.notification(path: signal.path, $0)] } ?? []
            }
            let invalidated = signal.arguments[2].elements?.compactMap(\.text) ?? []
            return [
                .connection(.changed(signal.path, interface, properties(signal.arguments[1]), invalidated: invalidated))
            ]
        }
    }

    private static func cache(_ objects: DBusValue?) -> BlueZCache {
        var cache = BlueZCache()
        for (path, value) in objects?.entries ?? [:] { cache.add(path.text ?? "", interfaces(value)) }
        return cache
    }

    private static func interfaces(_ value: DBusValue?) -> [BlueZCache.Interface: BlueZCache.Properties] {
        var interfaces: [BlueZCache.Interface: BlueZCache.Properties] = [:]
        for (name, value) in value?.entries ?? [:] {
            if let interface = name.text.flatMap(BlueZCache.Interface.init) {
                interfaces[interface] = properties(value)
            }
        }
        return interfaces
    }

    private static func properties(_ value: DBusValue) -> BlueZCache.Properties {
        var properties: BlueZCache.Properties = [:]
        for (name, value) in value.entries ?? [:] {
            guard let name = name.text else { continue }
            if let truth = value.truth {
                properties[name] = .truth(truth)
            } else if let number = value.integer {
                properties[name] = .number(number)
            } else if let text = value.text {
                properties[name] = .text(text)
            } else if let elements = value.unwrapped.elements {
                properties[name] = .texts(elements.compactMap(\.text))
            }
        }
        return properties
    }
}
