import DAVTestSupport
import HTTPClient
import NetworkTestSupport
import Sync
import Testing

@testable import WebDAV

/// Calendars on a real server.
@Suite(.timeLimit(.minutes(20)))
struct DAVCalendarPeerTests {
    private static func todo(_ uid: String, _ lines: String = "STATUS:NEEDS-ACTION\r\n") -> [UInt8] {
        Array(
            """
            BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test\r\nBEGIN:VTODO\r\nUID:\(uid)\r\n\
            DTSTAMP:20261120T120000Z\r\nSUMMARY:Read\r\n\(lines)END:VTODO\r\nEND:VCALENDAR\r\n
            """.utf8)
    }

    @Test func `a to-do's whole life`() async throws {
        let server = try await RadicaleServer.start()
        let account = try DAVFixture.account("http://127.0.0.1:\(server.port)", kind: .todos)
        let made = try await account.create("Mintee")
        #expect(made.name == "Mintee" && made.supported == ["VTODO"] && !made.isReadOnly)
        let second = try await account.create("Mintee")
        #expect(second.href != made.href, "the name of the folder was taken")
        #expect(try await account.collections().count == 2)
        let calendar = account.open(made.href)
        let empty = try await calendar.changes(since: nil)
        #expect(empty.isComplete && empty.entries.isEmpty)

        let uid = "task/2gd/day/2026-11-20"
        guard case .stored(let href, _) = try await calendar.create(Self.todo(uid), name: uid) else {
            Issue.record("not stored\n\(server.log)")
            return
        }
        #expect(try await calendar.create(Self.todo(uid), name: uid) == .nameTaken(href: href))
        #expect(try await calendar.create(Self.todo(uid), name: "other") == .uidTaken(href: nil))
        let grown = try await calendar.changes(since: empty.token)
        #expect(grown.entries.map(\.href) == [href])
        let item = try #require(try await calendar.fetch([href]).first)
        #expect(item.etag == grown.entries[0].etag)
        let done = Self.todo(uid, "STATUS:COMPLETED\r\nX-MINTEE-COMPLETION:4.5\r\n")
        #expect(try await calendar.update(href, to: done, ifMatch: "\"other\"") == .changedMeanwhile)
        guard case .stored(href, _) = try await calendar.update(href, to: done, ifMatch: item.etag) else {
            Issue.record("the update was not taken")
            return
        }
        let newer = try #require(try await calendar.fetch([href]).first)
        let text = String(decoding: newer.bytes, as: UTF8.self)
        #expect(text.contains("STATUS:COMPLETED\r\n") && text.contains("X-MINTEE-COMPLETION:4.5\r\n"))
        #expect(try await calendar.everything()?.map(\.etag) == [newer.etag])
        #expect(try await calendar.remove(href, ifMatch: item.etag) == .changedMeanwhile)
        #expect(try await calendar.remove(href, ifMatch: newer.etag) == .gone)
        #expect(try await calendar.changes(since: grown.token).removed == [href])
        await #expect(throws: RemoteError.tokenExpired) {
            try await calendar.changes(since: "http://radicale.org/ns/sync/none")
        }
        guard case .refused = try await calendar.create(Array("BEGIN:VCARD\r\nEND:VCARD\r\n".utf8), name: "x") else {
            Issue.record("a card was taken")
            return
        }
        try await account.remove(second.href)
        try await account.remove(made.href)
        #expect(try await account.collections().isEmpty)
    }
}
