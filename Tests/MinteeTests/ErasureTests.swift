import HubKitTesting
import HubRuntimeTesting
import Mintee
import TestSupport
import Testing

/// The data left of a permanently deleted task.
struct ErasureTests {
    @Test func `what was destroyed is in no table and in no file of the store`() async throws {
        let hub = try TestHub(MinteePlugin.self)
        let data = hub.home + "/.local/share/hub"
        #expect(await hub.run("mintee new Read").exit == 0)
        let made = await hub.run("mintee new zqwname --on \"daily: 6 <= x <= 10\"")
        #expect(made.exit == 0, "\(made.all)")
        for line in [
            "mintee set zqwname notes=zqwnotes", "mintee up zqwname 4", "mintee tag zqwname zqwtag",
            "mintee note zqwname zqwday", "mintee skip zqwname --why zqwskip",
        ] { await hub.run(line) }
        #expect(Canary.isPresent("zqwname", in: data))
        #expect(await hub.run("mintee rm zqwname --yes").exit == 0)
        hub.clock.advance(by: .seconds(1))
        let emptied = await hub.run("trash empty --yes")
        #expect(emptied.exit == 0, "\(emptied.all)")
        Canary.expectGone(["zqwname", "zqwnotes", "zqwday", "zqwskip"], from: data)
        #expect(await hub.run("mintee list --plain").output.contains("Read"))
    }
}
