package import DictofunDomain
package import HubKit
import Synchronization

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
}

/// Runs what a page asks of recorders, one thing at a time, and reports its state.
///
/// What a page begins goes on when the page is closed. The waiting service makes room for it; a transfer does not.
package final class RecorderActivity: Sendable {
    private struct Work {
        var state = RecorderState()
        var task: Task<Void, Never>?
        /// The run of the service, until a recorder has answered.
        var listening: Task<RecorderRun, any Error>?
        var watchers: [Int: AsyncStream<RecorderState>.Continuation] = [:]
        var next = 0
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

    private func change(_ body: (inout RecorderState) -> Void) {
        work.withLock { work in
            body(&work.state)
            for watcher in work.watchers.values { watcher.yield(work.state) }
        }
    }

    /// Notes how far a transfer is.
    func note(_ device: Device, _ progress: FTSProgress) {
        change { state in
            if state.kind == .listening || state.kind == .pairing { state.kind = .syncing }
            (state.device, state.progress) = (device, progress)
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
            guard work.task == nil, work.state.kind == .idle || work.state.kind == .listening else {
                throw HubError(
                    .busy, code: "recorder-busy", "a recorder is already being read",
                    hint: "wait until it is done, or cancel it")
            }
            let listening = work.listening
            let found = work.state.found
            work.state = RecorderState()
            (work.state.kind, work.state.device, work.state.found) = (kind, device, found)
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
        work.withLock { $0.task = nil }
        change { state in
            (state.kind, state.progress) = (.idle, nil)
            body(&state)
        }
    }

    /// Ends what a page began, or a transfer of the service. What was fetched is kept.
    package func cancel() {
        let (task, listening) = work.withLock { ($0.task, $0.listening) }
        task?.cancel()
        listening?.cancel()
    }
}
