import System

/// A request that is refused, with a status that no class of ``HubError`` has.
struct WebError: Error {
    let status: Int
    let error: HubError
    /// Header fields that belong to the status, such as `Allow`.
    var headers: [String: String] = [:]
}

extension WebError {
    /// The `Host` field names another server (RFC 9110 §15.5.20).
    static let wrongHost = WebError(
        status: 421,
        error: HubError(
            .denied, code: "wrong-host", "this page is not served under this host name",
            hint: "hub web prints its address"))

    /// The request was made by another page.
    static let wrongOrigin = WebError(
        status: 403, error: HubError(.denied, code: "wrong-origin", "the request does not come from hub's own web page")
    )

    /// The `Content-Type` of the body is not JSON.
    static let notJSON = WebError(
        status: 415,
        error: HubError(
            .usage, code: "not-json", "the request's content type is not JSON", hint: "Content-Type: application/json"))

    /// The browser has not logged in, or not lately.
    static let loginNeeded = WebError(
        status: 403,
        error: HubError(
            .denied, code: "login-needed", "you need to log in",
            hint: "run hub web in a terminal and open the link that it prints"))

    /// A listener does not know the client.
    static let unknownClient = WebError(
        status: 401,
        error: HubError(.denied, code: "unknown-client", "unknown client or wrong token"),
        headers: ["WWW-Authenticate": "Bearer"])

    /// The token of a request is wrong, or was removed, or has ended (RFC 6750 §3.1).
    static let unknownToken = WebError(
        status: 401,
        error: HubError(
            .denied, code: "unknown-token", "wrong token, or one that was removed or has ended",
            hint: "hub api tokens list lists all; hub api tokens add makes one"),
        headers: ["WWW-Authenticate": #"Bearer realm="hub", error="invalid_token""#])

    /// A program shows no token (RFC 6750 §3.1).
    static let tokenNeeded = WebError(
        status: 401,
        error: HubError(
            .denied, code: "token-needed", "the request has no token",
            hint: "hub api tokens add NAME makes one; send it as Authorization: Bearer TOKEN"),
        headers: ["WWW-Authenticate": #"Bearer realm="hub""#])

    /// A token does not allow what its program asks for (RFC 6750 §3.1).
    static func scopeMissing(_ scope: APIScope) -> WebError {
        WebError(
            status: 403,
            error: HubError(
                .denied, code: "scope-missing", "the token does not allow this: it needs the scope \(scope.text)",
                hint: "hub api tokens add NAME --scope \(scope.text)"),
            headers: ["WWW-Authenticate": #"Bearer realm="hub", error="insufficient_scope", scope="\#(scope.text)""#])
    }

    /// Only pages may do what a program asks for.
    static let forPages = WebError(
        status: 403,
        error: HubError(
            .denied, code: "for-pages", "only hub's own pages and commands may do this, and no token",
            hint: "hub api describe lists what a token may do"))

    /// Too many wrong tokens came from the address, or too many requests with a token.
    static func tooManyRequests(wait: Int) -> WebError {
        WebError(
            status: 429,
            error: HubError(
                .busy, code: "too-many-requests", "too many requests", hint: "try again in \(wait) s"),
            headers: ["Retry-After": "\(wait)"])
    }

    /// The code of a login link was wrong, used or too old.
    static let staleLink = WebError(
        status: 403,
        error: HubError(
            .denied, code: "login-link-used", "this link was already used, or is older than ten minutes",
            hint: "run hub web in a terminal to get a new one"))

    /// No route has this path.
    static let noPage = WebError(
        status: 404, error: HubError(.notFound, code: "no-such-page", "page not found"))

    /// The path is known, but not with this method.
    static func wrongMethod(allowed: String) -> WebError {
        WebError(
            status: 405, error: HubError(.usage, code: "wrong-method", "this address accepts only \(allowed)"),
            headers: ["Allow": allowed])
    }
}
