import Commands
import DictofunDomain
import Glibc
import HubKit
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
}

/// Decides which files of inbox folders are to be imported: those that have not changed from one look to the next, each once.
package struct InboxWatch: Sendable {
    private var waiting: Set<InboxFile> = []
    private var settled: Set<InboxFile> = []

    package init() {}

    /// Whether a file was found that is not known to be complete, so that another look is needed.
    package var isWaiting: Bool { !waiting.isSubset(of: settled) }

    /// Takes what was found in the folders now; returns the files that are complete and were not returned before.
    package mutating func take(_ found: Set<InboxFile>) -> [InboxFile] {
        let complete = found.intersection(waiting).subtracting(settled)
        waiting = found
        settled = settled.intersection(found).union(complete)
        return complete.sorted { $0.path < $1.path }
    }
}

extension DictofunPlugin {
    /// The extensions of files that an inbox imports; others, such as those that are still being copied, are left alone.
    private static let inboxExtensions: Set<String> = [
        "wav", "flac", "ogg", "oga", "opus", "mp3", "m4a", "aac", "amr", "3gp", "aiff", "aif", "wma", "webm",
        "dictofun",
    ]
    /// The most files of one folder.
    private static let inboxLimit = 100_000
    /// How deep folders are searched.
    private static let inboxDepth = 3

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

    private static func collect(_ folder: DirectoryHandle, depth: Int, into found: inout Set<InboxFile>) {
        for name in (try? folder.names(limit: inboxLimit)) ?? [] {
            let text = RawText.text(name)
            // Programs that sync folders name unfinished files with a dot or a tilde in front.
            guard !text.hasPrefix("."), !text.hasPrefix("~"),
                let status = (try? folder.status(name, followingLinks: false)) ?? nil
            else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR where depth < inboxDepth:
                if let inner = try? folder.folder(name) { collect(inner, depth: depth + 1, into: &found) }
            case S_IFREG where status.st_size > 0:
                guard let dot = text.lastIndex(of: "."),
                    inboxExtensions.contains(text[text.index(after: dot)...].lowercased())
                else { continue }
                found.insert(
                    InboxFile(
                        path: "\(folder.path)/\(text)", size: Int(status.st_size),
                        changedAt: status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec,
                        number: UInt64(status.st_ino)))
            default: continue
            }
        }
    }

    /// Imports the files that `watch` finds complete. A file that cannot be read is logged and left alone until it changes.
    package func importInbox(_ watch: inout InboxWatch) async throws -> [RecordImportItem] {
        let operation = Operation("dictofun inbox", who: .service("inbox"))
        var items: [RecordImportItem] = []
        for file in watch.take(try await inboxFiles()) {
            do {
                let item = try await importFile(file.path, keepsTrash: true, operation: operation)
                if item.outcome == .new { items.append(item) }
            } catch let error as HubError where error.isAboutFile {
                log.warning("\(file.path): \(error.message)")
            }
        }
        return items
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
