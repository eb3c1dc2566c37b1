import CMicroHTTPD

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

private func text(_ start: UnsafePointer<CChar>?, _ size: Int) -> String {
    String(decoding: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : size), as: UTF8.self)
}
