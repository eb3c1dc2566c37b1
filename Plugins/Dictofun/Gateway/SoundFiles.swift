import Audio
package import DictofunDomain
import Glibc
package import HubKit
import SoundFile

/// Opens and writes sound files: with libsndfile, and what that does not know with ffmpeg, where it is installed.
package struct SoundFiles: Sendable {
    private let programs: Programs
    /// The folder of intermediate files.
    package let temporary: String

    /// The longest conversion.
    private static let conversionLimit = Duration.seconds(1800)

    /// Creates the access; intermediate files are made in the folder `temporary`.
    package init(programs: Programs, temporary: String) {
        self.programs = programs
        self.temporary = temporary
    }

    /// Returns the format of the file at `path`: a recorder's by its first bytes, else that of the extension of `name`.
    package func format(of path: String, name: String) throws(HubError) -> SoundFormat {
        let start = try ChunkedFileReader(path: path, isRegular: true).next() ?? []
        if RecordDescriptor(Array(start.prefix(RecordDescriptor.maximumSize))) != nil { return .recorder }
        let file = name.split(separator: "/").last ?? ""
        guard let dot = file.lastIndex(of: "."), dot > file.startIndex else { return .file("") }
        return .file(file[file.index(after: dot)...].lowercased())
    }

    /// Opens the sound of the file at `path`. Throws `invalid` when it holds none that can be read.
    package func open(_ path: String, _ format: SoundFormat) async throws -> Sound {
        guard case .file(let kind) = format else { return try Sound(recorderFile: path) }
        do throws(SoundFileError) {
            return try Sound(soundFile: path)
        } catch {
            switch error {
            case .libraryMissing(let reason):
                throw HubError(
                    .unavailable, code: "sndfile-missing", "sound files need libsndfile", details: [reason],
                    hint: "apt install libsndfile1")
            case .unreadable, .unsupported, .unwritable: return try await converted(path, kind, reason: error)
            }
        }
    }

    /// Opens a sound that only ffmpeg knows, by way of an intermediate file that has no name any more when this returns.
    private func converted(_ path: String, _ kind: String, reason: SoundFileError) async throws -> Sound {
        guard let program = programs.find("ffmpeg") else {
            throw HubError(
                .invalid, code: "sound-unknown", "the sound format is not supported", details: [reason.text],
                hint: kind.isEmpty
                    ? nil : "apt install ffmpeg, which reads m4a and many other formats, then import it again")
        }
        return try await withTemporaryFile("wav") { target in
            let finished: Subprocess.Finished
            do throws(SubprocessError) {
                finished = try await Subprocess(
                    program,
                    [
                        "-nostdin", "-v", "error", "-i", "file:" + path, "-vn", "-ac", "1", "-c:a", "pcm_s16le", "-f",
                        "wav",
                        "-y", target,
                    ]
                ).run(outputLimit: 1 << 16, timeout: Self.conversionLimit)
            } catch {
                if error == .cancelled { throw CancellationError() }
                throw HubError(
                    .invalid, code: "ffmpeg-failed", "ffmpeg did not convert the file", details: ["\(error)"])
            }
            guard finished.status.isSuccess, let sound = try? Sound(soundFile: target) else {
                let lines = String(decoding: finished.errorOutput, as: UTF8.self).split(separator: "\n")
                throw HubError(
                    .invalid, code: "sound-unknown", "the sound format is not supported",
                    details: lines.suffix(2).map { TerminalSanitizer.line(String($0)) })
            }
            return sound
        }
    }

    /// Writes a sound as a file of `type` from `start` on, at `speed` times its speed, at `sampleRate`; if nil at its own rate, or the
    /// next that the type has.
    package func write(
        _ sound: Sound, to path: String, as type: SoundFileType, sampleRate: Int? = nil, from start: Duration = .zero,
        speed: Double = 1
    ) throws {
        let format: SoundFileWriter.Format =
            switch type {
            case .wav: .wav
            case .flac: .flac
            case .opus: .opus
            }
        let rates = format.sampleRates
        let rate =
            sampleRate ?? (rates.map { $0.first { $0 >= sound.sampleRate } ?? $0.last ?? 48_000 } ?? sound.sampleRate)
        guard var resampler = Resampler(from: sound.sampleRate, to: rate),
            var stretch = TimeStretch(speed: speed, sampleRate: sound.sampleRate)
        else {
            throw HubError(.invalid, code: "sound-rate", "a sample rate of \(sound.sampleRate) Hz is not supported")
        }
        var skipped = Int(start / .milliseconds(1)) * sound.sampleRate / 1000
        do {
            let writer = try SoundFileWriter(path: path, format: format, sampleRate: rate)
            while let samples = try sound.next() {
                try Task.checkCancellation()
                let rest = samples.dropFirst(skipped)
                skipped -= samples.count - rest.count
                try writer.write(resampler.resample(stretch.stretch(Array(rest))))
            }
            try writer.write(resampler.resample(stretch.finish()))
            try writer.write(resampler.finish())
            try writer.finish()
        } catch let error as SoundFileError {
            throw HubError(.output, code: "sound-not-written", "the sound could not be written", details: [error.text])
        }
    }

    /// Calls `body` with the path of a file that does not exist yet, and removes what is there afterwards.
    package func withTemporaryFile<T>(_ ending: String, _ body: (String) async throws -> T) async throws -> T {
        do throws(SystemError) { try Directory.make(temporary) } catch { throw HubError(storeFile: error) }
        let path = "\(temporary)/\(Identifier.make()).\(ending)"
        return try await removing(path) { try await body(path) }
    }

    /// Calls `body`, and removes the file at `path` afterwards, if there is one.
    package func removing<T>(_ path: String, _ body: () async throws -> T) async throws -> T {
        defer { unlink(path) }
        return try await body()
    }
}

extension SoundFileError {
    /// The reason in words.
    fileprivate var text: String {
        switch self {
        case .libraryMissing(let reason), .unreadable(let reason), .unsupported(let reason), .unwritable(let reason):
            reason
        }
    }
}
