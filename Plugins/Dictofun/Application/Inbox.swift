import Commands
import DictofunDomain
import Glibc
package import HubKit
import Storage

/// A file in an inbox folder as it was when it was looked at.
package struct InboxFile: Hashable, Sendable {
    /// The path.
    package let path: String
    /// The size in bytes.
    package let size: Int
    /// The time of the last change, in nanoseconds.
    package let changedAt: Int
    /// The number of the file in its file system.
    package let number: UInt64
    /// The last time at which something of it changed here, which no program can set.
    package let touchedAt: Instant
}

/// Decides which files of inbox folders are to be imported: those that have not changed from one look to the next, each once.
package struct InboxWatch: Sendable {
    private var waiting: Set<InboxFile> = []
    private var settled: Set<InboxFile> = []
    private var stalled: Set<InboxFile> = []

    package init() {}

    /// Whether a file was found that is not known to be complete, so that another look is needed.
    package var isWaiting: Bool { !waiting.isSubset(of: settled.union(stalled)) }

    /// Takes what was found in the folders now; returns the files that are complete and were not returned before.
    package mutating func take(_ found: Set<InboxFile>) -> [InboxFile] {
        let complete = found.intersection(waiting).subtracting(settled)
        waiting = found
        stalled = stalled.intersection(found)
        settled = settled.intersection(found).union(complete)
        return complete.sorted { $0.path < $1.path }
    }

    /// Notes that a file that was returned is not complete after all: it is returned again with a later look.
    package mutating func postpone(_ file: InboxFile) {
        settled.remove(file)
        stalled.insert(file)
    }
}

extension DictofunPlugin {
    /// The extensions of sound files; others in a folder, such as those that are still being copied, are left alone.
    private static let soundExtensions: Set<String> = [
        "wav", "w64", "rf64", "flac", "ogg", "oga", "opus", "mp3", "mpga", "m4a", "m4b", "mp4", "aac", "adts", "caf",
        "amr",
        "3gp", "3gpp", "3ga", "3g2", "aiff", "aif", "aifc", "au", "snd", "wma", "webm", "weba", "mka", "spx", "qta",
        "dictofun",
    ]
    /// The most files of one folder.
    private static let folderLimit = 100_000
    /// How deep folders are searched.
    private static let folderDepth = 16
    /// The time after which a file is imported that announces more bytes than it has: its recorder lost power, or its copy was
    /// given up.
    private static let stallTime = Duration.seconds(3600)

    /// Returns the sound files in the inbox folders. A folder that is not there has none.
    package func inboxFiles() async throws -> Set<InboxFile> {
        let folders = config[DictofunKeys.inbox]
        return try await BackgroundThread.run {
            try folders.reduce(into: []) { found, folder in
                try BackgroundThread.checkCancellation()
                guard let handle = try? DirectoryHandle(folder) else { return }
                Self.collect(handle, depth: 0, into: &found)
            }
        }
    }

    /// Returns the sound files at a path, by their paths: those in a folder, also empty ones, or the file itself. Throws `invalid` for
    /// a folder without any.
    package func soundFiles(at path: String) async throws -> [String] {
        let found: Set<InboxFile>? = try await BackgroundThread.run {
            guard let handle = try? DirectoryHandle(path) else { return nil }
            var found: Set<InboxFile> = []
            Self.collect(handle, depth: 0, takesEmpty: true, into: &found)
            return found
        }
        guard let found else { return [path] }
        guard !found.isEmpty else {
            throw HubError(.invalid, code: "folder-without-sound", "\(path) has no sound files")
        }
        return found.map(\.path).sorted()
    }

    private static func collect(
        _ folder: DirectoryHandle, depth: Int, takesEmpty: Bool = false, into found: inout Set<InboxFile>
    ) {
        for name in (try? folder.names(limit: folderLimit)) ?? [] {
            let text = RawText.text(name)
            // Programs that sync folders name unfinished files with a dot or a tilde in front.
            guard !text.hasPrefix("."), !text.hasPrefix("~"),
                let status = (try? folder.status(name, followingLinks: false)) ?? nil
            else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR where depth < folderDepth:
                if let inner = try? folder.folder(name) {
                    collect(inner, depth: depth + 1, takesEmpty: takesEmpty, into: &found)
                }
            case S_IFREG where takesEmpty || status.st_size > 0:
                guard let dot = text.lastIndex(of: "."),
                    soundExtensions.contains(text[text.index(after: dot)...].lowercased())
                else { continue }
                found.insert(
                    InboxFile(
                        path: "\(folder.path)/\(text)", size: Int(status.st_size),
                        changedAt: status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec,
                        number: UInt64(status.st_ino),
                        touchedAt: Instant(
                            milliseconds: Int64(status.st_ctim.tv_sec) * 1000
                                + Int64(status.st_ctim.tv_nsec / 1_000_000))))
            default: continue
            }
        }
    }

    /// Imports the files that `watch` finds complete. A file that cannot be read is logged and left alone until it changes.
    ///
    /// The later content of a file takes the place of what was imported of it, unless the record was changed since.
    package func importInbox(_ watch: inout InboxWatch) async throws -> [RecordImportItem] {
        let operation = Operation("dictofun inbox", who: .service("inbox"))
        var items: [RecordImportItem] = []
        for file in watch.take(try await inboxFiles()) {
            do {
                if clock.now - file.touchedAt < Self.stallTime, try await isIncomplete(file) {
                    watch.postpone(file)
                    continue
                }
                let earlier = try await earlierRecord(of: file)
                let item = try await importFile(
                    file.path, keepsTrash: true, replacing: earlier, operation: operation)
                try await store.write(Operation(operation.name, who: operation.who, kind: .cache)) {
                    // Of a file that was known already, its record stays as it is.
                    if item.outcome != .unchanged { try $0.setInboxRecord(item.id, of: file.path) }
                }
                if item.outcome != .unchanged { items.append(item) }
            } catch let error as HubError where error.isAboutFile {
                log.warning("\(file.path): \(error.message)")
            }
        }
        return items
    }

    /// The record that was made of an earlier content of a file, if the file continues that content: a program may use a name again.
    private func earlierRecord(of file: InboxFile) async throws -> RecordVersion? {
        let found = try await store.read { tx in
            try tx.inboxRecord(of: file.path).map { ($0, try tx.record($0.id)?.blob) }
        }
        guard let (earlier, blob) = found, let blob = blob.flatMap({ BlobID($0) }) else { return nil }
        let path = blobs.path(of: blob)
        return try await BackgroundThread.run { ContinuedFile.check(file.path, continues: path) } ? earlier : nil
    }

    /// Whether the header of a file announces more bytes than it has.
    private func isIncomplete(_ file: InboxFile) async throws -> Bool {
        try await BackgroundThread.run {
            let descriptor = FileName.withPath(file.path) {
                open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            }
            guard descriptor >= 0 else { return false }
            defer { close(descriptor) }
            return SoundHeader.announcesMore(than: file.size) { offset in
                var bytes = [UInt8](repeating: 0, count: SoundHeader.size)
                let count = pread(descriptor, &bytes, bytes.count, off_t(offset))
                return Array(bytes.prefix(max(0, count)))
            }
        }
    }
}

/// Imports sound files that arrive in the inbox folders.
struct InboxService: Service {
    let dictofun: DictofunPlugin
    /// The time between two looks; a file is imported at the second one that finds it unchanged.
    var pause = Duration.seconds(5)

    /// The time between two looks while nothing is heard of the folders: changes by other machines on a network file system are
    /// not seen.
    private static let longPause = Duration.seconds(600)

    func run() async throws {
        let dictofun = dictofun
        let changes = AsyncSignal()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for folder in dictofun.config[DictofunKeys.inbox] {
                group.addTask {
                    for await _ in dictofun.watcher.changes(below: folder, notice: { dictofun.log.warning($0) }) {
                        changes.wake()
                    }
                }
            }
            defer { group.cancelAll() }
            var watch = InboxWatch()
            while true {
                for item in try await dictofun.importInbox(&watch) { dictofun.log.notice("imported \(item.name)") }
                if watch.isWaiting {
                    try await dictofun.clock.sleep(for: pause)
                } else {
                    let until = dictofun.clock.now + Self.longPause
                    guard await changes.wait(until: until, clock: dictofun.clock) else { throw CancellationError() }
                }
            }
        }
    }
}
