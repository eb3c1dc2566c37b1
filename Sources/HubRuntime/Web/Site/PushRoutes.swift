import HubKit
import Storage
import WebPush
import WebServer

extension WebRoute {
    /// `GET /api/push`: `{"key": "…", "is_on": true}`, the key to subscribe with and whether the browser gets messages.
    /// `POST` takes what the Push API of the browser returns, `DELETE` ends it, and `POST /api/push/test` sends a message.
    static func push(
        _ messages: PushMessages, session: @escaping @Sendable (HTTPRequest) async throws -> WebCredential?
    ) -> [WebRoute] {
        @Sendable func credential(_ request: HTTPRequest) async throws -> WebCredential {
            guard let found = try await session(request) else { throw WebError.loginNeeded }
            return found
        }
        @Sendable func state(_ credential: WebCredential) async throws -> HTTPResponse {
            let isOn = try await messages.isOn(credential.hash)
            return .json { json in
                json.object { json in
                    json.name("key")
                    json.value(Base64URL.encode(messages.publicKey))
                    json.name("is_on")
                    json.value(isOn)
                }
            }
        }
        return [
            WebRoute(.get, "/api/push") { request, _ in try await state(credential(request)) },
            WebRoute(.post, "/api/push") { request, _ in
                let credential = try await credential(request)
                try await messages.add(try subscription(request.body), of: credential.hash)
                return try await state(credential)
            },
            WebRoute(.delete, "/api/push") { request, _ in
                let credential = try await credential(request)
                try await messages.remove(credential.hash)
                return try await state(credential)
            },
            WebRoute(.post, "/api/push/test") { request, _ in
                let test = PushMessages.Message(
                    title: "hub", body: "Messages arrive on this device.", path: "/settings", tag: "test")
                try await messages.send(test, to: credential(request).hash)
                return HTTPResponse(status: 204)
            },
        ]
    }

    private static func subscription(_ body: [UInt8]) throws -> PushSubscription {
        let json = try? JSONReader.read(body, limits: JSONReader.Limits(bytes: 1 << 13, depth: 4))
        guard let endpoint = json?["endpoint"]?.string,
            let key = json?["keys"]?["p256dh"]?.string.flatMap(Base64URL.decode),
            let secret = json?["keys"]?["auth"]?.string.flatMap(Base64URL.decode),
            let subscription = try? PushSubscription(endpoint: endpoint, key: key, secret: secret)
        else {
            throw HubError(
                .invalid, code: "bad-subscription", "the body is not the subscription of a browser",
                hint: #"send {"endpoint": "https://…", "keys": {"p256dh": "…", "auth": "…"}}"#)
        }
        return subscription
    }
}
