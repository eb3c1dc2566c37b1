import Compression
import Hashing
import HubKit
import NotesDomain
import WebSocket

/// One client of NoteApp's interface: a request to its routes, or its WebSocket.
struct NoteAppEndpoint: Sendable {
    let notes: NotesPlugin
    let request: ListenerRequest

    private var actor: NotesDomain.Actor { request.client.map { .account($0) } ?? .anonymous }

    /// The address of the client, and its account if it has one.
    private var client: String { request.client.map { "\($0)@\(request.peer)" } ?? request.peer }

    /// What tells this client apart from others at its address: its program, and what a proxy says of where it is. Someone who
    /// claims to be elsewhere is still told apart from those who are there.
    private var reader: String {
        let fields = (["user-agent"] + Self.forwarding).map { request.headers[$0] ?? "" }
        return "\(client) \(String(FNV1a.hash(Array(fields.joined(separator: "\n").utf8)), radix: 16))"
    }

    /// The header fields in which a proxy says where a client is.
    private static let forwarding = ["forwarded", "x-forwarded-for"]

    /// The connection of the client; nil behind a proxy, which sends the requests of a client over any of its own.
    private var connection: UInt64? {
        Self.forwarding.contains { request.headers[$0] != nil } ? nil : request.connection
    }

    // MARK: Routes

    /// Answers a request.
    func answer() async throws -> ListenerResponse {
        if case .options(let allow) = NoteAppRoute(method: request.method, target: request.path) {
            return ListenerResponse(
                headers: [("Allow", allow), ("Content-Type", "text/html; charset=utf-8")], body: Array(allow.utf8))
        }
        let body: [UInt8]
        do throws(NoteAppError) { body = try plainBody() } catch { return response(.refused(error)) }
        let asked = NoteAppRequest(
            request.method, request.path, contentType: request.headers["content-type"], body: body, client: client,
            reader: reader, connection: connection, actor: actor)
        let answer = try await notes.answer(asked, legacy: notes.serverSettings.legacy)
        var response = response(answer.reply)
        if let revision = answer.revision, try await isStillKnown() { response.holds = holds(at: revision) }
        return response
    }

    /// The body without compression, which the original takes too. A small body may hold a large one, so it is limited while it is
    /// decompressed.
    private func plainBody() throws(NoteAppError) -> [UInt8] {
        let encoding = request.headers["content-encoding"]?.lowercased() ?? "identity"
        if encoding == "identity" || request.body.isEmpty { return request.body }
        guard ["gzip", "x-gzip", "deflate"].contains(encoding) else {
            throw NoteAppError(415, "The Content-Encoding must be gzip, deflate or identity.")
        }
        do throws(InflateError) {
            return try Inflate.decompressed(request.body, limit: NoteAppDraft.maximumBody)
        } catch {
            switch error {
            case .broken: throw NoteAppError(400, "The body is not \(encoding).")
            case .tooLarge(let limit): throw NoteAppError(413, "The body is larger than \(limit) bytes.")
            case .libraryMissing: throw NoteAppError(415, "This server cannot decompress a body; send it as it is.")
            }
        }
    }

    /// Whether the client has its account. It was looked up before the revision of the answer was, so it may have lost it
    /// meanwhile; then it gets this answer, and no other.
    private func isStillKnown() async throws -> Bool {
        guard let client = request.client else { return true }
        guard let token = request.bearerToken else { return false }
        return try await notes.person(withToken: token) == client
    }

    /// An answer holds until the next commit of any process; that of an account is made again now and then, so that the use of
    /// its token is recorded.
    private func holds(at revision: Int) -> @Sendable () -> Bool {
        let (store, clock) = (notes.serverStore, notes.clock)
        let end = request.client.map { _ in clock.monotonicNow + .seconds(60) }
        return { store.revision == revision && end.map { clock.monotonicNow < $0 } != false }
    }

    private func response(_ reply: NoteAppReply) -> ListenerResponse {
        var response = ListenerResponse(
            status: reply.status, headers: [("Content-Type", NoteAppReply.contentType)], body: reply.body)
        if reply.status == 401 { response.headers.append(("WWW-Authenticate", "Bearer")) }
        guard reply.status == 200, request.method == "GET" || request.method == "HEAD" else { return response }
        let tag = "W/\"\(String(response.body.count, radix: 16))-\(String(FNV1a.hash(response.body), radix: 16))\""
        response.headers += [("ETag", tag), ("Cache-Control", "no-cache")]
        let known = request.headers["if-none-match"]?.split(separator: ",").map { $0.filter { $0 != " " } } ?? []
        guard known.contains("*") || known.contains(tag) else { return response }
        return ListenerResponse(status: 304, headers: response.headers.filter { $0.name != "Content-Type" })
    }

    // MARK: WebSocket

    /// Notes where the store is before the handshake is answered, since a client is told of all that happens from then on.
    func open() async throws -> WebSocketEndpoint.Service {
        let start = try await notes.listenStart()
        return { try await serve($0, since: start) }
    }

    /// Serves a WebSocket: it gets the messages of the server, and takes in requests for access.
    ///
    /// It and what it calls are not inlined: the frame of an async function lives as long as the WebSocket.
    @inline(never)
    private func serve(_ peer: any WebSocketPeer, since start: ListenStart) async throws {
        if let refusal = try await notes.refusalToListen(of: actor) {
            return peer.close(.policyViolation, reason: refusal.message)
        }
        try await notes.withListener(peer, actor, reader: reader, since: start) {
            while let message = await peer.receive() { try await take(message, peer) }
        }
    }

    @inline(never)
    private func take(_ message: WebSocketConnection.Message, _ peer: any WebSocketPeer) async throws {
        let frame: [UInt8] =
            switch message {
            case .text(let text): Array(text.utf8)
            case .binary(let bytes): bytes
            }
        do {
            try await notes.takeFrame(frame, from: actor)
        } catch let rejection as NoteAppEvent.Rejection {
            peer.send(.text(NoteAppEvent.refusal(rejection.message)))
        } catch let error as NoteAppError {
            peer.send(.text(NoteAppEvent.refusal(error.message)))
        }
    }
}
