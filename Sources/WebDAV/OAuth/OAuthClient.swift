package import HTTPClient
import JSON

/// A client that a person has registered with an authorization server (RFC 6749 §2), as its file describes it.
package struct OAuthClient: Hashable, Sendable {
    /// The id of the client.
    package let id: String
    /// The secret, which is none for a program on a person's machine (RFC 8252 §8.5); nil if the server gives none.
    package let secret: String?
    /// Where the person allows access.
    package let authorization: HTTPURL
    /// Where tokens come from.
    package let token: HTTPURL

    package init(id: String, secret: String?, authorization: HTTPURL, token: HTTPURL) {
        self.id = id
        self.secret = secret
        self.authorization = authorization
        self.token = token
    }

    /// Reads the JSON file that Google offers for download (`{"installed": {"client_id": …}}`), or one with its members alone.
    package init(file bytes: [UInt8]) throws(OAuthError) {
        guard let json = try? JSONReader.read(bytes, limits: JSONReader.Limits(bytes: 1 << 16, depth: 8)) else {
            throw .invalidClient(reason: "it is not JSON")
        }
        if json["installed"] == nil, json["web"] != nil {
            throw .invalidClient(reason: "it is of a web application; the type of the client must be Desktop app")
        }
        let members = json["installed"] ?? json
        func text(_ name: String) throws(OAuthError) -> String {
            guard let text = members[name]?.string, !text.isEmpty else {
                throw .invalidClient(reason: "it has no \(name)")
            }
            return text
        }
        func url(_ name: String) throws(OAuthError) -> HTTPURL {
            guard let url = HTTPURL(try text(name)), url.scheme == .https || url.isLoopback else {
                throw .invalidClient(reason: "its \(name) is not an https address")
            }
            return url
        }
        self.init(
            id: try text("client_id"), secret: members["client_secret"]?.string, authorization: try url("auth_uri"),
            token: try url("token_uri"))
    }
}

extension HTTPURL {
    /// Whether it is at this machine.
    fileprivate var isLoopback: Bool { host == "localhost" || host == "127.0.0.1" || host == "[::1]" }
}

/// What a person has granted: the refresh token with what is needed to use it. It is the secret of an account.
package struct OAuthGrant: Hashable, Sendable {
    /// The client that got it.
    package let client: OAuthClient
    /// The token for new access tokens (RFC 6749 §1.5).
    package let refreshToken: String

    package init(client: OAuthClient, refreshToken: String) {
        self.client = client
        self.refreshToken = refreshToken
    }

    private static let member = "oauth2"

    /// Reads the secret of an account; nil for a password.
    package init?(secret: String) {
        guard secret.hasPrefix("{"), let json = try? JSONReader.read(Array(secret.utf8)),
            let members = json[OAuthGrant.member], let token = members["refresh_token"]?.string,
            let id = members["client_id"]?.string, let place = members["token_uri"]?.string.flatMap({ HTTPURL($0) }),
            let authorization = members["auth_uri"]?.string.flatMap({ HTTPURL($0) })
        else { return nil }
        self.init(
            client: OAuthClient(
                id: id, secret: members["client_secret"]?.string, authorization: authorization, token: place),
            refreshToken: token)
    }

    /// The secret of an account, in one line.
    package var secret: String {
        var json = JSONWriter()
        json.object { json in
            json.name(OAuthGrant.member)
            json.object { json in
                json.name("client_id")
                json.value(client.id)
                if let secret = client.secret {
                    json.name("client_secret")
                    json.value(secret)
                }
                json.name("auth_uri")
                json.value(client.authorization.description)
                json.name("token_uri")
                json.value(client.token.description)
                json.name("refresh_token")
                json.value(refreshToken)
            }
        }
        return json.string
    }
}

/// An error of a sign-in.
package enum OAuthError: Error, Hashable, Sendable {
    /// The file of the client cannot be used.
    case invalidClient(reason: String)
    /// The person did not allow access, or the server refused it, with its word for that.
    case refused(reason: String)
    /// The browser did not come back in time.
    case timedOut
    /// The task was cancelled.
    case cancelled
    /// The server gave no token that lasts.
    case noRefreshToken
    /// This machine cannot do it.
    case unavailable(reason: String)
    /// The exchange with the token endpoint failed.
    case remote(reason: String)
}

extension OAuthError: CustomStringConvertible {
    /// The reason, as part of a sentence.
    package var description: String {
        switch self {
        case .invalidClient(let reason): "the file of the client cannot be used: \(reason)"
        case .refused(let reason): "access was not allowed (\(reason))"
        case .timedOut: "the browser did not come back in time"
        case .cancelled: "it was cancelled"
        case .noRefreshToken: "the server gave no refresh token"
        case .unavailable(let reason), .remote(let reason): reason
        }
    }
}
