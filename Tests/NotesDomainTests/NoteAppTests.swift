import JSON
import NotesDomain
import Testing

/// The wire of NoteApp, row by row (sheet §1.2, §1.3, §2, §2.1, §4.3).
struct NoteAppTests {
    private static let digits = "64d3c1f0a1b2c3d4e5f60718"
    private let id = NoteAppID(digits)!  // 24 digits, see above.

    private func json(_ reply: NoteAppReply) -> String { String(decoding: reply.body, as: UTF8.self) }

    // MARK: REST

    @Test func `each answer has the status and the exact body of the original`() {
        let note = NoteAppNote(id: id, title: "Shopping", content: "- milk\n", access: ["A", "B"], owner: "A")
        let rows: [(NoteAppReply, Int, String)] = [
            (.notes([]), 200, "[]"),
            (
                .notes([note, note]), 200,
                """
                [{"_id":"64d3c1f0a1b2c3d4e5f60718","title":"Shopping","content":"- milk\\n","access":["A","B"],"owner":"A"},\
                {"_id":"64d3c1f0a1b2c3d4e5f60718","title":"Shopping","content":"- milk\\n","access":["A","B"],"owner":"A"}]
                """
            ),
            (
                .note(note), 200,
                """
                {"_id":"64d3c1f0a1b2c3d4e5f60718","title":"Shopping","content":"- milk\\n","access":["A","B"],"owner":"A"}
                """
            ),
            (.inserted(id), 201, #"{"acknowledged":true,"insertedId":"64d3c1f0a1b2c3d4e5f60718"}"#),
            (.updated, 200, #"{"message":"Note updated successfully."}"#),
            (.deleted, 200, #"{"message":"Note deleted successfully."}"#),
            (.notFound, 404, #"{"message":"Note not found."}"#),
            (.refused(.invalidID), 400, #"{"message":"The id must be 24 hexadecimal digits."}"#),
        ]
        for (reply, status, body) in rows {
            #expect(reply.status == status)
            #expect(json(reply) == body)
            #expect(!json(reply).contains("null"))
        }
    }

    @Test(arguments: [
        (AccessRefusal.authenticationRequired, 401), (.locked, 403), (.ownerOnly, 403), (.readOnly, 403),
        (.readerOnly, 403),
        (.alreadyUnlocked, 409), (.notMember, 409),
    ])
    func `each refusal has a status`(refusal: AccessRefusal, status: Int) {
        #expect(NoteAppReply.refused(NoteAppError(refusal)).status == status)
    }

    @Test(arguments: [
        ("64d3c1f0a1b2c3d4e5f60718", "64d3c1f0a1b2c3d4e5f60718"),
        ("64D3C1F0A1B2C3D4E5F60718", "64d3c1f0a1b2c3d4e5f60718"),
        ("abcdefghijkl", "unknown"), ("zzz", "invalid"), ("", "invalid"), ("64d3c1f0a1b2c3d4e5f6071", "invalid"),
        ("64d3c1f0a1b2c3d4e5f60718a", "invalid"), ("64d3c1f0a1b2c3d4e5f6071g", "invalid"), ("éééééé", "invalid"),
        ("64d3c1f0a1b2c3d4e5f6071\0", "invalid"),
    ])
    func `an id is 24 digits of either case, and nothing else ends anything`(segment: String, expected: String) {
        switch NoteAppID.lookUp(segment) {
        case .id(let id): #expect(id.text == expected)
        case .unknown: #expect(expected == "unknown")
        case .invalid: #expect(expected == "invalid")
        }
    }

    @Test func `an id of bytes has 24 digits`() {
        #expect(NoteAppID([0, 1, 255, 16] + [UInt8](repeating: 7, count: 8)).text == "0001ff100707070707070707")
        #expect(NoteAppID([1]).text == "010000000000000000000000")
    }

    private static let whole = #"{"title":"t","content":"c","access":["A"],"owner":"A"}"#

    private func draft(_ body: String, _ type: String? = "application/json", _ purpose: NoteAppDraft.Purpose = .replace)
        throws(NoteAppError) -> NoteAppDraft
    {
        try NoteAppDraft(Array(body.utf8), contentType: type, purpose)
    }

    private func status(
        _ body: String, _ type: String? = "application/json", _ purpose: NoteAppDraft.Purpose = .replace
    )
        -> Int
    {
        do throws(NoteAppError) {
            _ = try draft(body, type, purpose)
            return 200
        } catch {
            return error.status
        }
    }

    @Test func `four fields are read and all others ignored`() throws {
        let read = try draft(#"{"_id":"9B1D","title":"a\/b","content":"c","access":["A","B","A"],"owner":"A","x":[1]}"#)
        #expect(read == NoteAppDraft(title: "a/b", content: "c", access: ["A", "B"], owner: "A"))
        #expect(try draft(#"{"title":"1","title":"2","content":"","access":[],"owner":"A"}"#).title == "2")
        #expect(try draft(#"{"title":"\ud800","content":"","access":[],"owner":"A"}"#).title == "\u{FFFD}")
        #expect(try draft("\u{FEFF}" + Self.whole).title == "t")
        let damaged = Array(#"{"title":""#.utf8) + [0xFF] + Array(#"","content":"","access":[],"owner":"A"}"#.utf8)
        #expect(try NoteAppDraft(damaged, contentType: "application/json", .replace).title == "\u{FFFD}")
    }

    @Test(arguments: [
        ("", 400), ("{", 400), ("123", 400), ("\"text\"", 400), ("null", 400), ("[1]", 400), ("{}", 400),
        (#"{"title":"only"}"#, 400), (#"{"title":null,"content":"c","access":[],"owner":"A"}"#, 400),
        (#"{"title":1,"content":"c","access":[],"owner":"A"}"#, 400),
        (#"{"title":"t","content":{},"access":[],"owner":"A"}"#, 400),
        (#"{"title":"t","content":"c","access":"A","owner":"A"}"#, 400),
        (#"{"title":"t","content":"c","access":["A",null],"owner":"A"}"#, 400),
        (#"{"title":"t","content":"c","access":[],"owner":null}"#, 400), (whole, 200),
    ])
    func `what would be stored as null is refused`(body: String, expected: Int) {
        #expect(status(body) == expected)
    }

    @Test(arguments: [
        ("application/json", 200), ("Application/JSON; charset=UTF-8", 200),
        ("application/json;charset=\"utf-8\"", 200),
        ("application/json; charset=latin1", 415), ("text/plain", 415), ("application/vnd.api+json", 415), ("", 415),
    ])
    func `only JSON in UTF-8 is a body`(type: String, expected: Int) {
        #expect(status(Self.whole, type) == expected)
        #expect(status(Self.whole, nil) == 415)
    }

    @Test func `a new note belongs to its maker`() throws {
        let bare = #"{"title":"t","content":""}"#
        #expect(try draft(bare, "application/json", .create(caller: "ada")).access == ["ada"])
        #expect(try draft(bare, "application/json", .create(caller: "ada")).owner == "ada")
        #expect(status(bare, "application/json", .create(caller: "")) == 400)
        #expect(status(bare) == 400)
        let error = #expect(throws: NoteAppError.self) { try draft(#"{"content":""}"#) }
        #expect(error?.message == #"Missing: "title", "owner", "access"."#)
    }

    @Test func `notes over the original's limit are taken, over ours refused with the limit`() {
        func body(_ count: Int) -> String {
            #"{"title":"t","content":"\#(String(repeating: "x", count: count))","access":[],"owner":"A"}"#
        }
        #expect(status(body(102_401)) == 200)
        #expect(status(body(NoteLimits.content)) == 200)
        #expect(status(body(NoteLimits.content + 1)) == 413)
        #expect(status(body(NoteAppDraft.maximumBody)) == 413)
    }

    @Test func `what the client writes the server reads, and back`() throws {
        let sent = NoteAppDraft(title: "é\n", content: "\"\\\u{1F600}", access: ["A"], owner: "A")
        #expect(try NoteAppDraft(sent.encoded(id: "uuid"), contentType: "application/json", .replace) == sent)
        #expect(NoteAppReply.insertedID(NoteAppReply.inserted(id).body) == id)
        #expect(NoteAppReply.insertedID(NoteAppReply.notFound.body) == nil)
        let note = NoteAppNote(id: id, title: "t", content: "", access: [], owner: "")
        #expect(try NoteAppNote.list(NoteAppReply.notes([note]).body) == [note])
        let damaged = #"[{"_id":"\#(Self.digits)","title":null,"content":null,"access":null,"owner":null}]"#
        #expect(try NoteAppNote.list(Array(damaged.utf8)).isEmpty)
        #expect(throws: NoteAppError.self) { try NoteAppNote.list(Array("<html>".utf8)) }
    }

    static let routes: [(String, String, NoteAppRoute)] = [
        ("GET", "/api/notes", .list), ("GET", "/API/Notes/", .list), ("HEAD", "/api/notes?x=1", .list),
        ("POST", "/api/notes", .create), ("OPTIONS", "/api/notes", .options(allow: "GET,HEAD,POST")),
        ("OPTIONS", "/api/notes/1", .options(allow: "GET,HEAD,PUT,DELETE")), ("PATCH", "/api/notes", .notFound),
        ("PUT", "/api/notes", .notFound), ("DELETE", "/api/notes", .notFound), ("POST", "/api/notes/1", .notFound),
        ("PATCH", "/api/notes/1", .notFound), ("GET", "/api/notes/AbC", .read(id: "AbC")),
        ("HEAD", "/api/notes/1/", .read(id: "1")), ("PUT", "/Api/notes/1", .replace(id: "1")),
        ("DELETE", "/api/notes/%41%c3%a9", .delete(id: "Aé")), ("GET", "/api/notes/a/b", .notFound),
        ("GET", "/", .notFound),
        ("GET", "", .notFound), ("GET", "/api/note", .notFound), ("GET", "/x/api/notes", .notFound),
        ("GET", "/api/notes/%zz", .badRequest), ("GET", "/api/notes/%4", .badRequest),
        ("PUT", "/api/notes/%ff", .badRequest),
    ]

    @Test(arguments: routes)
    func `each route of the original`(method: String, target: String, route: NoteAppRoute) {
        #expect(NoteAppRoute(method: method, target: target) == route)
    }

    // MARK: WebSocket

    @Test func `the three events of the server are objects of three strings in order`() {
        #expect(
            NoteAppEvent.inserted(id, owner: "A").text
                == #"{"method":"insertOne","id":"64d3c1f0a1b2c3d4e5f60718","deviceId":"A"}"#)
        #expect(
            NoteAppEvent.updated("64D3C1F0A1B2C3D4E5F60718", owner: "A").text
                == #"{"method":"update","id":"64D3C1F0A1B2C3D4E5F60718","deviceId":"A"}"#)
        #expect(
            NoteAppEvent.deleted(Self.digits).text
                == #"{"method":"delete","id":"64d3c1f0a1b2c3d4e5f60718","deviceId":""}"#)
    }

    @Test func `an access request is relayed without blanks`() throws {
        let frame = #" { "deviceId" : "B", "id":"\#(Self.digits)", "method":"x", "method":"accessRequest", "n": 1 } "#
        let event = try NoteAppEvent(fromClient: frame.utf8)
        #expect(event.text == #"{"method":"accessRequest","id":"\#(Self.digits)","deviceId":"B"}"#)
        let reasoned = NoteAppEvent(.accessRequest, id: Self.digits, deviceId: "B", reason: "please")
        #expect(try NoteAppEvent(fromClient: reasoned.text.utf8) == reasoned)
    }

    static let frames: [(String, NoteAppEvent.Rejection)] = [
        ("hello", .invalidJSON), ("", .invalidJSON), ("\u{FF}", .invalidJSON), ("123", .invalidObject),
        ("null", .invalidObject), ("[]", .invalidObject), (#"{"bin":1}"#, .invalidObject),
        (#"{"method":"accessRequest","id":1,"deviceId":"B"}"#, .invalidObject),
        (#"{"method":"accessRequest","id":"\#(digits)"}"#, .invalidObject),
        (#"{"method":"insertOne","id":"\#(digits)","deviceId":"B"}"#, .serverOnly(.insertOne)),
        (#"{"method":"update","id":"\#(digits)","deviceId":"B"}"#, .serverOnly(.update)),
        (#"{"method":"delete","id":"\#(digits)","deviceId":""}"#, .serverOnly(.delete)),
        (#"{"method":"shout","id":"\#(digits)","deviceId":"B"}"#, .unknownMethod),
        (#"{"method":"accessRequest","id":"zzz","deviceId":"B"}"#, .invalidValue),
        (#"{"method":"accessRequest","id":"\#(digits)","deviceId":""}"#, .invalidValue),
        (
            #"{"method":"accessRequest","id":"\#(digits)","deviceId":"\#(String(repeating: "B", count: 300))"}"#,
            .invalidValue
        ),
    ]

    @Test(arguments: frames)
    func `what a client may not send reaches nobody`(frame: String, rejection: NoteAppEvent.Rejection) {
        #expect(throws: rejection) { try NoteAppEvent(fromClient: frame.utf8) }
    }

    @Test func `a client ignores what it does not know`() {
        #expect(NoteAppEvent(fromServer: #"{"method":"later","id":"","deviceId":""}"#.utf8) == nil)
        #expect(NoteAppEvent(fromServer: "[]".utf8) == nil)
        #expect(NoteAppEvent(fromServer: NoteAppEvent.deleted("x").text.utf8) == .deleted("x"))
    }
}
