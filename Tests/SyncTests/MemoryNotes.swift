import Sync
import Text

/// The local side of a sync of notes, in memory: what a plugin writes for a folder of files or a server of notes.
final class MemoryNotes: LocalCollection {
    /// A note that is here, or has a link.
    struct Item {
        var note: Note
        var isHere = true
        var link: (entry: RemoteEntry, base: Note)?
        var unread: String?
        var wasSent = false
    }

    struct Incoming: IncomingItem {
        let entry: RemoteEntry
        let note: Note?
        var href: String { entry.href }
        var identity: Int? { note?.number }
    }

    struct Outgoing: OutgoingItem {
        let note: Note
        let name: String
        var bytes: [UInt8] { Array(note.text.utf8) }
    }

    var items: [Int: Item] = [:]
    var held: [String: String] = [:]
    var last = SyncPosition(token: nil, state: nil)
    var problems: [SyncProblem<Int>] = []

    func edit(_ number: Int, _ change: (inout Set<String>) -> Void) {
        var item = items[number] ?? Item(note: Note(number))
        change(&item.note.lines)
        items[number] = item
    }

    func remove(_ number: Int) {
        items[number]?.isHere = false
        if items[number]?.link == nil { items[number] = nil }
    }

    var texts: [String] { items.values.filter(\.isHere).map(\.note.text).sorted() }

    func position() -> SyncPosition { last }
    func storePosition(_ position: SyncPosition) { last = position }

    func hasWork() -> Bool {
        items.values.contains { !$0.isHere || $0.link?.base != $0.note || $0.link?.entry.etag.isEmpty == true }
            || items.values.contains { $0.unread == "" }
    }

    func begin() -> LocalListing<Int> {
        LocalListing(
            items: items.map { id, item in
                SyncItem(
                    id, isHere: item.isHere, isChanged: item.link?.base != item.note,
                    wasSent: item.link == nil && item.wasSent, identity: id, link: item.link?.entry,
                    unread: item.unread)
            }, held: held.map { RemoteEntry(href: $0.key, etag: $0.value) })
    }

    var reader: @Sendable (RemoteItem) -> Incoming {
        { item in
            Incoming(
                entry: RemoteEntry(href: item.href, etag: item.etag),
                note: Note(String(decoding: item.bytes, as: UTF8.self)))
        }
    }

    func receive(_ incoming: [Incoming], missing: Set<Int>) -> [FetchOutcome<Int>] {
        incoming.map { item in
            guard let theirs = item.note else {
                let id = items.first { $0.value.link?.entry.href == item.href }?.key
                if let id { items[id]?.unread = item.entry.etag } else { held[item.href] = item.entry.etag }
                return .skipped(SyncProblem(.unreadable, id: id, href: item.href))
            }
            return receive(theirs, item.entry, missing)
        }
    }

    private func receive(_ theirs: Note, _ entry: RemoteEntry, _ missing: Set<Int>) -> FetchOutcome<Int> {
        let id = theirs.number
        guard let ours = items[id] else {
            held[entry.href] = nil
            items[id] = Item(note: theirs, link: (entry, theirs))
            return .linked(id, etag: entry.etag, sends: false)
        }
        if let link = ours.link, link.entry.href != entry.href, !missing.contains(id) {
            held[entry.href] = entry.etag
            return .skipped(SyncProblem(.sameUID, id: id, href: entry.href))
        }
        held[entry.href] = nil
        if !ours.isHere, ours.link?.base == theirs {
            items[id]?.link = (entry, theirs)
            return .unwanted(id, etag: entry.etag)
        }
        var merged = ours.note
        let base = ours.link?.base.lines ?? []
        merged.lines.formUnion(theirs.lines.subtracting(base))
        merged.lines.subtract(base.subtracting(theirs.lines))
        items[id] = Item(note: merged, link: (entry, theirs))
        return .linked(id, etag: entry.etag, sends: merged != theirs)
    }

    func removeHere(_ gone: [Int: String]) { for id in gone.keys { items[id] = nil } }

    func prepare(_ sends: [SyncSend<Int>]) -> [Int: Outgoing] {
        var prepared: [Int: Outgoing] = [:]
        for send in sends {
            guard let item = items[send.id], item.isHere else { continue }
            items[send.id]?.wasSent = true
            let name = send.attempt == 1 ? "\(send.id)" : "\(send.id)-\(send.attempt)"
            prepared[send.id] = Outgoing(note: item.note, name: name)
        }
        return prepared
    }

    func storeRejection(of items: [Outgoing], _ result: PutResult?) {
        for item in items where result?.refusal?.isServerError != true { self.items[item.note.number]?.wasSent = false }
    }

    func storeReceipts(
        _ receipts: [SyncReceipt<Outgoing>], _ fetched: [ByteString: RemoteItem]
    ) -> [(href: String, outcome: FetchOutcome<Int>)] {
        var outcomes: [(href: String, outcome: FetchOutcome<Int>)] = []
        for receipt in receipts {
            let (sent, current) = (receipt.item.note, fetched[ByteString(receipt.href)])
            let isOurs = current.map { Note(String(decoding: $0.bytes, as: UTF8.self)) == sent } ?? true
            if !isOurs { outcomes.append((receipt.href, .changedAgain)) }
            let etag = isOurs ? current?.etag ?? receipt.etag ?? "" : ""
            items[sent.number]?.link = (RemoteEntry(href: receipt.href, etag: etag), sent)
            items[sent.number]?.wasSent = false
        }
        return outcomes
    }

    func dropLinks(_ hrefs: [String]) {
        for href in hrefs {
            held[href] = nil
            items = items.filter { $0.value.link?.entry.href != href || $0.value.isHere }
        }
    }

    func storeProblems(_ problems: [SyncProblem<Int>], isComplete: Bool) { self.problems = problems }
}
