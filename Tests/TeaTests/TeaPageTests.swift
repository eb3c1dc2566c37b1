import HubKit
import HubRuntimeTesting
import System
import TestSupport
import Testing

@testable import Tea

/// The page of the toy plugin in Chromium.
struct TeaPageTests {
    private static let tests = #filePath.replacing("TeaTests/TeaPageTests.swift", with: "")

    @Test func `the page of an entity needs few lines and no styles`() throws {
        let page = try #require(TeaPlugin.descriptor.page)
        #expect(page.styles.isEmpty)
        let lines = page.modules.map { String(decoding: $0.bytes, as: UTF8.self).split(separator: "\n").count }
        #expect(lines.reduce(0, +) < 40)
    }

    @Test(.timeLimit(.minutes(20)))
    func `the page of an entity lists, shows, edits, restores and draws in a browser`() async throws {
        let hub = try TestHub(TeaPlugin.self)
        try await hub.servingPages(loginTo: "/tea") { link in
            let report = try await Subprocess(
                "/usr/bin/python3", ["-B", Self.tests + "EndToEndTests/Browser/tea.py"],
                environment: [
                    "HOME": hub.home, "TEA_LINK": link, "PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8",
                ]
            ).run(outputLimit: 1 << 20, timeout: .seconds(900))
            #expect(report.status == .exited(0), "\(String(decoding: report.errorOutput, as: UTF8.self))")
        }
    }
}
