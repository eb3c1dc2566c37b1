import HubKit
import Storage

/// The home's side of an exchange between two hubs: it lists its documents, and replaces one by what the other hub sends if it is still the
/// version that the other has seen. It merges nothing.
struct MachineHome: Sendable {
    /// The paths of these requests begin with this.
    static let path = "/hub/v1/"
    /// The paths below that which open a WebSocket to a plugin begin with this.
    static let exchange = "exchange/"
    /// The subprotocol of these WebSockets.
    static let subprotocol = "hub.machines.v1"
    /// The most documents of one message, and the bytes after which it has no more.
    private static let page = (documents: 500, bytes: 4 << 20)
    /// The most entities that are looked at in one transaction.
    private static let chunk = 200

    private let database: Database
    /// The name of this machine.
    let name: String
    /// The numbers of things here that are exchanged by protocols of their own, by their names.
    private let exchanged: @Sendable () async throws -> [(name: String, count: Int)]

    init(
        _ database: Database, name: String = MachineName.own,
        exchanged: @escaping @Sendable () async throws -> [(name: String, count: Int)] = { [] }
    ) {
        self.database = database
        self.name = name
        self.exchanged = exchanged
    }

    private var store: Store { database.store(for: "core") }

    /// An answer: its status, and its body as JSON.
    struct Answer: Sendable {
        let status: Int
        let body: [UInt8]

        init(_ status: Int, _ body: [UInt8]) { (self.status, self.body) = (status, body) }

        /// A refusal with its reason.
        static func refusal(_ status: Int, _ code: String, _ reason: String) -> Answer {
            Answer(status, MachineMessage.object([("code", code), ("reason", reason)]))
        }
    }

    /// Answers a request of the hub that has the device `device`; `operation` is that of its changes.
    func answer(_ path: String, _ body: [UInt8], from device: String, operation: String) async throws -> Answer {
        do {
            switch path {
            case "state": return Answer(200, try await state().bytes)
            case "hello": return try await hello(MachineMessage.hello(body), from: device)
            case "changes":
                guard let after = try MachineMessage.json(body)["after"]?.integer, after >= 0 else {
                    throw MachineMessage.malformed
                }
                return Answer(200, try await changes(after: after).bytes)
            case "document":
                let json = try MachineMessage.json(body)
                guard let kind = json["kind"]?.string, let name = json["name"]?.string else {
                    throw MachineMessage.malformed
                }
                return Answer(200, try await document(name, kind))
            case "documents":
                let (documents, message) = try MachineMessage.documents(body)
                return Answer(200, try await take(documents, in: message, from: device, operation).bytes)
            case _ where path.hasPrefix("blob/"):
                guard let blobs = database.blobs else { return .refusal(404, "no-file", "this store has no files") }
                return try await MachineBlobs.answer(
                    path.split(separator: "/").dropFirst().map { $0 }, body, in: blobs,
                    incoming: blobs.directory + "/new")
            default: return .refusal(404, "unknown", "this hub does not know \(path)")
            }
        } catch let error as HubError where error.code == MachineMessage.malformed.code {
            return .refusal(400, error.code, error.message)
        } catch let error as HubError where error.code == MachineMessage.overtaken.code {
            return .refusal(409, error.code, error.message)
        } catch let problem as DocumentProblem {
            return .refusal(400, "bad-document", problem.reason)
        }
    }

    private static var bookkeeping: Operation { Operation("machines", who: .service("machines"), kind: .cache) }

    /// Looks at all entities that have changed.
    static func refresh(_ store: Store) async throws {
        guard try await store.read({ try $0.hasStaleDocuments() }) else { return }
        while try await !store.write(bookkeeping, { try $0.refreshDocuments(limit: chunk) }) {
            try Task.checkCancellation()
        }
    }

    /// The identity of this store.
    func replica() async throws -> String { try await store.read { try $0.replica() } }

    /// Lets a hub join by a code, once; nil without such a code.
    func join(by code: String) async throws -> String? {
        let hash = try JoinCode.hash(code)
        return try await store.write(Self.bookkeeping) { transaction in
            try transaction.takeJoinCode(hash, tries: Self.tries)
        }
    }

    /// Says what is here to a hub that has a code, which stays valid; nil without such a code.
    func look(by code: String) async throws -> [UInt8]? {
        let hash = try JoinCode.hash(code)
        let isValid = try await store.write(Self.bookkeeping) { transaction in
            try transaction.isJoinCode(hash, tries: Self.tries)
        }
        guard isValid else { return nil }
        try await Self.refresh(store)
        let exchanged = try await exchanged()
        return try await store.read { [name] transaction in
            let counts = try transaction.documentCounts()
            var writer = JSONWriter()
            try writer.object { writer in
                writer.name("machine")
                writer.value(name)
                writer.name("replica")
                writer.value(try transaction.replica())
                writer.name("counts")
                writer.object { writer in
                    for (kind, count) in counts.sorted(by: { $0.key < $1.key }) {
                        writer.name(kind)
                        writer.value(count)
                    }
                }
                writer.name("exchanged")
                writer.object { writer in
                    for (name, count) in exchanged {
                        writer.name(name)
                        writer.value(count)
                    }
                }
                writer.name("identities")
                try writer.object { writer in
                    for (_, kind) in transaction.documentKinds() where !kind.noun.one.isEmpty {
                        writer.name(kind.id)
                        let identities = try transaction.identities(of: kind)
                        writer.array { writer in for identity in identities { writer.value(identity) } }
                    }
                }
            }
            return writer.bytes
        }
    }

    /// The number of wrong codes that end all codes.
    private static let tries = 5

    private func state() async throws -> MachineGreeting {
        try await Self.refresh(store)
        return try await store.read { [name] in
            MachineGreeting(replica: try $0.replica(), machine: name, number: try $0.documentNumber())
        }
    }

    private func hello(_ hello: MachineHello, from device: String) async throws -> Answer {
        try await Self.refresh(store)
        return try await store.write(Self.bookkeeping) { [name] transaction in
            try transaction.startDocuments()
            let own = try transaction.replica()
            let spokes = try transaction.spokes()
            let known = spokes.first { $0.device == device && $0.replica == hello.replica }
            let others = Set(spokes.filter { $0.device != device }.flatMap { $0.reach.union([$0.replica]) })
                .union(try transaction.machines().flatMap { $0.reach.union([$0.replica]) })
            guard hello.reach.isDisjoint(with: others.union([own])), hello.replica != own else {
                return .refusal(
                    409, "ring", "\(name) exchanges with the same machines already, directly or through others")
            }
            // A home that was restored has forgotten the last token, and says so by its own identity.
            if let known, hello.home == own, known.fork != hello.last, known.fork != hello.pending {
                return .refusal(409, "forked", "another copy of this store has spoken since")
            }
            try transaction.save(
                SpokeMachine(
                    device: device, replica: hello.replica, fork: hello.pending, reach: hello.reach,
                    seenAt: transaction.now))
            return Answer(
                200,
                MachineGreeting(
                    replica: own, machine: name, number: try transaction.documentNumber(),
                    reach: others.subtracting([hello.replica]), forms: transaction.documentForms(),
                    counts: try transaction.documentCounts(),
                    stored: try hello.unanswered.map { try transaction.taken(of: $0, from: device) } ?? []
                ).bytes)
        }
    }

    /// One document as it is now.
    private func document(_ name: String, _ kind: String) async throws -> [UInt8] {
        try await store.read { transaction in
            guard let kind = transaction.documentKinds().first(where: { $0.kind.id == kind })?.kind else {
                throw MachineMessage.malformed
            }
            let document = try transaction.document(name, of: kind)
            var writer = JSONWriter()
            CarriedDocument(
                kind: kind.id, name: name, etag: try document.etag, document: document.isEmpty ? nil : document
            ).write(to: &writer)
            return writer.bytes
        }
    }

    private func changes(after: Int) async throws -> MachineChanges {
        try await Self.refresh(store)
        return try await store.read { transaction in
            let kinds = Dictionary(transaction.documentKinds().map { ($0.kind.id, $0.kind) }) { first, _ in first }
            let entries = try transaction.documentChanges(after: after, limit: Self.page.documents)
            var changes = MachineChanges(documents: [], number: after, isCut: entries.count == Self.page.documents)
            var size = 0
            for entry in entries {
                if size > Self.page.bytes {
                    changes.isCut = true
                    break
                }
                changes.number = entry.number
                // Of a plugin that is off: its documents are told when it is on again.
                guard let kind = kinds[entry.kind] else { continue }
                let document = try transaction.document(entry.name, of: kind)
                let bytes = document.bytes
                size += bytes.count
                changes.documents.append(
                    CarriedDocument(
                        kind: entry.kind, name: entry.name, etag: document.isEmpty ? "" : try Document.etag(bytes),
                        document: document.isEmpty ? nil : document))
            }
            return changes
        }
    }

    /// Stores what another hub sends, document by document, and what became of each, since the answer may get lost.
    private func take(
        _ documents: [CarriedDocument], in message: SentMessage?, from device: String, _ operation: String
    ) async throws -> SendAnswer {
        try await Self.refresh(store)
        let (number, owners) = try await store.read {
            (
                try $0.documentNumber(),
                Dictionary($0.documentKinds().map { ($0.kind.id, $0.owner) }) { first, _ in first }
            )
        }
        var (before, after) = (number, number)
        let blobs = database.blobs
        var outcomes: [SendOutcome] = []
        var start = 0
        while start < documents.count {
            guard let owner = owners[documents[start].kind] else {
                outcomes.append(.refused("this hub has no \(documents[start].kind)"))
                start += 1
                continue
            }
            var end = start
            while end < documents.count, end - start < 100, owners[documents[end].kind] == owner { end += 1 }
            let part = Array(documents[start..<end])
            // While this is held, no file is collected that no row names yet.
            var kept: FileLock?
            if part.contains(where: { !($0.document?.blobs.isEmpty ?? true) }) { kept = try await blobs?.keep() }
            defer { withExtendedLifetime(kept) {} }
            let write = Operation(
                id: operation, "machine", who: .service(device), commandLine: "\(device): sync with this machine")
            let taken = try await database.store(for: owner).write(write) { [outcomes] transaction in
                let first = try transaction.documentNumber()
                let all = outcomes + (try transaction.take(part, blobs))
                if let message, try !transaction.noteTaken(all.map(\.isStored), of: message, from: device) {
                    throw MachineMessage.overtaken
                }
                return (first, all, try transaction.documentNumber())
            }
            outcomes = taken.1
            // Others have changed something in between: then the other hub must look at all of it.
            if taken.0 != after { before = -1 }
            after = taken.2
            start = end
        }
        return SendAnswer(outcomes: outcomes, before: before, after: after)
    }
}

extension Transaction {
    fileprivate func take(_ documents: [CarriedDocument], _ blobs: BlobStore?) throws -> [SendOutcome] {
        let kinds = Dictionary(documentKinds().map { ($0.kind.id, $0.kind) }) { first, _ in first }
        var changed: Set<String> = []
        let outcomes = try documents.map { sent -> SendOutcome in
            guard let kind = kinds[sent.kind], !sent.name.isEmpty, sent.name.utf8.count <= 1000 else {
                return .refused("it has no name")
            }
            let current = try document(sent.name, of: kind)
            let wanted = sent.document ?? Document()
            // The answer to the same request may have been lost.
            if current == wanted { return .stored(try current.etag) }
            let etag = try current.etag
            guard etag == sent.etag else {
                return .changed(
                    CarriedDocument(
                        kind: sent.kind, name: sent.name, etag: etag, document: current.isEmpty ? nil : current))
            }
            // What is not here, but was named here before, is on a machine that this one has joined.
            let missing = MachineBlobs.missing(of: wanted, in: blobs)
            if let missing = missing.first(where: { !current.blobs.contains($0) }) {
                return .refused("the file \(missing.prefix(12)) has not come")
            }
            do {
                try write(wanted, as: sent.name, of: kind)
            } catch let problem as DocumentProblem {
                return .refused(problem.reason)
            }
            changed.insert(kind.subject(of: sent.name))
            return .stored(try wanted.etag)
        }
        if !changed.isEmpty { try announceDocuments(of: changed.sorted()) }
        return outcomes
    }
}
