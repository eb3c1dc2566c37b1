import DAVTestSupport
import HTTPClient
import NetworkTestSupport
import Testing

@testable import WebDAV

/// Links to servers of a test's own.
enum DAVFixture {
    /// Time stands still, and waits end at once.
    static let timing = RetryTiming(now: { 1_800_000_000 }, sleep: { _ in })

    static func session(_ scope: HTTPScope, user: String? = "ann", patience: DAVTimeouts? = nil) -> DAVSession {
        DAVSession(
            client: HTTPClient(HTTPConfiguration(proxy: .none)), timing: timing,
            credentials: user.map { HTTPCredentials(user: $0, password: "secret") },
            scope: scope,
            patience: patience
                ?? DAVTimeouts(
                    deadlines: .patient,
                    retry: .never))
    }

    /// The address book `/ann/book/` of a scripted server.
    static func book(
        _ server: FaultServer, patience: DAVTimeouts? = nil, path: String = "/ann/book/", kind: DAVResourceType = .cards
    ) -> DAVCollection {
        let url = HTTPURL(scheme: .http, host: "127.0.0.1", port: server.port, path: path)
        return DAVCollection(session: session(HTTPScope(origin: url), patience: patience), url: url, kind: kind)
    }

    static func account(_ address: String, user: String? = "ann", kind: DAVResourceType = .cards) throws -> DAVAccount {
        let address = try #require(AccountAddress(address))
        return DAVAccount(address, kind: kind, session: session(address.scope, user: user))
    }
}
