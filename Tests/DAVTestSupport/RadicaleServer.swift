import NetworkTestSupport
import TestSupport

/// Radicale, which rewrites the cards that it is given. Its users are `ann` and `bob`, both with the password `secret`.
package enum RadicaleServer {
    package static let password = "secret"

    /// Starts one. It has no book yet; the home of a user is `/USER/`.
    package static func start() async throws -> PeerServer {
        try await PeerServer.start("radicale") { port, folder, data in
            let users = try folder.write("ann:\(password)\nbob:\(password)\n", to: "users")
            let configuration = """
                [server]
                hosts = 127.0.0.1:\(port)
                [auth]
                type = htpasswd
                htpasswd_filename = \(users)
                htpasswd_encryption = plain
                delay = 0
                [storage]
                filesystem_folder = \(data)
                [web]
                type = none
                [logging]
                level = warning
                """
            return ["--config", try folder.write(configuration, to: "config")]
        }
    }
}
