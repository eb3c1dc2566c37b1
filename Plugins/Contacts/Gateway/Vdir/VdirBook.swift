package import ContactsDomain
import Glibc
package import Sync
import Synchronization
package import System

/// A folder with one card per `.vcf` file (vdir), as used by khard and vdirsyncer, as an address book.
///
/// Other programs may write to the folder at any time. A card is replaced by exchanging files, so that a concurrent
/// write is noticed and restored. In a file with several cards each card has its own path.
package final class VdirBook: CollectionClient {
    private let path: String
    /// The subfolder of the one at `path`; nil for that one itself.
    private let inner: FileName?
    private let now: @Sendable () -> Instant
    private let found = Mutex<[String]>([])

    /// The maximum size of a card file in bytes.
    static let maximumSize = 64 << 20
    /// A file that was changed within this time before the last listing may change again without a new timestamp.
    static let grain = Duration.seconds(2)

    /// The book in the folder at `path`, or in a subfolder; `now` is the time of the file system's timestamps.
    package init(path: String, inner: FileName? = nil, now: @escaping @Sendable () -> Instant) {
        self.path = path
        self.inner = inner
        self.now = now
    }

    /// Always true for files.
    package var keepsBytes: Bool { true }

    /// Returns the messages of the last listing.
    package func notices() -> [String] { found.withLock(\.self) }

    /// Returns a sum of the file states, without reading the cards.
    package func state() async throws(RemoteError) -> String? {
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
                    text += (try? folder.read(name, limit: Self.maximumSize)).map { CardFile.etag(of: $0) } ?? "unread"
                }
                // A sum, since the order of a directory listing is undefined.
                sum &+= UInt128(CardFile.etag(of: Array(text.utf8)).dropTag, radix: 36) ?? 0
                count += 1
            }
            return "\(count)-\(String(sum, radix: 36))"
        }
    }

    /// The metadata of a file that changes when the file changes. For a file that was changed a moment ago it ends in
    /// `young`, since its timestamps are not reliable yet.
    private func signature(_ name: FileName, _ status: stat) -> String {
        let changed = Instant(milliseconds: Int64(status.st_ctim.tv_sec) * 1000)
        let isYoung = changed + Self.grain + .seconds(1) >= now()
        let times =
            "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) \(status.st_ctim.tv_sec).\(status.st_ctim.tv_nsec)"
        return "\(VdirPlace(name).href) \(status.st_ino) \(status.st_size) \(times) \(isYoung ? "young" : "")"
    }

    /// Returns all cards; a folder has no change tokens.
    package func changes(since token: String?) async throws(RemoteError) -> RemoteChanges {
        try await onFolder { folder throws(SystemError) in
            var listing = VdirListing(folder)
            try listing.read()
            self.found.withLock { $0 = listing.notices }
            // A card that cannot be read is not gone: then no missing card counts as removed.
            return RemoteChanges(isComplete: listing.isComplete, entries: listing.entries)
        }
    }

    /// Returns the cards at `hrefs` that exist.
    package func fetch(_ hrefs: [String]) async throws(RemoteError) -> [RemoteCard] {
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
                    cards.append(RemoteCard(href: href, etag: file.etag(of: part), bytes: part.bytes))
                }
            }
            return cards
        }
    }

    /// Writes a card to a new file, named after `name`.
    package func create(_ card: [UInt8], name: String) async throws(RemoteError) -> PutResult {
        try await onFolder { folder throws(SystemError) in
            try self.item(PutResult.refused) { () throws(SystemError) in
                try self.writer(folder).create(card, name: name)
            }
        }
    }

    /// Replaces the card at `href` if it still has `etag`.
    package func update(
        _ href: String, to card: [UInt8], ifMatch etag: String
    ) async throws(RemoteError) -> PutResult {
        guard let place = VdirPlace(href: href) else { return .gone }
        return try await onFolder { folder throws(SystemError) in
            try self.item(PutResult.refused) { () throws(SystemError) in
                try self.writer(folder).update(place, to: card, ifMatch: etag)
            }
        }
    }

    /// Removes the card at `href` if it still has `etag`.
    package func remove(_ href: String, ifMatch etag: String) async throws(RemoteError) -> DeleteResult {
        guard let place = VdirPlace(href: href) else { return .gone }
        return try await onFolder { folder throws(SystemError) in
            try self.item(DeleteResult.refused) { () throws(SystemError) in
                try self.writer(folder).remove(place, ifMatch: etag)
            }
        }
    }

    private func writer(_ folder: DirectoryHandle) -> VdirWriter { VdirWriter(folder, account: path) }

    /// Returns the error as a result if it concerns one file alone; throws others.
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
        _ body: @escaping @Sendable (DirectoryHandle) throws(SystemError) -> Answer
    ) async throws(RemoteError) -> Answer {
        try await VdirAccount.onDisk { [path, inner] () throws(SystemError) in
            let folder = try DirectoryHandle(path)
            return try body(try inner.map { inner throws(SystemError) in try folder.folder(inner) } ?? folder)
        }
    }
}

extension String {
    /// The hash in an etag, without the length.
    fileprivate var dropTag: Substring { prefix { $0 != "-" } }
}

extension CardFile {
    /// Returns the card at a path; nil if it does not exist.
    func part(at place: VdirPlace) -> Part? {
        guard let key = place.key else { return parts.count == 1 ? parts[0] : nil }
        return parts.count == 1 ? nil : parts.first { $0.key.hasSameBytes(as: key) }
    }

    /// The etag, which changes with every change of the card.
    func etag(of part: Part) -> String { CardFile.etag(of: parts.count == 1 ? bytes : part.bytes) }
}
