import DAVServer
import Dictofun
import HubKit
import HubKitTesting
import HubRuntimeTesting
import Notes
import Storage
import TestSupport
import Testing
import WebServer

@testable import HubRuntime

/// Notes, records and kept calendars on a device, through all parts but the socket.
struct DeviceDocumentTests {
    private let test: TestHub
    private let hub: Hub
    private let app: DeviceApp
    private let user: String

    init() async throws {
        test = try TestHub(NotesPlugin.self, DictofunPlugin.self)
        hub = test.hub()
        let store = DeviceStore(try hub.database())
        user = "laptop:\(try await store.add("laptop", scopes: [.tasks, .notes, .records], isReadOnly: false))"
        app = DeviceApp(
            [], folders: try DeviceListener.folders(hub), store: store,
            names: DeviceApp.hosts(of: .loopback(port: 4843), names: [], isEncrypted: false), clock: test.clock,
            requests: DeviceLog(hub), log: Log(label: "test") { _, _, _ in })
    }

    private func ask(
        _ method: String, _ path: String, bytes: [UInt8], _ headers: HTTPHeaders = [:]
    ) async throws -> HTTPResponse {
        var request = HTTPRequest(
            method: HTTPMethod(rawValue: method), target: try #require(RequestTarget(path)),
            headers: [
                "Host": "127.0.0.1:4843", "Authorization": "Basic " + Base64.encode(Array(user.utf8)),
                "User-Agent": "App/1.0",
            ], body: bytes)
        for field in headers.fields { request.headers[field.name] = field.value }
        return await app.respond(to: request)
    }

    private func ask(
        _ method: String, _ path: String, _ body: String = "", _ headers: HTTPHeaders = [:]
    ) async throws -> HTTPResponse { try await ask(method, path, bytes: Array(body.utf8), headers) }

    private func content(_ path: String) async throws -> String { try await ask("GET", path).text }

    @Test func `a note is a Markdown file, and a write is merged over what the device had`() async throws {
        let text = "---\naliases: [w]\ntags: [home]\n---\none\n\ntwo\n\nthree\n"
        let made = try await ask("PUT", "/notes/Water%20plan.md", text)
        #expect(made.status == 201 && made.headers["ETag"] != nil)
        #expect(try await content("/notes/Water%20plan.md") == text)
        let shown = await test.run("notes show 'Water plan'")
        #expect(shown.output.contains("two") && shown.output.contains("home"), "\(shown.all)")
        // The same bytes change nothing, an empty file does not empty the note.
        let history = await test.run("history").output
        #expect(try await ask("PUT", "/notes/Water%20plan.md", text).status == 204)
        #expect(try await ask("PUT", "/notes/Water%20plan.md", "").status == 204)
        #expect(await test.run("history").output == history)
        // Both sides change it, and the device says nothing of what it had.
        #expect(await test.run("notes append 'Water plan' four").exit == 0)
        let stale = text.replacing("one", with: "ONE")
        #expect(try await ask("PUT", "/notes/Water%20plan.md", stale).status == 204)
        #expect(try await content("/notes/Water%20plan.md") == stale + "four")
        #expect(try await ask("DELETE", "/notes/Water%20plan.md").status == 204)
        #expect(try await ask("GET", "/notes/Water%20plan.md").status == 404)
        #expect(await test.run("trash list").output.contains("Water plan"))
        await hub.close()
    }

    @Test func `a file that a note links to is its attachment, whichever comes first`() async throws {
        // The picture first, as programs that copy folders do; a name that needs an escape in the link.
        #expect(try await ask("MKCOL", "/notes/Trips").status == 201)
        let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0, 1, 2]
        let made = try await ask("PUT", "/notes/Trips/the%20map.png", bytes: picture)
        #expect(made.status == 201)
        #expect(try await ask("PUT", "/notes/Trips/rest.txt", "kept").status == 201)
        #expect(try await ask("PUT", "/notes/Trips/Plan.md", "![m](the%20map.png) and [s](sound.wav)\n").status == 201)
        let shown = await test.run("notes attachments Plan --json")
        #expect(shown.output.contains("Trips/the map.png") && !shown.output.contains("rest.txt"), "\(shown.all)")
        // The device sees the same file as before, once.
        let again = try await ask("GET", "/notes/Trips/the%20map.png")
        #expect(again.status == 200 && again.headers["ETag"] == made.headers["ETag"])
        let names = try await content("/notes/Trips/").split(separator: "\n")
        #expect(names == ["Plan.md", "rest.txt", "the map.png"], "\(names)")
        // The note first; and a file that gets its name afterwards.
        #expect(try await ask("PUT", "/notes/Trips/.part", bytes: [1, 2, 3]).status == 201)
        #expect(
            try await ask("MOVE", "/notes/Trips/.part", "", ["Destination": "/notes/Trips/sound.wav"]).status == 201)
        #expect(await test.run("notes attachments Plan --json").output.contains("Trips/sound.wav"))
        // A new content is that of the attachment, and a removal takes it from the note.
        #expect(try await ask("PUT", "/notes/Trips/the%20map.png", bytes: picture + [3]).status == 204)
        #expect(try await ask("DELETE", "/notes/Trips/sound.wav").status == 204)
        let left = await test.run("notes attachments Plan --json").output
        #expect(left.contains("the map.png") && !left.contains("Trips/sound.wav"), "\(left)")
        await hub.close()
    }

    @Test func `a note and its picture that come at once find each other`() async throws {
        for round in 0..<8 {
            async let note = ask("PUT", "/notes/At%20once%20\(round).md", "![m](picture\(round).png)\n")
            async let file = ask("PUT", "/notes/picture\(round).png", bytes: [UInt8(round), 1])
            #expect(try await [note.status, file.status] == [201, 201])
            let shown = await test.run("notes attachments 'At once \(round)' --json")
            #expect(shown.output.contains("\"picture\(round).png\""), "\(shown.all)")
        }
        await hub.close()
    }

    @Test func `editors that write beside a note or put it aside change that note`() async throws {
        _ = try await ask("PUT", "/notes/a.md", "one\n")
        let id = await test.run("notes list --plain=id").output
        // The new text is renamed over the note.
        _ = try await ask("GET", "/notes/a.md")
        #expect(try await ask("PUT", "/notes/.a.md.tmp", "one\ntwo\n").status == 201)
        #expect(
            try await ask("MOVE", "/notes/.a.md.tmp", "", ["Destination": "/notes/a.md"]).status == 204)
        #expect(try await content("/notes/a.md") == "one\ntwo\n")
        // The note is renamed away, written again, and the copy is removed.
        #expect(try await ask("MOVE", "/notes/a.md", "", ["Destination": "/notes/a.md~"]).status == 201)
        #expect(try await ask("GET", "/notes/a.md").status == 404)
        #expect(try await ask("PUT", "/notes/a.md", "one\ntwo\nthree\n").status == 201)
        #expect(try await ask("DELETE", "/notes/a.md~").status == 204)
        #expect(try await content("/notes/a.md") == "one\ntwo\nthree\n")
        #expect(await test.run("notes list --plain=id").output == id)
        await hub.close()
    }

    @Test func `folders hold notes and what programs keep beside them`() async throws {
        #expect(try await ask("MKCOL", "/notes/Trips").status == 201)
        #expect(try await ask("PUT", "/notes/Trips/Rome.md", "pack").status == 201)
        #expect(try await ask("PUT", "/notes/Trips/map.png", "png").status == 201)
        let list = try await ask("PROPFIND", "/notes/Trips", "", ["Depth": "1"]).text
        #expect(list.contains("/notes/Trips/Rome.md") && list.contains("/notes/Trips/map.png"))
        #expect(
            try await ask("MOVE", "/notes/Trips", "", ["Destination": "/notes/Travel"]).status == 201)
        #expect(try await content("/notes/Travel/Rome.md") == "pack")
        #expect(try await content("/notes/Travel/map.png") == "png")
        #expect(try await ask("GET", "/notes/Trips/Rome.md").status == 404)
        #expect(await test.run("notes list --json").output.contains("\"Travel\""))
        #expect(
            try await ask("MOVE", "/notes/Travel/Rome.md", "", ["Destination": "/notes/Travel/Milan.md"]).status == 201)
        #expect(await test.run("notes list").output.contains("Milan"))
        #expect(try await ask("DELETE", "/notes/Travel").status == 204)
        #expect(await test.run("trash list").output.contains("Milan"))
        await hub.close()
    }

    /// A second of a tone.
    private static func wave(_ pitch: Int) -> [UInt8] {
        func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 255) } }
        let samples = (0..<8000).flatMap { little(($0 * pitch) % 2000, 2) }
        return Array("RIFF".utf8) + little(36 + samples.count, 4) + Array("WAVEfmt ".utf8) + little(16, 4)
            + little(1, 2) + little(1, 2) + little(8000, 4) + little(16000, 4) + little(2, 2) + little(16, 2)
            + Array("data".utf8) + little(samples.count, 4) + samples
    }

    @Test func `an uploaded sound is a record, under whatever name it came`() async throws {
        let sound = Self.wave(7)
        #expect(try await ask("PUT", "/records/memo.wav", "").status == 201)
        let made = try await ask("PUT", "/records/memo.wav", bytes: sound)
        #expect(made.status == 204 && made.headers["ETag"] != nil)
        #expect(await test.run("dictofun list").output.contains("memo"))
        let part = try await ask("GET", "/records/memo.wav", "", ["Range": "bytes=0-3"])
        #expect(part.status == 206)
        #expect(part.text == "RIFF")
        // One is uploaded under another name first.
        #expect(try await ask("PUT", "/records/x.part", bytes: Self.wave(9)).status == 201)
        #expect(
            try await ask("MOVE", "/records/x.part", "", ["Destination": "/records/second.wav"]).status == 201)
        let list = try await ask("PROPFIND", "/records/", "", ["Depth": "1"]).text
        #expect(
            list.contains("/records/second.wav") && list.contains("<d:getcontentlength>\(sound.count)<")
                && !list.contains("x.part"), "\(list)")
        // What is no sound is kept as it is.
        #expect(try await ask("PUT", "/records/broken.wav", "no sound").status == 201)
        #expect(try await content("/records/broken.wav") == "no sound")
        #expect(
            try await ask("MOVE", "/records/memo.wav", "", ["Destination": "/records/Idea.wav"]).status == 201)
        #expect(await test.run("dictofun list").output.contains("Idea"))
        #expect(try await ask("DELETE", "/records/Idea.wav").status == 204)
        #expect(await test.run("trash list").output.contains("Idea"))
        await hub.close()
    }

    @Test func `subtitles lie beside a sound, are only read, and hide no file`() async throws {
        #expect(try await ask("PUT", "/records/memo.wav", bytes: Self.wave(7)).status == 201)
        #expect(try await ask("PUT", "/records/other.wav", bytes: Self.wave(11)).status == 201)
        #expect(try await ask("PUT", "/records/other.srt", "mine").status == 201)
        let body = #"{"segments":[{"text":"buy milk","at":[0,400]}]}"#
        try await hub.database().store(for: "dictofun").write(Operation("test")) { transaction in
            try transaction.run(
                """
                INSERT INTO dictofun_transcript (record, engine, is_rough, made_at, body)
                SELECT id, 'x', 0, 1, ? FROM dictofun_record
                """, body)
        }
        #expect(try await content("/records/memo.srt").contains("buy milk"))
        #expect(try await content("/records/other.srt") == "mine")
        let names = try await content("/records/").split(separator: "\n")
        #expect(names == ["memo.srt", "memo.wav", "other.srt", "other.wav"], "\(names)")
        #expect(try await ask("PUT", "/records/memo.srt", "x").status == 403)
        #expect(try await ask("DELETE", "/records/memo.srt").status == 403)
        let target: HTTPHeaders = ["Destination": "/records/notes.srt"]
        #expect(try await ask("MOVE", "/records/memo.srt", "", target).status == 403)
        #expect(try await ask("COPY", "/records/memo.srt", "", target).status == 201)
        #expect(try await content("/records/notes.srt").contains("buy milk"))
        #expect(try await ask("DELETE", "/records/other.srt").status == 204)
        #expect(try await content("/records/other.srt").contains("buy milk"))
        await hub.close()
    }

    /// The answer to a report, which is written in pieces.
    private func report(_ path: String, _ body: String, _ method: String = "REPORT") async throws -> String {
        let store = DeviceStore(try hub.database())
        let session = DeviceSession(
            try #require(try await store.device("laptop")), program: "App", operation: Identifier.make(), store: store,
            bursts: DeviceBursts())
        let calendars = KeptCalendars(try hub.database())
        let service = DAVService(try await calendars.collections(), calendars: calendars, for: session, zone: .utc)
        let response = try await service.respond(
            to: DAVRequest(method, path, headers: ["Depth": "1"], body: Array(body.utf8)))
        var content: [UInt8] = []
        switch response.body {
        case .bytes(let bytes): content = bytes
        case .stream(let produce): try await produce { content += $0 }
        }
        return String(decoding: content, as: UTF8.self)
    }

    private static func event(_ uid: String, _ lines: String...) -> String {
        (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//t//EN", "BEGIN:VEVENT", "UID:\(uid)"] + lines
            + ["END:VEVENT", "END:VCALENDAR", ""]).joined(separator: "\r\n")
    }

    @Test func `a calendar that a program makes keeps its events to the byte`() async throws {
        let body = """
            <c:mkcalendar xmlns:d='DAV:' xmlns:c='urn:ietf:params:xml:ns:caldav'><d:set><d:prop>\
            <d:displayname>Work</d:displayname><c:supported-calendar-component-set><c:comp name='VEVENT'/>\
            </c:supported-calendar-component-set></d:prop></d:set></c:mkcalendar>
            """
        #expect(try await ask("MKCALENDAR", "/tasks/errands", body).status == 201)
        #expect(try await ask("MKCALENDAR", "/tasks/errands", body).status == 405)
        let text = Self.event("1", "DTSTART:20261120T090000Z", "X-OTHER;P=\"a,b\":  odd")
        let made = try await ask("PUT", "/tasks/errands/a.ics", text, ["If-None-Match": "*"])
        #expect(made.status == 201 && made.headers["ETag"] != nil)
        #expect(try await content("/tasks/errands/a.ics") == text)
        #expect(try await ask("PUT", "/tasks/errands/b.ics", text).status == 409)
        #expect(try await ask("PUT", "/tasks/errands/a.ics", Self.event("2")).status == 403)
        #expect(
            try await ask("PUT", "/tasks/errands/c.ics", text.replacing("VEVENT", with: "VTODO")).status == 403)
        #expect(try await ask("PUT", "/tasks/errands/a.ics", text, ["If-Match": "\"old\""]).status == 412)
        let query = """
            <c:calendar-query xmlns:d='DAV:' xmlns:c='urn:ietf:params:xml:ns:caldav'><d:prop><d:getetag/></d:prop>\
            <c:filter><c:comp-filter name='VCALENDAR'><c:comp-filter name='VEVENT'>\
            <c:time-range start='20261120T000000Z' end='20261121T000000Z'/></c:comp-filter></c:comp-filter></c:filter>\
            </c:calendar-query>
            """
        #expect(try await report("/tasks/errands/", query).contains("/tasks/errands/a.ics"))
        let other = query.replacing("202611", with: "202612")
        #expect(try await !report("/tasks/errands/", other).contains("/tasks/errands/a.ics"))
        let named = try await report("/tasks/", "", "PROPFIND")
        #expect(named.contains("<d:displayname>Work</d:displayname>"))

        let sync = """
            <d:sync-collection xmlns:d='DAV:'><d:sync-token/><d:sync-level>1</d:sync-level><d:prop><d:getetag/></d:prop>\
            </d:sync-collection>
            """
        #expect(try await report("/tasks/errands/", sync).contains("/tasks/errands/a.ics"))
        test.clock.advance(by: .seconds(60))
        #expect(try await ask("DELETE", "/tasks/errands").status == 204)
        #expect(try await ask("GET", "/tasks/errands/a.ics").status == 404)
        let operation = try #require(await test.run("history --plain=id").output.split(separator: "\n").first)
        let undo = await test.run("undo \(operation)")
        #expect(undo.exit == 0, "\(undo.all)")
        #expect(try await content("/tasks/errands/a.ics") == text)
        #expect(try await report("/tasks/errands/", sync).contains("/tasks/errands/a.ics"))
        await hub.close()
    }
}
