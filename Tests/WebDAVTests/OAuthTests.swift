import DAVTestSupport
import Dispatch
import HTTPClient
import NetworkTestSupport
import Sync
import Synchronization
import Testing

@testable import WebDAV

/// Runs what blocks on a thread of its own.
private func blocking<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(with: Result { try body() }) }
    }
}

/// Sign-in by OAuth against an authorization server that behaves as RFC 6749, 7636 and 8252 say.
struct OAuthTests {
    /// An authorization server with one user, and a CardDAV server that takes its tokens.
    private final class Service: Sendable {
        struct State {
            var challenges: [String: String] = [:]
            var tokens: Set<String> = []
            var isRevoked = false
            var forms: [[String: String]] = []
        }

        let state = Mutex(State())

        func answer(_ request: ScriptedRequest) -> FaultServer.Answer {
            if request.method == "POST" {
                return token(FormEncoding.decode(String(decoding: request.body, as: UTF8.self)))
            }
            let token = request.headers["authorization"].map { $0.dropFirst("Bearer ".count) } ?? ""
            guard state.withLock({ $0.tokens.contains(String(token)) }) else {
                return .status(401, headers: ["WWW-Authenticate: Bearer error=\"invalid_token\""])
            }
            return .multistatus(FaultServer.item("/ann/book/", "<D:getetag>1</D:getetag>"))
        }

        /// Allows access as a person does in the browser, and returns where the browser is sent.
        func allow(_ url: HTTPURL, state other: String? = nil) -> String {
            let query = FormEncoding.decode(url.query ?? "")
            let code = "code-\(query["state"]?.prefix(5) ?? "")"
            state.withLock { $0.challenges[code] = query["code_challenge"] }
            return (query["redirect_uri"] ?? "") + "?code=\(code)&state=\(other ?? query["state"] ?? "")"
        }

        private func token(_ form: [String: String]) -> FaultServer.Answer {
            state.withLock { state in
                state.forms.append(form)
                func refuse(_ error: String) -> FaultServer.Answer {
                    .status(
                        400, headers: ["Content-Type: application/json"],
                        body: "{\"error\": \"\(error)\", \"error_description\": \"Token has been expired or revoked.\"}"
                    )
                }
                guard form["client_id"] == "me", form["client_secret"] == "s" else { return refuse("invalid_client") }
                switch form["grant_type"] {
                case "authorization_code":
                    guard let code = form["code"], let challenge = state.challenges.removeValue(forKey: code),
                        let verifier = form["code_verifier"], (try? PKCEVerifier(verifier).challenge) == challenge
                    else { return refuse("invalid_grant") }
                case "refresh_token":
                    guard form["refresh_token"] == "lasting", !state.isRevoked else { return refuse("invalid_grant") }
                default: return refuse("unsupported_grant_type")
                }
                let token = "token-\(state.forms.count)"
                state.tokens.insert(token)
                let lasting = form["grant_type"] == "authorization_code" ? ", \"refresh_token\": \"lasting\"" : ""
                return .status(
                    200, headers: ["Content-Type: application/json"],
                    body: "{\"access_token\": \"\(token)\", \"token_type\": \"Bearer\", \"expires_in\": 3600\(lasting)}"
                )
            }
        }
    }

    private final class Time: Sendable {
        private let start = ContinuousClock.now
        private let passed = Mutex(Duration.zero)

        var now: ContinuousClock.Instant { start + passed.withLock { $0 } }
        func set(_ duration: Duration) { passed.withLock { $0 = duration } }
    }

    private let service = Service()
    private let server: FaultServer
    private let http = HTTPClient(HTTPConfiguration(proxy: .none))

    init() throws { server = try FaultServer { [service] in service.answer($0) } }

    private var file: [UInt8] {
        Array(
            """
            {"installed": {"client_id": "me", "client_secret": "s", "auth_uri": "\(server.origin)/auth?x=1",
            "token_uri": "\(server.origin)/token"}}
            """.utf8)
    }

    private var grant: OAuthGrant {
        get throws { OAuthGrant(client: try OAuthClient(file: file), refreshToken: "lasting") }
    }

    /// Signs in while a browser visits `visits`, one after the other.
    private func signIn(_ visits: @escaping @Sendable (HTTPURL) -> [String]) async throws -> OAuthGrant {
        let signIn = try OAuthSignIn(try OAuthClient(file: file))
        let url = try signIn.url(scope: "cards", user: "ann@example.org")
        let code = try await withThrowingTaskGroup(of: String?.self) { group in
            group.addTask { [http] in
                for visit in visits(url) {
                    _ = try await http.send(HTTPRequest(.get, try #require(HTTPURL(visit))))
                }
                return nil
            }
            group.addTask {
                try await blocking { try signIn.waitForCode(until: .now + .seconds(60)) { false } }
            }
            var code: String?
            for try await found in group { code = found ?? code }
            return try #require(code)
        }
        return try await signIn.grant(for: code, over: http)
    }

    @Test func `the challenge is that of the standard`() throws {
        let verifier = PKCEVerifier("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(try verifier.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
        let random = Set((0..<20).map { _ in PKCEVerifier().text })
        #expect(random.count == 20 && random.allSatisfy { $0.utf8.count == 43 })
    }

    @Test func `the file of a client is that of Google, for desktop programs alone`() throws {
        let client = try OAuthClient(file: file)
        #expect(client.id == "me" && client.secret == "s" && client.token.path == "/token")
        for text in [
            "", "{}", #"{"web": {"client_id": "a"}}"#,
            #"{"installed": {"client_id": "a", "auth_uri": "http://x.org/", "token_uri": "https://x.org/"}}"#,
        ] {
            #expect(throws: OAuthError.self) { try OAuthClient(file: Array(text.utf8)) }
        }
    }

    @Test func `access that is allowed in the browser is kept as a secret in one line`() async throws {
        let grant = try await signIn { [service] url in
            let own = service.allow(url)
            // Neither a picture nor another state ends the sign-in.
            let port = own.prefix { $0 != "?" }
            return [port + "favicon.ico", port + "?code=stolen&state=other", own]
        }
        #expect(try grant == self.grant)
        #expect(OAuthGrant(secret: grant.secret) == grant && !grant.secret.contains("\n"))
        #expect(OAuthGrant(secret: "{pass}") == nil && OAuthGrant(secret: "secret") == nil)
    }

    @Test func `the address in the browser has all that the standards ask for`() throws {
        let url = try OAuthSignIn(try OAuthClient(file: file)).url(scope: "a b", user: "ann@example.org")
        let query = FormEncoding.decode(url.query ?? "")
        #expect(query["x"] == "1" && query["response_type"] == "code" && query["scope"] == "a b")
        #expect(query["code_challenge_method"] == "S256" && query["login_hint"] == "ann@example.org")
        #expect(query["redirect_uri"]?.hasPrefix("http://127.0.0.1:") == true && query["access_type"] == "offline")
    }

    @Test func `a refusal in the browser ends the sign-in`() async throws {
        await #expect(throws: OAuthError.refused(reason: "access_denied")) {
            try await signIn { url in
                let query = FormEncoding.decode(url.query ?? "")
                return [(query["redirect_uri"] ?? "") + "?error=access_denied&state=\(query["state"] ?? "")"]
            }
        }
    }

    @Test func `a code of another sign-in is worth nothing`() async throws {
        await #expect(throws: OAuthError.self) {
            try await signIn { [service] url in
                let own = service.allow(url)
                service.state.withLock { state in state.challenges = state.challenges.mapValues { _ in "other" } }
                return [own]
            }
        }
    }

    @Test func `a sign-in ends when nobody comes, and when it is cancelled`() async throws {
        let signIn = try OAuthSignIn(try OAuthClient(file: file))
        await #expect(throws: OAuthError.timedOut) {
            try await blocking { try signIn.waitForCode(until: .now) { false } }
        }
        await #expect(throws: OAuthError.cancelled) {
            try await blocking { try signIn.waitForCode(until: .now + .seconds(60)) { true } }
        }
    }

    @Test func `a token is renewed before it expires, and when a server rejects it`() async throws {
        let time = Time()
        let tokens = OAuthTokens(try grant, over: http) { time.now }
        #expect(try await tokens.token() == "token-1")
        #expect(try await tokens.token() == "token-1")
        time.set(.seconds(3539))
        #expect(try await tokens.token() == "token-1")
        time.set(.seconds(3541))
        #expect(try await tokens.token() == "token-2")
        #expect(try await tokens.token(insteadOf: "token-2") == "token-3")
        #expect(try await tokens.token(insteadOf: "token-2") == "token-3")
    }

    @Test func `a server gets a token, and another one when it rejects the first`() async throws {
        let url = HTTPURL(scheme: .http, host: "127.0.0.1", port: server.port, path: "/ann/book/")
        let session = DAVSession(
            client: http, timing: DAVFixture.timing, credentials: nil, tokens: OAuthTokens(try grant, over: http),
            scope: HTTPScope(origin: url), patience: DAVTimeouts(deadlines: .patient, retry: .never))
        let book = DAVCollection(session: session, url: url, kind: .cards)
        _ = try await book.state()
        _ = service.state.withLock { $0.tokens.remove("token-1") }
        _ = try await book.state()
        let sent = server.requests.filter { $0.method != "POST" }.map { $0.headers["authorization"] }
        #expect(Set(sent) == ["Bearer token-1", "Bearer token-2"] && sent.last == "Bearer token-2")
        service.state.withLock { state in
            state.tokens = []
            state.isRevoked = true
        }
        await #expect(throws: RemoteError.self) { _ = try await book.state() }
        do {
            _ = try await book.state()
        } catch {
            guard case .signInNeeded(let reason) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(reason == "127.0.0.1: invalid_grant: Token has been expired or revoked.")
        }
    }

    @Test func `the account of a grant sends its token, not the grant`() async throws {
        let account = Account(name: "g", address: .server("\(server.origin)/ann/book/"), user: "ann")
        let connector = DAVConnector(timing: DAVFixture.timing)
        let connection = try connector.account(account, password: try grant.secret, kind: .cards, isBrief: true)
        _ = try? await connection.collections()
        let requests = server.requests.filter { $0.method != "POST" }
        #expect(!requests.isEmpty && requests.allSatisfy { $0.headers["authorization"] == "Bearer token-1" })
        #expect(requests.allSatisfy { !"\($0.headers)".contains("lasting") })
    }
}
