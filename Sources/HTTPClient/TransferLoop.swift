import CCurl
import Threading
import Time

/// The transfers of one client and the thread that owns them; nothing of libcurl needs a lock.
final class TransferLoop {
    /// The longest wait without anything to do, in milliseconds.
    private static let longestWait = 60_000

    private let curl: UnsafePointer<lazy_curl>
    private let multi: UnsafeMutableRawPointer
    private let configuration: HTTPConfiguration
    private let queue: TransferQueue
    private var transfers: [UInt64: Transfer] = [:]
    private var ids: [UnsafeMutableRawPointer: UInt64] = [:]
    private var closers: [CheckedContinuation<Void, Never>?] = []

    private init(
        curl: UnsafePointer<lazy_curl>, multi: UnsafeMutableRawPointer, configuration: HTTPConfiguration,
        queue: TransferQueue
    ) {
        self.curl = curl
        self.multi = multi
        self.configuration = configuration
        self.queue = queue
    }

    /// Loads libcurl and starts a thread that serves the queue until it is closed.
    static func start(_ configuration: HTTPConfiguration) throws(HTTPError) -> TransferQueue {
        var reason: UnsafePointer<CChar>?
        guard let curl = ccurl_load(&reason) else {
            throw .libraryMissing(reason.map { String(cString: $0) } ?? "")
        }
        guard let multi = curl.pointee.curl_multi_init() else { throw .unreachable("out of memory") }
        let (table, address) = (UInt(bitPattern: curl), UInt(bitPattern: multi))
        let queue = TransferQueue {
            // The one call of libcurl that any thread may make.
            guard let curl = UnsafePointer<lazy_curl>(bitPattern: table) else { return }
            _ = curl.pointee.curl_multi_wakeup(UnsafeMutableRawPointer(bitPattern: address))
        } abandon: {
            $0.abandon()
        }
        let status = DetachedThread.start {
            guard let curl = UnsafePointer<lazy_curl>(bitPattern: table),
                let multi = UnsafeMutableRawPointer(bitPattern: address)
            else { return }
            TransferLoop(curl: curl, multi: multi, configuration: configuration, queue: queue).serve()
        }
        guard status == 0 else {
            _ = curl.pointee.curl_multi_cleanup(multi)
            throw .unreachable("cannot start a thread")
        }
        return queue
    }

    private func serve() {
        while closers.isEmpty {
            for command in queue.takeAll() { perform(command) }
            var running: Int32 = 0
            _ = curl.pointee.curl_multi_perform(multi, &running)
            collect()
            expire(at: .now)
            if closers.isEmpty { _ = curl.pointee.curl_multi_poll(multi, nil, 0, Int32(waitingTime()), nil) }
        }
        end()
    }

    private func perform(_ command: TransferCommand) {
        switch command {
        case .send(let request, let id, let reply): begin(request, id, reply)
        case .cancel(let id): finish(id, .failure(.cancelled))
        case .close(let closed): closers.append(closed)
        }
    }

    private func begin(_ request: HTTPRequest, _ id: UInt64, _ reply: ResponseReply) {
        guard
            let transfer = Transfer(request, id: id, reply: reply, curl: curl, configuration: configuration),
            curl.pointee.curl_multi_add_handle(multi, transfer.handle) == CURLM_OK
        else { return reply.resume(returning: .failure(.invalidRequest("libcurl rejected it"))) }
        transfers[id] = transfer
        ids[transfer.handle] = id
    }

    /// Hands out what libcurl has finished.
    private func collect() {
        var left: Int32 = 0
        while let message = curl.pointee.curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let id = ids[message.pointee.easy_handle] else { continue }
            transfers[id]?.answer(ccurl_message_result(message))
            remove(id)
        }
    }

    private func expire(at now: ContinuousClock.Instant) {
        for transfer in Array(transfers.values) {
            if let error = transfer.lateness(at: now) { finish(transfer.id, .failure(error)) }
        }
    }

    /// Answers before anything is cleaned up: libcurl may then wait for a name look-up that hangs.
    private func finish(_ id: UInt64, _ result: Result<HTTPResponse, HTTPError>) {
        transfers[id]?.answer(result)
        remove(id)
    }

    private func remove(_ id: UInt64) {
        guard let transfer = transfers.removeValue(forKey: id) else { return }
        ids[transfer.handle] = nil
        _ = curl.pointee.curl_multi_remove_handle(multi, transfer.handle)
    }

    private func waitingTime() -> Int {
        guard let next = transfers.values.map(\.nextDeadline).min() else { return TransferLoop.longestWait }
        // Rounded up, so that the loop does not turn without a pause.
        return min(TransferLoop.longestWait, Int((next - .now).pollTimeout))
    }

    private func end() {
        queue.close()
        for id in Array(transfers.keys) { finish(id, .failure(.closed)) }
        _ = curl.pointee.curl_multi_cleanup(multi)
        for closer in closers { closer?.resume() }
    }
}

/// The continuation of the task that waits for a response; resumed exactly once.
typealias ResponseReply = CheckedContinuation<Result<HTTPResponse, HTTPError>, Never>

/// What other threads ask of a client's own thread, which alone calls libcurl.
enum TransferCommand: Sendable {
    case send(HTTPRequest, id: UInt64, ResponseReply)
    case cancel(id: UInt64)
    case close(CheckedContinuation<Void, Never>?)

    /// Resumes the waiting task with the error that the client was closed.
    func abandon() {
        switch self {
        case .send(_, _, let reply): reply.resume(returning: .failure(.closed))
        case .cancel: break
        case .close(let closed): closed?.resume()
        }
    }
}

/// The commands that wait for a client's thread.
typealias TransferQueue = CommandQueue<TransferCommand>
