package import DictofunDomain
import Synchronization
package import System

/// What this process does with recorders now, or did last, for all who show it.
package struct RecorderState: Sendable {
    /// What is done with recorders.
    package enum Kind: String, Sendable {
        /// Nothing.
        case idle
        /// The service waits for a paired recorder to be heard.
        case listening
        case scanning, pairing, unpairing, syncing
    }

    /// What is being done.
    package fileprivate(set) var kind = Kind.idle
    /// The recorder that is connected, or was asked for.
    package fileprivate(set) var device: Device?
    /// How far a transfer is; nil before one has begun.
    package fileprivate(set) var progress: FTSProgress?
    /// The recorders that the last scan heard; nil if there was none.
    package fileprivate(set) var found: [Device]?
    /// The result of what was done last, in words; nil while nothing has ended.
    package fileprivate(set) var result: String?
    /// The error of what was done last.
    package fileprivate(set) var error: HubError?
    /// The number of things that ended: what is done quickly may never be seen while it is done.
    package fileprivate(set) var endedCount = 0
}

/// Runs what a page asks of recorders, one thing at a time, and reports its state.
///
/// What a page begins goes on when the page is closed. The service makes room for it, unless it is fetching records.
package final class RecorderActivity: Sendable {
    private struct Work {
        var state = RecorderState()
        var task: Task<Void, Never>?
        /// The run of the service.
        var listening: Task<RecorderRun, any Error>?
        var watchers: [Int: AsyncStream<RecorderState>.Continuation] = [:]
        var next = 0

        /// Whether a page or another process may begin something.
        var hasRoom: Bool {
            guard task == nil else { return false }
            guard listening != nil else { return state.kind == .idle }
            return state.progress.map { $0.receivedCount == $0.newCount } ?? true
        }
    }

    private let work = Mutex(Work())

    /// Creates the activity of a process that has done nothing yet.
    package init() {}

    /// The state now.
    package var state: RecorderState { work.withLock(\.state) }

    /// Returns the state now and after each change; of several changes at once only the last.
    package var states: AsyncStream<RecorderState> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: RecorderState.self, bufferingPolicy: .bufferingNewest(1))
        let key = work.withLock { work in
            work.next += 1
            work.watchers[work.next] = continuation
            continuation.yield(work.state)
            return work.next
        }
        continuation.onTermination = { [weak self] _ in self?.work.withLock { $0.watchers[key] = nil } }
        return stream
    }

    private func change(_ body: (inout Work) -> Void) {
        work.withLock { work in
            body(&work)
            for watcher in work.watchers.values { watcher.yield(work.state) }
        }
    }

    /// Notes how far a transfer is.
    func note(_ device: Device, _ progress: FTSProgress) {
        change { work in
            // The service is about to make room: what it still does is not what is shown.
            if work.task != nil, work.listening != nil { return }
            if work.state.kind == .listening || work.state.kind == .pairing { work.state.kind = .syncing }
            (work.state.device, work.state.progress) = (device, progress)
        }
    }

    /// Waits for a recorder as the service does. Throws `CancellationError` when a page wants the adapter.
    func listen(_ run: @escaping @Sendable () async throws -> RecorderRun) async throws -> RecorderRun {
        let task = Task { try await run() }
        let isMine = work.withLock { work in
            guard work.state.kind == .idle else { return false }
            work.listening = task
            (work.state.kind, work.state.progress, work.state.device) = (.listening, nil, nil)
            for watcher in work.watchers.values { watcher.yield(work.state) }
            return true
        }
        if !isMine { task.cancel() }
        defer {
            if isMine {
                work.withLock { work in
                    work.listening = nil
                    // The state is that of what a page has begun meanwhile.
                    guard work.task == nil else { return }
                    (work.state.kind, work.state.progress) = (.idle, nil)
                    for watcher in work.watchers.values { watcher.yield(work.state) }
                }
            }
        }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Begins `run` in the background; its result is a sentence, or the recorders that were found. Throws `busy` when something
    /// else is being done.
    package func begin(
        _ kind: RecorderState.Kind, _ device: Device? = nil,
        _ run: @escaping @Sendable () async throws -> (words: String?, found: [Device]?)
    ) throws {
        try work.withLock { work in
            guard work.hasRoom else {
                throw HubError(
                    .busy, code: "recorder-busy", "a recorder is already being read",
                    hint: "wait until it is done, or cancel it")
            }
            let listening = work.listening
            (work.state.kind, work.state.device, work.state.progress) = (kind, device, nil)
            (work.state.result, work.state.error) = (nil, nil)
            for watcher in work.watchers.values { watcher.yield(work.state) }
            work.task = Task { [weak self] in
                listening?.cancel()
                _ = await listening?.result
                do {
                    let (words, found) = try await run()
                    self?.end { state in
                        state.result = words
                        if let found { state.found = found }
                    }
                } catch {
                    let cancelled = error is CancellationError
                    let known = (error as? HubError) ?? HubError(.internal, code: "recorder-failed", "\(error)")
                    self?.end { (state: inout RecorderState) in
                        if cancelled { state.result = "Cancelled" } else { state.error = known }
                    }
                }
            }
        }
    }

    private func end(_ body: (inout RecorderState) -> Void) {
        change { work in
            work.task = nil
            (work.state.kind, work.state.progress) = (.idle, nil)
            work.state.endedCount += 1
            body(&work.state)
        }
    }

    /// Ends what a page began, or a transfer of the service. What was fetched is kept.
    package func cancel() {
        let (task, listening) = work.withLock { ($0.task, $0.listening) }
        task?.cancel()
        listening?.cancel()
    }

    /// Ends the run of the service, so that another process can use recorders. While records are fetched, it goes on, and false
    /// is returned.
    @discardableResult
    package func makeRoom() -> Bool {
        let (listening, hasRoom) = work.withLock { ($0.listening, $0.hasRoom) }
        if hasRoom { listening?.cancel() }
        return hasRoom
    }
}
