import DAVServer
import HubKit
import HubRuntimeTesting
import Storage
import Testing
import WebServer

@testable import HubRuntime

/// A phone of the tests, which changes contacts of a machine over CardDAV.
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
            try await DeviceStore($0).add(name, scopes: [.contacts], isReadOnly: false)
        }
    }

    /// Replaces the note of a contact, in the way in which its app writes cards. One that is not there is left alone.
    func setNote(_ note: String, of contact: String) async throws {
        let hub = machine.test.hub()
        let app = DeviceApp(
            try DeviceListener.collections(hub), store: DeviceStore(try hub.database()),
            names: DeviceApp.hosts(of: .loopback(port: 4843), names: [], isEncrypted: false), clock: machine.test.clock,
            requests: DeviceLog(hub), log: Log(label: "test") { _, _, _ in })
        let path = "/contacts/all/\(contact).vcf"
        let card = await ask(app, "GET", path)
        if card.status == 200, case .bytes(let bytes) = card.body {
            var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
            lines.removeAll { $0.hasPrefix("NOTE") || dropsUnknownLines && $0.hasPrefix("X-") }
            lines.insert("NOTE:\(note)", at: lines.count - 1)
            let answer = await ask(
                app, "PUT", path, (lines.joined(separator: "\r\n") + "\r\n"),
                condition: sendsConditions ? card.headers["ETag"] : nil)
            #expect((200..<300).contains(answer.status), "\(name): \(answer.status)")
        }
        await hub.openedDatabase?.close()
    }

    private func ask(
        _ app: DeviceApp, _ method: String, _ path: String, _ body: String = "", condition: String? = nil
    ) async -> HTTPResponse {
        guard let target = RequestTarget(path) else { return HTTPResponse(status: 400) }
        var request = HTTPRequest(
            method: HTTPMethod(rawValue: method), target: target,
            headers: [
                "Host": "127.0.0.1:4843", "Content-Type": "text/vcard", "User-Agent": "\(name)/1",
                "Authorization": "Basic " + Base64.encode(Array("\(name):\(password)".utf8)),
            ])
        if let condition { request.headers["If-Match"] = condition }
        request.body = Array(body.utf8)
        request.peer = "192.0.2.1"
        return await app.respond(to: request)
    }
}
