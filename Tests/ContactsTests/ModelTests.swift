import Contacts
import ContactsDomain
import HubKit
import HubKitTesting
import Storage
import TestSupport
import Testing

/// Any mix of use cases, undone and redone, against a model that is a dictionary.
struct ModelTests {
    /// The expected content: the note of each contact, and whether it is in the trash.
    private struct Model: Equatable {
        var notes: [String: String] = [:]
        var trashed: Set<String> = []
        /// The note of each contact as it was imported last.
        var imported: [String: String] = [:]

        var live: [String] { notes.keys.filter { !trashed.contains($0) }.sorted() }
    }

    @Test(.seeded, arguments: ContactsFixture.Place.allCases)
    func `whatever is done, undone and redone, the book is the model and every index fits`(
        place: ContactsFixture.Place
    ) async throws {
        var generator = SeededGenerator()
        let book = try ContactsFixture(place)
        var model = Model()
        var past: [Model] = []
        var future: [Model] = []
        for step in 0..<120 {
            book.clock.advance(by: .seconds(1))
            let before = model
            switch Int.random(in: 0..<10, using: &generator) {
            case 0...2:
                let cards = (0..<Int.random(in: 1...30, using: &generator)).map { _ in
                    (uid: "u\(Int.random(in: 0..<60, using: &generator))", note: "n\(step)")
                }
                try await book.importing(cards.map { ModelTests.card($0.uid, $0.note) }.joined())
                for card in cards {
                    // What was edited here stays.
                    if model.notes[card.uid] == model.imported[card.uid] { model.notes[card.uid] = card.note }
                    model.imported[card.uid] = card.note
                    model.trashed.remove(card.uid)
                }
            case 3, 4:
                guard let uid = model.live.randomElement(using: &generator) else { continue }
                _ = try await book.plugin.update(try await id(uid, book), operation: book.operation()) {
                    $0.note = "edited \(step)"
                }
                model.notes[uid] = "edited \(step)"
            case 5:
                let uids = Set((0..<3).compactMap { _ in model.live.randomElement(using: &generator) })
                if uids.isEmpty { continue }
                var ids: [String] = []
                for uid in uids { ids.append(try await id(uid, book)) }
                try await book.plugin.entities.delete(ids, operation: book.operation())
                model.trashed.formUnion(uids)
            case 6:
                guard let uid = model.trashed.sorted().randomElement(using: &generator) else { continue }
                try await book.plugin.entities.restore([try await id(uid, book)], operation: book.operation())
                model.trashed.remove(uid)
            case 7, 8:
                guard let last = past.popLast() else { continue }
                #expect(try await book.database.history.undo(as: book.operation("undo")).isPossible)
                future.append(model)
                model = last
                continue
            default:
                guard let next = future.popLast() else { continue }
                #expect(try await book.database.history.redo(as: book.operation("redo")).isPossible)
                past.append(model)
                model = next
                continue
            }
            past.append(before)
            future = []
            if step.isMultiple(of: 10) { try await check(book, model, "step \(step)") }
        }
        try await check(book, model, "at the end")
    }

    private func check(_ book: ContactsFixture, _ model: Model, _ comment: Comment) async throws {
        var found = Model(imported: model.imported)
        for row in try await book.plugin.filter(ContactFilter()) {
            let details = try await book.plugin.entities.get(row.id).details
            found.notes[details.uidText ?? ""] = details.note
        }
        for item in try await book.plugin.entities.trash() {
            let details = try await book.plugin.entities.get(item.id).details
            found.notes[details.uidText ?? ""] = details.note
            found.trashed.insert(details.uidText ?? "")
        }
        #expect(found == model, comment)
        #expect(try await book.plugin.indexProblems() == [], comment)
    }

    /// The contact that was imported with this UID.
    private func id(_ uid: String, _ book: ContactsFixture) async throws -> String {
        try await book.contacts.store.read { transaction in
            try #require(try transaction.importedContact(from: CardSource.key(uid: ByteString(uid), contentHash: 0))).id
        }
    }

    private static func card(_ uid: String, _ note: String) -> String {
        "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:\(uid)\r\nFN:Person \(uid)\r\nTEL:+49 30 55\(uid.dropFirst())\r\n"
            + "CATEGORIES:a\(uid.last ?? "0"),b\r\nNOTE:\(note)\r\nX-KEEP:\(uid) \r\nEND:VCARD\r\n"
    }
}
