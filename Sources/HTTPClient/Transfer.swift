import CCurl
import Glibc
import Time

/// One request on its way; lives on the client's thread.
final class Transfer {
    let id: UInt64
    let request: HTTPRequest
    let handle: UnsafeMutableRawPointer
    private let reply: ResponseReply
    private let curl: UnsafePointer<lazy_curl>
    private let deadline: ContinuousClock.Instant
    private let reason = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private var fields: UnsafeMutablePointer<curl_slist>?
    private var head = ResponseHead()
    private var body: [UInt8] = []
    private var isAnswered = false
    /// The time of the last byte; nil until the connection is established.
    private var lastByte: ContinuousClock.Instant?
    /// The reason why a callback ended the transfer.
    private var failure: HTTPError?

    /// Prepares the transfer; nil without memory.
    init?(
        _ request: HTTPRequest, id: UInt64, reply: ResponseReply, curl: UnsafePointer<lazy_curl>,
        configuration: HTTPConfiguration
    ) {
        guard let handle = curl.pointee.curl_easy_init() else { return nil }
        self.request = request
        self.id = id
        self.reply = reply
        self.curl = curl
        self.handle = handle
        deadline = .now + request.deadlines.total
        reason.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        guard setUp(configuration) else { return nil }
    }

    deinit {
        curl.pointee.curl_easy_cleanup(handle)
        if let fields { curl.pointee.curl_slist_free_all(fields) }
        reason.deallocate()
    }

    /// The time of the next deadline.
    var nextDeadline: ContinuousClock.Instant {
        guard let lastByte else { return deadline }
        return min(deadline, lastByte + request.deadlines.idle)
    }

    /// Which deadline has passed.
    func lateness(at now: ContinuousClock.Instant) -> HTTPError? {
        if deadline <= now { return .timedOut(.total) }
        return nextDeadline <= now ? .timedOut(.idle) : nil
    }

    /// Tells the task that waits; only the first time.
    func answer(_ result: Result<HTTPResponse, HTTPError>) {
        if !isAnswered { reply.resume(returning: result) }
        isAnswered = true
    }

    /// Tells the task how libcurl ended the transfer.
    func answer(_ code: CURLcode) {
        if request.endsAfterHandshake, code == CURLE_ABORTED_BY_CALLBACK {
            let certificate = ccurl_get_certificate(curl, handle).map { Array(String(cString: $0).utf8) } ?? []
            return answer(.success(HTTPResponse(status: 0, body: certificate, url: request.url)))
        }
        guard code == CURLE_OK else { return answer(.failure(failure ?? error(code))) }
        guard head.isComplete else {
            return answer(.failure(.connectionLost("the header of the response is incomplete")))
        }
        answer(.success(HTTPResponse(status: head.status, headers: head.headers, body: body, url: request.url)))
    }

    /// Handles the established connection; false when nothing is to be sent on it.
    func connected() -> Bool {
        lastByte = .now
        return !request.endsAfterHandshake
    }

    func add(header line: UnsafeBufferPointer<UInt8>) -> Bool {
        lastByte = .now
        // A body that came with a challenge is not the answer's.
        if line.starts(with: "HTTP/".utf8) { body = [] }
        if head.add(line) { return true }
        failure = .headersTooLarge(limit: ResponseHead.limit)
        return false
    }

    func add(body bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        lastByte = .now
        guard bytes.count <= request.maximumBody - body.count else {
            failure = .bodyTooLarge(limit: request.maximumBody)
            return false
        }
        body.append(contentsOf: bytes)
        return true
    }

    private func error(_ code: CURLcode) -> HTTPError {
        let detail = String(cString: reason)
        let general = curl.pointee.curl_easy_strerror(code).map { String(cString: $0) } ?? ""
        return HTTPError(code, detail.isEmpty ? general : detail, at: request.url, limit: request.maximumBody)
    }

    // MARK: Preparing

    private func setUp(_ configuration: HTTPConfiguration) -> Bool {
        var callbacks = ccurl_callbacks(body: receiveBody, header: receiveHeader, connected: noteConnection)
        var isSet = ccurl_set_callbacks(curl, handle, &callbacks, Unmanaged.passUnretained(self).toOpaque()) == CURLE_OK
        func set(_ option: CURLoption, _ value: Int) {
            isSet = ccurl_set_long(curl, handle, option, value) == CURLE_OK && isSet
        }
        func set(_ option: CURLoption, _ value: String) {
            isSet = ccurl_set_text(curl, handle, option, value) == CURLE_OK && isSet
        }
        isSet = ccurl_set_pointer(curl, handle, CURLOPT_ERRORBUFFER, reason) == CURLE_OK && isSet
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_URL, request.url.description)
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_CONNECTTIMEOUT_MS, Int(request.deadlines.connect.pollTimeout))
        // 0 would keep it for as long as the process runs.
        set(CURLOPT_MAXAGE_CONN, Int(max(1, configuration.idleTime.components.seconds)))
        set(CURLOPT_SSLVERSION, 6)  // CURL_SSLVERSION_TLSv1_2
        set(CURLOPT_USERAGENT, configuration.userAgent)
        set(CURLOPT_ACCEPT_ENCODING, "")
        for (option, value) in configuration.trust.options { set(option, value) }
        if request.endsAfterHandshake || configuration.trust.isKey {
            // The key is checked all the same, in the handshake.
            set(CURLOPT_SSL_VERIFYPEER, 0)
            set(CURLOPT_SSL_VERIFYHOST, 0)
        }
        if request.endsAfterHandshake {
            set(CURLOPT_CERTINFO, 1)
        }
        if request.endsAfterHandshake || request.usesNewConnection { set(CURLOPT_FRESH_CONNECT, 1) }
        if configuration.proxy == .none { set(CURLOPT_PROXY, "") }
        if let credentials = request.credentials {
            set(CURLOPT_USERNAME, credentials.user)
            set(CURLOPT_PASSWORD, credentials.password)
            set(CURLOPT_HTTPAUTH, credentials.scheme == .basic ? 1 : 2)  // CURLAUTH_BASIC, CURLAUTH_DIGEST
        } else if case .netrc(let path) = configuration.passwords {
            set(CURLOPT_NETRC, 1)  // CURL_NETRC_OPTIONAL
            set(CURLOPT_NETRC_FILE, path)
        }
        isSet = setMethodAndBody() && setFields() && isSet
        return isSet
    }

    private func setMethodAndBody() -> Bool {
        var isSet = true
        if request.method == .head {
            isSet = ccurl_set_long(curl, handle, CURLOPT_NOBODY, 1) == CURLE_OK
        } else if let body = request.body {
            isSet = ccurl_set_size(curl, handle, CURLOPT_POSTFIELDSIZE_LARGE, body.count) == CURLE_OK
            isSet =
                body.withUnsafeBytes {
                    ccurl_set_pointer(curl, handle, CURLOPT_COPYPOSTFIELDS, $0.baseAddress ?? UnsafeRawPointer(reason))
                } == CURLE_OK && isSet
        } else {
            isSet = ccurl_set_long(curl, handle, CURLOPT_HTTPGET, 1) == CURLE_OK
        }
        if request.method != .head {
            isSet =
                ccurl_set_size(curl, handle, CURLOPT_MAXFILESIZE_LARGE, max(1, request.maximumBody)) == CURLE_OK
                && isSet
            isSet = ccurl_set_text(curl, handle, CURLOPT_CUSTOMREQUEST, request.method.rawValue) == CURLE_OK && isSet
        }
        return isSet
    }

    private func setFields() -> Bool {
        // An empty value is written with a semicolon; a colon alone takes a field away that libcurl would add.
        var lines = request.headers.fields.map { $0.value.isEmpty ? $0.name + ";" : "\($0.name): \($0.value)" }
        // libcurl would wait a second for servers that do not know Expect, and call every body a form.
        lines.append("Expect:")
        if request.body != nil, request.headers["Content-Type"] == nil { lines.append("Content-Type:") }
        for line in lines {
            guard let longer = curl.pointee.curl_slist_append(self.fields, line) else { return false }
            self.fields = longer
        }
        return ccurl_set_pointer(curl, handle, CURLOPT_HTTPHEADER, self.fields) == CURLE_OK
    }
}

private func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
}

private func piece(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: UnsafeRawPointer(bytes)?.assumingMemoryBound(to: UInt8.self), count: count)
}

// Called by libcurl on the client's thread. A result other than the size ends the transfer.

private func receiveBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    transfer(context)?.add(body: piece(bytes, size * count)) == true ? size * count : -1
}

private func receiveHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    transfer(context)?.add(header: piece(bytes, size * count)) == true ? size * count : -1
}

private func noteConnection(
    _ context: UnsafeMutableRawPointer?, _ address: UnsafeMutablePointer<CChar>?,
    _ ownAddress: UnsafeMutablePointer<CChar>?, _ port: Int32, _ ownPort: Int32
) -> Int32 {
    transfer(context)?.connected() == false ? 1 : 0
}

extension HTTPConfiguration.Trust {
    /// Whether a server is known by its key and by nothing else.
    var isKey: Bool { if case .publicKey = self { true } else { false } }

    /// The options of libcurl that say so.
    var options: [(CURLoption, String)] {
        switch self {
        case .authorities(let file): return [(CURLOPT_CAINFO, file)]
        case .publicKey(let pin): return [(CURLOPT_PINNEDPUBLICKEY, pin)]
        case .system:
            // libcurl itself does not look at them, unlike its command.
            let names = [("SSL_CERT_FILE", CURLOPT_CAINFO), ("SSL_CERT_DIR", CURLOPT_CAPATH)]
            return names.compactMap { name, option in
                guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else { return nil }
                return (option, value)
            }
        }
    }
}
