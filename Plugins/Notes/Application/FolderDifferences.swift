import NotesDomain
import Storage

/// What the files of a mirrored folder are other than recorded, found without reading one.
struct FolderDifferences: Sendable {
    /// A file that was changed within this time before it was listed may change again without a new time.
    private static let grain = Duration.seconds(2)

    /// The files that are new or may have changed.
    private(set) var changed: [NoteFolder.Entry] = []
    /// The paths of recorded files that are gone.
    private(set) var vanished: [ByteString] = []
    /// The number of recorded files.
    private(set) var knownCount = 0
    private let listedAt: Instant

    /// Compares a listing of the folder, which was begun at `listedAt`, with what is recorded.
    init(_ listing: NoteFolder.Listing, listedAt: Instant, in transaction: Transaction) throws {
        self.listedAt = listedAt
        let entries = listing.entries
        var next = entries.startIndex
        // Both are in the order of the bytes of the paths.
        try transaction.scanMirrorStamps { path, stamp in
            knownCount += 1
            while next < entries.endIndex {
                let entry = entries[next]
                let order = entry.compare(path)
                if order > 0 { break }
                next += 1
                if order == 0 {
                    if !entry.hasStamp(stamp) { changed.append(entry) }
                    return
                }
                changed.append(entry)
            }
            let path = ByteString(path)
            // What was passed over may still be there.
            if !listing.skipped.contains(where: { path.isWithin($0.path) }) { vanished.append(path) }
        }
        changed += entries[next...]
    }

    /// Whether every file is as it is recorded.
    var isEmpty: Bool { changed.isEmpty && vanished.isEmpty }

    /// What to record of the changed files: empty for one that may change once more without a new stamp, so that the
    /// next sync reads it again.
    var stamps: [ByteString: String] {
        Dictionary(changed.map { ($0.path, isSettled($0) ? $0.stamp : "") }) { first, _ in first }
    }

    private func isSettled(_ entry: NoteFolder.Entry) -> Bool { entry.changedAt + Self.grain < listedAt }
}
