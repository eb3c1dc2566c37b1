import Dictofun
import HubKit
import HubKitTesting
import HubRuntimeTesting
import Market
import Mintee
import Notes
import TestSupport
import Testing
import WebServer

@testable import HubRuntime

/// "As it was" of the timeline, for items whose versions are not kept one by one.
struct EarlierRouteTests {
    private let test: TestHub

    init() throws {
        test = try TestHub(NotesPlugin.self, DictofunPlugin.self, MinteePlugin.self, MarketPlugin.self)
        try test.folder.write("[plugins.market]\nproviders = [\"demo\"]\n", to: ".config/hub/config.toml")
    }

    private func run(_ lines: [String]) async throws {
        for line in lines {
            test.clock.advance(by: .seconds(1))
            let run = await test.run(line)
            #expect(run.exit == 0, "\(line): \(run.all)")
        }
    }

    /// What is not any more what it was after the operation, by its kind: its state, and its values, those of now behind a minus.
    private func earlier(than operation: String) async throws -> [String: [String]] {
        let path = "/api/timeline/at?operation=\(operation)"
        let request = HTTPRequest(method: .get, target: try #require(RequestTarget(path)))
        let answer = try await WebRoute.earlier(test.hub()).handler(request, [:])
        let items = try JSONReader.read(Array(answer.text.utf8))["items"]?.array ?? []
        var found: [String: [String]] = [:]
        for item in items {
            let values = (item["values"]?.array ?? []).map { value in
                "\(value["span"]?.string == "now" ? "-" : "")\(value["field"]?.string ?? ""): \(value["value"]?.string ?? "")"
            }
            found[item["name"]?.string ?? ""] = [item["state"]?.string ?? ""] + values
        }
        return found
    }

    @Test func `texts of notes, trades, alerts, records and analyses are told as they were`() async throws {
        // A WAV file of a second of silence: 8,000 samples of eight bits.
        let format = "\u{10}\0\0\0\u{1}\0\u{1}\0\u{40}\u{1F}\0\0\u{40}\u{1F}\0\0\u{1}\0\u{8}\0"
        let header = "RIFF\u{64}\u{1F}\0\0WAVEfmt \(format)data\u{40}\u{1F}\0\0"
        try test.folder.write(header + String(repeating: "@", count: 8000), to: "first.wav")
        try await run([
            "notes new Trip -m milk", "notes append trip bread",
            "dictofun import \(test.home)/first.wav --no-transcribe",
            "mintee new Read --tag week", "mintee analyses new Week --tag week --days 7", "market --limit 3",
            "market portfolio buy 0.5 btc --price 30000", "market alerts new btc '> 100000'", "mintee new Mark",
        ])
        let mark = await test.run("history --limit 1 --plain=id").output.split(separator: "\n").joined()
        try await run([
            "notes append trip cheese", "dictofun set last title=Lecture", "mintee analyses edit Week --days 90",
            "market portfolio edit last --amount 0.6 --note gift", "market alerts disable last", "notes new Later",
        ])
        let found = try await earlier(than: mark)
        #expect(found["Trip"] == ["changed", "-text: cheese"])
        #expect(found["Lecture"] == ["changed", "name: first", "-name: Lecture"])
        #expect(found["Week"] == ["changed", "range: last 7 days", "-range: last 90 days"])
        #expect(
            found["buy 0.6 BTC"] == ["changed", "name: buy 0.5 BTC", "-name: buy 0.6 BTC", "-note: gift"])
        #expect(found["BTC > 100000 USD"] == ["changed", "state: on", "-state: off"])
        #expect(found["Later"] == ["new"])
        // Gone since: all that they were.
        try await run(["market portfolio rm last --yes", "notes rm trip --yes"])
        let gone = try await earlier(than: mark)
        let trade = gone["buy 0.5 BTC"] ?? []
        #expect(trade.starts(with: ["gone", "name: buy 0.5 BTC"]) && trade.contains("price: 30000 USD"), "\(trade)")
        #expect(gone["Trip"] == ["gone", "name: Trip", "text: milk", "text: bread", "-text: cheese"])
    }
}
