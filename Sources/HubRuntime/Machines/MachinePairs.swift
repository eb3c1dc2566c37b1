import Commands
import HTTPClient
import HubKit
import Storage
import Sync

/// The pairs of this hub with others: joins a home, and exchanges with all that were joined.
struct MachinePairs: Sendable {
    let hub: Hub

    init(_ hub: Hub) { self.hub = hub }

    private static var bookkeeping: Operation { Operation("machines", who: .service("machines"), kind: .cache) }

    private var store: Store { get throws { try hub.database().store(for: "core") } }

    /// The machines that were joined.
    func machines() async throws -> [JoinedMachine] { try await store.read { try $0.machines() } }

    /// What both machines have, before they are joined.
    struct Plan: Sendable {
        let machine: String
        let replica: String
        let lines: [String]
    }

    /// Asks the home of a line what it has, which does not use up its code.
    func look(by line: JoinLine) async throws -> Plan {
        let link = try await self.link(of: line)
        let (status, body) = try await link.ask("join", MachineMessage.object([("code", line.code), ("look", "yes")]))
        await link.client.close()
        guard status == 200 else { throw badCode(line) }
        let json = try MachineMessage.json(body)
        guard let machine = json["machine"]?.string, let replica = json["replica"]?.string, Self.isName(machine) else {
            throw MachineMessage.malformed
        }
        let mine = try await counts()
        let kinds = try await countedKinds()
        var (there, here, notes): ([String], [String], [String]) = ([], [], [])
        for kind in kinds {
            let theirs = json["counts"]?[kind.id]?.integer ?? 0
            there.append(kind.words(theirs))
            here.append(kind.words(mine[kind.id] ?? 0))
            let known = Set((json["identities"]?[kind.id]?.array ?? []).compactMap(\.string))
            let own = try await store.read { try $0.identities(of: kind) }
            let same = own.count { known.contains($0) }
            let new = (mine[kind.id] ?? 0) - same
            if same > 0 { notes.append("\(kind.words(same)) \(same == 1 ? "is" : "are") on both") }
            if new > 0 {
                notes.append("\(kind.words(new)) \(new == 1 ? "is" : "are") only here and will be added there")
            }
        }
        for (exchange, all, _) in try await MachineExchanges(hub).counts(for: nil) {
            here.append(exchange.words(all))
            if let count = json["exchanged"]?[exchange.noun.many]?.integer { there.append(exchange.words(count)) }
        }
        let title = "\(machine) has \(there.joined(separator: ", ")); this machine has \(here.joined(separator: ", "))"
        return Plan(
            machine: machine, replica: replica,
            lines: [title] + (notes.isEmpty ? [] : ["  " + notes.joined(separator: ", ")]))
    }

    private func badCode(_ line: JoinLine) -> HubError {
        HubError(
            .denied, code: "bad-code", "the line is not valid any more",
            details: ["It holds for ten minutes, and for one machine."],
            hint: "make a new one there: hub devices add \(line.name) --hub")
    }

    /// The connection by which the home of a line is asked.
    private func link(of line: JoinLine) async throws -> HTTPMachineLink {
        let configuration = HTTPConfiguration(userAgent: "hub", proxy: .none)
        do throws(HTTPError) {
            guard let fingerprint = line.fingerprint else {
                return HTTPMachineLink(client: HTTPClient(configuration), url: line.url, credentials: nil)
            }
            let client = try await PinnedServer(sha256: fingerprint.bytes, configuration: configuration)
                .client(at: line.url, deadlines: HTTPDeadlines(connect: .seconds(10)))
            return HTTPMachineLink(client: client, url: line.url, credentials: nil)
        } catch {
            throw HubError(
                .unavailable, code: "machine-unreachable",
                "\(line.url.host):\(line.url.port) is not the hub of this line",
                details: [error.description],
                hint: "see that hub serve runs there, and make a new line with hub devices add")
        }
    }

    /// The machines that this one has joined, and those that have joined it.
    func lines() async throws -> [MachineLine] {
        let database = try hub.database()
        guard try await store.read({ try !$0.machines().isEmpty || !$0.spokes().isEmpty }) else { return [] }
        try await MachineHome.refresh(database.store(for: "core"))
        var others: [String: Int] = [:]
        for machine in try await machines() {
            others[machine.name] = try await MachineExchanges(hub).counts(for: machine.name).map(\.waiting).reduce(0, +)
        }
        return try await store.read { [others] transaction in
            try transaction.machines().map { machine in
                MachineLine(
                    name: machine.name, isHome: true, seenAt: machine.seenAt,
                    waiting: try transaction.documentsToSend(to: machine.name, limit: 1_000_000).count
                        + (others[machine.name] ?? 0),
                    held: try transaction.heldDocuments(of: machine.name).count { $0.isOpen }, failure: machine.failure)
            }
                + transaction.spokes().map { spoke in
                    MachineLine(
                        name: spoke.device, isHome: false, seenAt: spoke.seenAt, waiting: nil, held: nil, failure: "")
                }
        }
    }

    /// What waits for the person, or was replaced.
    func held() async throws -> [HeldDocument] { try await store.read { try $0.heldDocuments() } }

    /// Uses the code of a line, and returns how the home is reached from now on, its name and its store.
    func pair(by line: JoinLine) async throws -> (access: MachineAccess, machine: String, replica: String) {
        let link = try await self.link(of: line)
        let (status, body) = try await link.ask("join", MachineMessage.object([("code", line.code)]))
        await link.client.close()
        guard status == 200 else { throw badCode(line) }
        let json = try MachineMessage.json(body)
        guard let user = json["device"]?.string, let password = json["password"]?.string,
            let machine = json["machine"]?.string, let replica = json["replica"]?.string, Self.isName(machine)
        else { throw MachineMessage.malformed }
        return (
            MachineAccess(url: line.url, user: user, password: password, authority: json["authority"]?.string), machine,
            replica
        )
    }

    /// Whether a text can be the name of a machine, which is that of a file.
    private static func isName(_ name: String) -> Bool {
        (1...32).contains(name.utf8.count)
            && name.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") }
    }

    /// Notes that a home was joined. Its first exchange follows.
    func join(_ machine: String, _ access: MachineAccess, replica: String) async throws {
        try await BackgroundThread.run { [hub] in try access.write(machine, hub) }
        try await store.write(Self.bookkeeping) { transaction in
            try transaction.startDocuments()
            try transaction.save(
                JoinedMachine(
                    name: machine, replica: replica, own: try transaction.replica(), joinedAt: transaction.now))
        }
    }

    /// Reaches a home that was joined before in another way: what both had when they were last equal stays known.
    func rejoin(_ machine: String, _ access: MachineAccess) async throws {
        try await BackgroundThread.run { [hub] in try access.write(machine, hub) }
    }

    /// The status that a home answers this machine with; nil without an answer, or a password for it.
    func status(of machine: String) async -> Int? {
        guard let access = MachineAccess.read(machine, hub) else { return nil }
        let link = access.link(machine, hub)
        let answer = try? await link.ask("state", [])
        await link.client.close()
        return answer?.status
    }

    /// The identity of this store.
    func replica() async throws -> String { try await store.read { try $0.replica() } }

    /// Forgets a home. What came from it stays.
    func leave(_ machine: String) async throws -> Bool {
        MachineAccess.remove(machine, hub)
        try await MachineExchanges(hub).forget(machine)
        return try await store.write(Self.bookkeeping) { try $0.removeMachine(machine) }
    }

    /// Counts the documents of this store, by kinds that people count.
    func counts() async throws -> [String: Int] {
        try await store.write(Self.bookkeeping) { try $0.startDocuments() }
        try await MachineHome.refresh(store)
        return try await store.read { try $0.documentCounts() }
    }

    /// The kinds that people count.
    func countedKinds() async throws -> [DocumentKind] {
        try await store.read { $0.documentKinds().map { $0.kind }.filter { !$0.noun.one.isEmpty } }
    }

    /// The connection to a home.
    func link(to machine: String) throws -> HTTPMachineLink {
        guard let access = MachineAccess.read(machine, hub) else {
            throw HubError(
                .config, code: "no-password", "the password for \(machine) is not beside this store",
                details: ["It is in no backup, and does not come with a copy of the database."],
                hint: "hub devices add NAME --hub on \(machine), then hub join with its line")
        }
        return access.link(machine, hub)
    }

    /// Exchanges with one home, alone: others that try meanwhile are told to wait. `isWhole` includes what a connection of `hub serve`
    /// exchanges.
    func sync(
        _ machine: String, isWhole: Bool = true, report: @escaping @Sendable (Progress) -> Void = { _ in },
        confirm: @escaping @Sendable (Int, Int) async throws -> Bool = { _, _ in false }
    ) async throws -> MachineReport {
        let link = try link(to: machine)
        let locks = FileLocks(directory: hub.directories.locks, clock: hub.clock)
        guard let lock = try await locks.tryAcquire("machines/\(machine)") else {
            throw HubError(
                .busy, code: "syncing", "another process exchanges with \(machine)", hint: "try again in a moment")
        }
        defer { withExtendedLifetime(lock) {} }
        do {
            let fetches = try hub.configuration().core[HubKeys.joinAudio]
            var done = try await MachineSync(
                try hub.database(), with: machine, over: link, fetches: fetches, confirm: confirm, report: report
            ).run()
            if isWhole { try await MachineExchanges(hub).run(with: machine, over: link, &done) }
            await link.client.close()
            return done
        } catch {
            await link.client.close()
            throw error
        }
    }

    /// Exchanges with all homes, for `hub sync`.
    func results(_ input: Input) async throws -> [SyncResult] {
        if input.dryRun { return [] }
        var results: [SyncResult] = []
        for machine in try await machines() {
            let start = hub.clock.monotonicNow
            do {
                let report = try await sync(machine.name, report: { input.console.report($0) }) { here, there in
                    input.console.report(nil)
                    let side = here > 0 ? "here" : "on \(machine.name)"
                    return try await input.confirm(
                        "Remove \(max(here, there)) things \(side), as on the other machine?",
                        consequence: "\(max(here, there)) things would be removed \(side)")
                }
                input.console.report(nil)
                results.append(try await result(report, of: machine.name, hub.clock.monotonicNow - start))
            } catch let error as HubError {
                input.console.report(nil)
                results.append(
                    SyncResult(machine.name, "not synced", duration: hub.clock.monotonicNow - start, failure: error))
            }
        }
        return results
    }

    /// One line of a report.
    func result(_ report: MachineReport, of machine: String, _ duration: Duration) async throws -> SyncResult {
        let kinds = try await countedKinds()
        func words(_ counts: [String: Int]) throws -> String {
            (kinds.compactMap { kind in counts[kind.id].map { kind.words($0) } }
                + (try MachineExchanges(hub).words(counts))).joined(separator: ", ")
        }
        let parts = [("received", try words(report.received)), ("sent", try words(report.sent))]
            .filter { !$0.1.isEmpty }
        let text = parts.isEmpty ? "in step" : parts.map { "\($0) \($1)" }.joined(separator: "; ")
        var notes = report.notes.map { Diagnostic.warning("\(machine): \($0)", code: "machine-note", hint: nil) }
        if report.held > 0 {
            notes.append(
                .warning(
                    "\(machine): \(report.held) of the documents wait", code: "machine-held",
                    hint: "hub machines refused"))
        }
        return SyncResult(machine, text, duration: duration, notes: notes, isPartial: report.held > 0)
    }
}

/// A machine in a list.
struct MachineLine: Sendable {
    let name: String
    /// Whether this machine has joined it; else it has joined this one.
    let isHome: Bool
    let seenAt: Instant?
    /// The number of changes that wait; nil where only the other machine knows it.
    let waiting: Int?
    let held: Int?
    let failure: String
}

/// Keeps this hub in step with the homes that it has joined: right after changes here, and once a minute for changes there. Without
/// changes it is one short request a minute.
struct MachineService: Service {
    private static let interval = Duration.seconds(60)
    /// The time in which changes that follow each other are sent together.
    private static let pause = Duration.seconds(2)

    private let hub: Hub
    private let log: Log

    init(_ hub: Hub) {
        self.hub = hub
        log = hub.log.labelled("machines")
    }

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await exchange() }
            if try !MachineExchanges(hub).isEmpty { group.addTask { try await follow() } }
            try await group.next()
        }
    }

    /// Keeps connections to all homes.
    private func follow() async throws {
        var running: [String: Task<Void, Never>] = [:]
        defer { for task in running.values { task.cancel() } }
        while true {
            let changes = hub.bus.changes()
            // A machine that was left and joined again has another password.
            let machines = try await MachinePairs(hub).machines().map { "\($0.name) \($0.joinedAt.milliseconds)" }
            for (key, task) in running where !machines.contains(key) {
                task.cancel()
                running[key] = nil
            }
            for key in machines where running[key] == nil {
                let name = String(key.prefix { $0 != " " })
                running[key] = Task { await follow(name) }
            }
            try await wait(for: changes)
        }
    }

    /// Keeps connections to a home, and opens them again when they are lost.
    private func follow(_ machine: String) async {
        let pairs = MachinePairs(hub)
        var failures = 0
        while !Task.isCancelled {
            let start = hub.clock.monotonicNow
            do {
                let link = try pairs.link(to: machine)
                do {
                    try await MachineExchanges(hub).follow(machine, over: link) { [log] words in
                        if !words.isEmpty { log.info("\(machine): \(words)") }
                    }
                } catch {
                    await link.client.close()
                    throw error
                }
                await link.client.close()
            } catch is CancellationError {
                return
            } catch {
                // The exchange at intervals says why a machine is not reached.
                log.debug("\(machine): \((error as? HubError)?.message ?? "\(error)")")
            }
            // Later and later, unless the connection was good.
            failures = hub.clock.monotonicNow - start >= .seconds(30) ? 0 : min(failures + 1, 6)
            guard (try? await hub.clock.sleep(for: .seconds(1 << failures))) != nil else { return }
        }
    }

    private func exchange() async throws {
        let pairs = MachinePairs(hub)
        var failures: [String: String] = [:]
        while true {
            // What comes while this works is not missed.
            let changes = hub.bus.changes()
            for machine in try await pairs.machines() {
                do {
                    let report = try await pairs.sync(machine.name, isWhole: false)
                    for note in report.notes { log.warning("\(machine.name): \(note)") }
                    if failures.removeValue(forKey: machine.name) != nil {
                        log.info("\(machine.name) is reached again")
                    }
                } catch let error as HubError {
                    // A machine that is away is not news.
                    if failures.updateValue(error.message, forKey: machine.name) != error.message {
                        log.warning("\(machine.name): \(error.message)")
                    }
                }
            }
            try await wait(for: changes)
        }
    }

    /// Waits for a change here, or for the interval.
    private func wait(for changes: ChangeNotifier) async throws {
        let clock = hub.clock
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await clock.sleep(for: Self.interval) }
            group.addTask {
                for await _ in changes { break }
                try await clock.sleep(for: Self.pause)
            }
            _ = try await group.next()
            group.cancelAll()
        }
    }
}
