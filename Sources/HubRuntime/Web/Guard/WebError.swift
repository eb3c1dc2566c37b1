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
