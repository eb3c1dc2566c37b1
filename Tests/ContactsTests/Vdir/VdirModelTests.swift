import ContactsDomain
import Glibc
import HubKit
import HubKitTesting
import Storage
import Sync
import System
import TestSupport
import Testing

@testable import Contacts

/// A folder in which two other programs save cards, half-saved texts and links, while hub edits and syncs: what is no card and
/// what lies outside of the folder is never touched, and in the end both sides are equal.
struct VdirModelTests {
    @Test(.seeded, arguments: 0..<3)
    func `hub touches nothing but cards that it has read`(round: UInt64) async throws {
        var random = SeededGenerator(seed: round)
        let hub = try ContactsFixture()
        let (folder, outside) = (try TemporaryFolder(), try TemporaryFolder())
        let link = VdirBook(path: folder.path) { SystemClock().now }
        let book = try await hub.contacts.store.write(System.Operation("contacts accounts add", kind: .cache)) {
            try $0.saveBook(RemoteBook(href: ".", name: "Home"), account: "home")
        }
        func sync() async throws -> BookSyncReport {
            hub.clock.advance(by: .seconds(1))
            return try await SyncBooks(hub.contacts, clock: hub.clock).sync(
                book, over: link, options: SyncOptions(isForced: true) { _ in true },
                operation: System.Operation("contacts sync"))
        }
        func text(_ uid: Int, _ note: String) -> String {
            vcard("u\(uid)", "FN:u\(uid)", "N:;u\(uid);;;", "NOTE:\(note)")
        }
        // The files outside, those that are not cards, and the links; all by the name in the folder.
        var others: [String: String] = [:]
        var noCards: [String: String] = [:]
        func clear(_ name: String) throws {
            if folder.names().contains(name) { try folder.remove(name) }
            noCards[name] = nil
        }
        for step in 0..<80 {
            let uid = Int.random(in: 0..<6, using: &random)
            let name = "\(uid).vcf"
            switch Int.random(in: 0..<9, using: &random) {
            case 0, 1:
                try clear(name)
                try folder.write(text(uid, "first \(step)"), to: name)
            case 2:
                try clear(name)
                noCards[name] = "half \(step)"
                try folder.write("half \(step)", to: name)
            case 3:
                // A link to a card outside, and to a file of the person's that is none.
                let isCard = Bool.random(using: &random)
                let target = "\(step)-\(name)"
                others[target] = isCard ? text(uid, "outside \(step)") : "export PATH \(step)"
                try outside.write(others[target] ?? "", to: target)
                try clear(name)
                symlink("\(outside.path)/\(target)", "\(folder.path)/\(name)")
            case 4:
                // A link inside of the folder.
                try folder.write(text(uid, "inside \(step)"), to: ".store/\(step)-\(name)")
                try clear(name)
                symlink(".store/\(step)-\(name)", "\(folder.path)/\(name)")
            case 5: try clear(name)
            case 6, 7:
                let all = try await hub.plugin.filter(ContactFilter())
                guard let contact = all.randomElement(using: &random) else { continue }
                hub.clock.advance(by: .seconds(1))
                if step.isMultiple(of: 5) {
                    try await hub.plugin.entities.delete([contact.id], operation: hub.operation("rm"))
                } else {
                    _ = try await hub.plugin.update(contact.id, operation: hub.operation("set")) {
                        $0.title = "title \(step)"
                    }
                }
            default:
                _ = try await sync()
                for (name, text) in noCards { #expect(folder.read(name) == text) }
                for (name, text) in others { #expect(outside.read(name) == text) }
            }
        }
        // The others fix and remove the obstacles; then both sides become equal.
        for name in folder.names() where name.hasSuffix(".vcf") {
            let isLink = try SystemFile.isLink("\(folder.path)/\(name)")
            guard isLink || noCards[name] != nil else { continue }
            try clear(name)
            try folder.write(text(Int(name.prefix(1)) ?? 0, "mended"), to: name)
        }
        for _ in 0..<3 {
            _ = try await sync()
            for conflict in try await hub.plugin.conflicts() {
                hub.clock.advance(by: .seconds(1))
                _ = try await hub.plugin.resolveConflict(
                    conflict.contact.id, taking: .here, operation: hub.operation("resolve"))
            }
        }
        #expect(try await sync().isUpToDate)
        for (name, text) in others { #expect(outside.read(name) == text) }
        let cards = folder.names().filter { $0.hasSuffix(".vcf") }.compactMap { folder.read($0) }.map { Card($0) }
        let ours = try await hub.plugin.filter(ContactFilter())
        #expect(Set(cards.compactMap(\.details.uidText)) == Set(ours.map(\.name)))
        for contact in ours {
            let card = try await hub.plugin.entities.get(contact.id).card
            #expect(cards.contains { $0.saysSame(as: card) })
        }
    }
}
