import HubKit
import HubKitTesting
import SQLite
import Storage
import Synchronization
import TestSupport
import Testing

/// Large files and long work.
struct BlobExamples {
    private let folder: TemporaryFolder
    private let store: Store
    private let locks: FileLocks

    init() throws {
        folder = try TemporaryFolder()
        let database = Database(
            at: .directory(folder.path), plugins: [PantrySchema.schema], clock: FixedClock(), executors: .queues)
        store = database.store(for: "pantry")
        locks = FileLocks(directory: folder.path + "/locks", clock: FixedClock())
    }

    @Test func `a photo is stored beside the database`() async throws {
        let store = store
        let jar = try await store.write(Operation("pantry new")) { try $0.addJar("Plum", grams: 300) }
        // example
        let blobs = BlobStore(directory: BlobStore.directory(in: folder.path), locks: locks)  // context.blobs
        let writer: BlobWriter = try await blobs.writer()
        for piece in ["a pic", "ture"] { try await writer.write(Array(piece.utf8)) }
        let stored: StoredBlob = try await writer.finish()
        // The row must be committed before the blob may be collected.
        _ = try await stored.whileKept {
            try await store.write(Operation("pantry photo")) { transaction in
                try transaction.run("UPDATE pantry_jar SET photo_blob = ? WHERE id = ?", stored.id.text, jar.id)
            }
        }
        // end

        // example
        let id = try await store.read { transaction in
            try transaction.row("SELECT photo_blob FROM pantry_jar WHERE id = ?", jar.id) { BlobID($0.text(0)) }
        }
        let photo = try #require(id ?? nil)
        #expect(String(decoding: try await blobs.bytes(of: photo, limit: 1 << 20), as: UTF8.self) == "a picture")
        // end
    }

    @Test func `work that takes long is a job`() async throws {
        let store = store
        let done = Mutex<[String]>([])
        let jar = try await store.write(Operation("pantry new")) { try $0.addJar("Plum", grams: 300) }
        // example
        let queue = JobQueue("labels", in: store, locks: locks, clock: SystemClock())  // JobQueue("labels", context)
        try await store.write(Operation("pantry label")) { transaction in
            try queue.enqueue(jar.id, body: "in red", in: transaction)
        }
        let isMine = try await queue.work { (job: Job, progress: JobProgress) in
            progress.report(0.5)
            done.withLock { $0.append("\(job.subject) \(job.body)") }
        }
        // end
        #expect(isMine && done.withLock(\.self) == ["\(jar.id) in red"])
        #expect(try await queue.jobs() == [])
    }
}
