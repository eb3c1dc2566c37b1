import SQLite

/// Another hub that this one has joined.
package struct JoinedMachine: Hashable, Sendable {
    /// Its name, which is that of the machine.
    package let name: String
    /// The identity of its store when it was last spoken to.
    package var replica: String
    /// The identity that this store had then.
    package var own: String
    /// The number there up to which its changes are here.
    package var position: Int
    /// The token of the last exchange; empty before the first.
    package var fork: String
    /// The token of an exchange that has begun.
    package var pending: String
    /// The identities of the stores that it exchanges with, directly and through others.
    package var reach: Set<String>
    /// When it was joined.
    package let joinedAt: Instant
    /// When it last answered.
    package var seenAt: Instant?
    /// Why the last exchange failed; empty if it did not.
    package var failure: String

    /// A home that was joined just now.
    package init(name: String, replica: String, own: String, joinedAt: Instant) {
        self.name = name
        self.replica = replica
        self.own = own
        self.joinedAt = joinedAt
        (position, fork, pending, reach, failure) = (0, "", "", [], "")
    }

    fileprivate init(_ row: borrowing Row) {
        name = row.text(0)
        replica = row.text(1)
        own = row.text(2)
        position = row.int(3)
        fork = row.text(4)
        pending = row.text(5)
        reach = Set(row.text(6).split(separator: " ").map(String.init))
        joinedAt = Instant(milliseconds: Int64(row.int(7)))
        seenAt = row.optionalInt(8).map { Instant(milliseconds: Int64($0)) }
        failure = row.text(9)
    }
}

/// A document that this store exchanges with a home, as both had it when they were last equal.
package struct MachineItem: Hashable, Sendable {
    /// The kind.
    package let kind: String
    /// The name at the home.
    package let name: String
    /// The name here.
    package let local: String
    /// The hash; empty if it is gone on both sides.
    package var etag: String
    /// The hashes of earlier versions, newest first.
    package var former: [String]
    /// The bytes; nil if they were deleted for good here.
    package var content: [UInt8]?

    /// The number of earlier versions that are remembered.
    private static let memory = 16

    /// A document of which the home has nothing yet.
    package init(kind: String, name: String, local: String) {
        self.kind = kind
        self.name = name
        self.local = local
        (etag, former, content) = ("", [], nil)
    }

    fileprivate init(_ row: borrowing Row) {
        kind = row.text(0)
        name = row.text(1)
        local = row.text(2)
        etag = row.text(3)
        former = row.text(4).split(separator: " ").map(String.init)
        content = row.optionalBlob(5)
    }

    /// The item when both have this version; nil stands for gone.
    package func with(_ etag: String, _ content: [UInt8]?) -> MachineItem {
        var next = self
        if etag != self.etag, !self.etag.isEmpty {
            next.former = Array(([self.etag] + former.filter { $0 != self.etag }).prefix(Self.memory))
        }
        next.etag = etag
        next.content = content
        return next
    }
}

/// Something that could not be exchanged, or was replaced.
package struct HeldDocument: Hashable, Sendable {
    /// Its number.
    package let id: Int
    /// The other machine.
    package let machine: String
    /// The kind of the document.
    package let kind: String
    /// Its name here, or there if it is not here yet.
    package let name: String
    /// When.
    package let at: Instant
    /// What happened, in words.
    package let reason: String
    /// Whether it still waits; false for what was replaced.
    package let isOpen: Bool
    /// The document that was not taken, as JSON.
    package let content: [UInt8]?

    fileprivate init(_ row: borrowing Row) {
        id = row.int(0)
        machine = row.text(1)
        kind = row.text(2)
        name = row.text(3)
        at = Instant(milliseconds: Int64(row.int(4)))
        reason = row.text(5)
        isOpen = row.bool(6)
        content = row.optionalBlob(7)
    }
}

/// The hubs that this one has joined.
extension Transaction {
    /// Returns all of them by their names.
    package func machines() throws -> [JoinedMachine] {
        try asCore {
            try rows(
                """
                SELECT name, replica, own, position, fork, pending, reach, joined_at, seen_at, failure FROM core_machine
                ORDER BY name
                """, body: { JoinedMachine($0) })
        }
    }

    /// Returns the machine `name`; nil if it was not joined.
    package func machine(_ name: String) throws -> JoinedMachine? { try machines().first { $0.name == name } }

    /// Stores a machine in place of what was known of it.
    package func save(_ machine: JoinedMachine) throws {
        _ = try asCore {
            try run(
                """
                INSERT INTO core_machine VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (name) DO UPDATE SET replica = excluded.replica, own = excluded.own,
                    position = excluded.position, fork = excluded.fork, pending = excluded.pending,
                    reach = excluded.reach, seen_at = excluded.seen_at, failure = excluded.failure
                """, machine.name, machine.replica, machine.own, machine.position, machine.fork, machine.pending,
                machine.reach.sorted().joined(separator: " "), machine.joinedAt.milliseconds,
                machine.seenAt?.milliseconds, machine.failure)
        }
    }

    /// Forgets a machine, with what both had when they were last equal.
    package func removeMachine(_ name: String) throws -> Bool {
        try asCore {
            try run("DELETE FROM core_machine_item WHERE machine = ?", name)
            try run("DELETE FROM core_machine_sent WHERE machine = ?", name)
            try run("DELETE FROM core_machine_held WHERE machine = ?", name)
            return try run("DELETE FROM core_machine WHERE name = ?", name) > 0
        }
    }

    private static let itemColumns = "SELECT kind, name, local, etag, former, content FROM core_machine_item"

    /// Returns the item by the name at the home.
    package func machineItem(_ kind: String, _ name: String, at machine: String) throws -> MachineItem? {
        try asCore {
            try row("\(Self.itemColumns) WHERE machine = ? AND kind = ? AND name = ?", machine, kind, name) {
                MachineItem($0)
            }
        }
    }

    /// Returns the item by its name here.
    package func machineItem(_ kind: String, local: String, at machine: String) throws -> MachineItem? {
        try asCore {
            try row("\(Self.itemColumns) WHERE machine = ? AND kind = ? AND local = ?", machine, kind, local) {
                MachineItem($0)
            }
        }
    }

    /// Returns all items of a machine, without their content.
    package func machineItems(at machine: String) throws -> [MachineItem] {
        try asCore {
            try rows(
                "SELECT kind, name, local, etag, former, NULL FROM core_machine_item WHERE machine = ?", machine,
                body: { MachineItem($0) })
        }
    }

    /// Stores an item.
    package func save(_ item: MachineItem, at machine: String) throws {
        _ = try asCore {
            try run(
                """
                INSERT INTO core_machine_item VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (machine, kind, name) DO UPDATE SET local = excluded.local, etag = excluded.etag,
                    former = excluded.former, content = excluded.content
                """, machine, item.kind, item.name, item.local, item.etag, item.former.joined(separator: " "),
                item.content
            )
        }
    }

    /// Returns the documents that differ from what a home has, at most `limit`, those first that have waited longest. What is held is not
    /// among them until it changes.
    package func documentsToSend(to machine: String, limit: Int) throws -> [DocumentEntry] {
        try asCore {
            try rows(
                """
                SELECT d.kind, d.name, d.etag, d.number FROM core_document AS d
                LEFT JOIN core_machine_item AS i ON i.machine = ?1 AND i.kind = d.kind AND i.local = d.name
                WHERE (d.gone = 0 AND i.etag IS NOT d.etag OR d.gone = 1 AND i.etag <> '')
                AND NOT EXISTS (SELECT 1 FROM core_machine_held AS h
                    WHERE h.machine = ?1 AND h.kind = d.kind AND h.name = d.name AND h.is_open AND h.etag = d.etag)
                ORDER BY d.number LIMIT ?2
                """, machine, limit
            ) { DocumentEntry(kind: $0.text(0), name: $0.text(1), etag: $0.text(2), number: $0.int(3)) }
        }
    }

    /// Returns the local documents of a kind that no item of a machine names and whose identity is that of `document`.
    package func unpairedTwin(of document: Document, _ kind: DocumentKind, at machine: String) throws -> String? {
        guard let wanted = document.identity(kind), let table = kind.tables.first else { return nil }
        let conditions = kind.match.map { "\(quoted($0)) = ?" }.joined(separator: " AND ")
        let subjects = try rows(
            "SELECT \(quoted(table.subject)) FROM \(quoted(table.name)) WHERE \(conditions) ORDER BY 1 LIMIT 10",
            arguments: wanted.map(\.value)
        ) { $0.text(0) }
        return try subjects.first { subject in
            try machineItem(kind.id, local: subject, at: machine) == nil
                && self.document(subject, of: kind).identity(kind) == wanted
        }
    }

    /// Returns what is held, newest first.
    package func heldDocuments(of machine: String? = nil) throws -> [HeldDocument] {
        try asCore {
            try rows(
                """
                SELECT id, machine, kind, name, at, reason, is_open, content FROM core_machine_held
                WHERE ?1 IS NULL OR machine = ?1 ORDER BY id DESC
                """, machine, body: { HeldDocument($0) })
        }
    }

    /// Keeps a document that was not exchanged, or was replaced, in place of an open one of its name; the newest 1,000 stay.
    package func hold(
        _ name: String, of kind: String, at machine: String, etag: String, reason: String, isOpen: Bool,
        _ content: [UInt8]?
    ) throws {
        try release(name, of: kind, at: machine)
        try asCore {
            try run(
                """
                INSERT INTO core_machine_held (machine, kind, name, etag, at, reason, is_open, content)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """, machine, kind, name, etag, now.milliseconds, reason, isOpen, content)
            try run("DELETE FROM core_machine_held WHERE id <= (SELECT max(id) FROM core_machine_held) - 1000")
        }
    }

    /// Forgets that a document waits.
    package func release(_ name: String, of kind: String, at machine: String) throws {
        _ = try asCore {
            try run(
                "DELETE FROM core_machine_held WHERE machine = ? AND kind = ? AND name = ? AND is_open", machine, kind,
                name)
        }
    }

    /// Forgets what a home has refused, so that it is sent again.
    package func releaseRefused(at machine: String) throws {
        _ = try asCore {
            try run("DELETE FROM core_machine_held WHERE machine = ? AND is_open AND content IS NULL", machine)
        }
    }

    /// Returns the files that are on other machines alone, with the machine and the time of what they belong to, the newest first.
    package func absentFiles() throws -> [(blob: BlobID, machine: String, at: Instant)] {
        try asCore {
            try rows("SELECT file, machine, at FROM core_machine_file ORDER BY at DESC, file") { row in
                BlobID(row.text(0)).map { ($0, row.text(1), Instant(milliseconds: Int64(row.int(2)))) }
            }.compactMap(\.self)
        }
    }

    /// Notes that a file is on another machine alone.
    package func addAbsentFile(_ blob: BlobID, on machine: String, at time: Instant) throws {
        _ = try asCore {
            try run(
                """
                INSERT INTO core_machine_file VALUES (?, ?, ?)
                ON CONFLICT (file) DO UPDATE SET machine = excluded.machine, at = max(at, excluded.at)
                """, blob.text, machine, time.milliseconds)
        }
    }

    /// Notes that files are here, or that nothing names them any more.
    package func removeAbsentFiles(_ blobs: some Sequence<BlobID>) throws {
        try asCore {
            for blob in blobs { try run("DELETE FROM core_machine_file WHERE file = ?", blob.text) }
        }
    }

    /// Notes that entities of this plugin have changed in tables that history does not record, and that are in documents.
    package func noteDocuments(of subjects: [String]) throws {
        try store.noteStaleDocuments(of: subjects, owner: owner)
    }

    /// Gives the store another identity: it is a copy of another one, or was set back.
    package func renewReplica() throws {
        try asCore { try store.renewReplica(at: store.files?.database) }
    }
}

/// A hub that has joined this one.
package struct SpokeMachine: Hashable, Sendable {
    /// The name of its device.
    package let device: String
    /// The identity of its store.
    package let replica: String
    /// The token of its last exchange.
    package var fork: String
    /// The identities of the stores that it exchanges with besides this one.
    package var reach: Set<String>
    /// When it was last here.
    package var seenAt: Instant

    package init(device: String, replica: String, fork: String, reach: Set<String>, seenAt: Instant) {
        self.device = device
        self.replica = replica
        self.fork = fork
        self.reach = reach
        self.seenAt = seenAt
    }
}

/// The hubs that have joined this one.
extension Transaction {
    /// Returns all of them.
    package func spokes() throws -> [SpokeMachine] {
        try asCore {
            try rows("SELECT device, replica, fork, reach, seen_at FROM core_machine_spoke ORDER BY device, seen_at") {
                SpokeMachine(
                    device: $0.text(0), replica: $0.text(1), fork: $0.text(2),
                    reach: Set($0.text(3).split(separator: " ").map(String.init)),
                    seenAt: Instant(milliseconds: Int64($0.int(4))))
            }
        }
    }

    /// Stores what is known of one.
    package func save(_ spoke: SpokeMachine) throws {
        _ = try asCore {
            try run(
                """
                INSERT INTO core_machine_spoke (device, replica, fork, reach, seen_at) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (device, replica) DO UPDATE SET fork = excluded.fork, reach = excluded.reach,
                    seen_at = excluded.seen_at
                """, spoke.device, spoke.replica, spoke.fork, spoke.reach.sorted().joined(separator: " "),
                spoke.seenAt.milliseconds)
        }
    }

    /// Stores the hash of a code by which a device joins, in place of an earlier one.
    package func addJoinCode(_ hash: [UInt8], for device: String, endingAt end: Instant) throws {
        try asCore {
            try run("DELETE FROM core_machine_code WHERE device = ? OR ends_at <= ?", device, now.milliseconds)
            try run("INSERT INTO core_machine_code VALUES (?, ?, ?, 0)", hash, device, end.milliseconds)
        }
    }

    /// Whether there is a code with this hash. If not, all codes have one try less.
    package func isJoinCode(_ hash: [UInt8], tries: Int) throws -> Bool {
        try asCore {
            let isThere = try row(
                "SELECT 1 FROM core_machine_code WHERE hash = ? AND ends_at > ?", hash, now.milliseconds
            ) { _ in true }
            if isThere == nil {
                try run("UPDATE core_machine_code SET tries = tries + 1")
                try run("DELETE FROM core_machine_code WHERE tries >= ?", tries)
            }
            return isThere ?? false
        }
    }

    /// Takes the code with this hash, which ends with it, and returns its device. Nil if there is none; then all codes have one try less.
    package func takeJoinCode(_ hash: [UInt8], tries: Int) throws -> String? {
        try asCore {
            let device = try row(
                "SELECT device FROM core_machine_code WHERE hash = ? AND ends_at > ?", hash, now.milliseconds
            ) { $0.text(0) }
            guard let device else {
                try run("UPDATE core_machine_code SET tries = tries + 1")
                try run("DELETE FROM core_machine_code WHERE tries >= ?", tries)
                return nil
            }
            try run("DELETE FROM core_machine_code WHERE device = ?", device)
            return device
        }
    }
}
