import System
package import WebServer

/// The web app: it checks the client, finds the route, and turns errors into responses.
package struct WebApp: Sendable {
    private let requestGuard: RequestGuard
    private let login: WebLogin
    private let tokens: APIAccess?
    private let router: Router<WebRoute>
    /// The routes that a program can be given.
    private let programRouter: Router<WebRoute>
    private let log: Log
    private let shell: WebShell

    /// Puts `routes` together with the login and the shared assets; without `tokens`, programs are not served. Throws ``HubError`` when two are at one address.
    init(
        listeningOn address: SocketAddress, access: WebAccess, tokens: APIAccess? = nil, shell: WebShell,
        routes: [WebRoute], log: Log, names: [String] = [], push: PushMessages? = nil, isEncrypted: Bool = false
    ) throws {
        let requestGuard = RequestGuard(listeningOn: address, names: names, isEncrypted: isEncrypted)
        let login = WebLogin(access: access, shell: shell, port: address.port) {
            isEncrypted || requestGuard.isFromProxy($0)
        }
        self.requestGuard = requestGuard
        self.login = login
        self.tokens = tokens
        let push = push.map { WebRoute.push($0) { try await login.session(of: $0) } } ?? []
        self.shell = shell
        self.log = log
        var (router, programRouter) = (Router<WebRoute>(), Router<WebRoute>())
        for route in routes + login.routes + push + shell.assets.routes {
            do {
                try router.add(route.method, route.pattern, route)
                if case .pages = route.use { continue }
                try programRouter.add(route.method, route.pattern, route)
            } catch {
                throw HubError(
                    .internal, code: "bad-route", "the route \(route.method.rawValue) \(route.pattern) cannot be added",
                    cause: error)
            }
        }
        self.router = router
        self.programRouter = programRouter
    }

    /// Answers one request.
    package func respond(to request: HTTPRequest) async -> HTTPResponse {
        var response: HTTPResponse
        do {
            response = try await answer(request)
        } catch {
            response = await errorResponse(to: request, failure(error, request))
        }
        response.headers.addSecurity(policy: shell.policy)
        return response
    }

    private func answer(_ request: HTTPRequest) async throws -> HTTPResponse {
        try check(request)
        let match = router.match(request.method, request.target)
        if case .found(let route, let captures) = match, route.access == .everybody {
            return try await route.handler(request, captures)
        }
        if let tokens, APIAccess.isMeant(by: request) { return try await answer(request, match, to: tokens) }
        guard let session = try await login.session(of: request) else {
            throw isProgramWithoutToken(request) ? WebError.tokenNeeded : WebError.loginNeeded
        }
        switch match {
        case .found(let route, let captures):
            var response = try await route.handler(request, captures)
            response.isToKnownClient = true
            login.limit(&response, to: session)
            return response
        case .methodNotAllowed(let allowed): throw WebError.wrongMethod(allowed: allowed)
        case .notFound: throw WebError.noPage
        }
    }

    private func check(_ request: HTTPRequest) throws(WebError) {
        do throws(WebError) {
            try requestGuard.check(request)
        } catch {
            let isBare = error.error.code == WebError.wrongOrigin.error.code && isProgramWithoutToken(request)
            throw isBare ? .tokenNeeded : error
        }
    }

    /// Whether a request that is refused has nothing of a browser: then the way in is a token.
    private func isProgramWithoutToken(_ request: HTTPRequest) -> Bool {
        tokens != nil && request.isForAPI
            && ["Cookie", "Origin", "Sec-Fetch-Site", WebLogin.keyField].allSatisfy { request.headers[$0] == nil }
    }

    /// Answers a program with a token. Its cookies, if it has any, open nothing more.
    private func answer(
        _ request: HTTPRequest, _ match: Router<WebRoute>.Match, to tokens: APIAccess
    ) async throws -> HTTPResponse {
        let client = try await tokens.client(of: request)
        switch match {
        case .found(let route, let captures):
            switch route.use {
            case .pages: throw WebError.forPages
            case .scope(let scope): guard client.may(scope) else { throw WebError.scopeMissing(scope) }
            case .programs: break
            }
            var response = try await APIClient.$current.withValue(client) {
                try await route.handler(request, captures)
            }
            response.isToKnownClient = true
            tokens.limit(&response, to: client)
            return response
        case .methodNotAllowed(let all):
            guard case .methodNotAllowed(let allowed) = programRouter.match(request.method, request.target) else {
                throw WebError.wrongMethod(allowed: all)
            }
            throw WebError.wrongMethod(allowed: allowed)
        case .notFound: throw WebError.noPage
        }
    }

    /// A person who is logged in keeps the navigation, so that there is a way on.
    private func errorResponse(to request: HTTPRequest, _ failure: WebError) async -> HTTPResponse {
        guard !request.isForAPI, request.accepts("text/html") else { return ErrorResponse.problem(failure) }
        let layout =
            switch failure.error.code {
            case WebError.loginNeeded.error.code: login.form(for: request, "Log in", "This page is private.")
            case WebError.staleLink.error.code:
                login.form(for: request, "This link has expired", "It was already used, or is older than ten minutes.")
            default: ErrorResponse.page(failure, isForSession: (try? await login.isLoggedIn(request)) == true)
            }
        let response = await shell.page(layout, status: failure.status)
        return ErrorResponse.adding(failure, to: response)
    }

    private func failure(_ error: any Error, _ request: HTTPRequest) -> WebError {
        if let failure = error as? WebError { return failure }
        if let error = (error as? HubError)?.namingLibrary {
            if error.kind == .internal { log.error("\(request.method.rawValue) \(request.path): \(error)") }
            // What this machine lacks, such as an engine, is not a failure of the server.
            let status = error.conditionStatus(request) ?? (error.kind == .config ? 409 : error.kind.httpStatus)
            return WebError(status: status, error: error)
        }
        if !(error is CancellationError) { log.error("\(request.method.rawValue) \(request.path): \(error)") }
        return WebError(
            status: 500,
            error: HubError(
                .internal, code: "internal", "internal error", hint: "hub logs shows the details", cause: error
            ).namingLibrary)
    }
}
