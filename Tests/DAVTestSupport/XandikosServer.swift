/// xandikos, which keeps each card as it is given, in a git repository. It asks for no password.
package enum XandikosServer {
    /// Starts one with the principal `/user/` and the empty book `/user/contacts/addressbook/`.
    package static func start() async throws -> PeerServer {
        try await PeerServer.start("xandikos") { port, _, data in
            ["serve", "-d", data, "--defaults", "-l", "127.0.0.1", "-p", String(port)]
        }
    }
}
