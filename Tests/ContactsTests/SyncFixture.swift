import ContactsDomain
import HubKit
import HubKitTesting
import Storage
import Sync
import System
import Testing

@testable import Contacts

/// A hub whose contacts are kept in step with a scripted book.
final class SyncFixture: Sendable {
    let hub: ContactsFixture
    let there: ScriptedBook
    let book: Book

    init(
        _ there: ScriptedBook = ScriptedBook(), readOnly: Bool = false, versions: Set<String> = ["3.0"]
    ) async throws {
        hub = try ContactsFixture()
        self.there = there
        let remote = RemoteBook(href: "/book/", name: "Friends", isReadOnly: readOnly, versions: versions)
        book = try await hub.contacts.store.write(System.Operation("contacts accounts add", kind: .cache)) {
            try $0.saveBook(remote, account: "posteo")
        }
    }

    /// Syncs once; `consent` answers what is asked.
    @discardableResult
    func sync(
        isDryRun: Bool = false, isForced: Bool = false, consent: Bool? = nil, tags: TagForm = .categories
    ) async throws -> BookSyncReport {
        hub.clock.advance(by: .seconds(1))
        let options = SyncOptions(isDryRun: isDryRun, isForced: isForced) { _ in
            guard let consent else { throw HubError(.usage, code: "confirmation-needed", "nobody can be asked") }
            return consent
        }
        return try await SyncBooks(hub.contacts, clock: hub.clock, tags: tags).sync(
            book, over: there, options: options, operation: System.Operation("contacts sync"))
    }

    /// Makes a contact in the book from the text of a card.
    @discardableResult
    func add(_ text: String) async throws -> String {
        let id = Identifier.make()
        let card = Card(text)
        let (rules, book) = (hub.contacts.rules, book.id)
        hub.clock.advance(by: .seconds(1))
        try await hub.contacts.write(hub.operation("contacts new")) { transaction in
            _ = try transaction.insertContact(
                id, card, source: CardSource.key(uid: card.details.uid, contentHash: card.syncHash), origin: nil,
                book: book)
            try transaction.reindexContacts([id], rules)
        }
        return id
    }

    /// Edits a contact here as `set` does.
    func edit(_ id: String, _ change: @escaping @Sendable (inout ContactDetails) throws -> Void) async throws {
        hub.clock.advance(by: .seconds(1))
        _ = try await hub.plugin.update(id, operation: hub.operation("contacts set"), change: change)
    }

    func remove(_ ids: String...) async throws {
        hub.clock.advance(by: .seconds(1))
        try await hub.plugin.entities.delete(ids, operation: hub.operation("contacts rm"))
    }

    func undo(_ operation: String? = nil) async throws {
        hub.clock.advance(by: .seconds(1))
        #expect(try await hub.database.history.undo(operation, as: hub.operation("undo")).isPossible)
    }

    func redo() async throws {
        hub.clock.advance(by: .seconds(1))
        #expect(try await hub.database.history.redo(as: hub.operation("redo")).isPossible)
    }

    /// The live contacts of the book: id and card.
    func here() async throws -> [(id: String, card: Card)] {
        let book = book.id
        return try await hub.contacts.read { transaction in
            try transaction.contactIDs(after: "", limit: 10_000).compactMap { id in
                guard let row = try transaction.contact(id), row.deletedAt == nil, row.book == book else { return nil }
                return (id, row.card)
            }
        }
    }

    /// The only contact of the book.
    func only() async throws -> (id: String, card: Card) {
        let all = try await here()
        #expect(all.count == 1)
        return try #require(all.first)
    }

    /// Expects that both sides say the same, and that another sync finds nothing to do.
    func expectEqual(_ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let report = try await sync()
        #expect(report.isUpToDate && report.problems.isEmpty, comment, sourceLocation: sourceLocation)
        let ours = try await here()
        let theirs = there.items.values.map { Card($0.bytes) }
        #expect(ours.count == theirs.count, comment, sourceLocation: sourceLocation)
        for (_, card) in ours {
            let twin = theirs.first { $0.details.uidText == card.details.uidText }
            let isSame = twin.map { card.saysSame(as: $0) || card.exported(as: .v3).saysSame(as: $0) } ?? false
            #expect(isSame, "\(card.text) / \(twin?.text ?? "nothing")", sourceLocation: sourceLocation)
        }
        #expect(try await hub.plugin.indexProblems() == [], comment, sourceLocation: sourceLocation)
    }
}

extension Card {
    /// The bytes as text.
    var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// A card with these lines.
func vcard(_ uid: String?, _ lines: String..., version: String = "3.0") -> String {
    let uid = uid.map { ["UID:\($0)"] } ?? []
    return (["BEGIN:VCARD", "VERSION:\(version)"] + uid + lines + ["END:VCARD", ""]).joined(separator: "\r\n")
}

extension SyncBooks {
    /// Syncs one book, and throws what ended its sync.
    func sync(
        _ book: Book, over link: any CollectionClient, options: SyncOptions = SyncOptions(),
        operation: System.Operation, progress: @escaping @Sendable (SyncProgress) -> Void = { _ in }
    ) async throws -> BookSyncReport {
        let done = try await sync(
            [Target(book, over: link)], options: options, operation: operation, progress: progress)
        if let failure = done.failure ?? done.outcomes.first?.failure { throw failure }
        return done.outcomes.first?.report ?? BookSyncReport()
    }
}

extension BookSyncReport {
    /// Whether nothing was received or sent.
    var isUpToDate: Bool { received.total + sent.total + merged == 0 && conflicts.isEmpty }
}

extension ContactDetails {
    /// The `UID` as text.
    var uidText: String? { uid?.repairedText }
}
