import CMicroHTTPD

extension MicroHTTPD {
    /// Queues `response` as the answer to `exchange`. On the daemon's thread only.
    ///
    /// A field with an empty value is left out. One that could break out of its line makes the answer a 500.
    func reply(_ response: HTTPResponse, to exchange: Exchange) -> MHD_Result {
        guard let made = make(response, for: exchange) else { return .NO }
        defer { functions.pointee.MHD_destroy_response(made) }
        for field in response.headers.fields where !field.value.isEmpty {
            guard functions.pointee.MHD_add_response_header(made, field.name, field.value) == .YES else {
                return reply(.plain(500, "The response has an invalid header field."), to: exchange)
            }
        }
        return functions.pointee.MHD_queue_response(exchange.connection.handle.pointer, UInt32(response.status), made)
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
