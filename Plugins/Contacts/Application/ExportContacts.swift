package import ContactsDomain
import System

extension ContactsPlugin {
    /// Returns the cards of the contacts `ids`, or of all, in the order of names, converted to `version`; with nil byte
    /// for byte. A chunk contains whole cards.
    package func exportCards(
        _ ids: [String]? = nil, as version: VCardVersion? = nil
    ) -> AsyncThrowingStream<[UInt8], any Error> {
        exportCards(ids, by: VCardWriter(version))
    }

    /// Returns the contacts `ids`, or all, in the order of names, in the format of `writer`.
    package func exportCards(
        _ ids: [String]? = nil, by writer: any CardListWriter
    ) -> AsyncThrowingStream<[UInt8], any Error> {
        let labels = writer.hasLabelsOnly
        let export = Export(
            CardPages(contacts, ids, labelsGroups: labels), again: CardPages(contacts, ids, labelsGroups: labels),
            writer)
        return AsyncThrowingStream { try await export.next() }
    }

    /// The state of the export between two chunks.
    private actor Export {
        private enum Stage {
            case beginning, cards, end
        }

        private let surveyed: CardPages
        private let pages: CardPages
        private var writer: any CardListWriter
        private var stage = Stage.beginning

        init(_ pages: CardPages, again: CardPages, _ writer: any CardListWriter) {
            surveyed = pages
            self.pages = again
            self.writer = writer
        }

        func next() async throws -> [UInt8]? {
            switch stage {
            case .beginning:
                if writer.needsSurvey {
                    while let page = try await surveyed.next() {
                        for item in page { writer.survey(item.card) }
                    }
                }
                stage = .cards
                return writer.begin()
            case .cards:
                guard let page = try await pages.next() else {
                    stage = .end
                    return writer.end()
                }
                return page.flatMap { writer.add($0.card, id: $0.id) }
            case .end: return nil
            }
        }
    }
}

/// The result of an export to a folder.
package struct FolderExportReport: Sendable {
    /// The number of files that were created or replaced.
    package internal(set) var written = 0
    /// The number of files that already had the same content.
    package internal(set) var unchanged = 0
    /// The number of cards without a `UID`, which khard skips.
    package internal(set) var withoutUID = 0
}

extension ContactsPlugin {
    /// Writes the contacts `ids`, or all, byte for byte into the folder at `path`, which is created, one file each (vdir). Other files in it
    /// are not changed.
    package func exportFolder(_ ids: [String]? = nil, to path: String) async throws -> FolderExportReport {
        let folder = CardFolder(path: path)
        try await BackgroundThread.run { try folder.make() }
        let pages = CardPages(contacts, ids)
        var report = FolderExportReport()
        var names = Set<String>()
        var writer = VCardWriter(nil) as any CardListWriter
        while let page = try await pages.next() {
            var files: [(name: String, bytes: [UInt8])] = []
            for item in page {
                let uid = item.card.details.uid
                if uid == nil { report.withoutUID += 1 }
                var name = ContactsPlugin.fileName(uid) ?? item.id
                if !names.insert(name.lowercased()).inserted { name = item.id }
                files.append(("\(name).vcf", writer.add(item.card, id: item.id)))
            }
            let outcomes = try await BackgroundThread.run { [files] in
                try files.map { file in
                    try BackgroundThread.checkCancellation()
                    return try folder.write(file.bytes, as: file.name)
                }
            }
            for outcome in outcomes {
                switch outcome {
                case .written: report.written += 1
                case .unchanged: report.unchanged += 1
                }
            }
        }
        try await BackgroundThread.run { folder.sync() }
        return report
    }

    /// A `UID` that is a safe file name on all systems; nil for others.
    private static func fileName(_ uid: ByteString?) -> String? {
        guard let name = uid?.withoutURN.text else { return nil }
        let isSafe = name.utf8.allSatisfy { byte in
            (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || [0x2D, 0x5F, 0x2E, 0x40].contains(byte)
        }
        return isSafe && (1...200).contains(name.utf8.count) && !name.hasPrefix(".") ? name : nil
    }
}

/// Reads cards page by page: of given contacts in their order, or of all in the order of names.
actor CardPages {
    /// The card of a live contact.
    struct Item: Sendable {
        let id: String
        let card: Card
    }

    /// The number of cards per page.
    private static let batch = 200

    private let contacts: ContactStore
    private var ids: ArraySlice<String>?
    /// Whether groups are left out and named in the tags of their members.
    private let labelsGroups: Bool
    /// The names of the groups of each member.
    private var groups: [String: [String]]?
    private var cursor: ListCursor?
    private var isFinished = false

    init(_ contacts: ContactStore, _ ids: [String]?, labelsGroups: Bool = false) {
        self.contacts = contacts
        self.labelsGroups = labelsGroups
        self.ids = ids.map { $0[...] }
    }

    /// Returns the next cards; nil at the end.
    func next() async throws -> [Item]? {
        if labelsGroups, groups == nil { try await readGroups() }
        guard let page = try await nextIDs() else { return nil }
        return try await contacts.read { [labelsGroups, groups] transaction in
            try page.compactMap { id in
                guard let card = try transaction.contact(id)?.card else { return nil }
                return labelsGroups
                    ? card.labeled(groups?[id] ?? []).map { Item(id: id, card: $0) } : Item(id: id, card: card)
            }
        }
    }

    /// Reads which groups each contact is in. A group that was chosen stands for its members.
    private func readGroups() async throws {
        let chosen = ids.map(Array.init)
        let (names, members) = try await contacts.read { transaction in
            var (names, members): ([String: [String]], [String: Set<String>]) = ([:], [:])
            for group in try transaction.groupSummaries() {
                let found = try transaction.memberIDs(ofGroups: [group.id])
                for id in found { names[id, default: []].append(group.name) }
                members[group.id] = found
            }
            return (names, members)
        }
        groups = names
        guard let chosen else { return }
        var seen = Set<String>()
        let all = chosen.flatMap { id in members[id].map { $0.sorted() } ?? [id] }
        ids = all.filter { seen.insert($0).inserted }[...]
    }

    private func nextIDs() async throws -> [String]? {
        if isFinished { return nil }
        if let rest = ids {
            ids = rest.dropFirst(CardPages.batch)
            return rest.isEmpty ? nil : Array(rest.prefix(CardPages.batch))
        }
        let page = try await contacts.read { [cursor] in
            try $0.contactPage(after: cursor, limit: CardPages.batch)
        }
        cursor = page.next
        isFinished = page.next == nil
        return page.rows.isEmpty ? nil : page.rows.map(\.id)
    }
}

extension Card {
    /// The card with the names of groups as further tags; nil for the card of a group.
    fileprivate func labeled(_ groups: [String]) -> Card? {
        var details = details
        if details.kind == .group { return nil }
        let known = Set(details.tags.map(ContactIndexRow.folded))
        let new = groups.filter { !known.contains(ContactIndexRow.folded($0)) }
        if new.isEmpty { return self }
        details.tags += new
        return updated(to: details, at: nil).card
    }
}
