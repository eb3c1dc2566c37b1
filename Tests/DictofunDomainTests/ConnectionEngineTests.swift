import DictofunDomain
import TestSupport
import Testing

struct ConnectionEngineTests {
    typealias Recorder = ScriptedBlueZ.Recorder

    private static let address = "C0:DE:00:00:00:01"

    /// Runs an engine for a goal against a service.
    private static func run(
        _ goal: ConnectionEngine.Goal, _ service: inout ScriptedBlueZ, isServiceRunning: Bool = true
    ) -> ConnectionEngine.Outcome? {
        var engine = ConnectionEngine(goal)
        return service.run(&engine, isServiceRunning: isServiceRunning)
    }

    @Test func `a recorder is paired in the order that the service needs`() throws {
        var service = ScriptedBlueZ()
        #expect(ConnectionEngineTests.run(.pair(address: ConnectionEngineTests.address), &service) == nil)
        #expect(
            service.callNames == [
                "getObjects", "registerAgent", "registerTimeService", "setDiscoveryFilter", "startDiscovery",
                "stopDiscovery", "connect", "pair", "trust",
            ])
        let link = try #require(service.ready)
        #expect(Set(link.characteristics.keys) == Set(FTSCharacteristic.allCases))
        #expect(link.characteristics[.fileData]?.contains("service0010") == true)
        #expect(link.device.battery == BatteryLevel(percent: 72))
        #expect(!service.isDiscovering)
    }

    @Test func `a paired recorder is not paired again`() {
        for isCached in [false, true] {
            var service = ScriptedBlueZ([Recorder(isPaired: true, isCached: isCached)])
            #expect(ConnectionEngineTests.run(.connect(address: nil), &service) == nil)
            #expect(service.ready != nil)
            #expect(!service.callNames.contains("pair"))
        }
    }

    @Test func `answers may come before the signals of what they changed`() {
        var service = ScriptedBlueZ([Recorder(isPaired: true)])
        service.answersFirst = true
        #expect(ConnectionEngineTests.run(.connect(address: nil), &service) == nil)
        #expect(service.ready != nil)
        #expect(service.callNames.count { $0 == "connect" } == 1)
    }

    @Test func `a link of an earlier process is taken over`() {
        var service = ScriptedBlueZ([Recorder(isPaired: true, isCached: true, isConnected: true)])
        var engine = ConnectionEngine(.connect(address: nil))
        #expect(service.run(&engine) == .failed(.connectionFailed(.noReply)))
        #expect(!service.callNames.contains("startDiscovery") && !service.callNames.contains("connect"))
    }

    @Test func `without discovery, a connection of the service itself is waited for`() throws {
        var service = ScriptedBlueZ([Recorder(isPaired: true, isCached: true)])
        service.connectsByItself = true
        var engine = ConnectionEngine(.connect(address: nil), search: .init(isSilent: true))
        #expect(service.run(&engine) == nil)
        #expect(service.callNames == ["getObjects", "registerAgent", "registerTimeService"])
        #expect(service.ready != nil && engine.wasConnectedByService)

        var away = ScriptedBlueZ([Recorder(isPaired: true, isNearby: false, isCached: true)])
        engine = ConnectionEngine(.connect(address: nil), search: .init(isSilent: true))
        #expect(away.run(&engine) == .failed(.notFound))
        #expect(!away.callNames.contains("startDiscovery"))

        var refusing = ScriptedBlueZ([Recorder(isPaired: true, isCached: true)])
        refusing.errors["registerTimeService"] = [.failed("no such interface")]
        engine = ConnectionEngine(.connect(address: nil), search: .init(isSilent: true))
        #expect(refusing.run(&engine) == .failed(.notFound))
    }

    @Test func `a link that was there before is no proof that the service connects by itself`() {
        var service = ScriptedBlueZ([Recorder(isPaired: true, isCached: true, isConnected: true)])
        var engine = ConnectionEngine(.connect(address: nil), search: .init(isSilent: true))
        _ = service.run(&engine)
        #expect(!engine.wasConnectedByService)
    }

    @Test func `an adapter that goes off while a connection is waited for is waited for too`() {
        var service = ScriptedBlueZ([Recorder(isPaired: true, isCached: true)])
        let adapter = ScriptedBlueZ.adapter
        let register = BlueZCall.registerTimeService(adapter: adapter)
        func powered(_ isOn: Bool) -> ConnectionEngine.Event {
            .changed(adapter, .adapter, ["Powered": .truth(isOn)], invalidated: [])
        }
        service.interruptions[3] = [.succeeded(register), powered(false), powered(true)]
        service.connectsByItself = true
        var engine = ConnectionEngine(.connect(address: nil), search: .init(isSilent: true))
        #expect(service.run(&engine) == nil)
        #expect(service.callNames.count { $0 == "registerTimeService" } == 2 && service.ready != nil)

        service = ScriptedBlueZ([Recorder(isPaired: true, isCached: true)])
        service.interruptions[3] = [.succeeded(register), powered(false)]
        engine = ConnectionEngine(.connect(address: nil), search: .init(isSilent: true))
        #expect(service.run(&engine) == .failed(.adapterOff))
    }

    @Test(arguments: [[], ["01"], ["02", "01"], ["01", "02"], ["02", "03", "01"]])
    func `of several recorders nearby the one comes first that was not met for longest`(served: [String]) {
        let prefix = "C0:DE:00:00:00:"
        var service = ScriptedBlueZ(
            ["01", "02", "03"].map { Recorder(address: prefix + $0, isPaired: true, isCached: true) })
        var engine = ConnectionEngine(
            .connect(address: nil), search: .init(served: served.map { prefix.lowercased() + $0 }))
        #expect(service.run(&engine) == nil)
        let expected = ["01", "02", "03"].first { !served.contains($0) } ?? served[0]
        #expect(service.ready?.device.address == prefix + expected)
    }

    @Test func `a recorder that was met before is met again when no other is heard`() {
        var service = ScriptedBlueZ([
            Recorder(isPaired: true), Recorder(address: "C0:DE:00:00:00:02", isPaired: true, isNearby: false),
        ])
        var engine = ConnectionEngine(
            .connect(address: nil), search: .init(served: [ConnectionEngineTests.address]))
        #expect(service.run(&engine) == nil)
        #expect(service.ready?.device.address == ConnectionEngineTests.address)
    }

    @Test func `only the named recorder is connected`() {
        let others = [
            Recorder(address: "C0:DE:00:00:00:02", isPaired: true), Recorder(address: "C0:DE:00:00:00:03"),
            Recorder(isPaired: true),
        ]
        var service = ScriptedBlueZ(others)
        #expect(
            ConnectionEngineTests.run(.connect(address: ConnectionEngineTests.address.lowercased()), &service) == nil)
        #expect(service.ready?.device.address == ConnectionEngineTests.address)
    }

    @Test func `a recorder that is only remembered is not nearby`() {
        var service = ScriptedBlueZ([Recorder(isPaired: true, isNearby: false, isCached: true)])
        #expect(ConnectionEngineTests.run(.connect(address: nil), &service) == .failed(.notFound))
        #expect(!service.callNames.contains("connect"))
    }

    @Test func `a scan lists what is nearby`() {
        var service = ScriptedBlueZ([
            Recorder(), Recorder(address: "C0:DE:00:00:00:02", isNearby: false, isCached: true),
            Recorder(address: "C0:DE:00:00:00:03", isCached: true),
        ])
        guard case .scanned(let devices)? = ConnectionEngineTests.run(.scan, &service) else {
            Issue.record("the scan does not end")
            return
        }
        #expect(devices.map(\.address) == [ConnectionEngineTests.address, "C0:DE:00:00:00:03"])
        #expect(service.found == devices.map(\.address))
        #expect(!service.callNames.contains("registerTimeService"))
    }

    @Test func `a scan ends some time after the recorder that is looked for was heard`() throws {
        var engine = ConnectionEngine(
            .scan, scanTime: .seconds(60),
            scanEnd: ConnectionEngine.ScanEnd(after: .seconds(2)) { $0.address == "C0:DE:00:00:00:03" })
        /// What is known of a recorder that the service has just heard.
        func heard(_ number: Int) -> ConnectionEngine.Event {
            .added(
                "/org/bluez/hci0/dev_\(number)",
                [
                    .device: [
                        "Address": .text("C0:DE:00:00:00:0\(number)"), "Adapter": .text("/org/bluez/hci0"),
                        "UUIDs": .texts([FTSCharacteristic.service]), "RSSI": .number(-50),
                    ]
                ])
        }
        var objects = BlueZCache()
        objects.add("/org/bluez/hci0", [.adapter: ["Powered": .truth(true)]])
        _ = engine.start(isServiceRunning: true)
        var actions = engine.handle(.objects(objects))
        while case .call(let call)? = actions.last { actions = engine.handle(.succeeded(call)) }
        guard case .startTimer(let whole, .seconds(60))? = actions.last else { throw Unexpected(actions: actions) }
        #expect(engine.handle(heard(1)).count == 1, "it is listed, and the time goes on")
        guard case .startTimer(let rest, .seconds(2))? = engine.handle(heard(3)).last else {
            throw Unexpected(actions: actions)
        }
        #expect(engine.handle(.timeout(whole)).isEmpty)
        #expect(engine.handle(heard(3)).count == 1, "the time does not begin again")
        let stop = BlueZCall.stopDiscovery(adapter: "/org/bluez/hci0")
        #expect(engine.handle(.timeout(rest)) == [.call(stop)])
        guard case .finish(.scanned(let devices))? = engine.handle(.succeeded(stop)).last else {
            throw Unexpected(actions: actions)
        }
        #expect(devices.map(\.address) == ["C0:DE:00:00:00:01", "C0:DE:00:00:00:03"])
    }

    private struct Unexpected: Error { let actions: [ConnectionEngine.Action] }

    @Test func `unpairing tells the recorder first, and works without it`() {
        var service = ScriptedBlueZ([Recorder(isPaired: true)])
        #expect(ConnectionEngineTests.run(.unpair(address: ConnectionEngineTests.address), &service) == .unpaired)
        #expect(Array(service.callNames.suffix(3)) == ["writePairing", "disconnect", "removeDevice"])
        var away = ScriptedBlueZ([Recorder(isPaired: true, isNearby: false, isCached: true)])
        #expect(ConnectionEngineTests.run(.unpair(address: ConnectionEngineTests.address), &away) == .unpaired)
        #expect(away.callNames.last == "removeDevice" && !away.callNames.contains("connect"))
    }

    @Test func `the adapter is switched on`() {
        var service = ScriptedBlueZ([Recorder(isPaired: true)])
        service.isPowered = false
        #expect(ConnectionEngineTests.run(.connect(address: nil), &service) == nil)
        #expect(service.ready != nil)
        #expect(service.callNames[1] == "power")
    }

    @Test func `an adapter that is off stays off for a service`() {
        var service = ScriptedBlueZ([Recorder(isPaired: true)])
        service.isPowered = false
        var engine = ConnectionEngine(.connect(address: nil), switchesOn: false)
        #expect(service.run(&engine) == .failed(.adapterOff))
        #expect(service.callNames == ["getObjects"])
    }

    /// As bluetoothd does, it switches the adapter off before its name goes, and has its name before it has an adapter.
    @Test func `a restart of the service or of the adapter during a run is waited for`() {
        func power(_ isOn: Bool) -> ConnectionEngine.Event {
            .changed(ScriptedBlueZ.adapter, .adapter, ["Powered": .truth(isOn)], invalidated: [])
        }
        let off: [ConnectionEngine.Event] = [
            power(false), .removed(ScriptedBlueZ.adapter, [.adapter]), .serviceChanged(isRunning: false),
            .serviceChanged(isRunning: true),
        ]
        for call in 3...7 {
            var service = ScriptedBlueZ([Recorder(isPaired: true)])
            service.interruptions = [
                call: off,
                call + 1: [
                    .objects(BlueZCache()), .added(ScriptedBlueZ.adapter, [.adapter: ["Powered": .truth(false)]]),
                ],
            ]
            #expect(ConnectionEngineTests.run(.connect(address: nil), &service) == nil)
            #expect(service.ready != nil, "restart at call \(call)")
            service = ScriptedBlueZ([Recorder(isPaired: true)])
            service.interruptions = [call: [power(false), power(true)]]
            #expect(ConnectionEngineTests.run(.connect(address: nil), &service) == nil)
            #expect(service.ready != nil, "off and on at call \(call)")
            service = ScriptedBlueZ([Recorder(isPaired: true)])
            service.interruptions = [call: [power(false)]]
            #expect(ConnectionEngineTests.run(.connect(address: nil), &service) == .failed(.adapterOff))
        }
    }

    @Test func `each obstacle has its own failure`() {
        func outcome(
            _ goal: ConnectionEngine.Goal = .pair(address: ConnectionEngineTests.address),
            _ change: (inout ScriptedBlueZ) -> Void
        ) -> ConnectionEngine.Outcome? {
            var service = ScriptedBlueZ()
            change(&service)
            return ConnectionEngineTests.run(goal, &service)
        }
        #expect(outcome { $0.hasAdapter = false } == .failed(.noAdapter))
        #expect(
            outcome { ($0.isPowered, $0.errors) = (false, ["power": [.failed("Blocked through rfkill")]]) }
                == .failed(.adapterOff))
        #expect(outcome { $0.errors = ["getObjects": [.notPermitted]] } == .failed(.notPermitted))
        #expect(outcome { $0.errors = ["startDiscovery": [.notReady]] } == .failed(.adapterOff))
        #expect(
            outcome { $0.errors = ["pair": [.authenticationRejected]] }
                == .failed(.pairingFailed(.authenticationRejected)))
        #expect(outcome { $0.errors = ["pair": [.noReply]] } == .failed(.pairingFailed(.noReply)))
        #expect(outcome(.connect(address: ConnectionEngineTests.address)) { _ in } == .failed(.notPaired))
        #expect(outcome { $0.recorders[0].characteristics = [.controlPoint] } == .failed(.unsupported))
        #expect(
            outcome { ($0.recorders[0].isPaired, $0.recorders[0].hasForgotten) = (true, true) } == .failed(.bondLost))
        let failure = BlueZError.failed("le-connection-abort-by-local")
        #expect(
            outcome { $0.errors = ["connect": [failure, failure, failure]] } == .failed(.connectionFailed(failure)))
    }

    @Test func `errors that pass are waited for`() {
        var service = ScriptedBlueZ([Recorder(isPaired: true)])
        service.errors = [
            "registerAgent": [.alreadyExists], "registerTimeService": [.alreadyExists], "startDiscovery": [.inProgress],
            "stopDiscovery": [.failed("No discovery started")], "connect": [.inProgress, .failed("abort")],
        ]
        #expect(ConnectionEngineTests.run(.connect(address: nil), &service) == nil)
        #expect(service.ready != nil)
        #expect(service.callNames.count { $0 == "connect" } == 3)
    }

    @Test func `the service may start late and restart at any call`() {
        for call in 1...8 {
            var service = ScriptedBlueZ([Recorder(isPaired: true)])
            service.interruptions = [call: [.serviceChanged(isRunning: false), .serviceChanged(isRunning: true)]]
            #expect(ConnectionEngineTests.run(.connect(address: nil), &service) == nil)
            #expect(service.ready != nil, "restart at call \(call)")
        }
        var absent = ScriptedBlueZ()
        #expect(ConnectionEngineTests.run(.scan, &absent, isServiceRunning: false) == .failed(.serviceMissing))
        var engine = ConnectionEngine(.scan)
        _ = engine.start(isServiceRunning: true)
        var actions: [ConnectionEngine.Action] = []
        for _ in 0...ConnectionEngine.maximumRestartCount { actions = engine.handle(.serviceChanged(isRunning: true)) }
        #expect(actions == [.finish(.failed(.serviceMissing))])
    }

    @Test func `a run can be cancelled at any call, and leaves no link`() {
        for call in 1...9 {
            var service = ScriptedBlueZ()
            service.interruptions = [call: [.cancelled]]
            let outcome = ConnectionEngineTests.run(.pair(address: ConnectionEngineTests.address), &service)
            #expect(outcome == .cancelled)
            #expect(!service.recorders[0].isConnected)
        }
    }

    @Test func `the end of a link and of the adapter end the run`() {
        let path = ScriptedBlueZ.Recorder().path
        let ends: [ConnectionEngine.Event] = [
            .changed(path, .device, ["Connected": .truth(false)], invalidated: []),
            .removed(path, [.device, .battery]),
            .changed(ScriptedBlueZ.adapter, .adapter, ["Powered": .truth(false)], invalidated: []),
            .serviceChanged(isRunning: false),
        ]
        for event in ends {
            var service = ScriptedBlueZ([Recorder(isPaired: true)])
            var engine = ConnectionEngine(.connect(address: nil))
            #expect(service.run(&engine) == nil)
            let level = engine.handle(.changed(path, .battery, ["Percentage": .number(12)], invalidated: []))
            #expect(level == BatteryLevel(percent: 12).map { [.battery($0)] })
            #expect(engine.handle(event) == [.finish(.disconnected)])
            #expect(engine.handle(event) == [])
        }
    }

    @Test func `random facts end within a bound`() {
        let path = ScriptedBlueZ.Recorder().path
        for seed in 0..<300 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var service = ScriptedBlueZ()
            var engine = ConnectionEngine(.pair(address: ConnectionEngineTests.address))
            var pending = engine.start(isServiceRunning: true)
            var actionCount = 0
            for _ in 0..<500 where !engine.isFinished {
                actionCount += pending.count
                var call: BlueZCall?
                for case .call(let made) in pending { call = made }
                let event: ConnectionEngine.Event
                switch Int.random(in: 0..<8, using: &generator) {
                case 0:
                    event = .failed(call ?? .getObjects, Bool.random(using: &generator) ? .inProgress : .failed("x"))
                case 1: event = .timeout(Int.random(in: 0...30, using: &generator))
                case 2:
                    event = .changed(path, .device, ["Connected": .truth(.random(using: &generator))], invalidated: [])
                case 3: event = .changed(path, .device, ["ServicesResolved": .truth(true)], invalidated: ["RSSI"])
                case 4:
                    event = .added(
                        path, [.device: ["Address": .text("x"), "UUIDs": .texts([FTSCharacteristic.service])]])
                case 5: event = .objects(service.cache)
                case 6:
                    event =
                        Int.random(in: 0..<20, using: &generator) == 0
                        ? .serviceChanged(isRunning: true) : .removed(path, [.device])
                default: event = .succeeded(call ?? .registerAgent)
                }
                service.isPowered.toggle()
                pending = engine.handle(event)
            }
            #expect(actionCount <= 1500)
        }
    }

    @Test(arguments: [
        ("org.bluez.Error.NotReady", "", BlueZError.notReady), ("org.freedesktop.DBus.Error.NoReply", "", .noReply),
        ("org.bluez.Error.Failed", "Not connected", .notConnected),
        (
            "org.bluez.Error.Failed", "Operation failed with ATT error: 0x0e",
            .failed("Operation failed with ATT error: 0x0e")
        ),
        ("org.freedesktop.DBus.Error.ServiceUnknown", "", .serviceMissing), ("some.Other", "why", .failed("why")),
    ])
    func `errors have meanings`(name: String, message: String, error: BlueZError) {
        #expect(BlueZError(name: name, message: message) == error)
    }

    @Test func `errors are words for people, never names of the program`() {
        let names =
            [
                "NotReady", "InProgress", "AlreadyConnected", "NotConnected", "AlreadyExists", "DoesNotExist",
                "NotSupported", "NotPermitted", "AuthenticationFailed", "AuthenticationCanceled",
                "AuthenticationRejected", "AuthenticationTimeout", "Failed",
            ].map { "org.bluez.Error." + $0 }
            + ["NoReply", "UnknownObject", "ServiceUnknown"].map { "org.freedesktop.DBus.Error." + $0 }
        let texts = names.map { "\(BlueZError(name: $0, message: ""))" }
        #expect(Set(texts).count == names.count)
        for text in texts {
            // A case of an enumeration has no space, and one with a value has a bracket.
            #expect(text.contains(" ") && !text.contains("(") && text.last != ".", "\(text)")
        }
        #expect(
            "\(BlueZError(name: "some.Other", message: "property Bonded not found"))" == "property Bonded not found")
    }

    @Test func `the file transfer knows whether another attempt helps`() {
        #expect(BlueZError.inProgress.linkError == .busy)
        #expect(BlueZError.notPermitted.linkError == .notAuthorized)
        #expect(BlueZError.serviceMissing.linkError == .notConnected)
        #expect(BlueZError.failed("x").linkError == .other("x"))
    }
}
