import DictofunDomain
import HubKit
import Storage
import Sync
import Synchronization

/// What is remembered between requests of devices of the sounds and texts that are made when they are asked for.
final class RecordMemory: Sendable {
    private struct Text {
        let version: String
        let etag: String
        let length: Int
    }

    private let texts = Mutex<[String: Text]>([:])
    private let descriptors = Mutex<[BlobID: RecordDescriptor]>([:])
    private let fetches = AbsentSounds()

    /// The tag and the length of a record's subtitles, if those of this version were made before; a length of 0 is that of none.
    func text(of row: ServedRecordRow) -> (etag: String, length: Int)? {
        texts.withLock { texts in
            guard let known = texts[row.id], known.version == row.textVersion else { return nil }
            return (known.etag, known.length)
        }
    }

    /// Keeps tag and length of subtitles.
    func keep(_ text: String, of row: ServedRecordRow) throws -> (etag: String, length: Int) {
        let etag = String(try BlobStore.id(of: Array(text.utf8)).text.prefix(32))
        texts.withLock { texts in
            if texts.count > Self.most { texts.removeAll() }
            texts[row.id] = Text(version: row.textVersion ?? "", etag: etag, length: text.utf8.count)
        }
        return (etag, text.utf8.count)
    }

    private static let most = 100_000

    /// How the sound of a recorder is encoded, which its first bytes say; the usual way if it is on another machine. Blocks.
    func descriptor(of blob: BlobID, in blobs: BlobStore) throws -> RecordDescriptor {
        if let known = descriptors.withLock({ $0[blob] }) { return known }
        guard blobs.size(of: blob) != nil else { return Self.usual }
        let found = RecordDescriptor(try blobs.bytes(of: blob, in: 0..<RecordDescriptor.maximumSize)) ?? .standard
        descriptors.withLock { descriptors in
            if descriptors.count > Self.most { descriptors.removeAll() }
            descriptors[blob] = found
        }
        return found
    }

    private static let usual = RecordDescriptor(Array("adpcm;16000;2\0".utf8)) ?? .standard

    /// Fetches a sound that is on another machine, once for all who ask for it.
    func fetch(_ blob: BlobID, by absent: any AbsentFiles) async throws { try await fetches.fetch(blob, by: absent) }
}

/// The sounds that are being fetched from another machine.
private actor AbsentSounds {
    /// The most at once: a program that lists pictures and lengths opens each file of a folder.
    private static let most = 8
    private var running: [BlobID: Task<Void, any Error>] = [:]

    func fetch(_ blob: BlobID, by absent: any AbsentFiles) async throws {
        if let task = running[blob] { return try await task.value }
        guard running.count < Self.most else {
            throw HubError(
                .unavailable, code: "many-sounds", "\(Self.most) sounds are being fetched from another machine already",
                hint: "try again in a minute")
        }
        // It goes on when the program that has asked gives up: the next request finds the sound.
        let task = Task { try await absent.fetch(blob) }
        running[blob] = task
        defer { running[blob] = nil }
        try await task.value
    }
}
