import System
import WebServer

/// The response to a request that failed, as JSON for programs and as a page for people.
enum ErrorResponse {
    /// The response to a program, as problem details (RFC 9457): `detail` is the message, and the other members of hub's errors stand
    /// beside it.
    static func problem(_ failure: WebError) -> HTTPResponse {
        var json = JSONWriter()
        json.object { json in
            json.name("type")
            json.value("about:blank")
            json.name("title")
            json.value(phrase(failure.status))
            json.name("status")
            json.value(failure.status)
            json.name("detail")
            json.value(failure.error.message)
            json.name("code")
            json.value(failure.error.code)
            json.name("exit")
            json.value(Int(failure.error.kind.exitCode))
            json.name("details")
            json.array { json in
                for line in failure.error.details { json.value(line) }
            }
            json.name("hint")
            json.value(orNull: failure.error.hint)
            json.name("problems")
            json.array { json in
                for problem in failure.error.problems { write(problem, &json) }
            }
        }
        let response = HTTPResponse(
            status: failure.status, headers: ["Content-Type": "application/problem+json"], body: .bytes(json.bytes))
        return adding(failure, to: response)
    }

    /// The response of a listener of a plugin, whose protocol has errors of its own.
    static func json(_ failure: WebError) -> HTTPResponse {
        var json = JSONWriter()
        json.object { json in
            json.name("error")
            json.object { json in
                json.name("code")
                json.value(failure.error.code)
                json.name("exit")
                json.value(Int(failure.error.kind.exitCode))
                json.name("message")
                json.value(failure.error.message)
                json.name("details")
                json.array { json in
                    for line in failure.error.details { json.value(line) }
                }
                json.name("hint")
                json.value(orNull: failure.error.hint)
                guard !failure.error.problems.isEmpty else { return }
                json.name("problems")
                json.array { json in
                    for problem in failure.error.problems { write(problem, &json) }
                }
            }
        }
        let response = HTTPResponse(
            status: failure.status, headers: ["Content-Type": "application/json"], body: .bytes(json.bytes))
        return adding(failure, to: response)
    }

    /// Returns `response` with the header fields that belong to the failure.
    static func adding(_ failure: WebError, to response: HTTPResponse) -> HTTPResponse {
        var response = response
        if failure.error.kind == .busy { response.headers["Retry-After"] = "1" }
        for (name, value) in failure.headers { response.headers[name] = value }
        return response
    }

    /// The page for a person: what failed, why, and the way on.
    static func page(_ failure: WebError, isForSession: Bool) -> HTMLLayout {
        var body = "    <div class=\"message\">\n    <p>\(HTML.escape(sentence(failure.error.message)))</p>"
        if !failure.error.details.isEmpty {
            body += "\n    <pre>\(HTML.escape(failure.error.details.joined(separator: "\n")))</pre>"
        }
        if let hint = failure.error.hint { body += "\n    <p class=\"hint\">\(HTML.escape(sentence(hint)))</p>" }
        body += "\n    <p class=\"actions\"><a class=\"button main\" href=\"/\">Go to Today</a></p>\n    </div>"
        return HTMLLayout(title: title(failure.status), body: body, isForSession: isForSession)
    }

    private static func write(_ problem: FieldProblem, _ json: inout JSONWriter) {
        json.object { json in
            json.name("field")
            json.value(problem.field)
            json.name("index")
            if let index = problem.index { json.value(index) } else { json.null() }
            json.name("message")
            json.value(problem.message)
            json.name("hint")
            json.value(orNull: problem.hint)
            if let code = problem.code {
                json.name("code")
                json.value(code)
            }
        }
    }

    private static func sentence(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst() + (text.last?.isPunctuation == true ? "" : ".")
    }

    /// The phrase of a status (RFC 9110 §15).
    private static func phrase(_ status: Int) -> String {
        switch status {
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 409: "Conflict"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 421: "Misdirected Request"
        case 422: "Unprocessable Content"
        case 428: "Precondition Required"
        case 429: "Too Many Requests"
        case 503: "Service Unavailable"
        case 507: "Insufficient Storage"
        case 500...: "Internal Server Error"
        default: "Error"
        }
    }

    private static func title(_ status: Int) -> String {
        switch status {
        case 404: "Not found"
        case 403, 421: "Not allowed"
        case 503: "Busy"
        case 500...: "Internal error"
        default: "Request failed"
        }
    }
}

extension JSONWriter {
    /// The text, or null.
    fileprivate mutating func value(orNull text: String?) {
        if let text { value(text) } else { null() }
    }
}
