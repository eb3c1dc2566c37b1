import CardDAVTestSupport
import ContactsDomain
import HTTPClient
import Testing

@testable import Contacts

/// Links to servers of a test's own.
enum CardDAVFixture {
    static func session(
        user: String? = "ann", patience: DAVPatience? = nil, certificateAuthorities: String? = nil
    ) -> DAVSession {
        DAVSession(
            client: HTTPClient(HTTPConfiguration(proxy: .none, certificateAuthorities: certificateAuthorities)),
            clock: StillClock(), credentials: user.map { HTTPCredentials(user: $0, password: "secret") },
            patience: patience
                ?? DAVPatience(
                    deadlines: HTTPDeadlines(connect: .seconds(10), idle: .seconds(10), total: .seconds(30)),
                    retry: .never))
    }

    /// The book `/ann/book/` of a scripted server.
    static func book(
        _ server: FaultServer, patience: DAVPatience? = nil, path: String = "/ann/book/"
    ) -> CardDAVBook {
        CardDAVBook(
            session: session(patience: patience),
            url: HTTPURL(scheme: .http, host: "127.0.0.1", port: server.port, path: path))
    }

    static func account(_ address: String, user: String? = "ann") throws -> CardDAVAccount {
        CardDAVAccount(try #require(AccountAddress(address)), session: session(user: user))
    }

    static func card(_ uid: String, name: String = "Ann", note: String = "") -> [UInt8] {
        let note = note.isEmpty ? "" : "NOTE:\(note)\r\n"
        return Array(
            "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:\(uid)\r\nFN:\(name)\r\nN:\(name);;;;\r\n\(note)END:VCARD\r\n".utf8)
    }
}
