import Glibc
import Synchronization
import TestSupport
import Testing

@testable import System

/// A watch on real folders. Events of this process's own calls are there when the calls return, and the time is the
/// test's.
@MainActor struct DirectoryWatchTests {
    private final class Reports: Sendable {
        let changes = Mutex<[DirectoryChange]>([])
        let notices = Mutex<[String]>([])
    }

    /// A watched folder and its time.
    private struct Watched: ~Copyable {
        let folder: TemporaryFolder
        let reports = Reports()
        var now = Duration.zero
        var watch: DirectoryWatch

        init(
            _ folder: TemporaryFolder, at path: String? = nil, limits: DirectoryWatchState.Limits = .init()
        ) {
            self.folder = folder
            watch = DirectoryWatch(path ?? folder.path, at: .zero, limits: limits) { [reports] change in
                reports.changes.withLock { $0.append(change) }
            } notice: { [reports] notice in
                reports.notices.withLock { $0.append(notice) }
            }
            watch.advance(to: .zero)
        }

        /// Returns what is reported for all that has happened, after `time`.
        mutating func take(after time: Duration = .seconds(2)) -> [DirectoryChange] {
            while watch.takeEvents(at: now) {}
            let end = now + time
            while watch.deadline <= end {
                now = watch.deadline
                watch.advance(to: now)
                while watch.takeEvents(at: now) {}
            }
            now = end
            return reports.changes.withLock { changes in
                defer { changes = [] }
                return changes
            }
        }
    }

    private func paths(_ names: String...) -> [DirectoryChange] { [.paths(Set(names.map { RelativePath($0) }))] }

    @Test func `files that come, change and go are reported by their paths`() throws {
        let folder = try TemporaryFolder()
        try folder.write("1", to: "family/ada.vcf")
        var watched = Watched(folder)
        #expect(watched.take() == [.everything])
        #expect(watched.watch.count == 2)
        // TemporaryFolder writes beside the name and renames, as khard and vdirsyncer do.
        try folder.write("2", to: "family/ada.vcf")
        guard case .paths(let renamed)? = watched.take().first else { Issue.record("nothing"); return }
        #expect(renamed.contains("family/ada.vcf") && renamed.count == 2)
        let file = try #require(fopen("\(folder.path)/family/ada.vcf", "w"))
        fputs("3", file)
        fclose(file)
        #expect(watched.take() == paths("family/ada.vcf"))
        try folder.remove("family/ada.vcf")
        #expect(watched.take() == paths("family/ada.vcf"))
        #expect(watched.take(after: .seconds(100)).isEmpty)
    }

    @Test func `a tree that is moved in, renamed and moved out is followed`() throws {
        let (folder, outside) = (try TemporaryFolder(), try TemporaryFolder())
        var watched = Watched(folder)
        _ = watched.take()
        try outside.write("1", to: "tree/a/b/one.vcf")
        #expect(rename("\(outside.path)/tree", "\(folder.path)/tree") == 0)
        #expect(watched.take() == paths("tree"))
        #expect(watched.watch.count == 4)
        #expect(rename("\(folder.path)/tree/a", "\(folder.path)/c") == 0)
        #expect(watched.take() == paths("tree/a", "c"))
        let file = try #require(fopen("\(folder.path)/c/b/one.vcf", "w"))
        fclose(file)
        #expect(watched.take() == paths("c/b/one.vcf"))
        #expect(rename("\(folder.path)/c", "\(outside.path)/c") == 0)
        #expect(watched.take() == paths("c"))
        #expect(watched.watch.count == 2)
        try outside.write("2", to: "c/b/two.vcf")
        #expect(watched.take().isEmpty, "what is not below it is not its business")
    }

    @Test func `links to folders are followed, and those that lead back are not followed for ever`() throws {
        let (folder, outside) = (try TemporaryFolder(), try TemporaryFolder())
        try folder.write("1", to: "a/one.vcf")
        #expect(symlink(folder.path, "\(folder.path)/a/loop") == 0)
        var watched = Watched(folder)
        _ = watched.take()
        #expect(watched.watch.count == 2)
        #expect(symlink(outside.path, "\(folder.path)/linked") == 0)
        #expect(watched.take(after: .seconds(20)) == paths("linked"))
        #expect(watched.watch.count == 3)
        let file = try #require(fopen("\(outside.path)/two.vcf", "w"))
        fclose(file)
        #expect(watched.take() == paths("linked/two.vcf"))
        try folder.remove("linked")
        #expect(watched.take() == paths("linked"))
        #expect(watched.watch.count == 2)
    }

    @Test func `a folder that is absent, replaced or renamed is found again by its path`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/cards"
        var watched = Watched(folder, at: path)
        #expect(watched.take(after: .seconds(100)).isEmpty)
        try folder.write("1", to: "cards/one.vcf")
        #expect(watched.take(after: .seconds(20)) == [.everything])
        // vdirsyncer and rsync may put a new folder in the place of the old one.
        try folder.write("1", to: "new/one.vcf")
        #expect(rename(path, folder.path + "/old") == 0)
        #expect(rename(folder.path + "/new", path) == 0)
        #expect(watched.take() == [.everything])
        try folder.write("2", to: "old/two.vcf")
        #expect(watched.take().isEmpty)
        #expect(mkdir(path + "/inner", 0o700) == 0)
        #expect(watched.take() == paths("inner"))
        #expect(rmdir(path + "/inner") == 0 && unlink(path + "/one.vcf") == 0 && rmdir(path) == 0)
        #expect(watched.take().contains(.everything))
        #expect(watched.watch.count == 0)
        #expect(mkdir(path, 0o700) == 0)
        #expect(watched.take(after: .seconds(20)) == [.everything])
        #expect(watched.watch.count == 1)
        #expect(watched.reports.notices.withLock(\.self).isEmpty)
    }

    @Test func `a tree that is too large is checked at intervals, which is said once`() throws {
        let folder = try TemporaryFolder()
        for number in 0..<5 { try folder.write("1", to: "\(number)/one.vcf") }
        var watched = Watched(folder, limits: DirectoryWatchState.Limits(folders: 4))
        #expect(watched.take(after: .seconds(59)) == [.everything])
        try folder.write("2", to: "0/one.vcf")
        #expect(watched.take(after: .seconds(120)) == [.everything, .everything])
        #expect(
            watched.reports.notices.withLock(\.self) == [
                "cannot watch \(folder.path): it has more than 4 folders; it is checked every 60 s instead"
            ])
    }

    /// Random changes, with renames across the tree: what changed is below a reported path, and exactly the folders
    /// that are there are watched.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func `whatever happens is reported`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        var watched = Watched(folder)
        _ = watched.take()
        var (folders, files): (Set<[FileName]>, Set<[FileName]>) = ([[]], [])
        func name() -> FileName { FileName(String("abcde".randomElement(using: &generator) ?? "a")) }
        func path(_ names: [FileName]) -> String { "\(folder.path)/\(RelativePath(names))" }
        for _ in 0..<40 {
            var changed: Set<[FileName]> = []
            for _ in 0..<Int.random(in: 1...12, using: &generator) {
                let parent = folders.sorted { $0.description < $1.description }.randomElement(using: &generator) ?? []
                let target = parent + [name()]
                switch Int.random(in: 0..<6, using: &generator) {
                case 0 where parent.count < 5 && !files.contains(target):
                    if mkdir(path(target), 0o700) == 0 {
                        folders.insert(target)
                        changed.insert(target)
                    }
                case 1, 2:
                    guard !folders.contains(target), let file = fopen(path(target), "w") else { continue }
                    fclose(file)
                    files.insert(target)
                    changed.insert(target)
                case 3 where files.contains(target):
                    #expect(unlink(path(target)) == 0)
                    files.remove(target)
                    changed.insert(target)
                case 4 where folders.contains(target):
                    if rmdir(path(target)) == 0 {
                        folders.remove(target)
                        changed.insert(target)
                    }
                case 5:
                    let from = (folders.union(files).subtracting([[]])).sorted { $0.description < $1.description }
                        .randomElement(using: &generator)
                    guard let from, !folders.contains(target), !files.contains(target), !target.starts(with: from),
                        rename(path(from), path(target)) == 0
                    else { continue }
                    func moved(_ all: Set<[FileName]>) -> Set<[FileName]> {
                        Set(all.map { $0.starts(with: from) ? target + $0.dropFirst(from.count) : $0 })
                    }
                    (folders, files) = (moved(folders), moved(files))
                    changed.formUnion([from, target])
                default: continue
                }
            }
            var reported = DirectoryChange.paths([])
            for change in watched.take() { reported.formUnion(change) }
            guard case .paths(let paths) = reported else { Issue.record("everything, for no reason"); return }
            for name in changed {
                #expect((0...name.count).contains { paths.contains(RelativePath(Array(name.prefix($0)))) }, "\(name)")
            }
            #expect(watched.watch.count == folders.count)
        }
    }
}

@Suite(.timeLimit(.minutes(20)))
struct DirectoryWatcherTests {
    @Test func `a watcher tells the readers of each folder, until they are gone`() async throws {
        let (first, second) = (try TemporaryFolder(), try TemporaryFolder())
        let watcher = DirectoryWatcher()
        var left = watcher.changes(below: first.path, settling: .milliseconds(10)) { _ in }.makeAsyncIterator()
        do {
            var right = watcher.changes(below: second.path, settling: .milliseconds(10)) { _ in }.makeAsyncIterator()
            #expect(await right.next() == .everything)
            #expect(await left.next() == .everything)
            #expect(mkdir(second.path + "/inner", 0o700) == 0)
            #expect(await right.next() == .paths(["inner"]))
            #expect(mkdir(second.path + "/inner/most", 0o700) == 0)
            #expect(await right.next() == .paths(["inner/most"]))
        }
        #expect(mkdir(second.path + "/later", 0o700) == 0)
        #expect(mkdir(first.path + "/inner", 0o700) == 0)
        #expect(await left.next() == .paths(["inner"]))
    }

    @Test func `a task that waits ends when it is cancelled`() async throws {
        let folder = try TemporaryFolder()
        let watcher = DirectoryWatcher()
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for await _ in watcher.changes(below: folder.path, settling: .milliseconds(10), notice: { _ in }) {
                begin.yield()
            }
        }
        for await _ in begun { break }
        task.cancel()
        await task.value
    }
}
