package import Commands
package import HubKit
import WebServer

extension WebRoute {
    /// The route that a plugin declares, as the site serves it: every change is an operation of its own.
    ///
    /// A page that is not sure whether a change has arrived sends it again with the same `Hub-Operation`. `isDone` returns whether
    /// the log has that operation; it is not done twice.
    package init(
        _ route: Route, of plugin: String, host: any PluginHost, log: Log,
        isDone: @escaping @Sendable (_ operation: String) async throws -> Bool = { _ in false }
    ) {
        let scope = APIScope(plugin: plugin, isWriting: route.method != .get)
        self.init(
            HTTPMethod(rawValue: route.method.rawValue), route.pattern, use: route.isForPages ? .pages : .scope(scope)
        ) { request, captures in
            let name = "\(plugin) \(route.method.rawValue.lowercased()) \(route.pattern)"
            let given = request.headers["Hub-Operation"].flatMap {
                $0.utf8.count == Identifier.length && Identifier.isPrefix($0) ? $0 : nil
            }
            let words = WebRoute.words(of: request) ?? route.summary
            let operation = Operation(
                id: given ?? Identifier.make(), name, who: Operation.webAuthor,
                commandLine: "\(Operation.webPlace): \(words)")
            if given != nil, route.method != .get, try await isDone(operation.id) {
                return HTTPResponse(headers: ["Content-Type": "application/json"], body: .bytes(Array("{}".utf8)))
                    .naming(operation)
            }
            let passed = try await RouteConditions(route, host).check(request, captures)
            let asked = RouteRequest(
                captures: captures,
                query: Dictionary(request.target.query.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }),
                ifMatch: passed.ifMatch,
                lastEventID: request.headers["Last-Event-ID"], body: request.body,
                operation: operation)
            if APIClient.current != nil { try RouteForm(route).check(asked) }
            let answer = try await route.answer(host, asked)
            if let revision = passed.read, case .output(let output) = answer {
                return RouteConditions.answer(try await WebRoute.json(output), revision: revision, to: request)
            }
            let response = try await WebRoute.response(to: request, answer, log)
            return route.method == .get ? response : response.naming(operation)
        }
    }

    /// What the page says of a change, in `Hub-Words`: the history then speaks as the message did. Nil without it.
    private static func words(of request: HTTPRequest) -> String? {
        guard let field = request.headers["Hub-Words"], let words = PercentEncoding.decode(field) else { return nil }
        let text = String(words.prefix(200)).split(whereSeparator: \.isNewline).joined(separator: " ")
        return text.isEmpty ? nil : text
    }

    private static func response(
        to request: HTTPRequest, _ answer: RouteAnswer, _ log: Log
    ) async throws -> HTTPResponse {
        switch answer {
        case .output(let output):
            return HTTPResponse(headers: ["Content-Type": "application/json"], body: .bytes(try await json(output)))
        case .page(let output, let next):
            var response = HTTPResponse(
                headers: ["Content-Type": "application/json"], body: .bytes(try await json(output)))
            if let next { response.headers["Link"] = "<\(next)>; rel=\"next\"" }
            return response
        case .created(let output, let location):
            return HTTPResponse(
                status: 201, headers: ["Content-Type": "application/json", "Location": location],
                body: .bytes(try await json(output)))
        case .asset(let bytes, let contentType):
            return .asset(bytes, type: contentType, tag: EntityTag(of: bytes), for: request)
        case .seeOther(let path): return .redirect(to: path)
        case .content(let content):
            var response = HTTPResponse.content(
                length: content.length, type: content.contentType, tag: EntityTag(content.version),
                chunk: RouteContent.chunkSize, for: request, read: content.read)
            if let name = content.fileName {
                response.headers["Content-Disposition"] = "attachment; filename*=UTF-8''\(PercentEncoding.encode(name))"
            }
            return response
        case .stream(let contentType, let produce):
            return HTTPResponse(
                headers: ["Content-Type": contentType],
                body: .stream { writer in try await produce { bytes in try await writer.write(bytes) } })
        case .webSocket(let socket):
            return .webSocket(
                for: request, subprotocols: socket.subprotocols, messageSize: socket.messageSize, log: log,
                serve: socket.serve)
        case .events(let produce):
            return .events { send in
                try await produce { event in
                    try await send(ServerSentEvent(event: event.name, data: event.data, id: event.id))
                }
            }
        }
    }

    /// The output as `--json` would write it.
    static func json(_ output: Output) async throws -> [UInt8] {
        let sink = MemorySink()
        try await OutputWriter(OutputWriter.Style(form: .json(""))).write(output, to: sink)
        return Array(sink.text.utf8)
    }
}

extension HTTPResponse {
    /// The answer to a change, with the id by which `POST /api/undo` takes it back.
    func naming(_ operation: Operation) -> HTTPResponse {
        var response = self
        response.headers["Hub-Operation"] = operation.id
        return response
    }
}

extension WebRoute {
    /// `GET /ID`: the page that a plugin declares, in the frame of all pages; nil when it has none.
    package static func page(of descriptor: PluginDescriptor, in shell: WebShell) -> WebRoute? {
        guard let page = descriptor.page else { return nil }
        let id = descriptor.id
        let own = page.content.isEmpty ? descriptor.entities.first.map(EntityHTML.init) : nil
        let layout = HTMLLayout(
            title: descriptor.pageTitle, place: id,
            toolbar: own?.toolbar ?? String(decoding: page.toolbar, as: UTF8.self),
            body: own?.body ?? String(decoding: page.content, as: UTF8.self),
            entities: descriptor.entities.isEmpty ? "" : EntityHTML.json(descriptor.entities),
            styles: page.styles.map { "/\(id)/\($0.name).css" },
            script: page.modules.first.map { "/\(id)/\($0.name).js" } ?? "/assets/entity.js")
        return WebRoute(.get, "/\(id)") { _, _ in await shell.page(layout) }
    }
}
