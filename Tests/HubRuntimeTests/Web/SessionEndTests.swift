import HubKitTesting
import HubRuntimeTesting
import Storage
import Synchronization
import Testing
import WebServer

@testable import HubRuntime

/// What is still sent to a browser when its session ends: streams, events and WebSockets, which were allowed once.
@Suite(.timeLimit(.minutes(20)))
struct SessionEndTests {
    private let clock = ManualClock()
    private let bus = EventBus()
    private let store = MemoryCredentialStore()
    private var access: WebAccess { WebAccess(store: store, bus: bus, clock: clock) }

    private func logIn() async throws -> (session: WebAccess.Session, credential: WebCredential) {
        let session = try #require(try await access.logIn(code: try await access.makeCode()))
        return (session, try #require(try await access.credential(of: session)))
    }

    /// The ways in which a session ends.
    enum End: CaseIterable {
        case logOut, logOutAll, fromAnotherBrowser, expiry, anotherProcess, tooMany
    }

    @Test(arguments: End.allCases)
    func `a session that ends is noticed, however it ends`(end: End) async throws {
        let (session, credential) = try await logIn()
        let (other, _) = try await logIn()
        let watch = Task { await access.waitForEnd(of: credential) }
        await clock.sleepers(atLeast: 1)
        // The end of another session does not end this one.
        try await access.logOut(other)
        switch end {
        case .logOut: try await access.logOut(session)
        case .logOutAll: _ = try await access.logOutAll()
        case .fromAnotherBrowser:
            try await access.endSession(try #require(try await access.browsers(current: session.cookie).first?.id))
        case .expiry: clock.advance(by: WebAccess.sessionLife)
        case .anotherProcess:
            // It was removed elsewhere, and its datagram is lost: the watch on the store says that anything may have changed.
            _ = store.remove(credential)
            bus.announceLocally(.everything)
        case .tooMany:
            for _ in 0..<WebAccess.most {
                clock.advance(by: .milliseconds(1))
                _ = try await logIn()
            }
        }
        await watch.value
    }

    @Test func `a session that ended before the watch is noticed`() async throws {
        let (session, credential) = try await logIn()
        try await access.logOut(session)
        await access.waitForEnd(of: credential)
    }

    @Test func `everything that lasts longer than a request is bound to the session`() async throws {
        let fixture = try SiteFixture()
        let cookie = try await fixture.logIn()
        #expect(try await fixture.ask(.get, "/api/live", cookie: cookie).untilRevoked != nil)
        #expect(try await fixture.ask(.get, "/api/stream", cookie: cookie).untilRevoked != nil)
        #expect(try await fixture.ask(.get, "/api/things/1", cookie: cookie).untilRevoked == nil)
    }
}
