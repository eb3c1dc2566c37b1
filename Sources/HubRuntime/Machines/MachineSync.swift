import Commands
import HubKit
import Storage

/// Another hub, as the one that has joined it reaches it.
protocol MachineLink: Sendable {
    /// Sends a request to `path` below `/hub/v1/` and returns the status and the body of the answer. Throws ``HubError`` without one.
    func ask(_ path: String, _ body: [UInt8]) async throws -> (status: Int, body: [UInt8])
    /// Opens a connection to `path` below `/hub/v1/`.
    func open(_ path: String) async throws -> any MachineChannel
}

/// What an exchange with a home has done.
struct MachineReport: Sendable {
    /// The documents that were received and sent, by their kinds.
    var received: [String: Int] = [:]
    var sent: [String: Int] = [:]
    /// What the person should know, one sentence each.
    var notes: [String] = []
    /// The documents that wait for the person.
    var held = 0
    /// Whether there was nothing to do.
    var isQuiet = false
}

/// An exchange of this hub with the home that it has joined: takes the home's changes, merges them, and sends its own.
///
/// Each step is a commit that is complete by itself, so it may end at any point, and be repeated.
struct MachineSync: Sendable {
    private let database: Database
    private let link: any MachineLink
    /// The name under which the home is kept.
    private let machine: String
    /// The name of this machine.
    private let word: String
    /// The files that come without being needed.
    private let fetches: FetchedFiles
    /// Asks whether many documents shall be removed: how many here, and how many there.
    private let confirm: @Sendable (_ here: Int, _ there: Int) async throws -> Bool
    /// Is told how far it is.
    private let report: @Sendable (Progress) -> Void

    /// The most documents of one message.
    private static let batch = 200
    /// The bytes after which a message has no more documents.
    private static let bytes = 4 << 20
    /// The number of times that changes are taken and sent until both sides are equal.
    private static let rounds = 8
    /// The number of removals, and the part of all documents, that need no question.
    private static let unasked = (count: 10, part: 4)

    init(
        _ database: Database, with machine: String, over link: any MachineLink, as word: String = MachineName.own,
        fetches: FetchedFiles = .all,
        confirm: @escaping @Sendable (_ here: Int, _ there: Int) async throws -> Bool = { _, _ in false },
        report: @escaping @Sendable (Progress) -> Void = { _ in }
    ) {
        self.database = database
        self.machine = machine
        self.link = link
        self.word = word
        self.fetches = fetches
        self.report = report
        self.confirm = confirm
    }

    private var store: Store { database.store(for: "core") }
    private static var bookkeeping: Operation { Operation("machines", who: .service("machines"), kind: .cache) }

    /// Exchanges until both sides are equal.
    func run() async throws -> MachineReport {
        var report = MachineReport()
        try await MachineHome.refresh(store)
        guard var state = try await store.read({ [machine] in try $0.machine(machine) }) else { throw missing }
        let home = try MachineMessage.greeting(try await ask("state"))
        let own = try await store.read { try $0.replica() }
        if home.replica == state.replica, own == state.own, home.number == state.position, state.failure.isEmpty,
            !state.fork.isEmpty, try await waiting().isEmpty
        {
            report.isQuiet = try await fetchAbsent() == 0
            return report
        }
        do {
            try await exchange(&state, own, &report)
            _ = try await fetchAbsent()
        } catch {
            let text = (error as? HubError)?.message ?? "\(error)"
            if !(error is CancellationError) { try await note(text) }
            throw error
        }
        report.held = try await store.read { [machine] in
            try $0.heldDocuments(of: machine).count { $0.isOpen }
        }
        return report
    }

    private var missing: HubError {
        HubError(.notFound, code: "no-machine", "no machine named \(machine)", hint: "hub machines list shows all")
    }

    private func note(_ failure: String) async throws {
        try await store.write(Self.bookkeeping) { [machine] transaction in
            guard var state = try transaction.machine(machine), state.failure != failure else { return }
            state.failure = failure
            try transaction.save(state)
        }
    }

    // MARK: Files

    /// Fetches the files that are on the home alone, as far as they come without being needed; one that is needed is fetched then.
    /// - Returns: the number of files that came.
    private func fetchAbsent() async throws -> Int {
        guard let blobs = database.blobs else { return 0 }
        let (all, now) = try await store.read { [machine] transaction in
            (try transaction.absentFiles().filter { $0.machine == machine }, transaction.now)
        }
        var count = 0
        for file in all {
            guard blobs.size(of: file.blob) == nil else {
                try await store.write(Self.bookkeeping) { try $0.removeAbsentFiles([file.blob]) }
                continue
            }
            guard fetches.wants(file.at, at: now),
                let stored = try await MachineBlobs.fetch(file.blob, into: blobs, from: link)
            else { continue }
            try await store.write(Self.bookkeeping) { try $0.removeAbsentFiles([file.blob]) }
            withExtendedLifetime(stored) {}
            count += 1
        }
        return count
    }

    // MARK: Greeting

    private func exchange(_ state: inout JoinedMachine, _ own: String, _ report: inout MachineReport) async throws {
        var own = own
        if own != state.own, !state.fork.isEmpty {
            report.notes.append(
                "this store is a copy of another one, or was restored: it is compared with \(machine) from the beginning"
            )
            state.position = 0
            state.fork = ""
        }
        let (greeting, isForked) = try await greet(&state, &own)
        if isForked {
            report.notes.append(
                "this store was set back, or a copy of it is in use: it is compared with \(machine) from the beginning")
        }
        let isRestored = greeting.replica != state.replica || greeting.number < state.position
        if isRestored, state.fork.isEmpty == false || state.position > 0 {
            report.notes.append(
                "the store of \(machine) was restored: what it has lost is sent again, and what it has is kept")
        }
        if isRestored { state.position = 0 }
        let forms = try await store.read { $0.documentForms() }
        let unlike = Set(greeting.forms.filter { forms[$0.key] != $0.value }.keys)
            .union(forms.keys.filter { greeting.forms[$0] == nil })
        if !unlike.isEmpty {
            report.notes.append(
                "\(unlike.sorted().joined(separator: ", ")) wait until both machines have the same version of hub, and the same plugins on"
            )
        }
        // What both store alike again is compared from the beginning.
        let setting = "machine/\(machine)/unlike"
        let before = try await store.read { try $0.setting(setting) } ?? ""
        if !Set(before.split(separator: " ").map(String.init)).isSubset(of: unlike) { state.position = 0 }
        let after = unlike.sorted().joined(separator: " ")
        if after != before { try await store.write(Self.bookkeeping) { try $0.saveSetting(setting, after) } }
        // What the home has refused is sent again.
        try await store.write(Self.bookkeeping) { [machine] in try $0.releaseRefused(at: machine) }
        state.replica = greeting.replica
        state.own = own
        state.reach = greeting.reach
        // What an earlier exchange has sent and heard no answer of.
        try await store.write(Self.bookkeeping) { [machine] in
            try $0.settleSent(to: machine, isStored: greeting.stored ?? [])
        }
        var round = Round(
            operation: Operation("sync \(machine)", who: .service(machine), commandLine: "sync with \(machine)"),
            unlike: unlike, isRestored: isRestored, number: greeting.number, isWhole: state.position == 0,
            namesMessages: greeting.stored != nil)
        for _ in 0..<Self.rounds {
            try await receive(&state, &round, &report)
            if try await !send(&state, &round, &report) { break }
        }
        state.fork = state.pending
        state.failure = ""
        let done = state
        try await store.write(Self.bookkeeping) { transaction in
            var done = done
            done.seenAt = transaction.now
            try transaction.save(done)
        }
    }

    /// One exchange.
    private struct Round {
        let operation: Operation
        /// The kinds that are not exchanged.
        let unlike: Set<String>
        /// Whether the home was set back, so that an older version there does not count as a change.
        let isRestored: Bool
        /// The number of the home's last change when it began.
        let number: Int
        /// Whether all documents of the home are listed.
        var isWhole: Bool
        /// Whether the home remembers what became of a message. An older version of hub does not.
        let namesMessages: Bool
        /// The number of messages of documents so far.
        var messages = 0
        /// The documents of the home, in a whole listing.
        var listed: Set<DocumentPlace> = []
        /// Whether the person was asked about removals, and the answer.
        var removals: Bool?
    }

    private struct DocumentPlace: Hashable {
        let kind: String
        let name: String

        init(_ document: CarriedDocument) { (kind, name) = (document.kind, document.name) }
        init(_ item: MachineItem) { (kind, name) = (item.kind, item.name) }
    }

    /// Says hello with a token that is stored before it is sent: if the home has another one than the last, a copy of this store has
    /// spoken, or this one was set back. Then it gets an identity of its own.
    private func greet(_ state: inout JoinedMachine, _ own: inout String) async throws -> (MachineGreeting, Bool) {
        var isForked = false
        while true {
            state.pending = Identifier.make()
            let begun = state
            let machine = machine
            let reach = try await store.write(Self.bookkeeping) { transaction in
                try transaction.save(begun)
                return Set(try transaction.spokes().flatMap { $0.reach.union([$0.replica]) })
                    .union(
                        try transaction.machines().filter { $0.name != machine }.flatMap {
                            $0.reach.union([$0.replica])
                        })
            }
            let unanswered = try await store.read { try $0.unansweredMessage(to: machine) }
            let hello = MachineHello(
                replica: own, home: state.replica, last: state.fork, pending: state.pending, reach: reach,
                unanswered: unanswered)
            let (status, body) = try await link.ask("hello", hello.bytes)
            if status == 200 { return (try MachineMessage.greeting(body), isForked) }
            let code = try? MachineMessage.json(body)["code"]?.string
            guard status == 409, code == "forked", !isForked else { throw try refusal(status, body) }
            isForked = true
            own = try await store.write(Self.bookkeeping) { transaction in
                try transaction.renewReplica()
                return try transaction.replica()
            }
            state.position = 0
            state.fork = ""
        }
    }

    private func ask(_ path: String, _ body: [UInt8] = []) async throws -> [UInt8] {
        let (status, answer) = try await link.ask(path, body)
        guard status == 200 else { throw try refusal(status, answer) }
        return answer
    }

    private func refusal(_ status: Int, _ body: [UInt8]) throws -> HubError {
        let json = try? MachineMessage.json(body)
        let reason = json?["reason"]?.string.map { [TerminalSanitizer.line($0)] } ?? []
        switch status {
        case 401, 403:
            return HubError(
                .denied, code: "not-joined", "\(machine) does not know this machine any more",
                hint: "make a new line there with hub devices add NAME --hub, and join again by it")
        case 409 where json?["code"]?.string == "ring":
            return HubError(
                .conflict, code: "ring", "\(machine) and this machine would exchange in a circle", details: reason,
                hint: "hub machines rm \(machine); changes come through the other machine")
        default:
            return HubError(
                .unavailable, code: "machine-failed", "\(machine) answered \(status)", details: reason)
        }
    }

    // MARK: Receiving

    private func receive(
        _ state: inout JoinedMachine, _ round: inout Round, _ report: inout MachineReport
    ) async throws {
        let held = try await heldOfHome()
        var failed = held.filter { $0.document.document != nil }
        var gone = held.map(\.document).filter { $0.document == nil }
        var isCut = true
        let start = state.position
        while isCut {
            let changes = try MachineMessage.changes(
                try await ask("changes", Array("{\"after\":\(state.position)}".utf8)))
            // What is listed now takes the place of what was listed before.
            let places = Set(changes.documents.map { DocumentPlace($0) })
            failed.removeAll { places.contains(DocumentPlace($0.document)) }
            gone.removeAll { places.contains(DocumentPlace($0)) }
            var documents: [CarriedDocument] = []
            for document in changes.documents {
                if round.isWhole { round.listed.insert(DocumentPlace(document)) }
                if round.unlike.contains(document.kind) { continue }
                if document.document == nil { gone.append(document) } else { documents.append(document) }
            }
            // The home tells of everything that was ever removed.
            gone = try await store.read { [machine, gone] transaction in
                try gone.filter {
                    try transaction.machineItem($0.kind, $0.name, at: machine).map { !$0.etag.isEmpty } ?? false
                }
            }
            failed += try await apply(documents, round, &report)
            // A document that waits would be forgotten if this ended here.
            try await hold(failed)
            isCut = changes.isCut && changes.number > state.position
            // What is removed is remembered by the position, so it is taken after all else.
            if !isCut { failed = try await apply(failed.map(\.document), round, &report) }
            state.position = changes.number
            if gone.isEmpty, !round.isRestored { try await savePosition(of: state) }
            self.report(
                Progress(
                    "from \(machine)", completed: state.position - start, of: max(round.number, state.position) - start,
                    unit: "changes"))
        }
        try await hold(failed)
        if try await mayRemove(gone.count, here: true, &round, &report) {
            let rest = try await apply(gone, round, &report)
            try await hold(rest)
        } else {
            try await hold(gone.map { FailedDocument(document: $0, reason: "it was removed on \(machine)") })
        }
        if round.isWhole, round.isRestored { try await restoreMissing(round) }
        round.isWhole = false
        try await savePosition(of: state)
    }

    private func savePosition(of state: JoinedMachine) async throws {
        try await store.write(Self.bookkeeping) { try $0.save(state) }
    }

    /// A document of the home that could not be stored here.
    private struct FailedDocument: Sendable {
        let document: CarriedDocument
        let reason: String
    }

    /// What could not be stored earlier.
    private func heldOfHome() async throws -> [FailedDocument] {
        try await store.read { [machine] transaction in
            try transaction.heldDocuments(of: machine).filter(\.isOpen).compactMap { held in
                guard let content = held.content, let document = try? Document(content) else { return nil }
                return FailedDocument(
                    document: CarriedDocument(
                        kind: held.kind, name: held.name, etag: try document.etag,
                        document: document.isEmpty ? nil : document),
                    reason: held.reason)
            }
        }
    }

    private func hold(_ failed: [FailedDocument]) async throws {
        if failed.isEmpty { return }
        try await store.write(Self.bookkeeping) { [machine] transaction in
            for failure in failed {
                try transaction.hold(
                    failure.document.name, of: failure.document.kind, at: machine, etag: failure.document.etag,
                    reason: failure.reason, isOpen: true,
                    (failure.document.document ?? Document()).bytes)
            }
        }
    }

    /// Stores documents of the home, merged with those here, in the order of their kinds.
    /// - Returns: those that the rules do not allow, perhaps because something else has not come yet.
    private func apply(
        _ documents: [CarriedDocument], _ round: Round, _ report: inout MachineReport
    ) async throws -> [FailedDocument] {
        let kinds = try await store.read { $0.documentKinds() }
        var failed: [FailedDocument] = []
        let order = kinds.filter { kind in documents.contains { $0.kind == kind.kind.id } }
        let isRemoval = documents.first?.document == nil
        try await bringBack(documents, round)
        let kept = try await store.read { [machine] in try $0.keptEntities(of: documents, at: machine) }
        for (owner, kind) in isRemoval ? order.reversed() : order {
            let all = documents.filter { $0.kind == kind.id }
            for start in stride(from: 0, to: all.count, by: 100) {
                let part = Array(all[start..<min(start + 100, all.count)])
                let blobs = database.blobs
                // A file that may come later does not hold up its document.
                let isLazy = kind.lazyFiles != nil && fetches != .all
                if let blobs, !isLazy { try await MachineBlobs.fetch(for: part, into: blobs, from: link) }
                let (machine, word, isRestored) = (machine, word, round.isRestored)
                let result = try await database.store(for: owner).write(round.operation) { transaction in
                    try transaction.merge(
                        part, of: kind, from: machine, as: word, isRestored: isRestored, blobs, isLazy: isLazy,
                        keeping: kept)
                }
                failed += result.failed.map { FailedDocument(document: part[$0.index], reason: $0.reason) }
                if result.count > 0 { report.received[kind.id, default: 0] += result.count }
            }
        }
        return failed
    }

    /// Fetches what comes back with a changed document, before that is merged.
    private func bringBack(_ documents: [CarriedDocument], _ round: Round) async throws {
        let (machine, word, isRestored) = (machine, word, round.isRestored)
        let returning = try await store.read {
            try $0.returningEntities(of: documents, at: machine, isRestored: isRestored)
        }
        for entity in returning {
            var found: [CarriedDocument] = []
            for (kind, name) in entity.documents {
                let question = MachineMessage.object([("kind", kind.id), ("name", name)])
                found.append(try CarriedDocument(MachineMessage.json(await ask("document", question))))
            }
            try await database.store(for: entity.owner).write(round.operation) { [found] in
                try $0.bringBack(found, of: entity, from: machine, as: word)
            }
        }
    }

    /// The home was restored to a time before some documents were made there: they are sent again.
    private func restoreMissing(_ round: Round) async throws {
        let listed = round.listed
        try await store.write(Self.bookkeeping) { [machine] transaction in
            for item in try transaction.machineItems(at: machine)
            where !item.etag.isEmpty && !listed.contains(DocumentPlace(item)) {
                try transaction.save(item.with("", nil), at: machine)
            }
        }
    }

    // MARK: Sending

    private func waiting() async throws -> [DocumentEntry] {
        try await store.read { [machine] in try $0.documentsToSend(to: machine, limit: 1_000_000) }
    }

    /// Sends what differs from the home.
    /// - Returns: whether another round is needed.
    private func send(
        _ state: inout JoinedMachine, _ round: inout Round, _ report: inout MachineReport
    ) async throws -> Bool {
        try await MachineHome.refresh(store)
        let kinds = try await store.read { $0.documentKinds() }
        let rank = Dictionary(kinds.enumerated().map { ($1.kind.id, $0) }) { first, _ in first }
        let all = try await waiting().filter { rank[$0.kind] != nil && !round.unlike.contains($0.kind) }
        var living = all.filter { !$0.etag.isEmpty }.sorted {
            (rank[$0.kind] ?? 0, $0.number) < (rank[$1.kind] ?? 0, $1.number)
        }
        let gone = all.filter(\.etag.isEmpty).sorted {
            (rank[$0.kind] ?? 0, $0.number) > (rank[$1.kind] ?? 0, $1.number)
        }
        if try await mayRemove(gone.count, here: false, &round, &report) { living += gone }
        var needsMore = false
        var rest = living[...]
        while !rest.isEmpty {
            let (part, items) = try await load(&rest, kinds.map { $0.kind })
            if let blobs = database.blobs { try await MachineBlobs.send(part, from: blobs, to: link) }
            let message = SentMessage(exchange: state.pending, number: round.messages)
            round.messages += 1
            try await store.write(Self.bookkeeping) { [machine] transaction in
                try transaction.noteSent(
                    zip(items, part).map { ($0, $1.document ?? Document()) }, in: message, to: machine)
            }
            let answer = try MachineMessage.answer(
                try await ask(
                    "documents", MachineMessage.documents(part, in: round.namesMessages ? message : nil)))
            guard answer.outcomes.count == part.count else { throw MachineMessage.malformed }
            if try await store(answer.outcomes, of: part, items, round, &report) { needsMore = true }
            // All that has happened there since is what was sent.
            if answer.before == state.position { state.position = answer.after }
            self.report(
                Progress("to \(machine)", completed: living.count - rest.count, of: living.count, unit: "changes"))
        }
        if needsMore { return true }
        try await savePosition(of: state)
        return false
    }

    /// Reads the next documents to send, and what the home has of them.
    private func load(
        _ rest: inout ArraySlice<DocumentEntry>, _ kinds: [DocumentKind]
    ) async throws -> ([CarriedDocument], [MachineItem]) {
        let entries = Array(rest.prefix(Self.batch))
        let found = try await store.read { [machine] transaction in
            var found: [(CarriedDocument, MachineItem)] = []
            var size = 0
            for entry in entries {
                guard size <= Self.bytes, let kind = kinds.first(where: { $0.id == entry.kind }) else { break }
                let document = try transaction.document(entry.name, of: kind)
                size += document.bytes.count
                let item =
                    try transaction.machineItem(kind.id, local: entry.name, at: machine)
                    ?? MachineItem(
                        kind: kind.id, name: try transaction.nameAtHome(of: entry.name, kind, machine),
                        local: entry.name)
                found.append(
                    (
                        CarriedDocument(
                            kind: kind.id, name: item.name, etag: item.etag, document: document.isEmpty ? nil : document
                        ),
                        item
                    ))
            }
            return found
        }
        rest = rest.dropFirst(max(1, found.count))
        return (found.map { $0.0 }, found.map { $0.1 })
    }

    /// Stores what the home has answered; whether something is to be sent again.
    private func store(
        _ outcomes: [SendOutcome], of part: [CarriedDocument], _ items: [MachineItem], _ round: Round,
        _ report: inout MachineReport
    ) async throws -> Bool {
        var changed: [CarriedDocument] = []
        var count: [String: Int] = [:]
        for (outcome, sent) in zip(outcomes, part) {
            switch outcome {
            case .stored: count[sent.kind, default: 0] += 1
            case .changed(let document): changed.append(document)
            case .refused: break
            }
        }
        report.sent.merge(count, uniquingKeysWith: +)
        try await store.write(Self.bookkeeping) { [machine] transaction in
            try transaction.settleSent(to: machine, isStored: outcomes.map(\.isStored))
            for ((outcome, sent), item) in zip(zip(outcomes, part), items) {
                guard case .refused(let reason) = outcome else { continue }
                let etag = try sent.document.map { try Document.etag($0.bytes) } ?? ""
                try transaction.hold(
                    item.local, of: item.kind, at: machine, etag: etag, reason: "\(machine): \(reason)", isOpen: true,
                    nil)
            }
        }
        let isGone = changed.filter { $0.document == nil }
        try await hold(apply(changed.filter { $0.document != nil }, round, &report))
        try await hold(apply(isGone, round, &report))
        return !changed.isEmpty
    }

    /// Asks once whether many documents shall be removed.
    private func mayRemove(
        _ count: Int, here: Bool, _ round: inout Round, _ report: inout MachineReport
    ) async throws -> Bool {
        if count <= Self.unasked.count { return true }
        let all = try await store.read { try $0.documentCounts().values.reduce(0, +) }
        if count <= all / Self.unasked.part { return true }
        if let answer = round.removals { return answer }
        let answer = try await confirm(here ? count : 0, here ? 0 : count)
        round.removals = answer
        if !answer {
            report.notes.append(
                here
                    ? "\(count) removals of \(machine) wait, since they are many; hub sync asks"
                    : "\(count) removals wait and were not sent to \(machine), since they are many; hub sync asks")
        }
        return answer
    }
}
