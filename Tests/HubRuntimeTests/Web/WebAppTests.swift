import Hashing
import HubKitTesting
import HubRuntimeTesting
import Storage
import Testing
import WebServer

@testable import HubRuntime

struct WebAppTests {
    @Test func `a captured part of the path is decoded`() async throws {
        let fixture = try SiteFixture()
        #expect(try await fixture.ask(.get, "/api/things/a%2Fb%20c", cookie: fixture.logIn()).text == "a/b c")
    }

    @Test func `an unknown path and a wrong method say so`() async throws {
        let fixture = try SiteFixture()
        let cookie = try await fixture.logIn()
        let unknown = try await fixture.ask(.get, "/nowhere", cookie: cookie)
        let wrong = try await fixture.ask(.put, "/api/things/1", cookie: cookie, body: "{}")
        #expect(unknown.status == 404)
        #expect(unknown.errorCode == "no-such-page")
        #expect(wrong.status == 405)
        #expect(wrong.headers["Allow"] == "DELETE, GET, HEAD")
    }

    @Test func `an error of a use case becomes JSON with its status`() async throws {
        let fixture = try SiteFixture()
        let response = try await fixture.ask(.get, "/api/broken", cookie: fixture.logIn())
        #expect(response.status == 409)
        #expect(response.headers["Content-Type"] == "application/problem+json")
        #expect(
            response.text
                == #"{"type":"about:blank","title":"Conflict","status":409,"detail":"it moved \"on\"","code":"moved","exit":1,"#
                + #""details":["<here>"],"hint":"look again","problems":[]}"#)
    }

    @Test func `problems of single values stand beside the error`() async throws {
        let fixture = try SiteFixture()
        let response = try await fixture.ask(.get, "/api/refused", cookie: fixture.logIn())
        #expect(response.status == 422)
        let problems = try JSONReader.read(Array(response.text.utf8))["problems"]?.array
        #expect(problems?.first?["field"] == .string("birthday"))
        #expect(problems?.first?["index"] == .number("3"))
        #expect(problems?.first?["message"] == .string("no such day"))
        #expect(problems?.first?["hint"] == .null)
        #expect(problems?.last?["index"] == .null)
    }

    @Test func `what a handler did not foresee is not shown`() async throws {
        let fixture = try SiteFixture()
        let response = try await fixture.ask(.get, "/api/crash", cookie: fixture.logIn())
        #expect(response.status == 500)
        #expect(response.errorCode == "internal")
        #expect(!response.text.contains("CrashError"))
    }

    @Test func `text on a page cannot become markup`() async throws {
        let fixture = try SiteFixture()
        let page = try await fixture.ask(.get, "/things", cookie: fixture.logIn()).text
        #expect(page.contains("<title>Things &amp; &lt;more&gt; · hub</title>"))
        #expect(!page.contains("<more>"))
    }

    @Test(arguments: ["hub.css", "hub.js", "toast.js", "hub.svg"])
    func `a browser that holds an asset is not sent it again`(name: String) async throws {
        let fixture = try SiteFixture()
        let first = try await fixture.ask(.get, "/assets/\(name)")
        let tag = try #require(first.headers["ETag"])
        let again = try await fixture.ask(.get, "/assets/\(name)", headers: ["If-None-Match": "\"other\", W/\(tag)"])
        let other = try await fixture.ask(.get, "/assets/\(name)", headers: ["If-None-Match": "\"other\""])
        #expect(first.status == 200 && !first.text.isEmpty)
        #expect(again.status == 304 && again.text.isEmpty)
        #expect(other.status == 200)
    }

    @Test func `two routes at one address are refused at the start`() throws {
        let access = WebAccess(store: MemoryCredentialStore(), bus: EventBus(), clock: FixedClock())
        let routes = ["/a/{id}", "/a/{name}"].map { pattern in WebRoute(.get, pattern) { _, _ in .text("") } }
        let shell = try WebShell()
        #expect(throws: HubError.self) {
            try WebApp(
                listeningOn: .loopback(port: 1), access: access, shell: shell, routes: routes,
                log: Log(label: "") { _, _, _ in })
        }
    }

    @Test(arguments: ["0.0.0.0:4820", "192.168.1.2:4820", "[::]:4820"])
    func `the page is for this machine only`(text: String) throws {
        let address = try SocketAddress(text)
        let error = #expect(throws: HubError.self) {
            try WebService(address: address) { _ in throw CancellationError() }
        }
        #expect(error?.code == "listen-beyond-loopback")
    }

    @Test(arguments: ["/api/live?topics=", "/api/live?topics=UPPER", "/api/live?topics=a,%20b"])
    func `topics that cannot be read are refused`(path: String) async throws {
        let fixture = try SiteFixture()
        #expect(try await fixture.ask(.get, path, cookie: fixture.logIn()).status == 400)
    }
}
