import HTTPClient
import NotesDomain
import Sync
import WebSocket

extension NoteServerConnection {
    /// The port of NoteApp's routes, whose WebSocket is on the next one.
    private static let noteAppPort = 3000

    /// Opens the WebSocket of the server, with hub's protocol where both ends speak it; nil if the server has none.
    ///
    /// A server of NoteApp has it on the port after that of its routes. The token goes there only where these are NoteApp's
    /// own ports, since anything may listen at others.
    func openSocket() async throws(RemoteError) -> NoteSocket? {
        if let socket = try await openSocket(at: base, withToken: true) { return socket }
        var next = base
        next.port += 1
        guard base.scheme == .http, base.port != base.scheme.defaultPort, next.port < 65_536 else { return nil }
        do throws(RemoteError) {
            return try await openSocket(at: next, withToken: base.port == Self.noteAppPort)
        } catch {
            guard case .unreachable = error else { throw error }
            return nil
        }
    }

    private func openSocket(at url: HTTPURL, withToken: Bool) async throws(RemoteError) -> NoteSocket? {
        var request = HTTPRequest(.get, url, deadlines: deadlines)
        if withToken, let token { request.headers["Authorization"] = "Bearer \(token)" }
        let client: HTTPClient
        do throws(HTTPError) { client = try await self.client(at: url) } catch { throw await remote(error) }
        do throws(WebSocketOpeningError) {
            return NoteSocket(
                try await client.openWebSocket(
                    request, subprotocols: NotesProtocol.offered,
                    limits: WebSocketConnection.Limits(messageSize: NotesProtocol.maximumFrame)))
        } catch {
            switch error {
            case .refused(.status(401)), .refused(.status(403)):
                throw .denied(reason: "\(url.host) does not accept the token")
            case .refused(.status(let status)) where status >= 500 || status == 429: throw .busy(retryAfter: nil)
            case .refused: return nil
            case .http(let error): throw await remote(error)
            }
        }
    }
}
