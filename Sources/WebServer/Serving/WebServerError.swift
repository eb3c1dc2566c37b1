/// The reason why a server cannot start.
package enum WebServerError: Error, Equatable {
    /// The library is missing or too old; the loader's text says which file or function.
    case libraryUnavailable(String)
    /// The text is not a numeric address with a port.
    case malformedAddress(String)
    /// The address cannot be listened on; `errno` is of the call that failed, such as `EADDRINUSE`.
    case cannotListen(SocketAddress, errno: Int32)
    /// A file of the certificate cannot be read.
    case unusableCertificate(path: String, reason: String)
    /// The certificate and the key do not belong together, or the library was built without TLS.
    case refusedCertificate
    /// The daemon's thread or a descriptor cannot be had.
    case outOfResources(errno: Int32)
}
