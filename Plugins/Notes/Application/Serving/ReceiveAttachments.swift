import HubKit
import NotesDomain

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
    /// The bytes of an answer.
    private static let pieceSize = 4 << 20

    private var contents: any AttachmentContents { serverStore.contents }

    /// Returns a piece of the content of an attachment of a note that the account may read.
    package func attachmentPiece(_ hash: String, at offset: Int, for account: String) async throws -> AttachmentAnswer {
        guard AttachmentReference.isHash(hash), offset >= 0 else { return .notFound }
        guard try await serverStore.attachmentSize(hash, readableBy: account) != nil,
            try await contents.size(of: hash) != nil
        else { return .notFound }
        return .piece(try await contents.piece(of: hash, at: offset, limit: Self.pieceSize))
    }

    /// Returns what is there of the content that an account sends.
    package func uploadState(_ hash: String, of account: String) async throws -> AttachmentAnswer {
        guard AttachmentReference.isHash(hash) else { return .notFound }
        if try await hasContent(hash, account) { return .upload(offset: 0, isStored: true) }
        return .upload(offset: try await contents.received(hash, from: account), isStored: false)
    }

    /// Whether an account has sent content, or can read it in a note.
    private func hasContent(_ hash: String, _ account: String) async throws -> Bool {
        guard try await contents.size(of: hash) != nil else { return false }
        if try await serverStore.uploadSize(hash, by: account) != nil { return true }
        return try await serverStore.attachmentSize(hash, readableBy: account) != nil
    }

    /// Takes a piece of content that an account sends, from `offset` on; the last one is that which makes it `size` bytes.
    package func takeUpload(
        _ hash: String, at offset: Int, size: Int, _ bytes: [UInt8], from account: String
    ) async throws -> AttachmentAnswer {
        guard AttachmentReference.isHash(hash), offset >= 0, size >= 0 else { return .notFound }
        guard size <= NoteLimits.attachment, offset + bytes.count <= size else { return .tooLarge }
        if try await hasContent(hash, account) { return .upload(offset: size, isStored: true) }
        guard try await serverStore.uploadedBytes(by: account) + size <= Self.pendingLimit else {
            return .tooLarge
        }
        // What a note gets is looked at again when it gets it.
        if let (usage, limits) = try await serverStore.limitedAccount(account),
            limits.refusal(of: AccountUsage(attachments: size), with: usage, by: account) != nil
        {
            return .tooLarge
        }
        let there: Int
        do {
            there = try await contents.add(bytes, to: hash, at: offset, from: account)
        } catch let error as HubError where error.code == "upload-gap" {
            let received = try await contents.received(hash, from: account)
            return .upload(offset: received, isStored: false, isConflict: true)
        }
        guard there == size else { return .upload(offset: there, isStored: false) }
        // Content that is not what its name says begins again.
        guard let stored = try await contents.complete(hash, from: account) else {
            return .upload(offset: 0, isStored: false, isConflict: true)
        }
        try await serverStore.addUpload(hash, size: size, by: account)
        withExtendedLifetime(stored) {}
        return .upload(offset: size, isStored: true)
    }
}
