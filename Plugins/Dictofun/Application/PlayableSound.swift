import Audio
package import DictofunDomain
import Glibc
import Storage

/// A file of sound that a browser plays.
package struct PlayableSound: Sendable {
    /// The path of the file.
    package let path: String
    /// The media type.
    package let contentType: String
    /// The text that distinguishes versions of the bytes.
    package let version: String
}

extension DictofunPlugin {
    /// The media types of the files that browsers play as they are, by extension.
    private static let playedTypes = [
        "wav": "audio/wav", "flac": "audio/flac", "ogg": "audio/ogg", "oga": "audio/ogg", "opus": "audio/ogg",
        "mp3": "audio/mpeg", "m4a": "audio/mp4", "aac": "audio/aac", "webm": "audio/webm",
    ]
    /// The number of converted sounds that are kept.
    private static let keptSounds = 8

    /// Returns the sound of a record as a browser plays it: the file itself, or a WAV file in the cache, which `isConverted` asks for.
    package func playableSound(of record: StoredRecord, isConverted: Bool = false) async throws -> PlayableSound {
        let blob = try await blob(of: record)
        if !isConverted, case .file(let kind) = record.format, let type = Self.playedTypes[kind] {
            _ = try await blobs.reader(blob)
            return PlayableSound(path: blobs.path(of: blob), contentType: type, version: blob.text)
        }
        let path = "\(playedFolder)/\(blob.text).wav"
        if access(path, R_OK) != 0 { try await convert(record, to: path) }
        return PlayableSound(path: path, contentType: "audio/wav", version: blob.text + "-wav")
    }

    private var playedFolder: String { sounds.temporary + "/played" }

    private func convert(_ record: StoredRecord, to path: String) async throws {
        try await sounds.withTemporaryFile("wav") { made in
            try await writeSound(of: record, to: made, as: .wav)
            try await BackgroundThread.run { [playedFolder] in
                do throws(SystemError) { try Directory.make(playedFolder) } catch { throw HubError(storeFile: error) }
                guard Glibc.rename(made, path) == 0 else { throw HubError(storeFile: SystemError("rename \(made)")) }
                Self.forgetOldSounds(in: playedFolder)
            }
        }
    }

    /// Deletes the oldest converted sounds. One that is being sent stays open until it is sent.
    private static func forgetOldSounds(in playedFolder: String) {
        guard let folder = try? DirectoryHandle(playedFolder) else { return }
        let found = ((try? folder.names(limit: 1000)) ?? []).compactMap { name -> (path: String, time: Int)? in
            guard let status = try? folder.status(name, followingLinks: false) else { return nil }
            return ("\(playedFolder)/\(name)", status.st_mtim.tv_sec)
        }
        for old in found.sorted(by: { $0.time > $1.time }).dropFirst(keptSounds) { unlink(old.path) }
    }
}
