import Dispatch
import Glibc
import HubKitTesting
import HubRuntimeTesting
import Storage
import Testing
import WebServer

@testable import HubRuntime

struct WebServiceTests {
    @Test(.timeLimit(.minutes(20)))
    func `a Python client logs in, reads, writes, listens and leaves`() async throws {
        let bus = EventBus()
        let access = WebAccess(store: MemoryCredentialStore(), bus: bus, clock: FixedClock(sleep: .lasts))
        var limits = ServerLimits()
        limits.headTime = .seconds(3600)
        limits.idleTime = .seconds(3600)
        limits.requestTime = .seconds(3600)
        limits.strangerTime = .seconds(3600)
        let service = try WebService(address: .loopback(port: 0), limits: limits) { address in
            let shell = try WebShell()
            return try WebApp(
                listeningOn: address, access: access, shell: shell,
                routes: SiteFixture.routes(in: shell) + [.live(bus)],
                log: Log(label: "test") { _, _, _ in })
        }
        let (addresses, ready) = AsyncStream.makeStream(of: SocketAddress.self)
        let running = Task { try await service.run { ready.yield($0) } }
        let address = try #require(await addresses.first { _ in true })
        let link = try await WebLogin.link(to: address, code: access.makeCode())
        var seen: [String] = []
        for await line in try pythonClient(link) {
            seen.append(line)
            if line.hasPrefix("live") { bus.announce(.some(["domain.things/thing-changed", "domain.other/moved"])) }
        }
        #expect(
            seen == [
                "before 403", "login 200", "cookie alone 403", "again 200", "read 200 7",
                "foreign 403", "write 200 [1]", "rebound 421",
                "live text/event-stream", #"data: {"topics":["domain.things/thing-changed"]}"#, "out 200", "after 403",
            ])
        running.cancel()
        try await running.value
    }

    /// The lines that `web_client.py` prints, as it prints them.
    private func pythonClient(_ link: String) throws -> AsyncStream<String> {
        let script = #filePath.replacing("WebServiceTests.swift", with: "web_client.py")
        let pipe = try #require(popen("exec python3 -u '\(script)' '\(link)' 2>&1", "r"))
        let (lines, source) = AsyncStream.makeStream(of: String.self)
        let stream = PipeStream(file: pipe)
        DispatchQueue(label: "test.python").async {
            while let line = stream.nextLine() { source.yield(line) }
            source.finish()
        }
        return lines
    }
}

/// A pipe from a child process. Sendable: one queue alone uses it after it was made.
private struct PipeStream: @unchecked Sendable {
    let file: UnsafeMutablePointer<FILE>

    /// The next line without its end; `nil` after the child has ended and was waited for.
    func nextLine() -> String? {
        var line: UnsafeMutablePointer<CChar>?
        var room = 0
        defer { free(line) }
        guard getline(&line, &room, file) > 0, let line else {
            pclose(file)
            return nil
        }
        let text = String(cString: line)
        return text.last == "\n" ? String(text.dropLast()) : text
    }
}
