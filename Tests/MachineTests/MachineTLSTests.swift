import Certificates
import Contacts
import HTTPClient
import HubKit
import HubKitTesting
import HubRuntimeTesting
import Storage
import Sync
import Testing
import WebServer

@testable import HubRuntime

/// A pair over an encrypted connection, whose certificate the line names.
@MainActor
struct MachineTLSTests {
    @Test func `a hub joins by the fingerprint of the line, and trusts the authority from then on`() async throws {
        let (desk, laptop) = (try TestHub(ContactsPlugin.self), try TestHub(ContactsPlugin.self))
        #expect((await desk.run("contacts new Anna")).exit == 0)
        let home = desk.hub()
        let path = try OwnCertificates(home).path(for: ["127.0.0.1"])
        let store = DeviceStore(try home.database())
        let listener = try ListeningSockets().socket(on: .loopback(port: 0))
        let address = listener.address
        let app = DeviceApp(
            [], store: store, names: DeviceApp.hosts(of: address, names: [], isEncrypted: true),
            machines: MachineGate(
                MachineHome(try home.database(), name: "desk"), authority: OwnCertificates(home).authority),
            clock: desk.clock, requests: DeviceLog(home), log: Log(label: "test") { _, _, _ in })
        let server = try HTTPServer(listener, limits: ServerLimits(), identity: ServerIdentity(chain: path, key: path))
        {
            await app.respond(to: $0)
        }
        let text = String(decoding: try BoundedFile.read(path, limit: 100_000), as: UTF8.self)
        let fingerprint = try #require(
            CertificateText.fingerprint(of: text).flatMap { CertificateFingerprint(bytes: $0) })
        let code = try await store.addHub("laptop", endingAt: desk.clock.now + .seconds(600))
        let url = try #require(HTTPURL("https://127.0.0.1:\(address.port)/"))
        let line = JoinLine(url: url, name: "laptop", code: code, fingerprint: fingerprint)

        let hub = laptop.hub()
        let pairs = MachinePairs(hub)
        let other = JoinLine(
            url: url, name: "laptop", code: code,
            fingerprint: CertificateFingerprint(bytes: [UInt8](repeating: 7, count: 32)))
        await #expect(throws: HubError.self) { try await pairs.look(by: other) }
        let plan = try await pairs.look(by: line)
        #expect(plan.lines[0] == "desk has 1 contact; this machine has 0 contacts")
        let (access, machine, replica) = try await pairs.pair(by: line)
        try await pairs.join(machine, access, replica: replica)
        let report = try await pairs.sync("desk")
        #expect(report.received == ["contacts": 1])
        #expect(try await pairs.sync("desk").isQuiet)
        #expect(try await pairs.lines().map(\.waiting) == [0])
        await hub.close()
        // The file of the password is needed: a copy of the database has none.
        MachineAccess.remove("desk", hub)
        await #expect(throws: HubError.self) { try await MachinePairs(laptop.hub()).sync("desk") }
        await server.stop()
        await home.close()
    }

    @Test func `a clock that is years off is named where a certificate is refused for it`() throws {
        let url = try #require(HTTPURL("https://desk.local:4843/"))
        for problem in [TLSRefusal.Problem.expired, .notYetValid] {
            let error = HTTPError.tlsRefused(TLSRefusal(problem, at: url, reason: ""))
            #expect(HTTPMachineLink.hint(error).contains("date and the time"))
        }
        #expect(HTTPMachineLink.hint(.unreachable("refused")).contains("hub serve runs there"))
    }
}
