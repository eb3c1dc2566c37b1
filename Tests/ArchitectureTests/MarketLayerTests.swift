import FoundationEssentials
import Testing

/// The four layers of the system that Market was derived from: who knows providers, pages and tries.
struct MarketLayerTests {
    private func files(in layer: String) throws -> [(path: String, text: String)] {
        let files = try SourceTree.read().filter { $0.path.hasPrefix("Plugins/Market/\(layer)/") }
        #expect(files.count > 5)
        return try files.map { ($0.path, try SourceTree.text(of: $0.path).lowercased()) }
    }

    @Test func `the domain names no provider and no address`() throws {
        let words = ["gecko", "paprika", "statusgo", "status-go", "http://", "api."]
        for file in try files(in: "Domain") {
            for word in words { #expect(!file.text.contains(word), "\(word) in \(file.path)") }
            // A picture has an address; which hosts there are is not said.
            let addresses = file.text.components(separatedBy: "https://").dropFirst()
            #expect(addresses.allSatisfy { $0.hasPrefix("\"") }, "an address in \(file.path)")
        }
    }

    @Test func `the module of the domain reads nothing that providers send`() throws {
        let wire = ["CoinGecko", "CoinPaprika", "StatusGo", "Wire"].map { "Plugins/Market/Formats/\($0)/" }
        let all = try SourceTree.read().filter { file in
            ["Domain", "Formats"].contains { file.path.hasPrefix("Plugins/Market/\($0)/") }
        }
        let readers = all.filter { file in wire.contains { file.path.hasPrefix($0) } }
        #expect(readers.count > 10 && readers.allSatisfy { $0.imports.contains("MarketDomain") })
        // What is left reads files that people have: the JSON of a tracker is one of them.
        let providers = ["Demo", "Providers"].map { "Plugins/Market/Formats/\($0)/" }
        let own = Set(all.map(\.path)).subtracting(readers.map(\.path)).filter { path in
            !providers.contains { path.hasPrefix($0) }
        }
        let tracker = "Plugins/Market/Formats/Import/Exports/GhostfolioFile.swift"
        #expect(all.filter { own.contains($0.path) && $0.imports.contains("JSON") }.map(\.path) == [tracker])
        // Which providers there are is not known there either; a file of that tracker names one as the source of an id.
        for path in own.subtracting([tracker]) {
            let text = try SourceTree.text(of: path).lowercased()
            for word in ["gecko", "paprika", "status-go", "statusgo", "http://"] {
                #expect(!text.contains(word), "\(word) in \(path)")
            }
        }
        let manifest = try SourceTree.text(of: "Package.swift")
        #expect(manifest.contains(#"("KnownProviders", ["Demo", "Providers"]), ("Formats", ["CoinGecko", "#))
    }

    @Test func `pages, tries and time limits are of the gateway alone`() throws {
        let words = ["pagesize", "visiblepage", "leaderboardflow.page", "maximumtries", "httpdeadlines"]
        for layer in ["Domain", "Application", "Store", "UI"] {
            for file in try files(in: layer) {
                for word in words { #expect(!file.text.contains(word), "\(word) in \(file.path)") }
            }
        }
    }
}
