import HubKit
import NotesDomain
import Storage
import Sync

/// Moves the contents of attachments, beside the connection over which notes are exchanged: a note never waits for a file.
protocol ContentTransfers: Sendable {
    /// Moves contents one after the other. One that cannot be moved does not stop the others; a lost connection does.
    func run(_ order: AttachmentTransfers.Order) async throws -> AttachmentTransfers.Result
}

/// Moves contents between this machine and another one of the person.
struct MachineTransfers: ContentTransfers {
    let files: any MachineFiles
    let blobs: BlobStore

    func run(_ order: AttachmentTransfers.Order) async throws -> AttachmentTransfers.Result {
        var result = AttachmentTransfers.Result()
        for hash in order.send {
            guard let blob = BlobID(hash), blobs.size(of: blob) != nil else {
                result.unsent[hash] = "its file is missing here; hub doctor lists missing files"
                continue
            }
            if try await files.send(blob) {
                result.sent.append(hash)
            } else {
                result.unsent[hash] = "the other machine does not take it"
            }
        }
        for (hash, _) in order.fetch {
            if let blob = BlobID(hash), let stored = try await files.fetch(blob), stored.id == blob {
                result.fetched.append(stored)
            } else {
                result.unfetched[hash] = "the other machine does not have it"
            }
        }
        return result
    }
}

/// Moves contents between this machine and a server of hub.
struct AttachmentTransfers: ContentTransfers {
    /// What was moved.
    struct Result: Sendable {
        /// The hashes of what the server has now.
        var sent: [String] = []
        /// The hashes of what was not sent, with the reason.
        var unsent: [String: String] = [:]
        /// What was fetched, which is kept until a row names it.
        var fetched: [StoredBlob] = []
        /// The hashes of what was not fetched, with the reason.
        var unfetched: [String: String] = [:]
        /// Whether the server knows no attachments.
        var isUnknown = false
    }

    /// The contents to move, by their hashes.
    struct Order: Sendable {
        var send: [String] = []
        var fetch: [(hash: String, size: Int)] = []

        var isEmpty: Bool { send.isEmpty && fetch.isEmpty }
    }

    let client: AttachmentClient
    let blobs: BlobStore
    /// What is being fetched: a lost connection does not begin it again.
    let downloads: UploadFolder

    func run(_ order: Order) async throws -> Result {
        var result = Result()
        for hash in order.send {
            do {
                switch try await send(hash) {
                case .sent: result.sent.append(hash)
                case .unknown: result.isUnknown = true
                case .missing: result.unsent[hash] = "its file is missing here; hub doctor lists missing files"
                }
            } catch let error as NoteAppError {
                result.unsent[hash] = error.message
            }
            if result.isUnknown { break }
        }
        for (hash, size) in order.fetch {
            guard size <= NoteLimits.attachment else {
                result.unfetched[hash] = PortableFiles.tooLarge
                continue
            }
            if let blob = try await fetch(hash, size: size) {
                result.fetched.append(blob)
            } else {
                result.unfetched[hash] = "the server does not have it"
            }
        }
        return result
    }

    private enum SendResult {
        case sent, unknown, missing
    }

    private func send(_ hash: String) async throws -> SendResult {
        guard let blob = BlobID(hash), let size = blobs.size(of: blob) else { return .missing }
        guard var state = try await client.state(of: hash) else { return .unknown }
        var offset = -1
        while !state.isStored {
            // A server that does not go on is not asked for ever.
            guard state.offset > offset, state.offset <= size else {
                throw NoteAppError(502, "the server loses what it is sent")
            }
            offset = state.offset
            let bytes = try await BackgroundThread.run { [blobs, offset] in
                try Self.piece(of: blob, in: blobs, at: offset)
            }
            state = try await client.send(bytes, of: hash, at: offset, size: size)
        }
        return .sent
    }

    /// Returns a piece of a blob.
    static func piece(of blob: BlobID, in blobs: BlobStore, at offset: Int) throws -> [UInt8] {
        try blobs.bytes(of: blob, in: offset..<offset + AttachmentClient.pieceSize)
    }

    /// Fetches content; nil if the server does not give it, or gives other content.
    private func fetch(_ hash: String, size: Int) async throws -> StoredBlob? {
        var offset = downloads.size(of: hash)
        if offset > size { offset = 0 }
        repeat {
            let bytes = size == 0 ? [] : try await client.piece(of: hash, at: offset)
            guard let bytes, !bytes.isEmpty || size == 0, offset + bytes.count <= size else {
                downloads.remove(hash)
                return nil
            }
            offset = try await BackgroundThread.run { [downloads, offset] in
                try downloads.add(bytes, to: hash, at: offset)
            }
        } while offset < size
        defer { downloads.remove(hash) }
        let stored = try await blobs.store(fileAt: downloads.path(of: hash))
        return stored.id.text == hash ? stored : nil
    }
}
