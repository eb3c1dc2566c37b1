import Glibc
import System

/// The source of the log of `hub serve`: the journal of the unit that `hub service install` wrote, and hub's own file, to which it
/// writes when it is started by hand.
enum LogSource: Sendable {
    /// The journal of the user's systemd, and the file at this path.
    case journal(besides: String)
    /// The file at this path, and the one before it.
    case file(String)

    /// Returns the source for this hub.
    static func current(_ hub: Hub) -> LogSource {
        let hasJournal = ExecutablePath.first(of: ["journalctl"], in: hub.environment.variables) != nil
        let isInstalled = ServiceInstaller(environment: hub.environment).isInstalled
        return hasJournal && isInstalled ? .journal(besides: hub.serveLogPath) : .file(hub.serveLogPath)
    }

    /// The lines since `moment`, oldest first, `limit` at most, and those the newest.
    func lines(since moment: Instant?, limit: Int) async throws -> [LogLine] {
        switch self {
        case .file(let path):
            return try await BackgroundThread.run { () -> [LogLine] in
                let lines = [LogFile.previous(path), path].flatMap { path -> [LogLine] in
                    let bytes = (try? BoundedFile.read(path, limit: 4 * LogFile.limit, followsLinks: false)) ?? []
                    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
                        .compactMap { LogLine(text: $0) }
                }
                return lines.filter { line in moment.map { line.at >= $0 } ?? true }.suffix(limit)
            }
        case .journal(let path):
            let own = try await LogSource.file(path).lines(since: moment, limit: limit)
            var words = ["--user", "--unit=\(ServiceUnit.name)", "--output=json", "--no-pager", "--lines=\(limit)"]
            if let moment { words.append("--since=@\(moment.milliseconds / 1000)") }
            let finished = try await Subprocess("journalctl", words).run(outputLimit: 64 << 20, timeout: .seconds(60))
            guard finished.status.isSuccess else {
                // Where systemd keeps no journal, the file may be all there is.
                if !own.isEmpty { return own }
                let said = String(decoding: finished.errorOutput, as: UTF8.self).split(separator: "\n").first
                throw HubError(
                    .unavailable, code: "no-journal", "the journal cannot be read",
                    details: said.map { [TerminalSanitizer.line(String($0))] } ?? [])
            }
            let lines = finished.output.split(separator: UInt8(ascii: "\n")).compactMap { LogLine(journal: $0) }
                .filter { line in moment.map { line.at >= $0 } ?? true }
            return LogSource.merged(lines, own).suffix(limit)
        }
    }

    /// Returns the lines of both logs in the order of their times; of one time, those of the first one come first.
    static func merged(_ first: [LogLine], _ second: [LogLine]) -> [LogLine] {
        var (result, rest) = ([LogLine](), second[...])
        for line in first {
            while let next = rest.first, next.at < line.at { result.append(rest.removeFirst()) }
            result.append(line)
        }
        return result + rest
    }

    /// Returns new lines, batch by batch, after the lines `seen`.
    func following(_ seen: [LogLine], clock: any Clock) -> AsyncThrowingStream<[LogLine], any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    var latest = seen
                    continuation.yield(seen)
                    while true {
                        try await clock.sleep(for: .milliseconds(500))
                        // Lines of the same millisecond are distinguished by the number that has been shown.
                        let since = latest.last?.at
                        let found = try await lines(since: since, limit: 10_000)
                        let shown = latest.count { $0.at == since }
                        let new = Array(found.dropFirst(shown))
                        guard !new.isEmpty else { continue }
                        continuation.yield(new)
                        latest = latest.filter { $0.at == new.last?.at } + new
                    }
                } catch is CancellationError {
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
