import System
import WebServer

extension WebRoute {
    /// `POST /api/tickets` with `{"path": "/api/…"}`: a ticket with which the browser itself reads that path, as
    /// `/api/…?ticket=TICKET`. `cookie` gives that of the request.
    static func tickets(
        _ tickets: MediaTickets, cookie: @escaping @Sendable (HTTPRequest) -> String
    ) -> WebRoute {
        WebRoute(.post, "/api/tickets") { request, _ in
            let body = try? JSONReader.read(request.body, limits: JSONReader.Limits(bytes: 1 << 12, depth: 2))
            guard let path = body?["path"]?.string, path.hasPrefix("/api/"), !path.contains("?") else {
                throw HubError(
                    .invalid, code: "path-missing", "the request does not say what to read",
                    hint: #"send {"path": "/api/…"}, without a query"#)
            }
            let ticket = try tickets.make(for: path, cookie: cookie(request))
            return .json { json in
                json.object { json in
                    json.name("ticket")
                    json.value(ticket)
                }
            }
        }
    }
}
