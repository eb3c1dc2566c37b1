import Contacts
import DAVServer
import HubKit
import HubKitTesting
import HubRuntimeTesting
import Mintee
import TestSupport
import Testing
import WebServer

@testable import HubRuntime

/// Requests of programs as they were recorded, in their order, through all parts but the socket.
///
/// The files in `Fixtures/Devices` have lines of these kinds: `#` a remark; `$` a command of hub; `>` a line of a request, its head
/// first and its body after an empty one; `<` the status of the answer; `+` and `-` a text that
/// the answer of the last request or command has or lacks; `=` a name and a pattern, whose first group is the value of `${name}` from
/// then on.
struct DeviceClientsTests {
    private let test: TestHub
    private let hub: Hub
    private let app: DeviceApp
    private let user: String

    init() async throws {
        test = try TestHub(ContactsPlugin.self, MinteePlugin.self)
        hub = test.hub()
        let store = DeviceStore(try hub.database())
        user = "phone:\(try await store.add("phone", scopes: [.contacts, .tasks], isReadOnly: false))"
        app = DeviceApp(
            try DeviceListener.collections(hub), store: store,
            names: DeviceApp.hosts(of: .loopback(port: 4843), names: [], isEncrypted: false), clock: test.clock,
            requests: DeviceLog(hub), log: Log(label: "test") { _, _, _ in })
    }

    @Test(arguments: [
        "thunderbird-contacts", "thunderbird-tasks", "evolution-contacts", "davx5-contacts", "davx5-tasks",
        "ios-contacts", "ios-reminders",
    ])
    func `a program gets what it needs, and its changes are merged`(recording: String) async throws {
        let path = Golden.folder() + "/../Fixtures/Devices/\(recording).txt"
        let text = Golden.read(path)
        var values: [String: String] = [:]
        var (request, answer): ([String], String) = ([], "")
        var number = 0
        var count = 0
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            number += 1
            guard let kind = line.first, kind != "#" else { continue }
            var rest = String(line.dropFirst().drop { $0 == " " })
            for (name, value) in values { rest.replace("${\(name)}", with: value) }
            let place = "\(recording):\(number)"
            switch kind {
            case "$":
                let run = await test.run(rest)
                #expect(run.exit == 0, "\(place): \(run.all)")
                answer = run.all
            case ">": request.append(rest)
            case "<":
                let response = try await send(request)
                request = []
                count += 1
                answer = try await response.text
                for field in response.headers.fields { answer += "\n\(field.name.lowercased()): \(field.value)" }
                #expect("\(response.status)" == rest, "\(place): \(answer)")
            case "+": #expect(answer.contains(rest), "\(place): \(answer)")
            case "-": #expect(!answer.contains(rest), "\(place): \(answer)")
            case "=":
                let words = rest.split(separator: " ", maxSplits: 1)
                let pattern = try Regex(String(words[1]), as: (Substring, Substring).self)
                let found = try #require(answer.firstMatch(of: pattern), "\(place): \(answer)")
                values[String(words[0])] = String(found.output.1)
            default: Issue.record("\(place): \(line)")
            }
        }
        #expect(count > 4 && request.isEmpty)
        await hub.close()
    }

    private func send(_ lines: [String]) async throws -> DeviceApp.Answer {
        let words = try #require(lines.first).split(separator: " ").map(String.init)
        let end = lines.firstIndex(of: "") ?? lines.count
        let body = lines.dropFirst(end + 1).joined(separator: "\r\n")
        var request = HTTPRequest(
            method: HTTPMethod(rawValue: words[0]), target: try #require(RequestTarget(words[1])),
            headers: ["Host": "127.0.0.1:4843"], body: Array(body.utf8))
        for line in lines[1..<end] {
            let colon = try #require(line.firstIndex(of: ":"))
            request.headers[String(line[..<colon])] = String(line[line.index(after: colon)...].drop { $0 == " " })
        }
        if request.headers["Authorization"] == "none" {
            request.headers["Authorization"] = nil
        } else {
            request.headers["Authorization"] = "Basic " + Base64.encode(Array(user.utf8))
        }
        return await app.answer(to: request)
    }
}
