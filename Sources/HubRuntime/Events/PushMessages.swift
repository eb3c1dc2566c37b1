import Commands
import HTTPClient
import Hashing
import HubKit
import Storage
import Threading
import WebPush

/// The messages of hub to browsers: what a desktop is shown, on the phones that want it.
struct PushMessages: Sendable {
    /// A message as the service worker of the page reads it.
    struct Message: Equatable {
        let title: String
        let body: String
        /// The page that opens.
        let path: String
        /// A newer message with the same tag replaces an older one.
        let tag: String
    }

    /// The time for which a push service keeps a message for a browser that is away.
    private static let life = Duration.seconds(4 * 3600)
    /// The longest title and the longest text, in characters.
    private static let longest = (title: 200, body: 1000)
    private static let operation = Operation("web push", who: .service("web"), kind: .cache)

    private let store: Store
    private let clock: any Clock
    private let log: Log
    private let client: PushClient
    /// The public key of this hub, which pages subscribe with.
    let publicKey: [UInt8]

    init(_ hub: Hub, client: PushClient? = nil) throws {
        let key = try Self.key(in: hub.directories.data + "/web")
        let config = try hub.configuration().core
        let host = config[HubKeys.webNames].first ?? config[HubKeys.webAddress]
        let contact = config[HubKeys.pushContact] ?? "https://\(host)"
        self.init(
            store: try hub.database().store(for: "core"), clock: hub.clock, log: hub.log.labelled("push"), key: key,
            client: client
                ?? PushClient(
                    key: key, contact: contact, services: config[HubKeys.pushServices]))
    }

    init(store: Store, clock: any Clock, log: Log, key: PushKey, client: PushClient) {
        self.store = store
        self.clock = clock
        self.log = log
        self.client = client
        publicKey = key.publicKey
    }

    // MARK: Subscriptions

    /// Returns whether the session of a browser, by its hash, has a subscription.
    func isOn(_ session: [UInt8]) async throws -> Bool {
        try await subscriptions().contains { $0.session == session }
    }

    /// Has the browser of a session get messages from now on.
    func add(_ subscription: PushSubscription, of session: [UInt8]) async throws {
        guard client.accepts(subscription.endpoint) else {
            throw HubError(
                .invalid, code: "unknown-push-service", "this browser uses a push service that hub does not know",
                hint: "hub config set hub.web.push_services HOST, if you trust it")
        }
        let stored = StoredPushSubscription(
            endpoint: subscription.endpoint, session: session, key: subscription.key, secret: subscription.secret)
        try await store.write(Self.operation) { try $0.save(stored) }
    }

    /// Has the browser of a session get no more messages.
    func remove(_ session: [UInt8]) async throws {
        try await store.write(Self.operation) { _ = try $0.removePushSubscription(ofSession: session) }
    }

    private func subscriptions() async throws -> [StoredPushSubscription] {
        try await store.read { try $0.pushSubscriptions() }
    }

    // MARK: Messages

    /// Sends a message to the browser of a session; throws when that has no subscription or its push service does not take it.
    func send(_ message: Message, to session: [UInt8]) async throws {
        guard let subscription = try await subscriptions().first(where: { $0.session == session }) else {
            throw HubError(.notFound, code: "no-subscription", "this browser gets no messages")
        }
        switch try await send(message, to: subscription) {
        case .sent: return
        case .later(let reason), .refused(let reason):
            throw HubError(.unavailable, code: "push-failed", "the message could not be sent", details: [reason])
        case .gone:
            throw HubError(
                .unavailable, code: "push-ended", "the push service has ended the subscription of this browser",
                hint: "turn messages on again")
        }
    }

    /// Sends a message to all browsers that want messages. Throws when some should get it later; those that have it show it
    /// once, as it has a tag.
    func send(_ message: Message) async throws {
        var reasons: [String] = []
        for subscription in try await subscriptions() {
            guard subscription.expires > clock.now else {
                try await end(subscription)
                continue
            }
            switch try await send(message, to: subscription) {
            case .sent, .gone: break
            case .later(let reason): reasons.append(reason)
            case .refused(let reason): log.warning("a message to a browser was refused: \(reason)")
            }
        }
        if let reason = reasons.first {
            throw HubError(.unavailable, code: "push-failed", "a message could not be sent", details: [reason])
        }
    }

    /// The session has expired: nothing personal is sent, but the person learns why it becomes quiet.
    private func end(_ subscription: StoredPushSubscription) async throws {
        let last = Message(
            title: "Logged out of hub", body: "Log in again to get messages on this device.", path: "/", tag: "ended")
        _ = try await send(last, to: subscription)
        try await remove(subscription)
    }

    /// Sends a message. A subscription that has ended is removed.
    private func send(_ message: Message, to stored: StoredPushSubscription) async throws -> PushClient.Outcome {
        guard
            let subscription = try? PushSubscription(
                endpoint: stored.endpoint, key: stored.key, secret: stored.secret)
        else {
            try await remove(stored)
            return .gone
        }
        let topic = try Base64URL.encode(Array(SHA256.hash(message.tag.utf8).prefix(18)))
        let outcome = await client.send(
            message.json, to: subscription, topic: topic, life: Self.life, at: clock.now)
        if outcome == .gone { try await remove(stored) }
        return outcome
    }

    private func remove(_ subscription: StoredPushSubscription) async throws {
        try await store.write(Self.operation) { _ = try $0.removePushSubscription(subscription.endpoint) }
    }

    // MARK: Events

    /// The messages as a subscriber of the events that have a notification. `path` returns the page of an event.
    func subscriber(path: @escaping @Sendable (StoredEvent) -> String) -> Subscriber {
        Self.subscriber(clock: clock, path: path) { try await send($0) }
    }

    static func subscriber(
        clock: any Clock, path: @escaping @Sendable (StoredEvent) -> String,
        send: @escaping @Sendable (Message) async throws -> Void
    ) -> Subscriber {
        Subscriber(id: "core.push", summary: "sends notifications to phones and other browsers", patterns: ["app.*"]) {
            event in
            guard clock.now - event.at <= DesktopNotices.interest, let fields = try? event.event.fields(),
                let notice = EventNotification(fields)
            else { return }
            try await send(
                Message(
                    title: String(notice.title.prefix(longest.title)), body: String(notice.body.prefix(longest.body)),
                    path: path(event), tag: "event-\(event.sequence)"))
        }
    }

    // MARK: The key

    /// The key of this hub, made at the first use. It is in no backup: a hub that is restored elsewhere is another one.
    private static func key(in folder: String) throws -> PushKey {
        let path = folder + "/push.pem"
        do {
            if let text = read(path) { return try PushKey(pem: text) }
            let key = try PushKey()
            try Directory.make(folder)
            let file = try AtomicFile(path: path, newFileMode: 0o600)
            try file.write(Array(key.pem.utf8))
            try file.commit()
            return key
        } catch let failure as PushFailure {
            throw HubError(
                .unavailable, code: "no-push-key", "messages to browsers need a key on the curve P-256",
                hint: failure == .notAKey ? "remove \(path) to have a new one" : "apt install libssl3", cause: failure)
        }
    }

    private static func read(_ path: String) -> String? {
        (try? BoundedFile.read(path, limit: 1 << 14)).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension PushMessages.Message {
    /// The message in the form of the declarative Web Push of WebKit, which needs no service worker there.
    var json: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.name("web_push")
            json.value(8030)
            json.name("notification")
            json.object { json in
                for (name, value) in [("title", title), ("body", body), ("navigate", path), ("tag", tag)] {
                    json.name(name)
                    json.value(value)
                }
            }
        }
        return json.bytes
    }
}

extension PluginDescriptor {
    /// The page that a notification of an event opens: that of the item which the event is about, or the one of the plugin.
    func path(of event: StoredEvent) -> String {
        guard page != nil else { return "/" }
        let subject = emits.first { $0.topic == event.topic }?.subject
        return subject == itemNoun.map { "\($0) id" } ? path(of: event.event.subject) : "/\(id)"
    }
    /// The path of an item on the plugin's page.
    func path(of id: String) -> String { "/\(self.id)?id=\(PercentEncoding.encode(id))" }
}
