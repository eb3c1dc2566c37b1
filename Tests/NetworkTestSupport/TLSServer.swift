import Glibc
import TestSupport

/// A web server with TLS on the loopback interface, with a certificate for `localhost` from an authority made for it alone.
package final class TLSServer: Sendable {
    package let port: UInt16
    /// The authority's certificate, as a PEM file.
    package let authority: String
    private let folder: TemporaryFolder
    private let server: TestProcess

    package init() throws {
        let folder = try TemporaryFolder()
        let script = """
            cd "$1"
            # RSA keys take hundreds of times as long to make.
            key='-newkey ec -pkeyopt ec_paramgen_curve:P-256'
            printf 'subjectAltName=DNS:localhost\n' > names
            {
                openssl req -x509 $key -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=ca
                openssl req $key -nodes -keyout server.key -out server.csr -subj /CN=localhost
                openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names \
                    -out server.pem
            } 2>/dev/null >/dev/null
            exec 3<&0
            openssl s_server -accept 127.0.0.1:0 -key server.key -cert server.pem -www </dev/null 2>/dev/null &
            read -r _ <&3
            kill $!
            """
        let server = try TestProcess(
            "/bin/sh", ["-c", script, "sh", folder.path], environment: ["PATH": "/usr/bin:/bin"])
        var port: UInt16?
        while port == nil {
            let line = try server.line()
            if line.hasPrefix("ACCEPT "), let colon = line.lastIndex(of: ":") {
                port = UInt16(line[line.index(after: colon)...])
            }
        }
        self.port = port ?? 0
        (self.folder, self.server) = (folder, server)
        authority = "\(folder.path)/ca.pem"
    }
}
