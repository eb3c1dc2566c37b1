import Certificates
import HTTPTypes
import Synchronization
import TestSupport
import WebServer

/// A push service on the loopback interface, with a certificate of its own. It answers each request with the next status, and
/// keeps what it got.
final class PushService: Sendable {
    /// A request for a message.
    struct Received: Sendable {
        let path: String
        let headers: HTTPHeaders
        let body: [UInt8]
    }

    private let server: HTTPServer
    private let state: State
    /// The file with the certificate of its authority.
    let authority: String
    private let folder: TemporaryFolder

    private final class State: Sendable {
        let received = Mutex<[Received]>([])
        let statuses = Mutex<[Int]>([])
    }

    init() throws {
        let folder = try TemporaryFolder()
        let authority = try CertificateAuthority(title: "test", hosts: ["127.0.0.1"], days: 2)
        let made = try authority.issue(title: "test", for: ["127.0.0.1"], days: 2)
        self.authority = try folder.write(authority.certificate, to: "authority.pem")
        let identity = try ServerIdentity(
            chain: folder.write(made.chain, to: "chain.pem"), key: folder.write(made.key, to: "key.pem"))
        let state = State()
        (self.state, self.folder) = (state, folder)
        var limits = ServerLimits()
        limits.headTime = .seconds(3600)
        limits.idleTime = .seconds(3600)
        limits.requestTime = .seconds(3600)
        limits.strangerTime = .seconds(3600)
        server = try HTTPServer(on: .loopback(port: 0), limits: limits, identity: identity) { request in
            state.received.withLock {
                $0.append(Received(path: request.path, headers: request.headers, body: request.body))
            }
            return HTTPResponse(status: state.statuses.withLock { $0.isEmpty ? 201 : $0.removeFirst() })
        }
    }

    /// The address of a subscription.
    func endpoint(_ name: String) -> String { "https://127.0.0.1:\(server.address.port)/push/\(name)" }

    /// Has the next requests answered with these statuses.
    func answer(_ statuses: Int...) { state.statuses.withLock { $0 = statuses } }

    /// What came since the last call.
    func takeReceived() -> [Received] {
        state.received.withLock { received in
            defer { received = [] }
            return received
        }
    }

    func stop() async { await server.stop(grace: .zero) }
}
