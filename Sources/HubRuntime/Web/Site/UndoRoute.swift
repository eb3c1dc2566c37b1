import Commands
import Storage
import WebServer

extension WebRoute {
    /// `POST /api/undo` with `{"operation": id}`: undoes what the page did under that id, atomically; the id of an undo
    /// redoes it. The answer is that of `hub undo --json`. A program with a token undoes what it has done itself.
    static func undo(_ hub: Hub) -> WebRoute {
        WebRoute(.post, "/api/undo", use: .programs) { request, _ in
            let body = try? JSONReader.read(request.body, limits: JSONReader.Limits(bytes: 1 << 12, depth: 2))
            guard let target = body?["operation"]?.string, !target.isEmpty else {
                throw HubError(
                    .invalid, code: "operation-missing", "the request does not say what to undo",
                    hint: #"send {"operation": "…"} with the Hub-Operation header of a response"#)
            }
            if let client = APIClient.current {
                let found = try await hub.database().history.operations(matching: target)
                guard client.scopes.contains(where: \.isWriting), found.count == 1, found[0].id == target,
                    found[0].who == .api(client.name)
                else {
                    throw HubError(
                        .denied, code: "not-own", "a token can undo its own operations alone",
                        hint: "hub undo \(target) in a terminal undoes any")
                }
            }
            let operation = Operation(
                "undo", who: Operation.webAuthor, commandLine: "\(Operation.webPlace): undo \(target)")
            return try await response(
                try await UndoPresenter(hub).undo(target, as: operation, isDryRun: false), operation)
        }
    }

    /// `POST /api/undo/last`: undoes the user's last operation, by whichever command or page, as `hub undo` does.
    static func undoLast(_ hub: Hub) -> WebRoute {
        WebRoute(.post, "/api/undo/last") { _, _ in
            let operation = Operation("undo", commandLine: "page: undo")
            return try await response(
                try await UndoPresenter(hub).undo(nil, as: operation, isDryRun: false), operation)
        }
    }

    /// `POST /api/redo`: redoes the user's last undone operation, as `hub redo` does.
    static func redo(_ hub: Hub) -> WebRoute {
        WebRoute(.post, "/api/redo") { _, _ in
            let operation = Operation("redo", commandLine: "page: redo")
            return try await response(try await UndoPresenter(hub).redo(as: operation, isDryRun: false), operation)
        }
    }

    private static func response(_ output: Output, _ operation: Operation) async throws -> HTTPResponse {
        HTTPResponse(headers: ["Content-Type": "application/json"], body: .bytes(try await json(output)))
            .naming(operation)
    }
}
