import Contacts
import ContactsDomain
import HubKitTesting
import Storage
import Sync
import TestSupport
import Testing

/// Any mix of local commands, undo, redo, changes by two other programs (also in the middle of a sync), texts that are no
/// cards, cards that are not given, syncs and broken connections ends with both sides equal, nothing lost, and every line
/// that nobody touched as it was. No request ever names the tag of a card that was not read, what is no card stays, and
/// never two cards have the same UID.
struct SyncModelTests {
    @Test(.seeded, arguments: [(false, false), (true, false), (false, true), (true, true)], [false, true])
    func `whatever happens, both sides end equal`(_ manner: (withUndo: Bool, rewrites: Bool), isStrict: Bool)
        async throws
    {
        let (withUndo, rewrites) = manner
        var random = SeededGenerator(seed: 20_261_122)
        let side = try await SyncFixture()
        side.there.behave {
            $0.rewrites = rewrites
            $0.hasTokens = Bool.random(using: &random)
            $0.tellsTags = Bool.random(using: &random)
            if isStrict { $0.refuses = ScriptedBook.strict }
        }
        var world = World()
        for step in 0..<120 {
            let before = try await sides(side, world)
            switch Int.random(in: 0..<15, using: &random) {
            case 0, 1:
                let uid = "here\(step)"
                try await side.add(SyncModelTests.card(uid, isValid: !isStrict))
            case 2, 3:
                let uid = "there\(step)"
                side.there.put("/book/\(uid).vcf", SyncModelTests.card(uid, isValid: !isStrict))
            case 4, 5:
                guard let contact = try await side.here().randomElement(using: &random) else { continue }
                let isPhone = Bool.random(using: &random)
                try await side.edit(contact.id) { details in
                    if isPhone {
                        details.phones = [LabeledValue("+1\(step)", label: "mobile")]
                    } else {
                        details.emails.append(LabeledValue("h\(step)@x"))
                    }
                }
                if !isPhone { world.emails[contact.card.details.uidText ?? "", default: []].insert("h\(step)@x") }
            case 6, 7:
                let places = side.there.items.keys.sorted()
                guard let href = places.randomElement(using: &random), let item = side.there.items[href],
                    world.broken[href] == nil
                else { continue }
                var details = Card(item.bytes).details
                if Bool.random(using: &random) {
                    details.phones = [LabeledValue("+2\(step)", label: "mobile")]
                } else {
                    details.emails.append(LabeledValue("t\(step)@x"))
                    world.emails[details.uidText ?? "", default: []].insert("t\(step)@x")
                }
                side.there.put(href, Card(item.bytes).updated(to: details, at: nil).card.text)
            case 8:
                guard let contact = try await side.here().randomElement(using: &random) else { continue }
                try await side.remove(contact.id)
            case 9:
                guard let href = side.there.items.keys.sorted().randomElement(using: &random) else { continue }
                side.there.take(href)
                world.broken[href] = nil
            case 12:
                // The first of the others saves something that is not a card.
                guard let href = side.there.items.keys.sorted().randomElement(using: &random),
                    world.broken[href] == nil, let item = side.there.items[href]
                else { continue }
                world.broken[href] = item.text
                side.there.put(href, SyncModelTests.noCard(step, href))
            case 13:
                // The second fixes it, and changes something as well.
                guard let href = world.broken.keys.sorted().randomElement(using: &random),
                    let text = world.broken.removeValue(forKey: href)
                else { continue }
                var details = Card(text).details
                details.emails.append(LabeledValue("m\(step)@x"))
                world.emails[details.uidText ?? "", default: []].insert("m\(step)@x")
                side.there.put(href, Card(text).updated(to: details, at: nil).card.text)
            case 14:
                // Others are at work while the next sync writes, before or after it.
                let email = "i\(step)@x"
                let isAfter = Bool.random(using: &random)
                let broken = world.broken
                guard let href = side.there.items.keys.sorted().randomElement(using: &random), broken[href] == nil,
                    let uid = side.there.items[href].flatMap({ Card($0.bytes).details.uidText })
                else { continue }
                let work: @Sendable (inout [String: ScriptedBook.Item]) -> Void = { items in
                    guard let item = items[href], Card(item.bytes).details.uidText == uid else { return }
                    var details = Card(item.bytes).details
                    details.emails.append(LabeledValue(email))
                    items[href]?.bytes = Card(item.bytes).updated(to: details, at: nil).card.bytes
                }
                side.there.behave { if isAfter { $0.echo = work } else { $0.interruption = work } }
                _ = try? await side.sync(isForced: true, consent: true)
                let isDone = side.there.items[href]?.text.contains(email) == true
                side.there.behave { ($0.echo, $0.interruption) = (nil, nil) }
                if isDone { world.emails[uid, default: []].insert(email) }
                continue
            case 10 where withUndo:
                side.hub.clock.advance(by: .seconds(1))
                let history = side.hub.database.history
                if Bool.random(using: &random) {
                    _ = try? await history.undo(as: side.hub.operation("undo"))
                } else {
                    _ = try? await history.redo(as: side.hub.operation("redo"))
                }
            default:
                let calls = Bool.random(using: &random) ? Int.random(in: 1...12, using: &random) : nil
                let secret = Int.random(in: 0..<4, using: &random) == 0 ? "here\(step / 2)" : nil
                side.there.behave {
                    $0.callsLeft = calls
                    $0.givesNot = { text in secret.map { text.contains("UID:\($0)\r\n") } ?? false }
                }
                do {
                    _ = try await side.sync(isForced: true, consent: true)
                } catch is RemoteError {}
                side.there.behave { ($0.callsLeft, $0.givesNot) = (nil, { _ in false }) }
                #expect(side.there.blindRequests == [])
                for href in world.broken.keys {
                    #expect(side.there.items[href]?.text.hasPrefix("no card") == true)
                }
                let uids = side.there.items.compactMap { href, item in
                    Card(world.broken[href].map { Array($0.utf8) } ?? item.bytes).details.uidText
                }
                #expect(uids.count == Set(uids).count)
                continue
            }
            world.note(before, try await sides(side, world))
        }
        for (href, text) in world.broken { side.there.put(href, text) }
        try await settle(side, &random)
        let ours = try await side.here()
        let kept = Set(ours.compactMap(\.card.details.uidText))
        #expect(world.seen.subtracting(world.removed).subtracting(kept) == [])
        for (_, card) in ours {
            let uid = card.details.uidText ?? ""
            // What was removed by undo and changed there comes back as the server has it.
            let isReturned = withUndo && world.removed.contains(uid)
            #expect(isReturned || card.text.contains("X-Orig;x=1: \(uid)  \\,kept\r\n"))
            if isStrict, !isReturned {
                for line in SyncModelTests.invalidLines { #expect(card.text.contains("\(line)\r\n")) }
            }
            guard !withUndo, !world.removed.contains(uid) else { continue }
            let emails = world.emails[uid] ?? []
            #expect(emails.subtracting(card.details.emails.map(\.value)) == [])
        }
        if !rewrites { try await side.expectEqual() }
        #expect(try await side.sync().isUpToDate)
        #expect(side.there.blindRequests == [])
    }

    /// The text of a program that was stopped while saving.
    private static func noCard(_ step: Int, _ href: String) -> String { "no card \(step) at \(href)" }

    /// Syncs and decides until nothing is left to do.
    private func settle(_ side: SyncFixture, _ random: inout SeededGenerator) async throws {
        for _ in 0..<4 {
            try await side.sync(isForced: true, consent: true)
            for conflict in try await side.hub.plugin.conflicts() {
                let choice = try #require(CardMerge.Choice.allCases.randomElement(using: &random))
                side.hub.clock.advance(by: .seconds(1))
                _ = try await side.hub.plugin.resolveConflict(
                    conflict.contact.id, taking: choice, operation: side.hub.operation("resolve"))
            }
        }
        #expect(try await side.hub.plugin.conflicts().isEmpty)
    }

    private func sides(_ side: SyncFixture, _ world: World) async throws -> [Set<String>] {
        [
            Set(try await side.here().compactMap(\.card.details.uidText)),
            Set(
                side.there.items.compactMap { href, item in
                    Card(world.broken[href].map { Array($0.utf8) } ?? item.bytes).details.uidText
                }),
        ]
    }

    /// The values that ever existed, and those that were removed.
    private struct World {
        var seen: Set<String> = []
        var removed: Set<String> = []
        /// Addresses that were added on either side and never taken away.
        var emails: [String: Set<String>] = [:]
        /// The last cards of places that hold none now.
        var broken: [String: String] = [:]

        mutating func note(_ before: [Set<String>], _ after: [Set<String>]) {
            for (old, new) in zip(before, after) {
                seen.formUnion(new)
                removed.formUnion(old.subtracting(new))
            }
        }
    }

    /// Lines that a strict server refuses, and that stay as they are here.
    private static let invalidLines = [
        "NOTE:a; b, c\\q", "ORG;WORK:Acme, Inc;R, D", "IMPP;HOME:aim:a b", "no property at all", "X_ODD;TYPE=a;B:1",
    ]

    private static func card(_ uid: String, isValid: Bool) -> String {
        let odd = isValid ? ["TEL;TYPE=CELL:+1"] : ["TEL;CELL:+1"] + invalidLines
        let lines = ["FN:\(uid)", "N:;\(uid);;;"] + odd + ["X-Orig;x=1: \(uid)  \\,kept"]
        return vcard(uid, lines.joined(separator: "\r\n"))
    }
}
