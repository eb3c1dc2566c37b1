import Commands
import Contacts
import HubKit
import HubRuntimeTesting
import Mintee
import Storage
import Testing
import WebServer

@testable import HubRuntime

struct TodayLayoutTests {
    private func order(_ order: [String]) -> [String] {
        let plugins = [ContactsPlugin.descriptor, MinteePlugin.descriptor]
        return TodayLayout(order: order, hidden: []).arranged(plugins).map { TodayLayout.id($0.plugin, $0.section) }
    }

    @Test func `what is due comes first, then the further sections, unless the settings order them`() {
        #expect(order([]) == ["contacts", "mintee", "contacts/coming"])
        #expect(order(["contacts/coming", "mintee"]) == ["contacts/coming", "mintee", "contacts"])
        #expect(order(["gone", "mintee", "mintee"]) == ["mintee", "contacts", "contacts/coming"])
    }

    @Test func `a change that is sent again with its operation is not done again`() async throws {
        let hub = try TestHub(ContactsPlugin.self).hub()
        let made = Route(.post, "/api/contacts/made", summary: "make") { (_: ContactsPlugin, request) in
            .output(.done(request.operation.id))
        }
        let log = Log(label: "test") { _, _, _ in }
        func send(_ operation: String, isDone: Bool) async throws -> (done: Bool, operation: String) {
            var request = HTTPRequest(method: .post, target: try #require(RequestTarget("/api/contacts/made")))
            request.headers["Hub-Operation"] = operation
            let response = try await WebRoute(made, of: "contacts", host: hub, log: log) { _ in isDone }
                .handler(request, [:])
            guard case .bytes(let bytes) = response.body else { return (false, "") }
            return (bytes != Array("{}".utf8), response.headers["Hub-Operation"] ?? "")
        }
        let id = "7zx9a8dw0mtecqb5xtdp"
        #expect(try await send(id, isDone: false) == (true, id))
        #expect(try await send(id, isDone: true) == (false, id))
        // The history says what the page said.
        var request = HTTPRequest(method: .post, target: try #require(RequestTarget("/api/contacts/made")))
        request.headers["Hub-Words"] = "%E2%80%9CAda%E2%80%9D%0Aadded."
        let said = Route(.post, "/api/contacts/made", summary: "make") { (_: ContactsPlugin, request) in
            .output(.done(request.operation.commandLine))
        }
        let response = try await WebRoute(said, of: "contacts", host: hub, log: log).handler(request, [:])
        guard case .bytes(let bytes) = response.body else { return }
        #expect(String(decoding: bytes, as: UTF8.self).contains("page: “Ada” added."))
        // What is no id of an operation is ignored.
        for other in ["", "7zx", "1; DROP", "7zx9a8dw0mtecqb5xtdpx"] {
            let answer = try await send(other, isDone: true)
            #expect(answer.done && answer.operation != other, "\(other)")
        }
        await hub.openedDatabase?.close()
    }
}
