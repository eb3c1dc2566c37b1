import ContactsDomain
import System

/// Makes pictures smaller with ImageMagick, which runs in a process of its own with limits: pictures come from outside.
package struct PictureScaler: Sendable {
    /// The reason why a picture was not made smaller.
    package enum Failure: Error {
        /// ImageMagick is not installed.
        case notInstalled
        /// The picture cannot be read, or not be made small enough.
        case impossible
    }

    /// The longest sides to try, in pixels, and the qualities.
    private static let steps = [(1024, 85), (720, 85), (512, 80), (360, 75), (240, 70), (120, 60)]
    private static let limits = [
        "-limit", "memory", "256MiB", "-limit", "map", "512MiB", "-limit", "disk", "0", "-limit", "area", "64MP",
        "-limit", "thread", "1",
    ]

    private let programs: [String]
    private let timeout: Duration

    /// Uses the first of `programs` that is installed; each picture may take as long as `timeout`.
    package init(programs: [String] = ["magick", "convert"], timeout: Duration = .seconds(20)) {
        self.programs = programs
        self.timeout = timeout
    }

    /// Returns the picture as a JPEG of at most `limit` bytes, as large as that allows.
    package func jpeg(_ picture: [UInt8], atMost limit: Int) async throws(Failure) -> [UInt8] {
        guard let type = PictureType(sniffing: picture) else { throw .impossible }
        for (side, quality) in PictureScaler.steps {
            // Only the first frame, in the format that its first bytes show. A JPEG is decoded no larger than needed.
            let words =
                PictureScaler.limits + [
                    "-define", "jpeg:size=\(2 * side)x\(2 * side)", "\(type.rawValue):-[0]", "-auto-orient", "-strip",
                    "-background", "white", "-alpha", "remove",
                    "-resize", "\(side)x\(side)>", "-quality", "\(quality)", "jpg:-",
                ]
            let smaller = try await run(words, picture)
            if smaller.count <= limit { return smaller }
        }
        throw .impossible
    }

    private func run(_ words: [String], _ picture: [UInt8]) async throws(Failure) -> [UInt8] {
        for program in programs {
            let done: Subprocess.Finished
            do throws(SubprocessError) {
                done = try await Subprocess(program, words).run(
                    input: picture, outputLimit: max(picture.count, 8 << 20), timeout: timeout)
            } catch {
                if case .notStarted = error { continue }
                throw .impossible
            }
            guard done.status.isSuccess, PictureType(sniffing: done.output) == .jpeg else { throw .impossible }
            return done.output
        }
        throw .notInstalled
    }
}
