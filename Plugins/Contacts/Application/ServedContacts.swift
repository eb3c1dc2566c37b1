import ContactsDomain
import HubKit
import Storage
package import Sync
import Text

/// Contacts as an address book for devices: all of them, so that one that is moved between books stays the same for a device, or those of
/// a book.
package struct ServedContacts: ServedCollection {
    let contacts: ContactStore
    /// What the device sees.
    var scope = ServedScope.all

    /// The address book that the plugin offers, and each book by itself.
    static let declaration = CollectionDeclaration(.addressBook, id: "all", title: "Contacts") {
        (plugin: ContactsPlugin) in
        ServedContacts(contacts: plugin.contacts)
    } books: { plugin in
        ServedContactBooks(contacts: plugin.contacts)
    }

    /// Reads after all contacts have numbers.
    func read<T: Sendable>(_ body: @Sendable (Transaction) throws -> T) async throws -> T {
        let value = try await contacts.store.read { [scope] transaction -> T? in
            try transaction.needsNumbering(in: scope) ? nil : try body(transaction)
        }
        if let value { return value }
        try await contacts.store.write(Self.bookkeeping) { [scope] in try $0.numberAllServed(in: scope) }
        return try await contacts.store.read(body)
    }

    private static var bookkeeping: Operation {
        Operation("contacts devices", who: .service("contacts"), kind: .cache)
    }

    /// Returns the identity of the store and the last number.
    package func state() async throws -> ServedState {
        try await read { [scope] transaction in
            // The names of one book mean nothing in another.
            let suffix = scope == .all ? "" : scope.book?.split(separator: ":").last.map(String.init) ?? Book.here
            return ServedState(
                epoch: String(try transaction.replica().prefix(16)) + suffix,
                number: try transaction.lastServedNumber(in: scope))
        }
    }

    /// Returns the number of contacts.
    package func count() async throws -> Int { try await read { [scope] in try $0.servedCount(in: scope) } }

    /// Returns contacts by their names.
    package func entries(after name: String?, limit: Int) async throws -> [ServedEntry] {
        try await read { [scope] in try $0.servedEntries(after: name, limit: limit, in: scope) }
    }

    /// Returns what changed after a number.
    package func changes(after number: Int, upTo last: Int, limit: Int) async throws -> [ServedChange] {
        try await read { [scope] in try $0.servedChanges(after: number, upTo: last, limit: limit, in: scope) }
    }

    /// Returns the cards with these names.
    package func items(named names: [String]) async throws -> [ServedItem] {
        try await read { [scope] transaction in try names.compactMap { try transaction.servedItem($0, in: scope) } }
    }

    /// Returns the entries with these names.
    package func entries(named names: [String]) async throws -> [ServedEntry] {
        try await read { [scope] transaction in try names.compactMap { try transaction.servedEntry($0, in: scope) } }
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
        return try await contacts.write(Operation(put.author)) { [scope] in
            try $0.store(card, of: put, in: scope, rules)
        }
    }

    /// Moves a contact to the trash.
    package func remove(
        _ name: String, if condition: ServedCondition, by author: ServedAuthor
    ) async throws -> ServedRemoval {
        let rules = contacts.rules
        return try await contacts.write(Operation(author)) { [scope] transaction in
            try transaction.numberAllServed(in: scope)
            guard let contact = try transaction.servedContact(name, in: scope) else { return .missing }
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
        try await contacts.store.write(Self.bookkeeping) { [scope] in try $0.renumberServed(name, in: scope) }
    }
}

extension Operation {
    /// The operation of a device, named after it.
    init(_ author: ServedAuthor) {
        let program = author.program.isEmpty ? "" : " (\(author.program))"
        self.init(
            id: author.operation, "contacts device", who: .service(author.device),
            commandLine: "\(author.device)\(program): change contacts")
    }
}

extension Transaction {
    /// Stores a card of a device.
    fileprivate func store(
        _ card: Card, of put: ServedPut, in scope: ServedScope, _ rules: IndexingOptions
    ) throws -> ServedPutResult {
        try numberAllServed(in: scope)
        let name = put.name ?? ""
        let current = try servedContact(name, in: scope)
        let entry = try current.map { try ServedEntry($0, name: name) }
        guard put.condition.holds(for: entry) else { return .refused(entry) }
        let uid = card.details.uid?.withoutURN
        if let current {
            if let uid, !uid.isEmpty, let own = current.details.uid?.withoutURN, own != uid { return .otherUID }
            return try merge(card, into: current, name: name, put, rules)
        }
        let twins = try uid.map(contactsWithUID) ?? []
        // A copy in another book is a contact of its own.
        for live in twins where live.deletedAt == nil {
            if let other = try servedName(of: live.id, in: scope) { return .sameUID(other) }
        }
        let former = try formerContact(name, in: scope)
        let trash = twins.filter { $0.deletedAt != nil }
        if let trashed = trash.first(where: { $0.id == former }) ?? trash.first {
            try setDeleted(trashed.id, at: nil)
            // Programs move a card by removing it in one book and adding it to another, in either order.
            if scope != .all, trashed.book != scope.book { try setBook(trashed.id, scope.book) }
            let newName = name.isEmpty ? trashed.id + ".vcf" : name
            if newName != name || trashed.id != former { try setServedName(newName, of: trashed.id, in: scope) }
            return try merge(card, into: trashed, name: newName, put, rules)
        }
        return try insert(card, put, in: scope, rules)
    }

    private func contactsWithUID(_ uid: ByteString) throws -> [Contact] {
        if uid.isEmpty { return [] }
        return try contacts(withSource: CardSource.key(uid: uid, contentHash: 0)).filter {
            $0.details.uid?.withoutURN == uid
        }
    }

    private func insert(
        _ card: Card, _ put: ServedPut, in scope: ServedScope, _ rules: IndexingOptions
    ) throws -> ServedPutResult {
        let stored = DeviceCard.identified(card)
        let id = Identifier.make()
        let name = put.name ?? "\(id).vcf"
        let source = CardSource.key(uid: stored.details.uid, contentHash: 0)
        let contact = try insertContact(id, stored, source: source, origin: nil, book: scope.book)
        try setServedName(name, of: id, in: scope)
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
