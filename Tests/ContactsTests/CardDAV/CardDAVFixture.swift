import HTTPClient
import HubKitTesting
import NetworkTestSupport
import Testing
import WebDAV

@testable import Contacts

/// Links to servers of a test's own.
enum CardDAVFixture {
    static func account(_ address: String, user: String = "ann") throws -> CardDAVAccount {
        let address = try #require(AccountAddress(address))
        let session = DAVSession(
            client: HTTPClient(HTTPConfiguration(proxy: .none)),
            timing: RetryTiming(now: { 1_800_000_000 }, sleep: { _ in }),
            credentials: HTTPCredentials(user: user, password: "secret"), scope: address.scope,
            patience: DAVTimeouts(
                deadlines: .patient,
                retry: .never))
        return CardDAVAccount(address, session: session)
    }

    static func card(_ uid: String, name: String = "Ann", note: String = "") -> [UInt8] {
        let note = note.isEmpty ? "" : "NOTE:\(note)\r\n"
        return Array(
            "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:\(uid)\r\nFN:\(name)\r\nN:\(name);;;;\r\n\(note)END:VCARD\r\n".utf8)
    }
}
