import HubKit
import WebServer

extension WebRoute {
    /// `POST /api/undo` with `{"operation": id}`: takes back what the page did under that id, whole; the id of an undo
    /// brings it back again. The answer is that of `hub undo --json`.
    static func undo(_ hub: Hub) -> WebRoute {
        WebRoute(.post, "/api/undo") { request, _ in
            let body = try? JSONReader.read(request.body, limits: JSONReader.Limits(bytes: 1 << 12, depth: 2))
            guard let target = body?["operation"]?.string, !target.isEmpty else {
                throw HubError(
                    .invalid, code: "operation-missing", "the request does not say what to undo",
                    hint: #"send {"operation": "…"} with the Hub-Operation header of a response"#)
            }
            let operation = Operation("undo", commandLine: "page: undo \(target)")
            let output = try await UndoPresenter(hub).undo(target, as: operation, isDryRun: false)
            let response = HTTPResponse(
                headers: ["Content-Type": "application/json"], body: .bytes(try await json(output)))
            return response.naming(operation)
        }
    }
}
