import Commands
import Hashing
import HubRuntimeTesting
import Testing
import WebServer

@testable import HubRuntime

/// The frame of all pages, and the files that they load.
struct WebShellTests {
    private func page(_ path: String) async throws -> HTTPResponse {
        let fixture = try SiteFixture()
        return try await fixture.ask(
            .get, path, cookie: fixture.logIn(), headers: ["Accept": "text/html,application/xhtml+xml"])
    }

    @Test(arguments: ["/things", "/nowhere"])
    func `a page has one heading, its landmarks and a way past the navigation`(path: String) async throws {
        let html = try await page(path).text
        for part in [
            "<h1>", "<main id=\"main\"", "<nav class=\"side\"", "<header class=\"bar\">", "href=\"#main\"",
            "href=\"/\"",
        ] {
            #expect(
                html.split(separator: part, omittingEmptySubsequences: false).count == 2 || part == "href=\"/\"",
                "\(part)")
            #expect(html.contains(part))
        }
    }

    @Test func `a page without a login has no navigation, but a field that leads back to it`() async throws {
        let fixture = try SiteFixture()
        let html = try await fixture.ask(
            .get, "/things?id=7&view=edit", headers: ["Accept": "text/html"]
        ).text
        #expect(!html.contains("<nav"))
        #expect(html.contains("name=\"to\" value=\"/things?id=7&amp;view=edit\""))
        #expect(html.contains("name=\"code\""))
    }

    @Test func `every file that a page names is there, and may be kept for good`() async throws {
        let fixture = try SiteFixture()
        let html = try await fixture.ask(.get, "/things", cookie: fixture.logIn()).text
        let addresses = html.matches(of: /(?:href|src)="(\/static\/[^"]+)"/).map { String($0.1) }
        #expect(addresses.count > 8)
        for address in addresses {
            let response = try await fixture.ask(.get, address)
            #expect(response.status == 200, "\(address)")
            #expect(response.headers["Cache-Control"] == "public, max-age=31536000, immutable")
        }
    }

    @Test func `all modules that are imported are loaded at once`() throws {
        let assets = try WebShell().assets
        let modules = assets.modules(from: ["/assets/shell.js"])
        #expect(modules.first == "/assets/shell.js")
        #expect(Set(modules).count == modules.count)
        for name in ["toast", "search", "hub", "components/keys", "components/shortcuts", "dialog", "login"] {
            #expect(modules.contains("/assets/\(name).js"))
        }
    }

    @Test func `the policy allows the import map and no other script of a page`() async throws {
        let response = try await page("/things")
        let map = try #require(response.text.firstMatch(of: /<script type="importmap">(.*?)<\/script>/)).1
        let hash = Base64.encode(try SHA256.hash(map.utf8))
        #expect(response.headers["Content-Security-Policy"]?.contains("script-src 'self' 'sha256-\(hash)'") == true)
        let json = try JSONReader.read(Array(map.utf8))
        #expect(json["imports"]?["/assets/"]?.string?.hasPrefix("/static/") == true)
        #expect(
            response.text.split(separator: "<script").count == response.text.split(separator: "<script type=").count)
    }

    @Test func `the look is in the page before anything is painted`() async throws {
        var presentation = Presentation()
        presentation.theme = "Ocean"
        presentation.scheme = .dark
        presentation.hasShortcuts = false
        presentation.weekStart = .sun
        presentation.locale = "pl-PL"
        let chosen = presentation
        let html = try await WebShell { chosen }.page(HTMLLayout(title: "Start", body: "")).text
        let root = try #require(html.firstMatch(of: /<html[^>]*>/)).0
        for attribute in [
            "data-theme=\"Ocean\"", "data-scheme=\"dark\"", "data-shortcuts=\"off\"", "data-week-start=\"sun\"",
            "data-locale=\"pl-PL\"",
        ] { #expect(root.contains(attribute)) }
        #expect(html.contains("<meta name=\"theme-color\" content=\"#0c1620\">"))
    }
}
