import Contacts
import HubKit
import HubKitTesting
import HubRuntimeTesting
import TestSupport
import Testing

@testable import HubRuntime

/// The daemon's report on its services to other processes.
struct ServiceReportsTests {
    private let policy = RestartPolicy.standard

    private func reports() throws -> (ServiceReports, TestHub) {
        let fixture = try TestHub(ContactsPlugin.self)
        let hub = fixture.hub()
        try Directory.make(try #require(hub.directories.runtime))
        return (ServiceReports(hub), fixture)
    }

    @Test func `what was written is read, each state by its word, a long error in one line`() throws {
        let (reports, fixture) = try reports()
        var running = ServiceHealth(policy: policy)
        _ = running.start()
        running.began(at: fixture.clock.now)
        var restarting = running
        _ = restarting.ended("the server\tsaid\nno", at: fixture.clock.now, jitter: 0)
        reports.write([
            ServiceReport(id: "web", health: running), ServiceReport(id: "notes/sync", health: restarting),
            ServiceReport(id: "events", health: ServiceHealth(policy: policy)),
        ])
        let lines = reports.read()
        #expect(lines.map(\.service) == ["web", "notes/sync", "events"])
        #expect(lines.map(\.state) == ["running", "restarting", "stopped"])
        #expect(lines[1].detail.contains("the server") && lines[1].detail.contains("no"))
        withExtendedLifetime(fixture) {}
    }

    @Test func `there is nothing to read before the daemon told, nor after it ended`() throws {
        let (reports, fixture) = try reports()
        #expect(reports.read() == [])
        reports.write([ServiceReport(id: "web", health: ServiceHealth(policy: policy))])
        reports.remove()
        #expect(reports.read() == [])
        withExtendedLifetime(fixture) {}
    }

    @Test func `a file that no daemon wrote is no status`() throws {
        let (reports, fixture) = try reports()
        let path = try #require(fixture.hub().directories.runtime).dropFirst(fixture.folder.path.count + 1)
        try fixture.folder.write("two\tcells\n\n\u{0}\nweb\trunning\tfine\tfar\n", to: "\(path)/services")
        #expect(reports.read() == [ServiceReports.Line(service: "web", state: "running", detail: "fine\tfar")])
    }
}
