import Commands
import WebServer

/// The address of the page.
enum WebAddress {
    /// The address of the config file, `127.0.0.1:4820` unless set.
    static func configured(_ hub: Hub) throws -> SocketAddress {
        let text = try hub.configuration().core[HubKeys.webAddress]
        do {
            return try SocketAddress(text)
        } catch {
            throw HubError(listening: error)
        }
    }
}
