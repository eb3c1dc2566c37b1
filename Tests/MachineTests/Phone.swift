import DAVServer
import HubKit
import HubRuntimeTesting
import Storage
import Testing
import WebServer

@testable import HubRuntime

/// A phone of the tests, which changes what a machine has over CardDAV, CalDAV and WebDAV.
struct Phone: Sendable {
    let name: String
    /// Whether it writes only the lines that it knows.
    let dropsUnknownLines: Bool
    /// Whether it says which version it replaces.
    let sendsConditions: Bool
    private let password: String
    private let machine: Machine

    init(_ name: String, of machine: Machine, dropsUnknownLines: Bool, sendsConditions: Bool) async throws {
        self.name = name
        self.machine = machine
        self.dropsUnknownLines = dropsUnknownLines
        self.sendsConditions = sendsConditions
        password = try await machine.with {
            try await DeviceStore($0).add(name, scopes: [.contacts, .tasks, .notes, .records], isReadOnly: false)
        }
    }

    /// Replaces the note of a contact, in the way in which its app writes cards. One that is not there is left alone.
    /// - Returns: whether it was there.
    func setNote(_ note: String, of contact: String) async throws -> Bool {
        try await change("/contacts/all/\(contact).vcf") { text in
            lines(text, "NOTE:\(note)", in: "VCARD")
        }
    }

    /// Sets the note of the day of a task. Nothing is done if the task is not due on that day.
    /// - Returns: whether it is.
    func setNote(_ note: String, of task: String, on day: String) async throws -> Bool {
        try await change("/tasks/days/\(task)-\(day).ics") { text in
            lines(text, "DESCRIPTION:\(note)", in: "VTODO")
        }
    }

    /// Adds a line to the file of a note. One that is not there is left alone.
    /// - Returns: whether it was there.
    func append(_ line: String, to note: String) async throws -> Bool {
        try await change("/notes/\(note).md") { text in text + (text.hasSuffix("\n") ? "" : "\n") + line + "\n" }
    }

    /// Uploads a sound.
    func upload(_ sound: [UInt8], as file: String) async throws {
        try await with { app in
            let answer = await ask(app, "PUT", "/records/\(file)", sound)
            #expect((200..<300).contains(answer.status), "\(name): \(answer.status)")
        }
    }

    /// A text of content lines with one in the place of those of its name. What the app does not know goes if it drops that.
    private func lines(_ text: String, _ line: String, in component: String) -> String {
        var lines = text.split(separator: "\r\n").map(String.init)
        let name = line.prefix { $0 != ":" }
        lines.removeAll { $0.hasPrefix(name) || dropsUnknownLines && $0.hasPrefix("X-") }
        lines.insert(line, at: lines.lastIndex(of: "END:\(component)") ?? lines.count)
        return lines.joined(separator: "\r\n") + "\r\n"
    }

    private func change(_ path: String, _ edit: @Sendable (String) -> String) async throws -> Bool {
        try await with { app in
            let found = await ask(app, "GET", path)
            guard found.status == 200, case .bytes(let bytes) = found.body else { return false }
            let answer = await ask(
                app, "PUT", path, Array(edit(String(decoding: bytes, as: UTF8.self)).utf8),
                condition: sendsConditions ? found.headers["ETag"] : nil)
            #expect((200..<300).contains(answer.status), "\(name), \(path): \(answer.status)")
            return true
        }
    }

    private func with<T>(_ body: (DeviceApp) async throws -> T) async throws -> T {
        let hub = machine.test.hub()
        let app = DeviceApp(
            try DeviceListener.collections(hub), folders: try DeviceListener.folders(hub),
            store: DeviceStore(try hub.database()),
            names: DeviceApp.hosts(of: .loopback(port: 4843), names: [], isEncrypted: false), clock: machine.test.clock,
            requests: DeviceLog(hub), log: Log(label: "test") { _, _, _ in })
        do {
            let value = try await body(app)
            await hub.openedDatabase?.close()
            return value
        } catch {
            await hub.openedDatabase?.close()
            throw error
        }
    }

    private func ask(
        _ app: DeviceApp, _ method: String, _ path: String, _ body: [UInt8] = [], condition: String? = nil
    ) async -> HTTPResponse {
        guard let target = RequestTarget(path) else { return HTTPResponse(status: 400) }
        let type =
            path.hasSuffix(".vcf")
            ? "text/vcard" : path.hasSuffix(".ics") ? "text/calendar" : "application/octet-stream"
        var request = HTTPRequest(
            method: HTTPMethod(rawValue: method), target: target,
            headers: [
                "Host": "127.0.0.1:4843", "Content-Type": type, "User-Agent": "\(name)/1",
                "Authorization": "Basic " + Base64.encode(Array("\(name):\(password)".utf8)),
            ])
        if let condition { request.headers["If-Match"] = condition }
        request.body = body
        request.peer = "192.0.2.1"
        return await app.respond(to: request)
    }
}
