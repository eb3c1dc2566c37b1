import CMicroHTTPD

/// The functions of libmicrohttpd.
///
/// Sendable: the table is filled once, before anybody has it, and is constant from then on.
struct MicroHTTPD: @unchecked Sendable {
    let functions: UnsafePointer<lazy_microhttpd>

    /// Loads the library at its first use in the process.
    static func load() throws(WebServerError) -> MicroHTTPD {
        var failure: UnsafePointer<CChar>?
        guard let functions = lazy_microhttpd_load(&failure) else {
            throw .libraryUnavailable(failure.map { String(cString: $0) } ?? "")
        }
        return MicroHTTPD(functions: functions)
    }

    /// The length of a body that is not known, as in the header.
    static let unknownLength = UInt64.max
    /// The value that a content reader returns at the end of a body, as in the header.
    static let endOfStream = -1
    /// The value that a content reader returns to drop the connection.
    static let endWithError = -2
}

extension MicroHTTPD {
    func suspend(_ connection: ConnectionHandle) {
        functions.pointee.MHD_suspend_connection(connection.pointer)
    }

    func resume(_ connection: ConnectionHandle) {
        functions.pointee.MHD_resume_connection(connection.pointer)
    }
}

/// One connection of the daemon, as the library knows it.
///
/// Sendable: it is only passed to `MHD_resume_connection` from other threads, which allows that, and only under the lock
/// of an ``Exchange`` that the daemon has not ended.
struct ConnectionHandle: @unchecked Sendable {
    let pointer: OpaquePointer
}

extension MicroHTTPD {
    /// Whether all header fields of the request that `connection` is in have arrived. On the daemon's thread only.
    func hasHead(_ connection: ConnectionHandle) -> Bool {
        microhttpd_has_head(functions, connection.pointer)
    }

    /// The header fields of the request that `connection` is in. Bytes that are not UTF-8 are replaced.
    func headers(of connection: ConnectionHandle) -> HTTPHeaders {
        var headers = HTTPHeaders()
        withUnsafeMutablePointer(to: &headers) { pointer in
            microhttpd_headers(
                functions, connection.pointer,
                { context, _, name, nameSize, value, valueSize in
                    context?.assumingMemoryBound(to: HTTPHeaders.self).pointee
                        .append(text(name, nameSize), text(value, valueSize))
                    return .YES
                }, pointer)
        }
        return headers
    }
}

extension MicroHTTPD {
    /// All that distinguishes a request without a body from another one: who sends it, its method, its target and its header fields,
    /// byte by byte. On the daemon's thread only.
    func head(of exchange: Exchange, method: String) -> [UInt8] {
        var head: [UInt8] = []
        head.reserveCapacity(512)
        for var part in [exchange.connection.peer, method, exchange.target] {
            part.withUTF8 { append(UnsafeRawBufferPointer($0), to: &head) }
        }
        withUnsafeMutablePointer(to: &head) { pointer in
            microhttpd_headers(
                functions, exchange.connection.handle.pointer,
                { context, _, name, nameSize, value, valueSize in
                    guard let head = context?.assumingMemoryBound(to: [UInt8].self) else { return .NO }
                    append(UnsafeRawBufferPointer(start: name, count: name == nil ? 0 : nameSize), to: &head.pointee)
                    append(UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueSize), to: &head.pointee)
                    return .YES
                }, pointer)
        }
        return head
    }
}

/// Appends a part and its length, so that parts do not run into one another.
private func append(_ part: UnsafeRawBufferPointer, to head: inout [UInt8]) {
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: part.count)) { head.append(contentsOf: $0) }
    head.append(contentsOf: part)
}

private func text(_ start: UnsafePointer<CChar>?, _ size: Int) -> String {
    String(decoding: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : size), as: UTF8.self)
}

extension MicroHTTPD {
    /// Queues `response` as the answer to `exchange`. On the daemon's thread only.
    func reply(_ response: HTTPResponse, to exchange: Exchange) -> MHD_Result {
        guard let made = made(response, for: exchange) else { return .NO }
        defer { functions.pointee.MHD_destroy_response(made.pointer) }
        return queue(made.pointer, made.status, for: exchange)
    }

    /// Queues a response of the library as the answer to `exchange`. On the daemon's thread only.
    func queue(_ response: OpaquePointer, _ status: UInt32, for exchange: Exchange) -> MHD_Result {
        functions.pointee.MHD_queue_response(exchange.connection.handle.pointer, status, response)
    }

    /// Makes a response of the library, with one use of it; nil without memory.
    ///
    /// A field with an empty value is left out. One that could break out of its line makes the answer a 500.
    func made(_ response: HTTPResponse, for exchange: Exchange) -> (pointer: OpaquePointer, status: UInt32)? {
        guard let made = make(response, for: exchange) else { return nil }
        for field in response.headers.fields where !field.value.isEmpty {
            guard functions.pointee.MHD_add_response_header(made, field.name, field.value) == .YES else {
                functions.pointee.MHD_destroy_response(made)
                return self.made(.plain(500, "The response has an invalid header field."), for: exchange)
            }
        }
        return (made, UInt32(response.status))
    }

    private func make(_ response: HTTPResponse, for exchange: Exchange) -> OpaquePointer? {
        switch response.body {
        case .bytes(let bytes): bytes.withUnsafeBytes { microhttpd_response(functions, $0.baseAddress, $0.count) }
        case .stream, .endless:
            // Both callbacks get the pointer given here; the second one, the last call of all, gives it back.
            microhttpd_stream(
                functions, response.streamLength.map(UInt64.init) ?? MicroHTTPD.unknownLength,
                { context, _, buffer, size in
                    let exchange = Unmanaged<Exchange>.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue()
                    return exchange.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
                },
                Unmanaged.passRetained(exchange).toOpaque(),
                { context in Unmanaged<Exchange>.fromOpaque(context.unsafelyUnwrapped).release() })
        case .webSocket: microhttpd_upgrade(functions, upgradeCallback)
        }
    }
}

// On the daemon's thread. The request still holds the exchange.
private func upgradeCallback(
    _: UnsafeMutableRawPointer?, _: OpaquePointer?, _ own: UnsafeMutableRawPointer?, _ first: UnsafePointer<CChar>?,
    _ count: Int, _ descriptor: Int32, _ handle: OpaquePointer?
) {
    guard let own, let handle else { return }
    let exchange = Unmanaged<Exchange>.fromOpaque(own).takeUnretainedValue()
    let bytes = UnsafeRawBufferPointer(start: first, count: first == nil ? 0 : count)
    exchange.upgraded(descriptor, handle, first: Array(bytes))
}
