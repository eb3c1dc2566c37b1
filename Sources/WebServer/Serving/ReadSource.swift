import Dispatch

/// Calls a handler on a queue while a descriptor has something to read.
///
/// Sendable: a dispatch source may be used from any thread, and its handlers are set before it is shared.
struct ReadSource: @unchecked Sendable {
    private let source: any DispatchSourceRead

    /// A source that is at work at once. `isCancelled` runs last of all: there the descriptor may be closed.
    init(
        _ descriptor: Int32, on queue: DispatchQueue, isReady: @escaping @Sendable () -> Void,
        isCancelled: @escaping @Sendable () -> Void
    ) {
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler(handler: isReady)
        source.setCancelHandler(handler: isCancelled)
        source.activate()
    }

    /// Calls the handler no more until ``resume()``; the two must come in turn.
    func suspend() { source.suspend() }

    /// Calls the handler again.
    func resume() { source.resume() }

    /// Ends the source and lets its handlers go. A suspended source has to be resumed before it ends.
    func cancel() { source.cancel() }
}
