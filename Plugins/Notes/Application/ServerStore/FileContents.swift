import Hashing
import HubKit
import NotesDomain
import Storage

/// The blobs of this machine as the contents of a notes server.
struct FileContents: AttachmentContents {
    let blobs: BlobStore
    /// The folder in which each sender has one of its own.
    let folder: String
    let clock: any Clock

    private func uploads(_ sender: String) -> UploadFolder {
        UploadFolder(
            folder + "/" + String(FNV1a128.hash(Array(sender.utf8)), radix: 16), clock: clock,
            limit: NoteLimits.attachment)
    }

    func size(of hash: String) async throws -> Int? { BlobID(hash).flatMap { blobs.size(of: $0) } }

    func piece(of hash: String, at offset: Int, limit: Int) async throws -> [UInt8] {
        guard let blob = BlobID(hash) else { return [] }
        return try await BackgroundThread.run { [blobs] in try blobs.bytes(of: blob, in: offset..<offset + limit) }
    }

    func received(_ hash: String, from sender: String) async throws -> Int { uploads(sender).size(of: hash) }

    func add(_ bytes: [UInt8], to hash: String, at offset: Int, from sender: String) async throws -> Int {
        let uploads = uploads(sender)
        return try await BackgroundThread.run { try uploads.add(bytes, to: hash, at: offset) }
    }

    func complete(_ hash: String, from sender: String) async throws -> (any Sendable)? {
        let uploads = uploads(sender)
        defer { uploads.remove(hash) }
        let stored = try await blobs.store(fileAt: uploads.path(of: hash))
        return stored.id.text == hash ? stored : nil
    }
}

extension NotesPlugin {
    /// Calls `body`, which lets notes name contents that a machine of the person has sent before, and that no note names yet.
    func withContents(
        of change: NoteChange, _ body: () async throws -> ServerSession.Outcome
    ) async throws -> ServerSession.Outcome {
        let lock = try await blobs.keep()
        defer { withExtendedLifetime(lock) {} }
        for reference in change.attached where BlobID(reference.hash).flatMap({ blobs.size(of: $0) }) == nil {
            return .refused(.unavailable, "The content of the attachment \(reference.path) is not here")
        }
        return try await body()
    }
}
