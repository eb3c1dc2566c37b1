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
