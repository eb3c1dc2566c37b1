import SQLite

/// A message of documents to a home: the token of its exchange, and its number there.
package struct SentMessage: Hashable, Sendable {
    /// The token of the exchange.
    package let exchange: String
    /// Which of its messages it is.
    package let number: Int

    /// Names a message.
    package init(exchange: String, number: Int) { (self.exchange, self.number) = (exchange, number) }

    /// Reads ``text``.
    package init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, let number = Int(words[1]) else { return nil }
        self.init(exchange: String(words[0]), number: number)
    }

    /// Both as one text.
    package var text: String { "\(exchange) \(number)" }
}

/// What is sent, so that a lost answer loses nothing: what the home has stored is what both had when they were last equal, and without
/// that a later change here would look like one of two that contradict each other.
extension Transaction {
    /// Notes what is in a message to a home before it is sent, in place of what was in the last one. An empty document is one that is to be
    /// removed there.
    package func noteSent(
        _ documents: [(item: MachineItem, document: Document)], in message: SentMessage, to machine: String
    )
        throws
    {
        try asCore {
            try run("DELETE FROM core_machine_sent WHERE machine = ?", machine)
            for (place, (item, document)) in documents.enumerated() {
                try run(
                    "INSERT INTO core_machine_sent VALUES (?, ?, ?, ?, ?, ?, ?, ?)", machine, place, message.text,
                    item.kind, item.name, item.local, try document.etag, document.isEmpty ? nil : document.bytes)
            }
        }
    }

    /// Returns the message to a home whose answer has not come; nil if there is none.
    package func unansweredMessage(to machine: String) throws -> SentMessage? {
        try asCore {
            try row("SELECT message FROM core_machine_sent WHERE machine = ? LIMIT 1", machine) {
                SentMessage($0.text(0))
            }
        } ?? nil
    }

    /// Takes the documents of the last message that the home has stored, in their order, as those that both have, and forgets the others.
    package func settleSent(to machine: String, isStored: [Bool]) throws {
        let sent = try asCore {
            try rows(
                "SELECT place, kind, name, local, etag, content FROM core_machine_sent WHERE machine = ? ORDER BY place",
                machine
            ) {
                (
                    place: $0.int(0), item: MachineItem(kind: $0.text(1), name: $0.text(2), local: $0.text(3)),
                    etag: $0.text(4), content: $0.optionalBlob(5)
                )
            }
        }
        for (place, item, etag, content) in sent where isStored.indices.contains(place) && isStored[place] {
            let known = try machineItem(item.kind, item.name, at: machine) ?? item
            try save(known.with(etag, content), at: machine)
            try release(item.local, of: item.kind, at: machine)
        }
        _ = try asCore { try run("DELETE FROM core_machine_sent WHERE machine = ?", machine) }
    }

    /// Notes which documents of a message this home has stored, in their order, for a hub that may not get the answer. False says that
    /// the hub has begun another exchange since, and does not count on this message any more.
    package func noteTaken(_ isStored: [Bool], of message: SentMessage, from device: String) throws -> Bool {
        try asCore {
            try run(
                "UPDATE core_machine_spoke SET message = ?, stored = ? WHERE device = ? AND fork = ?", message.text,
                String(isStored.map { $0 ? "1" : "0" }), device, message.exchange) > 0
        }
    }

    /// Returns which documents of a message this home has stored; empty if it does not know of it.
    package func taken(of message: SentMessage, from device: String) throws -> [Bool] {
        try asCore {
            try row(
                "SELECT stored FROM core_machine_spoke WHERE device = ? AND message = ?", device, message.text
            ) { $0.text(0).utf8.map { $0 == UInt8(ascii: "1") } }
        } ?? []
    }
}
