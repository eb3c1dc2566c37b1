import HTTPClient
import NetworkTestSupport
import Synchronization
import Testing

/// Certificates that no authority of the system signed, on real connections.
@Suite(.timeLimit(.minutes(20)))
struct ServerTrustTests {
    private let requests = Counter()

    private final class Counter: Sendable {
        let count = Mutex(0)
    }

    private func server() throws -> ScriptedServer {
        try ScriptedServer { [requests] connection in
            while connection.request() != nil {
                requests.count.withLock { $0 += 1 }
                connection.answer(200)
            }
        }
    }

    private static func bytes(_ fingerprint: String) -> [UInt8] {
        fingerprint.split(separator: ":").compactMap { UInt8($0, radix: 16) }
    }

    private static func refusal(_ body: () async throws(HTTPError) -> some Any) async -> TLSRefusal.Problem? {
        do {
            _ = try await body()
            return nil
        } catch .tlsRefused(let refusal) {
            return refusal.problem
        } catch {
            return nil
        }
    }

    @Test(arguments: [TLSProxy.Certificate.sound, .selfSigned, .expired, .wrongHost])
    func `a certificate that is trusted by its fingerprint is enough`(certificate: TLSProxy.Certificate) async throws {
        let server = try server()
        let proxy = try TLSProxy(certificate, to: server.port)
        let url = HTTPURL(host: "localhost", port: Int(proxy.port))
        let configuration = HTTPConfiguration(proxy: .none)
        #expect(
            try await HTTPClient(configuration).certificate(at: url, deadlines: .patient).sha256
                == Self.bytes(proxy.fingerprint))
        let pinned = PinnedServer(sha256: Self.bytes(proxy.fingerprint), configuration: configuration)
        let client = try await pinned.client(at: url, deadlines: .patient)
        #expect(requests.count.withLock(\.self) == 0, "looking at a certificate sends nothing")
        for _ in 0..<2 { #expect(try await client.sendPatiently(HTTPRequest(.get, url)).status == 200) }
    }

    @Test func `another certificate than the trusted one gets nothing`() async throws {
        let server = try server()
        let proxy = try TLSProxy(.sound, to: server.port)
        let url = HTTPURL(host: "localhost", port: Int(proxy.port))
        let pinned = PinnedServer(
            sha256: Array(repeating: 1, count: 32),
            configuration: HTTPConfiguration(proxy: .none, trust: .authorities(file: proxy.authority)))
        #expect(
            await Self.refusal { () throws(HTTPError) in
                try await pinned.client(at: url, deadlines: .patient)
            } == .changed)
        #expect(requests.count.withLock(\.self) == 0)
    }

    @Test func `each connection is checked by itself, not only the one that showed the certificate`() async throws {
        let server = try server()
        let proxy = try TLSProxy(.sound, to: server.port, changes: true)
        let url = HTTPURL(host: "localhost", port: Int(proxy.port))
        let pinned = PinnedServer(
            sha256: Self.bytes(proxy.fingerprint), configuration: HTTPConfiguration(proxy: .none))
        let client = try await pinned.client(at: url, deadlines: .patient)
        let request = HTTPRequest(.get, url, credentials: HTTPCredentials(user: "u", password: "p"))
        #expect(await Self.refusal { () throws(HTTPError) in try await client.sendPatiently(request) } == .changed)
        #expect(requests.count.withLock(\.self) == 0)
    }

    @Test(arguments: [
        (TLSProxy.Certificate.expired, TLSRefusal.Problem.expired), (.wrongHost, .wrongHost),
        (.selfSigned, .selfSigned),
    ])
    func `what is wrong with a certificate is told precisely`(
        certificate: TLSProxy.Certificate, problem: TLSRefusal.Problem
    ) async throws {
        let server = try server()
        let proxy = try TLSProxy(certificate, to: server.port)
        let url = HTTPURL(host: "localhost", port: Int(proxy.port))
        let client = HTTPClient(HTTPConfiguration(proxy: .none, trust: .authorities(file: proxy.authority)))
        #expect(
            await Self.refusal { () throws(HTTPError) in try await client.sendPatiently(HTTPRequest(.get, url)) }
                == problem)
        #expect(requests.count.withLock(\.self) == 0)
    }

    @Test func `an authority that the system does not know is told`() async throws {
        let server = try server()
        let proxy = try TLSProxy(.sound, to: server.port)
        let url = HTTPURL(host: "localhost", port: Int(proxy.port))
        let client = HTTPClient(HTTPConfiguration(proxy: .none))
        #expect(
            await Self.refusal { () throws(HTTPError) in try await client.sendPatiently(HTTPRequest(.get, url)) }
                == .unknownAuthority)
    }
}
