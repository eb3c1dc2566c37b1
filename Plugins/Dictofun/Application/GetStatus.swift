import Commands
package import DictofunDomain
import Storage

/// What Dictofun has and what it waits for.
package struct DictofunStatus: Sendable {
    /// The number of records.
    package let recordCount: Int
    /// The records that wait for an engine.
    package let waiting: Int
    /// The record that is being transcribed, with the finished share where it is known.
    package let running: (record: RecordSummary, progress: Double?)?
    /// The records that could not be transcribed, with the reason.
    package let failed: [(record: RecordSummary, reason: String)]
    /// The engine that is used; nil if there is none.
    package let engine: String?
    /// The paired recorders.
    package let devices: [StoredDevice]
    /// The process that uses a recorder now; nil if none does.
    package let talking: String?
    /// The inbox folders, and whether each can be read.
    package let inbox: [(folder: String, isThere: Bool)]
}

extension DictofunPlugin {
    /// Returns what Dictofun has and what it waits for.
    package func status() async throws -> DictofunStatus {
        let jobs = try await transcriptions.jobs()
        let (count, summaries) = try await store.read { tx in
            (
                try tx.records(RecordFilter(), limit: 1).total,
                Dictionary(try tx.recordSummaries(jobs.map(\.subject)).map { ($0.id, $0) }) { first, _ in first }
            )
        }
        let running = jobs.first { $0.state == .running }
        let folders = config[DictofunKeys.inbox]
        let inbox = try await BackgroundThread.run {
            folders.map { (folder: $0, isThere: (try? DirectoryHandle($0)) != nil) }
        }
        return DictofunStatus(
            recordCount: count, waiting: jobs.count { $0.state == .waiting },
            running: running.flatMap { job in summaries[job.subject].map { ($0, job.progress) } },
            failed: jobs.compactMap { job in
                guard job.state == .failed, let summary = summaries[job.subject] else { return nil }
                return (summary, job.error ?? "")
            },
            engine: try? engines.engine().label, devices: try await devices(),
            talking: try bluetoothLock.holder()?.command,
            inbox: inbox)
    }
}
