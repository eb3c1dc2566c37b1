package import Commands

/// An HTTP endpoint of a plugin. HubRuntime has checked host, origin and login before it is called.
package struct Route: Sendable {
    /// The request methods that a plugin may answer (RFC 9110).
    package enum Method: String, Sendable {
        case get = "GET", post = "POST", put = "PUT", delete = "DELETE"
    }

    /// The request method.
    package let method: Method
    /// The path, with captures in braces: `/api/contacts/{id}`.
    package let pattern: String
    /// The summary, in a few lower-case words: the history and messages of undo show it.
    package let summary: String
    /// What programs have to know besides, for docs/api.md; nil for nothing.
    package let details: String?
    /// The fields of the query that it reads, for docs/api.md.
    package let query: [Parameter]
    /// An example of the JSON object in the body, with all members that it may have; nil for none. Its types are those of every body:
    /// null stands for any.
    package let body: String?
    /// The members that the body must have.
    package let required: [String]
    /// Whether the body is the bytes of a file.
    package let takesBytes: Bool
    /// The members of the answer, or of each of its rows, for docs/api.md; empty for an answer without a fixed form.
    package let fields: [FieldDescriptor]
    /// Whether the answer is an array, whose rows have ``fields``.
    package let isList: Bool
    /// Whether only hub's own pages may use it, and no program with a token: it deletes for good, shares, or changes settings.
    package let isForPages: Bool
    /// Whether it is meant for items in the trash too, such as their history.
    package let isOpenToTrash: Bool
    /// The item that its path names; nil for none. It follows from the entities of the plugin.
    package var item: RouteItem?
    /// Answers one request.
    package let answer: @Sendable (any PluginHost, RouteRequest) async throws -> RouteAnswer

    /// A field of the query.
    package struct Parameter: Hashable, Sendable {
        /// The name.
        package let name: String
        /// The value, in a few lower-case words.
        package let help: String
        /// The values that it may have.
        package let values: Values

        /// What a parameter may be.
        package enum Values: Hashable, Sendable {
            case text
            case integer(ClosedRange<Int>)
        }

        package init(_ name: String, _ help: String, _ values: Values = .text) {
            self.name = name
            self.help = help
            self.values = values
        }

        /// The place at which a part of a list begins, as the `Link` of the part before has it.
        package static let cursor = Parameter("cursor", "place after the part before, as its `Link` has it")

        /// The largest number of items in a part of a list.
        package static func limit(of many: String) -> Parameter {
            Parameter("limit", "maximum number of \(many)", .integer(1...500))
        }
    }

    /// Creates a route of the plugin `P`; `pattern` is a path with captures in braces.
    package init<P: Plugin>(
        _ method: Method, _ pattern: String, summary: String, details: String? = nil, query: [Parameter] = [],
        body: String? = nil, required: [String] = [], takesBytes: Bool = false,
        fields: [any FieldDeclaration] = [], isList: Bool = false, isForPages: Bool = false,
        isOpenToTrash: Bool = false,
        answer: @escaping @Sendable (P, RouteRequest) async throws -> RouteAnswer
    ) {
        self.method = method
        self.pattern = pattern
        self.summary = summary
        self.details = details
        self.query = query
        self.body = body
        self.required = required
        self.takesBytes = takesBytes
        self.fields = fields.map(\.descriptor)
        self.isList = isList
        self.isForPages = isForPages
        self.isOpenToTrash = isOpenToTrash
        self.answer = { host, request in try await answer(host.plugin(P.self), request) }
    }

    /// The route with the item that its path names, if it is one of these.
    func about(_ items: [RouteItem]) -> Route {
        guard let item = items.first(where: { $0.isNamed(in: pattern) }) else { return self }
        var route = self
        route.item = item
        return route
    }
}

/// The request to a route.
package struct RouteRequest: Sendable {
    /// The captures of the pattern, percent-decoded.
    package let captures: [String: String]
    /// The query's fields, percent-decoded; the last of several with one name.
    package let query: [String: String]
    /// The revision that `If-Match` asks for; where the path names an item it is one that the item has now. Nil without a condition.
    package let ifMatch: String?
    /// The value of `Last-Event-ID`: the last event that the client got before its connection broke.
    package let lastEventID: String?
    /// The body's bytes, at most as many as the listener allows.
    package let body: [UInt8]
    /// The operation under which changes are made.
    package let operation: Operation

    package init(
        captures: [String: String], query: [String: String], ifMatch: String?, lastEventID: String? = nil,
        body: [UInt8], operation: Operation
    ) {
        self.captures = captures
        self.query = query
        self.ifMatch = ifMatch
        self.lastEventID = lastEventID
        self.body = body
        self.operation = operation
    }
}

/// The response of a route.
package enum RouteAnswer: Sendable {
    /// The same value that a command returns, sent as JSON.
    case output(Output)
    /// One page of a list; `next` is the path and query of the next page, sent as a `Link` (RFC 8288).
    case page(Output, next: String?)
    /// The same with the status 201 and the path of the new item in `Location`.
    case created(Output, location: String)
    /// A file that is built into the program, such as a page.
    case asset([UInt8], contentType: String)
    /// A redirect to a path of this server (303).
    case seeOther(String)
    /// Bytes of known length, whole or in the range that the client asks for.
    case content(RouteContent)
    /// Bytes of unknown number. `send` returns when the client has taken in enough to go on, and throws when it is gone.
    case stream(contentType: String, @Sendable (_ send: ([UInt8]) async throws -> Void) async throws -> Void)
    /// A WebSocket (RFC 6455), which is closed when the closure returns. The closure is cancelled when the client goes away.
    case webSocket(RouteWebSocket)
    /// Server-sent events until the client goes away (WHATWG HTML §9.2).
    case events(@Sendable (_ send: (RouteEvent) async throws -> Void) async throws -> Void)
}

/// A WebSocket of a route. Its page opens it with the subprotocol of the route and, since a browser sends no header fields of a
/// page's own, with `hub-key.KEY` as another one.
package struct RouteWebSocket: Sendable {
    /// The subprotocols that the route speaks; the first of the client's that is among them is chosen.
    package let subprotocols: [String]
    /// The largest message, in bytes.
    package let messageSize: Int
    /// Serves the WebSocket.
    package let serve: @Sendable (any WebSocketPeer) async throws -> Void

    package init(
        subprotocols: [String] = [], messageSize: Int = 1 << 20,
        serve: @escaping @Sendable (any WebSocketPeer) async throws -> Void
    ) {
        self.subprotocols = subprotocols
        self.messageSize = messageSize
        self.serve = serve
    }
}

/// One event that a route pushes.
package struct RouteEvent: Hashable, Sendable {
    /// The name under which a page listens; without it, `message`.
    package let name: String?
    /// The text.
    package let data: String
    /// The value that a client sends back as `Last-Event-ID` when it reconnects.
    package let id: String?

    package init(name: String? = nil, data: String, id: String? = nil) {
        self.name = name
        self.data = data
        self.id = id
    }
}
