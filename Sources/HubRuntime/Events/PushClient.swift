import HTTPClient
import System
import WebPush

/// Sends messages to browsers through their push services (RFC 8030).
///
/// A page names the address that messages go to, so only known push services are addressed, and those that the settings name.
struct PushClient: Sendable {
    /// What became of a message.
    enum Outcome: Equatable {
        /// The push service has it.
        case sent
        /// The subscription has ended.
        case gone
        /// The push service cannot be reached, or asks to wait.
        case later(String)
        /// The push service refused, which another attempt would not change.
        case refused(String)
    }

    /// The push services of the browsers; a dot stands for any name before it.
    private static let knownServices = [
        "fcm.googleapis.com", "updates.push.services.mozilla.com", ".push.services.mozilla.com", ".push.apple.com",
        ".notify.windows.com",
    ]

    private let services: [String]
    private let contact: String
    private let key: PushKey
    private let client: HTTPClient

    /// `services` are the hosts of further push services.
    init(
        key: PushKey, contact: String, services: [String] = [],
        configuration: HTTPConfiguration = HTTPConfiguration(userAgent: "hub")
    ) {
        self.key = key
        self.contact = contact
        self.services = services.map { $0.lowercased() }
        client = HTTPClient(configuration)
    }

    /// Returns whether messages may be sent to the address of a subscription.
    func accepts(_ endpoint: String) -> Bool {
        guard endpoint.utf8.count <= 2048, let url = HTTPURL(endpoint), url.scheme == .https else { return false }
        if services.contains(url.host) { return true }
        return url.port == 443
            && Self.knownServices.contains { $0.hasPrefix(".") ? url.host.hasSuffix($0) : url.host == $0 }
    }

    /// Sends one message. `topic` names what a newer message replaces while the browser is away; `life` is the time for which the
    /// push service keeps it.
    func send(
        _ text: [UInt8], to subscription: PushSubscription, topic: String? = nil, life: Duration, at now: Instant
    ) async -> Outcome {
        guard accepts(subscription.endpoint), let url = HTTPURL(subscription.endpoint) else {
            return .refused("not the address of a known push service")
        }
        do {
            var request = HTTPRequest(
                .post, url,
                headers: [
                    "Content-Encoding": "aes128gcm", "Content-Type": "application/octet-stream",
                    "TTL": "\(life.components.seconds)", "Urgency": "high",
                    "Authorization": try ServerIdentification.authorization(
                        origin: Self.origin(url), contact: contact, now: now.milliseconds / 1000, key: key),
                ], body: try PushMessage.body(text, for: subscription),
                deadlines: HTTPDeadlines(connect: .seconds(10), idle: .seconds(10), total: .seconds(20)),
                maximumBody: 64 << 10)
            request.headers["Topic"] = topic
            return Self.outcome(try await client.send(request))
        } catch let failure as PushFailure {
            return .refused("\(failure)")
        } catch {
            return .later("\(error)")
        }
    }

    /// Ends all connections.
    func close() async { await client.close() }

    private static func origin(_ url: HTTPURL) -> String {
        "https://\(url.host)" + (url.port == 443 ? "" : ":\(url.port)")
    }

    private static func outcome(_ response: HTTPResponse) -> Outcome {
        let words = "the push service answered with status \(response.status)"
        return switch response.status {
        case 200..<300: .sent
        case 404, 410: .gone
        case 408, 425, 429, 500...: .later(words)
        default: .refused(words)
        }
    }
}
