import Glibc
import System
import TestSupport
import Testing

/// The scripts that use the pages in Chromium.
enum BrowserScript {
    /// The folder with the scripts.
    static let folder = #filePath.replacing("Support/BrowserScript.swift", with: "Browser/")

    /// The config file with invented prices, which need no network.
    static let demo = "[plugins]\nmarket.providers = [\"demo\"]\n"

    /// Runs a script of the folder beside a daemon.
    static func runWithDaemon(_ script: String, in sandbox: Sandbox) async throws {
        let daemon = try await Daemon(in: sandbox)
        try await run(script, in: sandbox)
        #expect(await daemon.end() == 0)
    }

    /// Runs a script of the folder.
    static func run(_ script: String, in sandbox: Sandbox) async throws {
        let report = try await Subprocess(
            "/usr/bin/python3", ["-B", folder + script + ".py"],
            environment: sandbox.environment.merging(variables) { $1 }
        ).run(outputLimit: 1 << 20, timeout: .seconds(900))
        #expect(report.status == .exited(0), "\(String(decoding: report.errorOutput, as: UTF8.self))")
    }

    /// The variables of the script besides the store's environment.
    private static var variables: [String: String] {
        var variables = ["HUB": Sandbox.hub]
        if let folder = getenv("HUB_SCREENSHOTS") { variables["HUB_SCREENSHOTS"] = String(cString: folder) }
        return variables
    }

    /// A contact with every field that the page shows, one in another script, a malicious one, and many more.
    static let cards =
        """
        BEGIN:VCARD
        VERSION:4.0
        FN:Łukasz Nowak
        N:Nowak;Łukasz;;;
        TEL;TYPE=cell:+48 601 234 567
        EMAIL;TYPE=home:lukasz@nowak.pl
        ADR;TYPE=home:;;ul. Długa 5;Gdańsk;;80-827;Poland
        BDAY:19850331
        ORG:Zakład Testów;Research
        CATEGORIES:friends
        NOTE:Likes long walks\\nand short meetings.
        END:VCARD
        BEGIN:VCARD
        VERSION:4.0
        FN:Anna Lukasz
        TEL:+49 171 2345678
        EMAIL:anna@example.org
        END:VCARD
        BEGIN:VCARD
        VERSION:4.0
        FN:<img src=x onerror="window.hostile=1">
        END:VCARD

        """
        + (10..<130).map { number in
            """
            BEGIN:VCARD
            VERSION:4.0
            FN:Person \(number)
            EMAIL:person\(number)@example.org
            END:VCARD

            """
        }.joined()
}
