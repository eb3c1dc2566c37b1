import Glibc
import TestSupport

/// TLS on the loopback interface before a plain server, with a certificate that is made for it alone.
package final class TLSProxy: Sendable {
    /// The flaw of the certificate.
    package enum Certificate: String, Sendable {
        /// Signed by an authority of the test's own, for `localhost`.
        case sound
        /// Signed by itself, for `localhost`.
        case selfSigned
        /// By the authority, and over.
        case expired
        /// By the authority, for another host.
        case wrongHost
    }

    package let port: UInt16
    /// The authority's certificate, as a PEM file.
    package let authority: String
    /// The SHA-256 of the server's certificate as openssl prints it.
    package let fingerprint: String
    private let folder: TemporaryFolder
    private let server: TestProcess

    /// Forwards connections to the plain server at `port`. With `changes`, each connection but the first presents
    /// another certificate, like a man in the middle.
    package init(_ certificate: Certificate, to port: UInt16, changes: Bool = false) throws {
        let folder = try TemporaryFolder()
        try folder.write(TLSProxy.program, to: "proxy.py")
        let script = """
            cd "$1"
            # RSA keys take hundreds of times as long to make.
            key='-newkey ec -pkeyopt ec_paramgen_curve:P-256'
            {
                openssl req -x509 $key -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=ca
                for name in server other; do
                    openssl req $key -nodes -keyout $name.key -out $name.csr -subj /CN=localhost
                    printf 'subjectAltName=DNS:localhost\n' > names
                    days=2
                    case "$2" in
                        expired) days=-1 ;;
                        wrongHost) printf 'subjectAltName=DNS:other.example\n' > names ;;
                    esac
                    if [ "$2" = selfSigned ]; then
                        openssl x509 -req -in $name.csr -signkey $name.key -days 2 -extfile names -out $name.pem
                    else
                        openssl x509 -req -in $name.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days $days \
                            -extfile names -out $name.pem
                    fi
                done
            } 2>/dev/null >/dev/null
            openssl x509 -in server.pem -noout -fingerprint -sha256
            exec /usr/bin/python3 -u proxy.py "$3" "$4"
            """
        let server = try TestProcess(
            "/bin/sh",
            ["-c", script, "sh", folder.path, certificate.rawValue, String(port), changes ? "other" : "server"],
            environment: ["PATH": "/usr/bin:/bin"])
        let line = try server.line()
        fingerprint = String(line[(line.firstIndex(of: "=").map(line.index(after:)) ?? line.startIndex)...])
        self.port = UInt16(try server.line()) ?? 0
        authority = "\(folder.path)/ca.pem"
        (self.folder, self.server) = (folder, server)
    }

    private static let program = """
        import os, select, socket, ssl, sys, threading

        def context(name):
            made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            made.load_cert_chain(name + ".pem", name + ".key")
            return made

        contexts = [context("server"), context(sys.argv[2])]
        listener = socket.create_server(("127.0.0.1", 0))

        def serve(raw, number):
            try:
                tls = contexts[min(number, 1)].wrap_socket(raw, server_side=True)
                plain = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
                while True:
                    ready = [tls] if tls.pending() else select.select([tls, plain], [], [])[0]
                    for source in ready:
                        data = source.recv(65536)
                        if not data:
                            plain.close()
                            tls.close()
                            return
                        (plain if source is tls else tls).sendall(data)
            except (OSError, ValueError):
                raw.close()

        def accept():
            number = 0
            while True:
                raw = listener.accept()[0]
                threading.Thread(target=serve, args=(raw, number), daemon=True).start()
                number += 1

        print(listener.getsockname()[1], flush=True)
        threading.Thread(target=accept, daemon=True).start()
        sys.stdin.read()
        os._exit(0)

        """
}
