import HubKit
import NotesDomain
import TestSupport
import Testing

@testable import Notes

/// Logins by a proxy that is trusted, and by others that say the same.
struct TrustedProxyTests {
    private let folder: TemporaryFolder
    private let secret = "0123456789abcdef0123456789abcdef"
    private let proxy: TrustedProxy

    init() throws {
        folder = try TemporaryFolder()
        proxy = TrustedProxy(
            header: "X-Forwarded-User", secretFile: try folder.write(secret + "\n", to: "secret"),
            addresses: ["127.0.0.1", "10.0.0.2"])
    }

    private func account(_ name: String?, secret: String?, from peer: String) throws -> String? {
        var headers: [String: String] = ["host": "notes.example.org"]
        headers["x-forwarded-user"] = name
        headers[TrustedProxy.secretField] = secret
        return try proxy.account(in: headers, from: peer)
    }

    @Test func `the header counts only from the address of the proxy and with its secret`() throws {
        #expect(try account("maria", secret: secret, from: "127.0.0.1") == "maria")
        #expect(try account("Łucja O'Neil", secret: secret, from: "10.0.0.2") == "Łucja O'Neil")
        for (sent, peer) in [
            (secret, "10.0.0.3"), (secret, ""), (nil, "127.0.0.1"), ("", "127.0.0.1"), (secret + "0", "127.0.0.1"),
            (String(secret.dropLast()), "127.0.0.1"), (secret + "\n", "127.0.0.1"),
        ] {
            #expect(try account("maria", secret: sent, from: peer) == nil, "\(sent ?? "none") from \(peer)")
        }
        #expect(try account(nil, secret: secret, from: "127.0.0.1") == nil)
    }

    @Test(arguments: ["", "maria,eve", "maria\u{1B}[1m", String(repeating: "x", count: NoteLimits.name + 1)])
    func `a proxy that names no single account is refused`(_ name: String) throws {
        let error = #expect(throws: HubError.self) { try account(name, secret: secret, from: "127.0.0.1") }
        #expect(error?.code == "proxy-account")
    }

    @Test func `a proxy without a secret of some length stops the server`() throws {
        for file in [nil, "/nonexistent", try folder.write("short", to: "short")] {
            let proxy = TrustedProxy(header: "X-User", secretFile: file, addresses: ["127.0.0.1"])
            let error = #expect(throws: HubError.self) { try proxy.secret() }
            #expect(error?.code == "proxy-secret" && error?.kind == .config)
        }
    }

    @Test(arguments: ServerStoreImplementation.allCases)
    func `who the proxy logs in has an account from then on`(_ implementation: ServerStoreImplementation) async throws {
        let fixture = try NotesFixture()
        try await implementation.serve(fixture.notes)
        let notes = fixture.notes
        let headers = ["x-forwarded-user": "maria", TrustedProxy.secretField: secret]
        #expect(try await notes.person(forwardedIn: headers, from: "127.0.0.1", by: nil) == nil)
        for _ in 0..<2 {
            #expect(try await notes.person(forwardedIn: headers, from: "127.0.0.1", by: proxy) == "maria")
        }
        #expect(try await notes.person(forwardedIn: headers, from: "127.0.0.9", by: proxy) == nil)
        #expect(try await notes.serverAccounts().map(\.tokens) == [1])
        #expect(try await notes.serverAudit(of: nil, limit: 9).map(\.action) == [.login, .token])
        try await notes.removeAccount("maria", operation: fixture.operation())
        #expect(try await notes.serverAccounts().isEmpty)
        #expect(try await notes.person(forwardedIn: headers, from: "127.0.0.1", by: proxy) == "maria")
        #expect(try await notes.serverAccounts().map(\.name) == ["maria"])
    }
}
