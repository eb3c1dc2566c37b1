import ContactsDomain
import Sync
import TestSupport
import Text

/// Two sides of a sync in memory: what the store and a server are to the engine, without either.
struct TwoSides {
    private struct Ours {
        var card: Card
        var isHere = true
        var link: (entry: RemoteEntry, base: SyncBase)?
        /// Their card, while a person has to decide.
        var conflict: (theirs: Card, base: Card)?
    }

    private struct Theirs {
        var card: Card
        var etag: Int
    }

    private var ours: [String: Ours] = [:]
    private var theirs: [String: Theirs] = [:]
    private var nextTag = 0
    /// Facts that were added on one side, by the number of their card.
    private var facts: [String: Set<String>] = [:]
    private var removed: Set<String> = []

    private static func card(_ uid: String) -> Card {
        ContactsDomainTests.card("UID:\(uid)", "FN:\(uid)", "N:;\(uid);;;", "TITLE:-")
    }

    private mutating func put(_ href: String, _ card: Card) -> RemoteEntry {
        nextTag += 1
        theirs[href] = Theirs(card: card, etag: nextTag)
        return RemoteEntry(href: href, etag: "\(nextTag)")
    }

    mutating func addHere(_ step: Int) { ours["h\(step)"] = Ours(card: TwoSides.card("h\(step)")) }

    mutating func addThere(_ step: Int) { _ = put("/t\(step)", TwoSides.card("t\(step)")) }

    private mutating func changed(_ card: Card, _ step: Int, _ random: inout SeededGenerator) -> Card {
        var details = card.details
        if Bool.random(using: &random) {
            details.title = "title \(step)"
        } else {
            details.emails.append(LabeledValue("\(step)@x"))
            facts[details.uidText ?? "", default: []].insert("\(step)@x")
        }
        return card.updated(to: details, at: nil).card
    }

    mutating func changeHere(_ step: Int, _ random: inout SeededGenerator) {
        let live = ours.keys.filter { ours[$0]?.isHere == true }.sorted()
        guard let id = live.randomElement(using: &random), let card = ours[id]?.card else { return }
        let new = changed(card, step, &random)
        ours[id]?.card = new
    }

    mutating func changeThere(_ step: Int, _ random: inout SeededGenerator) {
        guard let href = theirs.keys.sorted().randomElement(using: &random), let item = theirs[href] else { return }
        let card = changed(item.card, step, &random)
        _ = put(href, card)
    }

    mutating func removeHere(_ random: inout SeededGenerator) {
        let live = ours.keys.filter { ours[$0]?.isHere == true }.sorted()
        guard let id = live.randomElement(using: &random), let uid = ours[id]?.card.details.uidText else { return }
        ours[id]?.isHere = false
        removed.insert(uid)
    }

    mutating func removeThere(_ random: inout SeededGenerator) {
        guard let href = theirs.keys.sorted().randomElement(using: &random) else { return }
        if let uid = theirs.removeValue(forKey: href)?.card.details.uidText { removed.insert(uid) }
    }

    /// A person decides all conflicts.
    mutating func resolve(_ random: inout SeededGenerator) {
        for id in ours.keys.sorted() {
            guard let item = ours[id], let open = item.conflict else { continue }
            let choice = CardMerge.Choice.allCases.randomElement(using: &random)
            ours[id]?.card =
                CardMerge(
                    ours: item.card, ourBase: open.base, theirBase: open.base, theirs: open.theirs, choice: choice
                ).card
            ours[id]?.conflict = nil
        }
    }

    /// The cards that are not the same on both sides.
    var unequal: [String] {
        func texts(_ cards: some Sequence<Card>) -> [String: Card] {
            Dictionary(cards.map { ($0.details.uidText ?? "", $0) }) { first, _ in first }
        }
        let here = texts(ours.values.filter(\.isHere).map(\.card))
        let there = texts(theirs.values.map(\.card))
        return Set(here.keys).union(there.keys).sorted().filter { uid in
            guard let mine = here[uid], let other = there[uid] else { return true }
            return !mine.saysSame(as: other)
        }.map { "\(here[$0]?.source ?? "none") / \(there[$0]?.source ?? "none")" }
    }

    /// The values added to cards that were not removed and are missing.
    var lost: [String] {
        let live = Dictionary(ours.values.filter(\.isHere).map { ($0.card.details.uidText ?? "", $0.card.details) }) {
            first, _ in first
        }
        return facts.filter { !removed.contains($0.key) }.flatMap { uid, emails in
            emails.subtracting(live[uid]?.emails.map(\.value) ?? [])
        }
    }

    /// One sync that is killed after some actions; answers how many there were.
    @discardableResult
    mutating func sync(stoppingAfter limit: Int) throws -> Int {
        let locals = ours.map { id, item in
            SyncItem(
                id, isHere: item.isHere,
                isChanged: item.link.map { $0.base.ours.contentHash != item.card.contentHash } ?? true,
                isHeld: item.conflict != nil, identity: item.card.details.uidText?.hashValue ?? 0,
                link: item.link?.entry)
        }.filter { $0.isHere || $0.link != nil }
        var policy = SyncPolicy()
        policy.isForced = true
        var engine = SyncEngine(items: locals, policy: policy)
        engine.list(
            RemoteChanges(
                isComplete: true, entries: theirs.map { RemoteEntry(href: $0.key, etag: "\($0.value.etag)") }))
        try engine.guardRemovals()
        var count = 0
        while count < limit, let action = engine.next() {
            if case .confirm = action { engine.confirm(true) } else { count += 1 }
            perform(action, &engine)
        }
        return count
    }

    private mutating func perform(_ action: SyncAction<String>, _ engine: inout SyncEngine<String>) {
        switch action {
        case .fetch(let places):
            for href in places { engine.apply(receive(href, missing: engine.missing), at: href) }
        case .send(let send):
            guard let item = ours[send.id] else { return }
            if let entry = send.replaced, theirs[entry.href].map({ "\($0.etag)" }) != entry.etag {
                _ = engine.answer(.changedMeanwhile, to: send)
                return
            }
            let new = put(send.replaced?.href ?? "/\(item.card.details.uidText ?? "")-\(nextTag)", item.card)
            if engine.answer(.stored(href: new.href, etag: new.etag), to: send) {
                ours[send.id]?.link = (new, SyncBase(ours: item.card, theirs: item.card))
            }
        case .remove(let id, let entry):
            theirs[entry.href] = nil
            if engine.answer(.gone, toRemoving: id, entry) { ours[id] = nil }
        case .removeHere(let gone): for id in gone.keys { ours[id] = nil }
        case .dropLinks(let places):
            for (id, item) in ours where item.link.map({ places.contains($0.entry.href) }) ?? false { ours[id] = nil }
        case .confirm, .report: return
        }
    }

    private mutating func receive(_ href: String, missing: Set<String>) -> FetchOutcome<String> {
        guard let item = theirs[href] else { return .vanished }
        let entry = RemoteEntry(href: href, etag: "\(item.etag)")
        let id =
            ours.first { $0.value.link?.entry.href == href }?.key
            ?? ours.first {
                ($0.value.link == nil || missing.contains($0.key))
                    && $0.value.card.details.uidText == item.card.details.uidText
            }?.key
        let mine = id.flatMap { ours[$0] }.map { LocalSide(card: $0.card, isHere: $0.isHere, base: $0.link?.base) }
        switch SyncDecision(ours: mine, theirs: item.card) {
        case .new:
            let id = "new\(nextTag)-\(ours.count)"
            ours[id] = Ours(card: item.card, link: (entry, SyncBase(ours: item.card, theirs: item.card)))
            return .linked(id, etag: entry.etag, sends: false)
        case .remove: return .unwanted(id ?? "", etag: entry.etag)
        case .revive(let card, let base, let isSent):
            ours[id ?? ""] = Ours(card: card, link: (entry, base))
            return .linked(id ?? "", etag: entry.etag, sends: isSent)
        case .keep(let base, let isSent):
            ours[id ?? ""]?.link = (entry, base)
            if !isSent { ours[id ?? ""]?.conflict = nil }
            return .linked(id ?? "", etag: entry.etag, sends: isSent && ours[id ?? ""]?.conflict == nil)
        case .change(let merge, let base, let isSent):
            let start = ours[id ?? ""]?.conflict?.base ?? mine?.base?.theirs ?? TwoSides.card("")
            let isOpen = ours[id ?? ""]?.conflict != nil
            let conflicts =
                isOpen
                ? CardMerge(ours: merge.card, ourBase: start, theirBase: start, theirs: item.card).conflicts
                : merge.conflicts
            ours[id ?? ""]?.card = merge.card
            ours[id ?? ""]?.link = (entry, base)
            ours[id ?? ""]?.conflict = conflicts.isEmpty ? nil : (item.card, start)
            return .linked(id ?? "", etag: entry.etag, sends: isSent && conflicts.isEmpty)
        }
    }
}
