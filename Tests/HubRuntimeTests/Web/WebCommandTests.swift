import Contacts
import HubRuntimeTesting
import Testing

@testable import HubRuntime

/// `hub web` for this machine and for others.
struct WebCommandTests {
    private let hub: TestHub

    init() throws { hub = try TestHub(ContactsPlugin.self) }

    @Test func `a phone cannot reach a page of this machine alone`() async {
        let run = await hub.run("web --qr")
        #expect(run.output.isEmpty)
        #expect(run.messages.contains("127.0.0.1:4820 can be reached from this machine only"))
        #expect(run.messages.contains("hub config set hub.web.listen"))
    }

    @Test func `a proxy before the page has its own name, and encrypts`() async throws {
        _ = await hub.run("config set hub.web.names box.tail1234.ts.net")
        let run = await hub.run("web --qr mintee")
        #expect(run.exit != 0, "mintee is not in this hub")
        let code = await hub.run("web --qr contacts")
        #expect(code.output.contains("https://box.tail1234.ts.net/login?code="))
        #expect(!code.messages.contains("fingerprint"))
        #expect(await hub.run("web").output.contains("http://127.0.0.1:4820/login?code="))
    }

    @Test func `a phone learns how to trust the authority of hub`() async throws {
        _ = await hub.run("config set hub.web.listen 192.168.1.20:4820")
        let run = await hub.run("web --qr")
        #expect(run.messages.contains("https://192.168.1.20:4820/phone"))
        #expect(run.messages.firstMatch(of: /of the authority \(SHA-256\): (?:[0-9A-F]{2}:){31}[0-9A-F]{2}/) != nil)
        #expect(await !hub.run("web").messages.contains("/phone"))
        _ = await hub.run("config set hub.web.names box.local")
        #expect(await hub.run("web --qr").output.contains("https://box.local:4820/login"))
    }

    @Test func `a page for other machines is encrypted, and its certificate is named by its fingerprint`() async throws
    {
        _ = await hub.run("config set hub.web.listen 192.0.2.1:4820")
        let run = await hub.run("web --qr contacts")
        #expect(run.output.contains("https://192.0.2.1:4820/login?code="))
        #expect(run.output.contains("█▀"), "a QR code")
        let fingerprint = try #require(run.messages.firstMatch(of: /SHA-256\): ((?:[0-9A-F]{2}:){31}[0-9A-F]{2})/)).1
        #expect(await hub.run("web").messages.contains(fingerprint), "it stays the same")
    }

    @Test(arguments: [("certificate", "key"), ("key", "certificate")])
    func `half a certificate is refused`(set: String, missing: String) async {
        _ = await hub.run("config set hub.web.\(set) /etc/ssl/hub.pem")
        let run = await hub.run("web")
        #expect(run.messages.contains("the web page has no hub.web.\(missing)"))
        #expect(run.messages.contains("hub config set hub.web.\(missing) FILE"))
    }

    @Test func `all addresses at once have no name for a certificate`() async {
        _ = await hub.run("config set hub.web.listen 0.0.0.0:4820")
        #expect(await hub.run("web").messages.contains("means every address"))
    }

    @Test func `a dry run says which link it would print`() async {
        let run = await hub.run("web --dry-run")
        #expect((run.output + run.messages).contains("http://127.0.0.1:4820/"))
    }
}
