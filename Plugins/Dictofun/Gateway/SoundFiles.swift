package import DictofunDomain
import Glibc
import SoundFile
package import Storage

/// Reads and writes sound files: with libsndfile, and what that does not know with ffmpeg, where it is installed. Both run in processes
/// of their own, which have a deadline.
package struct SoundFiles: Sendable {
    private let programs: Programs
    /// The folder of intermediate files.
    package let temporary: String
    private let patience: Duration
    /// Each of them has a core for itself, as far as there are two.
    private let turns = AsyncSemaphore(2)

    /// The deadline is this long, and a second longer for each 50 kB of the file.
    package static let patience = Duration.seconds(15)

    /// Creates the access; intermediate files are made in the folder `temporary`.
    package init(programs: Programs, temporary: String, patience: Duration = SoundFiles.patience) {
        self.programs = programs
        self.temporary = temporary
        self.patience = patience
    }

    /// Returns the format of the file at `path`: a recorder's by its first bytes, else that of the extension of `name`.
    package func format(of path: String, name: String) async throws(HubError) -> SoundFormat {
        let start = try await ChunkedFileReader(path: path, isRegular: true).next() ?? []
        if RecordDescriptor(Array(start.prefix(RecordDescriptor.maximumSize))) != nil { return .recorder }
        let file = name.split(separator: "/").last ?? ""
        guard let dot = file.lastIndex(of: "."), dot > file.startIndex else { return .file("") }
        return .file(file[file.index(after: dot)...].lowercased())
    }

    /// Reads the sound of the file at `path` to its end. Throws `invalid` when it holds none that can be read.
    package func summary(of path: String, _ format: SoundFormat) async throws -> SoundSummary {
        try await perform(SoundWork(path: path, format: format))
    }

    /// Writes the sound of the file at `path` as a file of `type` from `start` on, at `speed` times its speed, at `sampleRate`; if nil at
    /// its own rate, or the next that the type has. Returns what is known of the sound.
    @discardableResult
    package func write(
        _ path: String, _ format: SoundFormat, to target: String, as type: SoundFileType, sampleRate: Int? = nil,
        from start: Duration = .zero, speed: Double = 1
    ) async throws -> SoundSummary {
        let target = SoundWork.Target(path: target, type: type, sampleRate: sampleRate, start: start, speed: speed)
        return try await perform(SoundWork(path: path, format: format, target: target))
    }

    private func perform(_ work: SoundWork) async throws -> SoundSummary {
        do {
            return try await run(work)
        } catch let error as SoundFileError {
            switch error {
            case .libraryMissing(let reason):
                throw HubError(
                    .unavailable, code: "sndfile-missing", "sound files need libsndfile", details: [reason],
                    hint: "apt install libsndfile1")
            case .unwritable(let reason):
                throw HubError(.output, code: "sound-not-written", "the sound could not be written", details: [reason])
            case .unreadable, .unsupported: return try await performConverted(work, reason: error)
            }
        }
    }

    /// Does the work with a sound that only ffmpeg knows, by way of an intermediate file.
    private func performConverted(_ work: SoundWork, reason: SoundFileError) async throws -> SoundSummary {
        guard let program = programs.find("ffmpeg") else {
            var hint: String?
            if case .file(let kind) = work.format, !kind.isEmpty {
                hint = "apt install ffmpeg, which reads m4a and many other formats, then import it again"
            }
            throw HubError(
                .invalid, code: "sound-unknown", "the sound format is not supported", details: [reason.text],
                hint: hint)
        }
        return try await withTemporaryFile("wav") { converted in
            let words = [
                "-nostdin", "-v", "error", "-i", "file:" + work.path, "-vn", "-c:a", "pcm_s16le", "-f",
                "wav", "-y", converted,
            ]
            let finished = try await finish(
                Subprocess(program, words), timeout: deadline(of: work), code: "ffmpeg-failed",
                "ffmpeg did not convert the file")
            do {
                guard finished.status.isSuccess else { throw reason }
                var summary = try await run(SoundWork(path: converted, format: work.format, target: work.target))
                summary.date = await date(of: work.path)
                return summary
            } catch is SoundFileError {
                let lines = String(decoding: finished.errorOutput, as: UTF8.self).split(separator: "\n")
                throw HubError(
                    .invalid, code: "sound-unknown", "the sound format is not supported",
                    details: lines.suffix(2).map { line in
                        // The path is one inside of hub.
                        TerminalSanitizer.line(
                            String(line).replacing("file:" + work.path + ": ", with: "").replacing(
                                work.path, with: "the file"))
                    })
            }
        }
    }

    /// The date inside a file that ffmpeg knows; nil without one, and without ffprobe.
    private func date(of path: String) async -> String? {
        guard let program = programs.find("ffprobe") else { return nil }
        let words = [
            "-v", "error", "-show_entries", "format_tags=date,creation_time", "-of", "default=nw=1:nk=1",
            "file:" + path,
        ]
        let finished = try? await Subprocess(program, words).run(outputLimit: 1 << 16, timeout: patience)
        let lines = String(decoding: finished?.output ?? [], as: UTF8.self).split(separator: "\n")
        // The longest says most: a date may be the year alone.
        return lines.max { $0.count < $1.count }.map { TerminalSanitizer.line(String($0)) }
    }

    /// Does the work in a process of its own, when this process's program is hub. Throws `SoundFileError` as well.
    private func run(_ work: SoundWork) async throws -> SoundSummary {
        try await turns.withPermit { try await runNow(work) }
    }

    private func runNow(_ work: SoundWork) async throws -> SoundSummary {
        guard let program = programs.own else {
            return try await BackgroundThread.run { () throws(any Error) in
                try work.run()
            } whenRefused: {
                $0
            }
        }
        return try await withTemporaryFile("result") { result in
            let words = ["dictofun", SoundWork.command, "--", result] + work.words
            let finished = try await finish(
                Subprocess(program, words), timeout: deadline(of: work), code: "sound-unreadable",
                "the sound file cannot be read")
            let bytes = (try? await ChunkedFileReader.contents(of: result, limit: .max, isRegular: true)) ?? []
            guard finished.status.isSuccess, let summary = try SoundWork.summary(result: bytes) else {
                let lines = String(decoding: finished.errorOutput, as: UTF8.self).split(separator: "\n")
                throw HubError(
                    .invalid, code: "sound-unreadable", "the sound file cannot be read",
                    details: [lines.first.map { TerminalSanitizer.line(String($0)) } ?? "the decoder crashed"])
            }
            return summary
        }
    }

    private func finish(
        _ process: Subprocess, timeout: Duration, code: String, _ message: String
    ) async throws -> Subprocess.Finished {
        do throws(SubprocessError) {
            return try await process.run(outputLimit: 1 << 16, timeout: timeout, grace: .milliseconds(200))
        } catch {
            if error == .cancelled { throw CancellationError() }
            throw HubError(.invalid, code: code, message, details: ["\(error)"])
        }
    }

    private func deadline(of work: SoundWork) -> Duration {
        var status = stat()
        guard stat(work.path, &status) == 0 else { return patience }
        return patience + .seconds(Int(status.st_size) / 50_000)
    }

    /// Calls `body` with the path of a file that does not exist yet, and removes what is there afterwards.
    package func withTemporaryFile<T>(_ ending: String, _ body: (String) async throws -> T) async throws -> T {
        try await BackgroundThread.run { [temporary] in
            do throws(SystemError) { try Directory.make(temporary) } catch { throw HubError(storeFile: error) }
        }
        let path = "\(temporary)/\(Identifier.make()).\(ending)"
        return try await removing(path) { try await body(path) }
    }

    /// Calls `body`, and removes the file at `path` afterwards, if there is one.
    package func removing<T>(_ path: String, _ body: () async throws -> T) async throws -> T {
        func remove() async {
            // The end of a large file takes a while.
            if (try? await BackgroundThread.run { unlink(path) }) == nil { unlink(path) }
        }
        do {
            let result = try await body()
            await remove()
            return result
        } catch {
            await remove()
            throw error
        }
    }
}
