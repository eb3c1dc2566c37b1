package import ContactsDomain
import Glibc
package import HubKit
package import Links
import Synchronization

/// A folder with one card in each `.vcf` file, as khard and vdirsyncer keep them (vdir), as an address book.
///
/// Other programs may write to the folder at any time. A card is replaced by exchanging files, so that what another
/// program wrote at the last moment is seen and put back. A file with several cards gives each of them a place of its
/// own.
package final class VdirBook: AddressBookLink {
    private let path: String
    /// The folder inside the one at `path`; nil for that one itself.
    private let inner: FileName?
    private let now: @Sendable () -> Instant
    private let found = Mutex<[String]>([])

    /// Longest file that is taken for a card, in bytes.
    static let maximumSize = 64 << 20
    /// A file that was changed within this time of the last look may change again without a trace in its times.
    static let grain = Duration.seconds(2)

    /// The book in the folder at `path`, or in a folder inside it; `now` is the time by which the file system dates
    /// changes.
    package init(path: String, inner: FileName? = nil, now: @escaping @Sendable () -> Instant) {
        self.path = path
        self.inner = inner
        self.now = now
    }

    package var keepsBytes: Bool { true }

    package func notices() -> [String] { found.withLock(\.self) }

    package func state() async throws(LinkError) -> String? {
        try await onFolder { folder throws(SystemError) in
            var sum: UInt128 = 0
            var count = 0
            for name in try folder.names() where name.isCard {
                guard let status = try? folder.status(name, followingLinks: false) else { continue }
                var text = self.signature(name, status)
                if status.st_mode & S_IFMT == S_IFLNK {
                    let target = try? folder.status(name)
                    text += target.map { self.signature(name, $0) } ?? "away"
                }
                if text.hasSuffix("young") {
                    text += (try? folder.read(name, limit: Self.maximumSize)).map { CardFile.tag(of: $0) } ?? "unread"
                }
                // A sum, for the order in which a folder is read means nothing.
                sum &+= UInt128(CardFile.tag(of: Array(text.utf8)).dropTag, radix: 36) ?? 0
                count += 1
            }
            return "\(count)-\(String(sum, radix: 36))"
        }
    }

    /// What the system knows of a file that cannot stay the same when the file changes. For one that was changed a
    /// moment ago it ends in `young`, and says nothing about its content.
    private func signature(_ name: FileName, _ status: stat) -> String {
        let changed = Instant(milliseconds: Int64(status.st_ctim.tv_sec) * 1000)
        let isYoung = changed + Self.grain + .seconds(1) >= now()
        let times =
            "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) \(status.st_ctim.tv_sec).\(status.st_ctim.tv_nsec)"
        return "\(VdirPlace(name).href) \(status.st_ino) \(status.st_size) \(times) \(isYoung ? "young" : "")"
    }

    package func changes(since token: String?) async throws(LinkError) -> RemoteChanges {
        try await onFolder { folder throws(SystemError) in
            var listing = VdirListing(folder)
            try listing.read()
            self.found.withLock { $0 = listing.notices }
            // A card that cannot be read now is not gone: then nothing that is missing counts as removed.
            return RemoteChanges(isComplete: listing.isComplete, entries: listing.entries)
        }
    }

    package func fetch(_ hrefs: [String]) async throws(LinkError) -> [RemoteCard] {
        try await onFolder { folder throws(SystemError) in
            var files: [FileName: CardFile] = [:]
            var cards: [RemoteCard] = []
            for href in hrefs {
                guard let place = VdirPlace(href: href) else { continue }
                if files[place.file] == nil {
                    do throws(SystemError) {
                        files = [place.file: CardFile(try folder.read(place.file, limit: Self.maximumSize))]
                    } catch {
                        if error.code == ENOENT { continue }
                        guard let reason = error.refusal else { throw error }
                        cards.append(RemoteCard(href: href, failure: reason))
                        continue
                    }
                }
                if let part = files[place.file]?.part(at: place), let file = files[place.file] {
                    cards.append(RemoteCard(href: href, tag: file.tag(of: part), bytes: part.bytes))
                }
            }
            return cards
        }
    }

    package func create(_ card: [UInt8], name: String) async throws(LinkError) -> StoreAnswer {
        try await onFolder { folder throws(SystemError) in
            try self.item(StoreAnswer.refused) { () throws(SystemError) in
                try self.writer(folder).create(card, name: name)
            }
        }
    }

    package func update(
        _ href: String, to card: [UInt8], ifStill tag: String
    ) async throws(LinkError) -> StoreAnswer {
        guard let place = VdirPlace(href: href) else { return .gone }
        return try await onFolder { folder throws(SystemError) in
            try self.item(StoreAnswer.refused) { () throws(SystemError) in
                try self.writer(folder).update(place, to: card, ifStill: tag)
            }
        }
    }

    package func remove(_ href: String, ifStill tag: String) async throws(LinkError) -> RemoveAnswer {
        guard let place = VdirPlace(href: href) else { return .gone }
        return try await onFolder { folder throws(SystemError) in
            try self.item(RemoveAnswer.refused) { () throws(SystemError) in
                try self.writer(folder).remove(place, ifStill: tag)
            }
        }
    }

    private func writer(_ folder: OpenFolder) -> VdirWriter { VdirWriter(folder, account: path) }

    /// Answers with what concerns one file alone; other errors are thrown.
    private func item<Answer>(
        _ refused: (ItemRefusal) -> Answer, _ body: () throws(SystemError) -> Answer
    ) throws(SystemError) -> Answer {
        do throws(SystemError) {
            return try body()
        } catch {
            guard let reason = error.refusal else { throw error }
            return refused(.notAllowed(reason: reason))
        }
    }

    private func onFolder<Answer: Sendable>(
        _ body: @escaping @Sendable (OpenFolder) throws(SystemError) -> Answer
    ) async throws(LinkError) -> Answer {
        try await VdirAccount.onDisk { [path, inner] () throws(SystemError) in
            let folder = try OpenFolder(path)
            return try body(try inner.map { inner throws(SystemError) in try folder.folder(inner) } ?? folder)
        }
    }
}

extension String {
    /// The number of a tag, without the length.
    fileprivate var dropTag: Substring { prefix { $0 != "-" } }
}

extension CardFile {
    /// The card at a place; nil when it is not there.
    func part(at place: VdirPlace) -> Part? {
        guard let key = place.key else { return parts.count == 1 ? parts[0] : nil }
        return parts.count == 1 ? nil : parts.first { $0.key == key }
    }

    /// What changes with every change of the card: for the only one of a file, with every change of the file.
    func tag(of part: Part) -> String { CardFile.tag(of: parts.count == 1 ? bytes : part.bytes) }
}
