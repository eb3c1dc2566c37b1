import Glibc
import System
import WebServer

extension HubError {
    /// Creates the error for a server that cannot start. `otherPort` says how another port is chosen; by default for the web page.
    init(
        listening error: WebServerError,
        otherPort: String = "to use another port: hub config set hub.web.listen 127.0.0.1:4821"
    ) {
        switch error {
        case .libraryUnavailable(let text):
            self.init(
                .unavailable, code: "library-missing", "the web page needs libmicrohttpd", details: [text],
                hint: "apt install libmicrohttpd12", cause: error)
        case .malformedAddress(let text):
            self.init(
                .config, code: "bad-address", "invalid address \"\(text)\"",
                hint: "use an address such as 127.0.0.1:4820 or [::1]:4820", cause: error)
        case .cannotListen(let address, EADDRINUSE):
            self.init(
                .unavailable, code: "address-in-use", "\(address) is in use by another program",
                details: PortHolder.description(of: address.port).map { [$0] } ?? [],
                hint: "hub status shows whether it is hub; \(otherPort)",
                cause: error)
        case .cannotListen(let address, let code):
            self.init(
                .unavailable, code: "cannot-listen", "cannot listen on \(address)",
                details: [String(cString: strerror(code))], cause: error)
        case .unusableCertificate(let path, let reason):
            self.init(
                .config, code: "bad-certificate", "cannot use \(TerminalSanitizer.line(path)): \(reason)",
                hint: "the settings certificate and key must name readable PEM files", cause: error)
        case .refusedCertificate:
            self.init(
                .config, code: "bad-certificate", "the certificate cannot be used",
                hint: "the settings certificate and key must name a certificate and its own key, both in PEM format",
                cause: error)
        case .outOfResources(let code):
            self.init(
                .unavailable, code: "out-of-resources", "cannot start the web page",
                details: [String(cString: strerror(code))], cause: error)
        }
    }
}
