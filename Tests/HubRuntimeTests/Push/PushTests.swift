import Contacts
import HTTPClient
import HubKit
import HubKitTesting
import HubRuntimeTesting
import Storage
import Testing
import WebPush

@testable import HubRuntime
@testable import WebPush

/// Messages to browsers, by a push service on the loopback interface.
@MainActor
final class PushTests {
    private let test: TestHub
    private let hub: Hub
    private let service: PushService
    private let browser: PushKey
    private let secret = [UInt8](repeating: 9, count: 16)
    private let messages: PushMessages
    private let access: WebAccess

    init() throws {
        test = try TestHub(ContactsPlugin.self)
        hub = test.hub()
        service = try PushService()
        browser = try PushKey()
        let key = try PushKey()
        let client = PushClient(
            key: key, contact: "mailto:ann@example.org", services: ["127.0.0.1"],
            configuration: HTTPConfiguration(proxy: .none, trust: .authorities(file: service.authority)))
        messages = PushMessages(
            store: try hub.database().store(for: "core"), clock: hub.clock, log: hub.log, key: key, client: client)
        access = WebAccess(store: DatabaseCredentialStore(try hub.database()), bus: hub.bus, clock: hub.clock)
    }

    private func end() async {
        await service.stop()
        await hub.close()
    }

    private let birthday = PushMessages.Message(
        title: "Birthday: Ada", body: "211 years old", path: "/contacts?id=7kt", tag: "event-7")

    /// A browser that has logged in and wants messages.
    private func subscribe(_ name: String) async throws -> (session: WebAccess.Session, credential: WebCredential) {
        let session = try #require(try await access.logIn(code: access.makeCode(), browser: name))
        let credential = try #require(try await access.credential(of: session))
        try await messages.add(
            PushSubscription(endpoint: service.endpoint(name), key: browser.publicKey, secret: secret),
            of: credential.hash)
        return (session, credential)
    }

    /// What the browser reads of a request.
    private func decrypted(_ received: PushService.Received) throws -> String {
        let body = received.body
        let sender = Array(body[21..<86])
        let keys = try PushMessage.ContentKeys(
            shared: browser.secret(with: sender), receiver: browser.publicKey, sender: sender, secret: secret,
            salt: Array(body[..<16]))
        let record = try keys.seal(Array(body[86...].dropLast(16))).dropLast(16)
        return String(decoding: record.prefix { $0 != 2 }, as: UTF8.self)
    }

    @Test func `a message reaches each browser, encrypted for it`() async throws {
        _ = try await subscribe("one")
        _ = try await subscribe("two")
        try await messages.send(birthday)
        let received = service.takeReceived()
        #expect(received.map(\.path) == ["/push/one", "/push/two"])
        let first = try #require(received.first)
        #expect(
            try decrypted(first)
                == #"{"web_push":8030,"notification":{"title":"Birthday: Ada","body":"211 years old","#
                + #""navigate":"/contacts?id=7kt","tag":"event-7"}}"#)
        #expect(first.headers["Content-Encoding"] == "aes128gcm" && first.headers["TTL"] == "14400")
        #expect(first.headers["Topic"]?.count == 24)
        #expect(first.headers["Authorization"]?.hasPrefix("vapid t=eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.") == true)
        await end()
    }

    @Test(arguments: [404, 410])
    func `a subscription that has ended is removed`(status: Int) async throws {
        let (_, credential) = try await subscribe("one")
        service.answer(status)
        try await messages.send(birthday)
        #expect(try await !messages.isOn(credential.hash))
        try await messages.send(birthday)
        #expect(service.takeReceived().count == 1)
        await end()
    }

    @Test(arguments: [429, 500, 503])
    func `a push service that is busy is asked again later`(status: Int) async throws {
        let (_, credential) = try await subscribe("one")
        service.answer(status)
        let error = await #expect(throws: HubError.self) { try await self.messages.send(self.birthday) }
        #expect(error?.code == "push-failed" && error?.details.first?.contains("\(status)") == true)
        #expect(try await messages.isOn(credential.hash))
        try await messages.send(birthday)
        #expect(service.takeReceived().count == 2)
        await end()
    }

    @Test func `a refusal is told to who tests it, and not repeated otherwise`() async throws {
        let (_, credential) = try await subscribe("one")
        service.answer(403, 403)
        try await messages.send(birthday)
        let error = await #expect(throws: HubError.self) {
            try await self.messages.send(self.birthday, to: credential.hash)
        }
        #expect(error?.details == ["the push service answered with status 403"])
        #expect(try await messages.isOn(credential.hash))
        await end()
    }

    @Test func `a browser that is logged out gets nothing`() async throws {
        let (session, credential) = try await subscribe("one")
        let (_, other) = try await subscribe("two")
        try await access.logOut(session)
        #expect(try await !messages.isOn(credential.hash))
        try await messages.send(birthday)
        #expect(service.takeReceived().map(\.path) == ["/push/two"])
        #expect(try await access.logOutAll() == 1)
        #expect(try await !messages.isOn(other.hash))
        await end()
    }

    @Test func `when the login has expired, the browser is told so, once and without a word of the message`()
        async throws
    {
        let (_, credential) = try await subscribe("one")
        test.clock.advance(by: WebAccess.sessionLife)
        try await messages.send(birthday)
        try await messages.send(birthday)
        let received = service.takeReceived()
        #expect(received.count == 1)
        let text = try decrypted(try #require(received.first))
        #expect(text.contains("Logged out of hub") && !text.contains("Ada"))
        #expect(try await !messages.isOn(credential.hash))
        await end()
    }

    @Test func `a browser has one subscription, the last`() async throws {
        let (_, credential) = try await subscribe("one")
        let again = try PushSubscription(endpoint: service.endpoint("new"), key: browser.publicKey, secret: secret)
        try await messages.add(again, of: credential.hash)
        try await messages.send(birthday)
        #expect(service.takeReceived().map(\.path) == ["/push/new"])
        try await messages.remove(credential.hash)
        try await messages.send(birthday)
        #expect(service.takeReceived().isEmpty)
        await end()
    }

    @Test(arguments: [
        ("https://fcm.googleapis.com/fcm/send/x", true), ("https://web.push.apple.com/x", true),
        ("https://updates.push.services.mozilla.com/wpush/v2/x", true),
        ("https://db5p.notify.windows.com/w/?t=x", true),
        ("http://fcm.googleapis.com/x", false), ("https://fcm.googleapis.com:8443/x", false),
        ("https://fcm.googleapis.com.example.org/x", false), ("https://push.apple.com.example/x", false),
        ("https://127.0.0.1:1/x", true), ("https://192.168.1.1/x", false), ("https://localhost/x", false), ("x", false),
    ])
    func `messages go to known push services alone`(endpoint: String, isAccepted: Bool) async throws {
        let client = PushClient(key: try PushKey(), contact: "mailto:a@example.org", services: ["127.0.0.1"])
        #expect(client.accepts(endpoint) == isAccepted)
        await end()
    }

    @Test func `an event with a notification becomes a message that opens its item`() async throws {
        let contacts = try #require(try hub.enabledDescriptors().first)
        let topic = try #require(contacts.emits.first { $0.subject == "contact id" && $0.topic.layer == .app }?.topic)
        let sent = Sent()
        let subscriber = PushMessages.subscriber(clock: hub.clock, path: { contacts.path(of: $0) }) {
            await sent.add($0)
        }
        func event(_ age: Duration, notify: Bool) -> StoredEvent {
            let event = Event(topic, subject: "7kt3xd") { body in
                if notify { body.notification(EventNotification("Birthday: Ada", "211 years old")) }
            }
            return StoredEvent(sequence: 7, at: hub.clock.now - age, operation: nil, event: event)
        }
        try await subscriber.handle(event(.seconds(60), notify: true))
        try await subscriber.handle(event(.seconds(60), notify: false))
        try await subscriber.handle(event(.seconds(7200), notify: true))
        #expect(
            await sent.all == [
                .init(title: "Birthday: Ada", body: "211 years old", path: "/contacts?id=7kt3xd", tag: "event-7")
            ])
        await end()
    }

    private actor Sent {
        private(set) var all: [PushMessages.Message] = []
        func add(_ message: PushMessages.Message) { all.append(message) }
    }

    @Test func `the key is kept, and readable for its owner alone`() async throws {
        let (one, other) = (try PushMessages(hub).publicKey, try PushMessages(hub).publicKey)
        #expect(one == other && one.count == 65)
        await end()
    }
}
