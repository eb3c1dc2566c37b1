import ContactsDomain
import HubKit
import Storage
package import Sync
import Text

/// All contacts as an address book for devices.
///
/// It has those of every book, so that a contact that is moved between books stays the same for a device.
package struct ServedContacts: ServedCollection {
    let contacts: ContactStore

    /// The address book that the plugin offers.
    static let declaration = CollectionDeclaration(.addressBook, id: "all", title: "Contacts") {
        (plugin: ContactsPlugin) in
        ServedContacts(contacts: plugin.contacts)
    }

    /// Reads after all contacts have numbers.
    func read<T: Sendable>(_ body: @Sendable (Transaction) throws -> T) async throws -> T {
        let value = try await contacts.store.read { transaction -> T? in
            try transaction.needsNumbering() ? nil : try body(transaction)
        }
        if let value { return value }
        try await contacts.store.write(Self.bookkeeping) { try $0.numberAllServed() }
        return try await contacts.store.read(body)
    }

    private static var bookkeeping: Operation {
        Operation("contacts devices", who: .service("contacts"), kind: .cache)
    }

    /// Returns the identity of the store and the last number.
    package func state() async throws -> ServedState {
        try await read { ServedState(epoch: String(try $0.replica().prefix(16)), number: try $0.lastServedNumber()) }
    }

    /// Returns the number of contacts.
    package func count() async throws -> Int { try await read { try $0.servedCount() } }

    /// Returns contacts by their names.
    package func entries(after name: String?, limit: Int) async throws -> [ServedEntry] {
        try await read { try $0.servedEntries(after: name, limit: limit) }
    }

    /// Returns what changed after a number.
    package func changes(after number: Int, upTo last: Int, limit: Int) async throws -> [ServedChange] {
        try await read { try $0.servedChanges(after: number, upTo: last, limit: limit) }
    }

    /// Returns the cards with these names.
    package func items(named names: [String]) async throws -> [ServedItem] {
        try await read { transaction in try names.compactMap { try transaction.servedItem($0) } }
    }

    /// Returns the entries with these names.
    package func entries(named names: [String]) async throws -> [ServedEntry] {
        try await read { transaction in try names.compactMap { try transaction.servedEntry($0) } }
    }

    /// Stores a card of a device, merged into the contact of that name.
    package func put(_ put: ServedPut) async throws -> ServedPutResult {
        let card: Card
        do throws(DeviceCard.Failure) {
            card = try DeviceCard.read(put.content)
        } catch {
            switch error {
            case .otherType: return .wrongType
            case .invalid(let reason): return .invalid(reason)
            }
        }
        let rules = contacts.rules
        return try await contacts.write(Operation(put.author)) { try $0.store(card, of: put, rules) }
    }

    /// Moves a contact to the trash.
    package func remove(
        _ name: String, if condition: ServedCondition, by author: ServedAuthor
    ) async throws -> ServedRemoval {
        let rules = contacts.rules
        return try await contacts.write(Operation(author)) { transaction in
            try transaction.numberAllServed()
            guard let contact = try transaction.servedContact(name) else { return .missing }
            let entry = try ServedEntry(contact, name: name)
            guard condition.holds(for: entry) else { return .refused(entry) }
            try transaction.setDeleted(contact.id, at: transaction.now)
            try transaction.reindexContacts([contact.id], rules)
            try transaction.emit(ContactEvents.removed, [contact.summary])
            return .removed
        }
    }

    /// Returns a card in another version of vCard; as it is when it has that one, or cannot be read.
    package func content(_ content: [UInt8], in version: String) -> [UInt8] {
        guard let target = VCardVersion(rawValue: version), DeviceCard.version(of: content) != target else {
            return content
        }
        let card = Card(content)
        return card.version == target ? content : card.converted(to: target).bytes
    }

    /// Gives a contact a new number.
    package func renumber(_ name: String) async throws {
        try await contacts.store.write(Self.bookkeeping) { try $0.renumberServed(name) }
    }
}

extension Operation {
    /// The operation of a device, named after it.
    fileprivate init(_ author: ServedAuthor) {
        let program = author.program.isEmpty ? "" : " (\(author.program))"
        self.init(
            id: author.operation, "contacts device", who: .service(author.device),
            commandLine: "\(author.device)\(program): change contacts")
    }
}

extension Transaction {
    /// Stores a card of a device.
    fileprivate func store(_ card: Card, of put: ServedPut, _ rules: IndexingOptions) throws -> ServedPutResult {
        try numberAllServed()
        let name = put.name ?? ""
        let current = try servedContact(name)
        let entry = try current.map { try ServedEntry($0, name: name) }
        guard put.condition.holds(for: entry) else { return .refused(entry) }
        let uid = card.details.uid?.withoutURN
        if let current {
            if let uid, !uid.isEmpty, let own = current.details.uid?.withoutURN, own != uid { return .otherUID }
            return try merge(card, into: current, name: name, put, rules)
        }
        let twins = try uid.map(contactsWithUID) ?? []
        if let live = twins.first(where: { $0.deletedAt == nil }), let other = try servedName(of: live.id) {
            return .sameUID(other)
        }
        let former = try formerContact(name)
        if let trashed = twins.first(where: { $0.id == former }) ?? twins.first {
            try setDeleted(trashed.id, at: nil)
            let newName = name.isEmpty ? trashed.id + ".vcf" : name
            if newName != name || trashed.id != former { try setServedName(newName, of: trashed.id) }
            return try merge(card, into: trashed, name: newName, put, rules)
        }
        return try insert(card, put, rules)
    }

    private func contactsWithUID(_ uid: ByteString) throws -> [Contact] {
        if uid.isEmpty { return [] }
        return try contacts(withSource: CardSource.key(uid: uid, contentHash: 0)).filter {
            $0.details.uid?.withoutURN == uid
        }
    }

    private func insert(_ card: Card, _ put: ServedPut, _ rules: IndexingOptions) throws -> ServedPutResult {
        let stored = DeviceCard.identified(card)
        let id = Identifier.make()
        let name = put.name ?? "\(id).vcf"
        let source = CardSource.key(uid: stored.details.uid, contentHash: 0)
        let contact = try insertContact(id, stored, source: source, origin: nil)
        try setServedName(name, of: id)
        try reindexContacts([id], rules)
        try emit(ContactEvents.added, [contact.summary])
        var report = ServedPutReport(try ServedEntry(contact, name: name), content: stored.bytes)
        (report.isNew, report.isChanged, report.words) = (true, true, card.propertyNames)
        return .stored(report)
    }

    /// Merges a card of a device into a contact; nothing is written when nothing changes.
    private func merge(
        _ card: Card, into contact: Contact, name: String, _ put: ServedPut, _ rules: IndexingOptions
    ) throws -> ServedPutResult {
        let wasTrashed = contact.deletedAt != nil
        // The base of what comes back from the trash is what was put there.
        var base = put.base.map { Card($0) } ?? (wasTrashed ? contact.card : nil)
        // A program that sends another version has read the card in that version, by hub's conversion or its own.
        if let known = base, known.version != card.version { base = known.converted(to: card.version) }
        var (merged, conflicts) = (contact.card, [String]())
        if card.bytes != contact.card.bytes {
            let merge = DeviceMerge(
                stored: contact.card, base: base, sent: card, known: put.known, keepsStored: put.keepsStored)
            (merged, conflicts) = (merge.card, merge.conflicts)
        }
        let isChanged = merged.bytes != contact.card.bytes
        if isChanged { try updateContact(contact.id, card: merged) }
        if isChanged || wasTrashed {
            _ = try saved(contact.id, wasTrashed ? ContactEvents.added : ContactEvents.changed)
        }
        let now = try self.contact(contact.id) ?? contact
        var report = ServedPutReport(try ServedEntry(now, name: name), content: merged.bytes)
        (report.isNew, report.isChanged) = (wasTrashed, isChanged || wasTrashed)
        (report.conflicts, report.words) = (conflicts, card.propertyNames)
        return .stored(report)
    }
}
