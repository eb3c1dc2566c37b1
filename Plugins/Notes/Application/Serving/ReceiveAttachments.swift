import Hashing
import HubKit
import NotesDomain
import Storage

/// The answer to a request for the content of an attachment.
package enum AttachmentAnswer: Sendable {
    /// A piece of the content.
    case piece([UInt8])
    /// What is there of the content that an account sends; `isConflict` if the piece was another one than the next.
    case upload(offset: Int, isStored: Bool, isConflict: Bool = false)
    /// There is none that the account may read.
    case notFound
    /// It is more than the server takes.
    case tooLarge
}

extension NotesPlugin {
    /// The most bytes that an account may send before a note has them.
    private static let pendingLimit = 1 << 30

    /// Returns a piece of the content of an attachment of a note that the account may read.
    package func attachmentPiece(_ hash: String, at offset: Int, for account: String) async throws -> AttachmentAnswer {
        guard let blob = BlobID(hash), offset >= 0 else { return .notFound }
        guard try await serverStore.attachmentSize(hash, readableBy: account) != nil, blobs.size(of: blob) != nil else {
            return .notFound
        }
        return .piece(
            try await BackgroundThread.run { [blobs] in
                try AttachmentTransfers.piece(of: blob, in: blobs, at: offset)
            })
    }

    /// Returns what is there of the content that an account sends.
    package func uploadState(_ hash: String, of account: String) async throws -> AttachmentAnswer {
        guard let blob = BlobID(hash) else { return .notFound }
        if try await hasContent(blob, account) { return .upload(offset: 0, isStored: true) }
        return .upload(offset: uploads(of: account).size(of: hash), isStored: false)
    }

    /// Whether an account has sent content, or can read it in a note.
    private func hasContent(_ blob: BlobID, _ account: String) async throws -> Bool {
        guard blobs.size(of: blob) != nil else { return false }
        if try await serverStore.uploadSize(blob.text, by: account) != nil { return true }
        return try await serverStore.attachmentSize(blob.text, readableBy: account) != nil
    }

    /// Takes a piece of content that an account sends, from `offset` on; the last one is that which makes it `size` bytes.
    package func takeUpload(
        _ hash: String, at offset: Int, size: Int, _ bytes: [UInt8], from account: String
    ) async throws -> AttachmentAnswer {
        guard let blob = BlobID(hash), offset >= 0, size >= 0 else { return .notFound }
        guard size <= NoteLimits.attachment, offset + bytes.count <= size else { return .tooLarge }
        if try await hasContent(blob, account) { return .upload(offset: size, isStored: true) }
        guard try await serverStore.uploadedBytes(by: account) + size <= Self.pendingLimit else {
            return .tooLarge
        }
        let uploads = uploads(of: account)
        let there: Int
        do {
            there = try await BackgroundThread.run { try uploads.add(bytes, to: hash, at: offset) }
        } catch let error as HubError where error.code == "upload-gap" {
            return .upload(offset: uploads.size(of: hash), isStored: false, isConflict: true)
        }
        guard there == size else { return .upload(offset: there, isStored: false) }
        defer { uploads.remove(hash) }
        let stored = try await blobs.store(fileAt: uploads.path(of: hash))
        // Content that is not what its name says begins again.
        guard stored.id == blob else { return .upload(offset: 0, isStored: false, isConflict: true) }
        try await serverStore.addUpload(hash, size: size, by: account)
        withExtendedLifetime(stored) {}
        return .upload(offset: size, isStored: true)
    }

    /// The files that an account is sending.
    private func uploads(of account: String) -> UploadFolder {
        UploadFolder(
            directories.cache + "/uploads/" + String(FNV1a128.hash(Array(account.utf8)), radix: 16), clock: clock,
            limit: NoteLimits.attachment)
    }
}
