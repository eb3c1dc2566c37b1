import Contacts
import Glibc
import HubKit
import HubRuntimeTesting
import TestSupport
import Testing
import WebServer

@testable import HubRuntime

struct SlowDiskTests {
    private let hub: TestHub
    private let folder: TemporaryFolder

    init() throws {
        hub = try TestHub(ContactsPlugin.self)
        folder = try TemporaryFolder()
    }

    private func answer(_ route: Route, _ query: String = "") async throws -> [UInt8] {
        let target = try #require(RequestTarget(route.pattern + query))
        let response = try await WebRoute(
            route, of: "contacts", host: hub.hub(), log: Log(label: "test") { _, _, _ in }
        )
        .handler(HTTPRequest(method: .get, target: target), [:])
        guard case .bytes(let bytes) = response.body else { return [] }
        return bytes
    }

    @Test(.timeLimit(.minutes(20)))
    func `requests are answered while more others than the pool has threads wait for the disk`() async throws {
        let path = folder.path
        let (opened, hasOpened) = AsyncStream.makeStream(of: Void.self)
        // A file whose disk does not answer is a pipe whose writer does not write.
        let slow = Route(.get, "/api/contacts/slow", summary: "read a slow file") { (_: ContactsPlugin, request) in
            let reader = try await ChunkedFileReader(path: "\(path)/\(request.query["file"] ?? "")")
            hasOpened.yield()
            var bytes: [UInt8] = []
            while let chunk = try await reader.next() { bytes += chunk }
            return .asset(bytes, contentType: "text/plain")
        }
        let quick = Route(.get, "/api/contacts/quick", summary: "answer at once") { (_: ContactsPlugin, _) in
            .asset(Array("quick".utf8), contentType: "text/plain")
        }
        let writers = try (0..<sysconf(Int32(_SC_NPROCESSORS_ONLN)) + 2).map { number in
            try #require(mkfifo("\(path)/\(number)", 0o600) == 0)
            return open("\(path)/\(number)", O_RDWR | O_CLOEXEC)
        }
        let waiting = writers.indices.map { number in Task { try await answer(slow, "?file=\(number)") } }
        var openings = opened.makeAsyncIterator()
        for _ in writers { await openings.next() }
        #expect(try await answer(quick) == Array("quick".utf8))
        for writer in writers {
            #expect(write(writer, "slow", 4) == 4)
            close(writer)
        }
        for task in waiting { #expect(try await task.value == Array("slow".utf8)) }
    }
}
