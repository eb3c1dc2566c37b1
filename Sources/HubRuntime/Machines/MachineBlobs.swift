import Glibc
import HubKit
import Storage

/// The files that documents name, such as sound: they are on the other machine before the document is.
enum MachineBlobs {
    /// The bytes of one message.
    private static let piece = 4 << 20
    /// The largest file.
    private static let largest = 4 << 30

    // MARK: The side that asks

    /// Fetches the files of `documents` that are not here.
    static func fetch(
        for documents: [CarriedDocument], into blobs: BlobStore, from link: any MachineLink
    ) async throws {
        for text in Set(documents.compactMap(\.document).flatMap(\.blobs)).sorted() {
            guard let id = BlobID(text), blobs.size(of: id) == nil else { continue }
            // Without it the document is refused below, with a reason.
            let stored = try await fetch(id, into: blobs, from: link)
            withExtendedLifetime(stored) {}
        }
    }

    /// Fetches a file; nil if the other machine does not have it.
    static func fetch(_ id: BlobID, into blobs: BlobStore, from link: any MachineLink) async throws -> StoredBlob? {
        let writer = try await blobs.writer()
        while true {
            let (status, bytes) = try await link.ask("blob/\(id.text)/\(writer.size)", [])
            guard status == 200 else { return nil }
            try await writer.write(bytes)
            guard bytes.count == piece, writer.size <= largest else { break }
        }
        let stored = try await writer.finish()
        return stored.id == id ? stored : nil
    }

    /// Sends the files of `documents` that the home does not have.
    static func send(_ documents: [CarriedDocument], from blobs: BlobStore, to link: any MachineLink) async throws {
        for text in Set(documents.compactMap(\.document).flatMap(\.blobs)).sorted() {
            // Without the file, the home refuses the document with a reason.
            if let id = BlobID(text) { _ = try await send(id, from: blobs, to: link) }
        }
    }

    /// Sends a file.
    /// - Returns: whether the home has it now.
    static func send(_ id: BlobID, from blobs: BlobStore, to link: any MachineLink) async throws -> Bool {
        guard let size = blobs.size(of: id) else { return false }
        var sent: Int?
        repeat {
            // The first request has nothing: the home says from where to go on, and that is the end if it has the file.
            let start = sent ?? 0
            var bytes: [UInt8] = []
            if sent != nil {
                bytes = try await BackgroundThread.run { try blobs.bytes(of: id, in: start..<start + piece) }
            }
            let (status, answer) = try await link.ask("blob/\(id.text)/\(start)/\(size)", bytes)
            guard status == 200, let next = try MachineMessage.json(answer)["next"]?.integer, next > (sent ?? -1)
            else { return false }
            sent = next
        } while sent ?? 0 < size
        return true
    }

    /// The files of a document that are not here.
    static func missing(of document: Document, in blobs: BlobStore?) -> [String] {
        document.blobs.sorted().filter { text in BlobID(text).flatMap { blobs?.size(of: $0) } == nil }
    }

    // MARK: The home

    /// Answers `blob/ID/FROM`, which asks for a piece, and `blob/ID/FROM/SIZE`, which brings one.
    static func answer(_ path: [Substring], _ body: [UInt8], in blobs: BlobStore, incoming: String) async throws
        -> MachineHome.Answer
    {
        guard path.count == 2 || path.count == 3, let id = BlobID(path[0]), let start = Int(path[1]),
            0...largest ~= start
        else {
            return .refusal(400, "bad-message", "this is not a part of a file")
        }
        if path.count == 2 {
            guard blobs.size(of: id) != nil else { return .refusal(404, "no-file", "the file is not here") }
            return .init(200, try await BackgroundThread.run { try blobs.bytes(of: id, in: start..<start + piece) })
        }
        guard let size = Int(path[2]), size <= largest, start + body.count <= size else {
            return .refusal(400, "bad-message", "the file is too large")
        }
        if blobs.size(of: id) != nil { return next(size) }
        let file = incoming + "/" + id.text
        let length = try await BackgroundThread.run { try append(body, at: start, to: file, in: incoming) }
        guard length == size else { return next(length) }
        let stored = try await blobs.store(fileAt: file)
        unlink(file)
        guard stored.id == id else { return .refusal(409, "other-file", "the file has another content") }
        return next(size)
    }

    private static func next(_ length: Int) -> MachineHome.Answer {
        .init(200, Array("{\"next\":\(length)}".utf8))
    }

    /// Adds a piece to a file that is not complete, if it begins where the file ends.
    /// - Returns: the length of the file.
    private static func append(_ bytes: [UInt8], at start: Int, to file: String, in folder: String) throws -> Int {
        try Directory.make(folder)
        let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw HubError(storeFile: SystemError("open \(file)")) }
        defer { close(descriptor) }
        let length = Int(lseek(descriptor, 0, SEEK_END))
        guard start == length else { return length }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                write(descriptor, buffer.baseAddress.map { $0 + written }, bytes.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw HubError(storeFile: SystemError("write \(file)")) }
            written += count
        }
        return length + written
    }
}
