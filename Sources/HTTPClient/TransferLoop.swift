import CCurl
import CSystem

/// The transfers of one client and the thread that owns them; nothing of libcurl needs a lock.
final class TransferLoop {
    /// The longest wait without anything to do, in milliseconds.
    private static let longestWait = 60_000

    private let curl: UnsafePointer<lazy_curl>
    private let multi: UnsafeMutableRawPointer
    private let configuration: HTTPConfiguration
    private let mailbox: Mailbox
    private var transfers: [UInt64: Transfer] = [:]
    private var ids: [UnsafeMutableRawPointer: UInt64] = [:]
    private var closers: [CheckedContinuation<Void, Never>?] = []

    private init(
        curl: UnsafePointer<lazy_curl>, multi: UnsafeMutableRawPointer, configuration: HTTPConfiguration,
        mailbox: Mailbox
    ) {
        self.curl = curl
        self.multi = multi
        self.configuration = configuration
        self.mailbox = mailbox
    }

    /// Loads libcurl and starts a thread that serves the mailbox until it is closed.
    static func start(_ configuration: HTTPConfiguration) throws(HTTPError) -> Mailbox {
        var reason: UnsafePointer<CChar>?
        guard let curl = ccurl_load(&reason) else {
            throw .libraryMissing(reason.map { String(cString: $0) } ?? "")
        }
        guard let multi = curl.pointee.curl_multi_init() else { throw .unreachable("out of memory") }
        let (table, address) = (UInt(bitPattern: curl), UInt(bitPattern: multi))
        let mailbox = Mailbox {
            // The one call of libcurl that any thread may make.
            guard let curl = UnsafePointer<lazy_curl>(bitPattern: table) else { return }
            _ = curl.pointee.curl_multi_wakeup(UnsafeMutableRawPointer(bitPattern: address))
        }
        let loop = TransferLoop(curl: curl, multi: multi, configuration: configuration, mailbox: mailbox)
        let context = Unmanaged.passRetained(loop)
        let status = system_start_thread(runTransfers, context.toOpaque())
        guard status == 0 else {
            context.release()
            _ = curl.pointee.curl_multi_cleanup(multi)
            throw .unreachable("cannot start a thread")
        }
        return mailbox
    }

    fileprivate func serve() {
        while closers.isEmpty {
            for letter in mailbox.take() { open(letter) }
            var running: Int32 = 0
            _ = curl.pointee.curl_multi_perform(multi, &running)
            collect()
            expire(at: .now)
            if closers.isEmpty { _ = curl.pointee.curl_multi_poll(multi, nil, 0, Int32(waitingTime()), nil) }
        }
        end()
    }

    private func open(_ letter: Mailbox.QueuedCommand) {
        switch letter {
        case .send(let request, let id, let reply): begin(request, id, reply)
        case .cancel(let id): finish(id, .failure(.cancelled))
        case .close(let closed): closers.append(closed)
        }
    }

    private func begin(_ request: HTTPRequest, _ id: UInt64, _ reply: Mailbox.Reply) {
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
        // One more, for what is cut off must not make the loop turn without a pause.
        return min(TransferLoop.longestWait, (next - .now).milliseconds + 1)
    }

    private func end() {
        mailbox.close()
        for id in Array(transfers.keys) { finish(id, .failure(.closed)) }
        _ = curl.pointee.curl_multi_cleanup(multi)
        for closer in closers { closer?.resume() }
    }
}

private func runTransfers(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Unmanaged<TransferLoop>.fromOpaque(context).takeRetainedValue().serve() }
    return nil
}
