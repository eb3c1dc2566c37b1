import JSON
import Time
import WebServer

extension WebRoute {
    /// `GET /api/sessions` and `DELETE /api/sessions/{id}`: the browsers that are logged in. `cookie` gives that of the request.
    static func sessions(
        _ access: WebAccess, cookie: @escaping @Sendable (HTTPRequest) -> String
    ) -> [WebRoute] {
        [
            WebRoute(.get, "/api/sessions") { request, _ in
                let sessions = try await access.browsers(current: cookie(request))
                return .json { json in
                    json.array { json in
                        for session in sessions {
                            json.object { json in
                                json.name("id")
                                json.value(session.id)
                                json.name("name")
                                json.value(session.name)
                                json.name("since")
                                json.value(session.since.rfc3339)
                                json.name("is_current")
                                json.value(session.isCurrent)
                            }
                        }
                    }
                }
            },
            WebRoute(.delete, "/api/sessions/{id}") { _, captures in
                try await access.endSession(captures["id"] ?? "")
                return HTTPResponse(status: 204)
            },
        ]
    }
}
