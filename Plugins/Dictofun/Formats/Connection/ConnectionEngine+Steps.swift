/// The order of the calls.
extension ConnectionEngine {
    mutating func call(_ call: BlueZCall) -> [Action] {
        state = .calling(call)
        timer += 1
        return [.call(call)]
    }

    private mutating func next(_ next: BlueZCall) -> [Action] {
        attemptCount = 0
        return call(next)
    }

    mutating func startTimer(_ duration: Duration) -> Action {
        timer += 1
        return .startTimer(timer, duration)
    }

    mutating func finish(_ outcome: Outcome) -> [Action] {
        state = .finished
        return [.finish(outcome)]
    }

    mutating func awaitService() -> [Action] {
        if state == .linked { return finish(.disconnected) }
        state = .awaitingService
        return [startTimer(ConnectionEngine.serviceTime)]
    }

    /// The adapter is off or missing. During a run it comes back when the service restarts or the computer wakes up.
    private mutating func awaitAdapter(or failure: Failure) -> [Action] {
        if state == .linked { return finish(.disconnected) }
        if let pendingOutcome { return finish(pendingOutcome) }
        guard expectsAdapter else { return finish(.failed(failure)) }
        state = .awaitingAdapter(failure)
        return [startTimer(ConnectionEngine.serviceTime)]
    }

    /// A new service knows nothing of the run so far.
    mutating func restart() -> [Action] {
        if state == .linked { return finish(.disconnected) }
        restartCount += 1
        guard restartCount <= ConnectionEngine.maximumRestartCount else { return finish(.failed(.serviceMissing)) }
        (cache, device, present, isEnding, nextDevice) = (BlueZCache(), nil, [], false, nil)
        return next(.getObjects)
    }

    mutating func begin(_ objects: BlueZCache) -> [Action] {
        cache = objects
        guard let adapter = cache.adapter else { return awaitAdapter(or: .noAdapter) }
        self.adapter = adapter
        if cache.hasUsableAdapter {
            expectsAdapter = true
            return next(.registerAgent)
        }
        return switchesOn ? next(.power(adapter: adapter)) : awaitAdapter(or: .adapterOff)
    }

    mutating func succeed(_ call: BlueZCall) -> [Action] {
        switch call {
        case .getObjects: return []
        case .power:
            // The signal of it may come later.
            cache.change(adapter, .adapter, ["Powered": .truth(true)])
            expectsAdapter = true
            return next(.registerAgent)
        case .registerAgent: return next(goal == .scan ? filter : .registerTimeService(adapter: adapter))
        case .registerTimeService:
            // A link of an earlier process may still be there.
            if let connected = candidates.first(where: { cache.isTrue($0, .device, "Connected") }) {
                return choose(connected)
            }
            guard search.isSilent else { return next(filter) }
            state = .listening
            return [startTimer(scanTime)]
        case .setDiscoveryFilter: return next(.startDiscovery(adapter: adapter))
        case .startDiscovery:
            state = .discovering
            return [startTimer(scanTime)]
        case .stopDiscovery: return stopped()
        case .connect:
            cache.change(device ?? "", .device, ["Connected": .truth(true)])
            return resolve()
        case .pair: return next(.trust(device: device ?? ""))
        case .trust: return link()
        case .writePairing: return next(.disconnect(device: device ?? ""))
        case .disconnect: return forget()
        case .removeDevice: return finish(pendingOutcome ?? .unpaired)
        }
    }

    private var filter: BlueZCall { .setDiscoveryFilter(adapter: adapter) }

    /// The devices that the run takes notice of. Bootloaders offer no files.
    private var recorders: [String] {
        var services: Set = [FTSCharacteristic.service]
        if case .update = goal { services.insert(DFUCharacteristic.service) }
        return cache.devices(of: adapter, offering: services)
    }

    /// The recorders that the goal could mean.
    private var candidates: [String] {
        recorders.filter { path in
            let found = cache.text(path, .device, "Address")?.uppercased()
            switch goal {
            case .scan: return true
            case .connect(nil): return cache.isTrue(path, .device, "Paired")
            case .connect(let address?), .pair(let address), .unpair(let address): return found == address.uppercased()
            case .update(let address):
                let wanted = address.uppercased()
                return found == wanted || found == DFUButtonless.bootloaderAddress(of: wanted)
            }
        }
    }

    /// A device was heard, or its properties changed.
    mutating func heard(_ path: String, isNew: Bool, battery: Bool) -> [Action] {
        if battery, path == device, state == .linked { return cache.battery(of: path).map { [.battery($0)] } ?? [] }
        guard isNew, state == .discovering, recorders.contains(path) else { return [] }
        present.insert(path)
        let known = cache.device(path)
        let found = known.map { [Action.found($0)] } ?? []
        if goal == .scan, !isEnding, let scanEnd, let known, scanEnd.isWanted(known) {
            isEnding = true
            return found + [startTimer(scanEnd.time)]
        }
        guard goal != .scan, candidates.contains(path) else { return found }
        return found + take(path)
    }

    /// Takes a recorder that was heard, or that the service has connected with. One that was connected before waits for others.
    private mutating func take(_ path: String) -> [Action] {
        if let turn = turn(of: path) {
            guard let other = nextDevice else {
                nextDevice = path
                return [startTimer(ConnectionEngine.turnTime)]
            }
            if let otherTurn = self.turn(of: other), turn < otherTurn { nextDevice = path }
            return []
        }
        return choose(heard: path)
    }

    private mutating func choose(heard path: String) -> [Action] {
        device = path
        if state == .discovering { return next(.stopDiscovery(adapter: adapter)) }
        return choose(path)
    }

    /// The place of a recorder among those that were connected before; nil for one that was not.
    private func turn(of path: String) -> Int? {
        guard goal == .connect(address: nil) else { return nil }
        return cache.text(path, .device, "Address").flatMap { search.served.lastIndex(of: $0.uppercased()) }
    }

    /// Takes a recorder with which the service has connected by itself, if there is one.
    private mutating func checkConnections() -> [Action] {
        guard goal == .connect(address: nil) else { return [] }
        let connected = candidates.filter { cache.isTrue($0, .device, "Connected") }
        guard let path = connected.first(where: { turn(of: $0) == nil }) ?? connected.first, path != nextDevice else {
            return []
        }
        return take(path)
    }

    private mutating func choose(_ path: String) -> [Action] {
        device = path
        guard cache.isTrue(path, .device, "Connected") else { return next(.connect(device: path)) }
        wasConnectedByService = state == .listening
        return resolve()
    }

    private mutating func stopped() -> [Action] {
        if let pendingOutcome { return finish(pendingOutcome) }
        if let device { return choose(device) }
        if goal == .scan {
            return finish(.scanned(present.sorted().compactMap(cache.device)))
        }
        // The computer's own half of a bond can be removed while the recorder is away.
        if case .unpair = goal, let known = candidates.first {
            device = known
            return forget()
        }
        return finish(.failed(.notFound))
    }

    /// The services are known some time after the connection.
    private mutating func resolve() -> [Action] {
        state = .resolving
        return [startTimer(.seconds(30))] + checkLink()
    }

    /// Takes what properties say about the chosen recorder.
    mutating func checkLink() -> [Action] {
        switch state {
        case .awaitingAdapter(let failure):
            let isBack = failure == .noAdapter ? cache.adapter != nil : cache.hasUsableAdapter
            return isBack ? restart() : []
        case .awaitingService, .calling(.getObjects), .retrying(.getObjects), .calling(.power), .retrying(.power): break
        default: if !cache.isTrue(adapter, .adapter, "Powered") { return awaitAdapter(or: .adapterOff) }
        }
        if state == .listening || state == .discovering { return checkConnections() }
        guard let device else { return [] }
        let isConnected = cache.isTrue(device, .device, "Connected")
        switch state {
        case .resolving where !isConnected:
            // Right after Connect the link of a bond ends when the other side has lost its keys.
            return cache.isTrue(device, .device, "Paired")
                ? reconnect(or: .bondLost) : reconnect(or: .connectionFailed(.notConnected))
        case .resolving where cache.isTrue(device, .device, "ServicesResolved"): return pairIfNeeded(device)
        case .linked where !isConnected: return finish(.disconnected)
        default: return []
        }
    }

    private mutating func reconnect(or failure: Failure) -> [Action] {
        guard let device, cache.contains(device, .device) else { return finish(.failed(.notFound)) }
        attemptCount += 1
        guard attemptCount < ConnectionEngine.maximumAttemptCount else { return finish(.failed(failure)) }
        state = .retrying(.connect(device: device))
        return [startTimer(.seconds(1))]
    }

    private mutating func pairIfNeeded(_ device: String) -> [Action] {
        // Of a device that is paired already the service would say nothing at all.
        if cache.isTrue(device, .device, "Paired") { return link() }
        switch goal {
        case .connect: return leave(.failed(.notPaired))
        // A bootloader has no bonds.
        case .update: return cache.characteristics(of: device).isEmpty ? link() : leave(.failed(.notPaired))
        case .scan, .pair, .unpair: return next(.pair(device: device))
        }
    }

    private mutating func link() -> [Action] {
        guard let path = device, let device = cache.device(path) else { return finish(.failed(.notFound)) }
        let characteristics = cache.characteristics(of: path)
        if case .unpair = goal {
            guard let characteristic = characteristics[.pairing] else { return next(.disconnect(device: path)) }
            return next(.writePairing(characteristic: characteristic, .unpair))
        }
        let firmware = cache.firmwareCharacteristics(of: path)
        let link = Link(
            path: path, device: device, characteristics: characteristics, firmware: firmware,
            packetSize: firmware[.packet].map(cache.packetSize) ?? 20)
        let isSupported =
            if case .update = goal {
                link.isBootloader || firmware[.buttonless] != nil
            } else {
                FTSCharacteristic.required.isSubset(of: characteristics.keys)
            }
        guard isSupported else { return leave(.failed(.unsupported)) }
        state = .linked
        let battery = device.battery.map { [Action.battery($0)] } ?? []
        return [.ready(link)] + battery
    }

    /// Ends the run, the link first.
    mutating func leave(_ outcome: Outcome) -> [Action] {
        pendingOutcome = outcome
        if state == .discovering { return next(.stopDiscovery(adapter: adapter)) }
        switch state {
        case .awaitingService, .awaitingAdapter: return finish(outcome)
        default: break
        }
        guard let device else { return finish(outcome) }
        // A connection that is being made ends as well.
        let isConnecting = state == .calling(.connect(device: device))
        guard isConnecting || cache.isTrue(device, .device, "Connected") else { return finish(outcome) }
        return next(.disconnect(device: device))
    }

    private mutating func forget() -> [Action] {
        if let pendingOutcome { return finish(pendingOutcome) }
        return next(.removeDevice(adapter: adapter, device: device ?? ""))
    }

    mutating func handleTimeout() -> [Action] {
        switch state {
        case .awaitingService: return finish(.failed(.serviceMissing))
        case .awaitingAdapter(let failure): return finish(.failed(failure))
        case .retrying(let call): return self.call(call)
        case .discovering, .listening:
            if let nextDevice { return choose(heard: nextDevice) }
            return state == .listening ? finish(.failed(.notFound)) : next(.stopDiscovery(adapter: adapter))
        case .resolving: return leave(.failed(.connectionFailed(.noReply)))
        case .ready, .calling, .linked, .finished: return []
        }
    }

    mutating func fail(_ call: BlueZCall, _ error: BlueZError) -> [Action] {
        if error == .serviceMissing { return awaitService() }
        if error == .inProgress, !isDiscovery(call) {
            attemptCount += 1
            if attemptCount < ConnectionEngine.maximumAttemptCount {
                state = .retrying(call)
                return [startTimer(.seconds(1))]
            }
        }
        switch (call, error) {
        case (.getObjects, .notPermitted): return finish(.failed(.notPermitted))
        case (.getObjects, _): return finish(.failed(.serviceMissing))
        case (.power, .notPermitted): return finish(.failed(.notPermitted))
        case (.power, _): return awaitAdapter(or: .adapterOff)
        case (.registerAgent, .notPermitted): return finish(.failed(.notPermitted))
        // Without the application, the service connects with nothing by itself.
        case (.registerTimeService, _) where error != .alreadyExists && search.isSilent:
            return finish(.failed(.notFound))
        // The rest of these is worth an attempt: an agent or a service of ours may exist, and a search may run for others.
        case (.registerAgent, _), (.registerTimeService, _), (.setDiscoveryFilter, _), (.stopDiscovery, _), (.trust, _):
            return succeed(call)
        case (.startDiscovery, .inProgress): return succeed(call)
        case (.startDiscovery, .notReady), (.connect, .notReady): return awaitAdapter(or: .adapterOff)
        case (.startDiscovery, _): return finish(.failed(.connectionFailed(error)))
        case (.connect, .alreadyConnected): return succeed(call)
        case (.connect, .unknownObject), (.connect, .doesNotExist): return finish(.failed(.notFound))
        case (.connect, _): return reconnect(or: .connectionFailed(error))
        case (.pair, .alreadyExists): return succeed(call)
        case (.pair, .noReply) where cache.isTrue(device ?? "", .device, "Paired"): return succeed(call)
        case (.pair, _): return leave(.failed(.pairingFailed(error)))
        // The recorder's half of the bond may stay; ours is removed.
        case (.writePairing, _), (.disconnect, _): return succeed(call)
        case (.removeDevice, .doesNotExist), (.removeDevice, .unknownObject): return succeed(call)
        case (.removeDevice, _): return finish(.failed(.connectionFailed(error)))
        }
    }

    private func isDiscovery(_ call: BlueZCall) -> Bool { call == .startDiscovery(adapter: adapter) }
}
