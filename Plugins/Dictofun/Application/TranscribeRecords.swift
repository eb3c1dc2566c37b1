import Audio
package import DictofunDomain
import HubKit
package import Storage
import Synchronization

/// The wish to transcribe a record, as its job keeps it.
package enum TranscribeRecords {
    /// The queue of records that wait for an engine.
    static let queue = "transcription"

    /// The engine and language of a job; nil for the configured ones.
    struct Wish {
        var engine: String?
        var language: String?

        init(engine: String?, language: String?) { (self.engine, self.language) = (engine, language) }

        init(_ body: String) {
            let words = body.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            engine = words.first.flatMap { $0.isEmpty ? nil : $0 }
            language = words.count > 1 && !words[1].isEmpty ? words[1] : nil
        }

        var body: String { "\(engine ?? "") \(language ?? "")" }
    }
}

/// What became of the records that were to be transcribed.
package struct TranscriptionOutcome: Sendable {
    /// The transcribed records.
    package var done: [RecordSummary] = []
    /// The records that were not transcribed, with the reason.
    package var failed: [(record: RecordSummary, reason: String)] = []
    /// Whether another process works on the queue, which will transcribe them.
    package var isElsewhere = false
}

extension DictofunPlugin {
    /// Asks for the transcription of `ids`: of those that have no text, or with `again` of all.
    /// - Returns: those that were taken into the queue.
    package func requestTranscription(
        of ids: [String], engine: String? = nil, language: String? = nil, again: Bool = false, operation: Operation
    ) async throws -> [String] {
        _ = try engines.engine(engine)
        let body = TranscribeRecords.Wish(engine: engine, language: language).body
        let taken = try await store.write(Operation(operation.name, who: operation.who, kind: .cache)) { tx in
            try ids.filter { id in
                let record = try StoredRecord.kind.live(id, in: tx)
                guard again || record.record.transcript.machine == nil else { return false }
                return try transcriptions.enqueue(id, body: body, in: tx)
            }
        }
        newTranscriptions.wake()
        return taken
    }

    /// Returns the job that transcribes a record; nil when none waits, runs or has failed.
    package func transcription(of id: String) async throws -> Job? {
        try await transcriptions.jobs().first { $0.subject == id }
    }

    /// Works on the queue until `ids` are done, or all records that wait. `report` gets the record at work and how far it is, again
    /// whenever the engine tells more.
    package func transcribe(
        _ ids: [String], report: @escaping @Sendable (RecordSummary, JobProgress) -> Void = { _, _ in }
    ) async throws -> TranscriptionOutcome {
        var outcome = TranscriptionOutcome()
        let jobs = try await transcriptions.jobs().filter { ids.contains($0.subject) }
        guard !jobs.isEmpty else { return outcome }
        let done = Mutex<Set<String>>([])
        outcome.isElsewhere = try await !transcriptions.work(on: Set(ids)) { job, progress in
            try await transcribe(job, progress, report: report)
            done.withLock { _ = $0.insert(job.subject) }
        }
        let left = try await transcriptions.jobs()
        for summary in try await store.read({ try $0.recordSummaries(ids) }) {
            if done.withLock({ $0.contains(summary.id) }) {
                outcome.done.append(summary)
            } else if let error = left.first(where: { $0.subject == summary.id })?.error {
                outcome.failed.append((summary, error))
            }
        }
        return outcome
    }

    /// Cancels the transcription of `ids` in any process; returns how many there were.
    package func cancelTranscription(of ids: [String]) async throws -> Int {
        let operation = Operation("dictofun transcribe --cancel", kind: .cache)
        return try await store.write(operation) { try transcriptions.cancel(ids, in: $0) }
    }

    /// Does one job.
    func transcribe(
        _ job: Job, _ progress: JobProgress, report: @escaping @Sendable (RecordSummary, JobProgress) -> Void
    ) async throws {
        let wish = TranscribeRecords.Wish(job.body)
        // A record that was removed or undone since needs no text any more.
        guard let record = try await store.read({ try $0.record(job.subject) }), record.deletedAt == nil else { return }
        let summary = record.summary
        report(summary, progress)
        let engine = try engines.engine(wish.engine)
        if engine.isRemote, isOffline {
            throw HubError(.unavailable, code: "offline", "\(engine.name) needs the network, and --offline is given")
        }
        let language = wish.language ?? engines.language
        let heard = try await sounds.withTemporaryFile("wav") { path in
            try await writeSound(of: record, to: path, as: .wav, sampleRate: Resampler.speechRate)
            return try await withEngineFiles { scratch in
                try await engine.transcribe(path, language: language, scratch: scratch) { share in
                    progress.report(share)
                    report(summary, progress)
                }
            }
        }
        let operation = Operation("dictofun transcribe", who: .service("transcription"), kind: .cache)
        try await store.write(operation) { tx in
            guard let current = try tx.record(job.subject), current.deletedAt == nil else { return }
            try tx.setTranscript(heard, engine: engine.label, isRough: engine.isRough, of: current.id)
            try tx.reindexRecords([current.id])
            let changed = try StoredRecord.kind.item(current.id, in: tx)
            try tx.emit(RecordTranscribed.make(changed))
            try tx.emit(DictofunEvents.recordChanged, changed.summary)
        }
    }

    /// Calls `body` with the beginning of names of files that an engine may make, and removes them afterwards.
    private func withEngineFiles<T>(_ body: (String) async throws -> T) async throws -> T {
        try await sounds.withTemporaryFile("json") { json in
            let scratch = String(json.dropLast(5))
            return try await sounds.removing(scratch + ".txt") { try await body(scratch) }
        }
    }
}

/// Transcribes new records in `hub serve`.
struct TranscriptionService: Service {
    let dictofun: DictofunPlugin

    func run() async throws {
        let dictofun = dictofun
        try await dictofun.transcriptions.serve { job, progress in
            try await dictofun.transcribe(job, progress) { _, _ in }
        } idle: { duration in
            // Other processes add jobs too.
            let until = dictofun.clock.now + min(duration, .seconds(10))
            guard await dictofun.newTranscriptions.wait(until: until, clock: dictofun.clock) else {
                throw CancellationError()
            }
        }
    }
}
