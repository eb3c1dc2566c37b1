import Glibc
import SQLite
import Storage
import TestSupport
import Testing

/// `kill -9` at random points, in a process of its own, then a look at what is left.
struct KillTests {
    @Test(.seeded, arguments: 0..<8)
    func `a killed process loses nothing acknowledged and leaves nothing half done`(round: UInt64) async throws {
        try await withTemporaryDirectory { folder in
            try await Shelf.open(folder).0.prepare()
            var random = SeededGenerator(seed: round)
            let delay = Int.random(in: 0...200_000, using: &random)
            await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String, delay = delay as Int] in
                try await Worker(folder: folder).work(forMicroseconds: UInt32(delay))
            }
            let acknowledged = Set(lines(of: folder + "/acknowledged"))
            let (database, store) = Shelf.open(folder)
            let contents = try await store.contents()
            let books = Set(contents.books.keys)
            #expect(acknowledged.subtracting(books) == [], "acknowledged, but lost")
            // An import is 30 books, written in ten chunks: all of one are there, or none.
            let imports = Dictionary(grouping: books.filter { $0.hasPrefix("i") }) { $0.prefix { $0 != "-" } }
            #expect(imports.values.allSatisfy { $0.count == 30 }, "\(imports.mapValues(\.count))")
            let titles = contents.titles.mapValues { $0 }
            #expect(titles == contents.books.mapValues { $0[0].uppercased() })
            let states = try await database.history.operations(limit: .max).map(\.state)
            #expect(!states.contains(.open))
            print(
                "round \(round): killed after \(delay) µs, \(acknowledged.count) acknowledged,",
                "\(states.count { $0 == .abandoned }) taken back")
            let breaches = try await database.integrityProblems()
            #expect(breaches == [])
        }
    }

    private func lines(of path: String) -> [String] {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = read(descriptor, &bytes, bytes.count)
        // The last line may have been cut; then its write was not acknowledged.
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false
        ).dropLast().map(String.init)
    }
}

/// Ends this process without warning after a while.
enum Killer {
    static func start(after delay: UInt32) {
        // The thread frees what it was given before the process ends.
        let box = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
        box.initialize(to: delay)
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { box in
                usleep(box?.load(as: UInt32.self) ?? 0)
                kill(getpid(), SIGKILL)
                return nil
            }, box)
    }
}

/// Writes single books and imports until it is killed, and notes in a file what was acknowledged.
private struct Worker {
    let store: Store
    let notes: Int32

    init(folder: String) {
        store = Shelf.open(folder).1
        notes = open(folder + "/acknowledged", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    }

    func work(forMicroseconds delay: UInt32) async throws {
        try await store.database.prepare()
        Killer.start(after: delay)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 0... {
                    try await store.write(Operation("add")) { try $0.save("s\(number)", "Single \(number)") }
                    note("s\(number)")
                }
            }
            group.addTask {
                for number in 0... {
                    try await store.bulk(Operation("import")) { bulk in
                        for chunk in 0..<10 {
                            try await bulk.chunk { transaction in
                                for book in 0..<3 { try transaction.save("i\(number)-\(chunk)-\(book)", "Import") }
                            }
                        }
                    }
                    note("i\(number)-9-2")
                }
            }
            try await group.waitForAll()
        }
    }

    private func note(_ id: String) {
        let line = Array((id + "\n").utf8)
        precondition(write(notes, line, line.count) == line.count)
    }
}
