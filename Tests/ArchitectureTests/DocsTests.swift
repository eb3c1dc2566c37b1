import Foundation
import Testing

struct DocsTests {
    @Test func `every file named on the page on data flow exists`() throws {
        let files = DocsTests.quoted(in: try SourceTree.text(of: "docs/data-flow.md")).filter {
            $0.contains("/") && $0.contains(".") && !$0.contains(" ")
        }
        #expect(files.count > 20)
        for file in files {
            let isPlugin = try SourceTree.folders(in: "Plugins").contains { file.hasPrefix($0 + "/") }
            let path = (isPlugin ? "Plugins/" : "Sources/") + file
            #expect(FileManager.default.fileExists(atPath: SourceTree.root.appending(path: path).path), "\(path)")
        }
    }

    /// The last column of a row names the tests that check it.
    @Test(arguments: [
        ("docs/security.md", 15), ("docs/dictofun-requirements.md", 28), ("docs/market-faults.md", 27),
        ("docs/cli-checklist.md", 45),
    ])
    func `every claim and requirement names tests that exist`(page: String, count: Int) throws {
        let claims = try SourceTree.text(of: page).split(separator: "\n")
            .filter { $0.hasPrefix("| ") && !$0.hasSuffix("| checked by |") }
        #expect(claims.count >= count)
        let folder = SourceTree.root.appending(path: "Tests").path
        let tests = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix("Tests.swift") }
            .map { try SourceTree.text(of: "Tests/" + $0) }.joined()
        for claim in claims {
            let names = claim.split(separator: "|").last.map(DocsTests.quoted) ?? []
            #expect(!names.isEmpty || claim.hasSuffix("| **open** |"), "no test checks: \(claim)")
            for name in names { #expect(tests.contains("func `\(name)`"), "there is no test \"\(name)\"") }
        }
    }

    @Test func `settings are written in full, as the config file has them`() throws {
        let schema = try JSONSerialization.jsonObject(
            with: Data(contentsOf: SourceTree.root.appending(path: "docs/config.schema.json")))
        var keys: Set<String> = []
        func add(_ part: Any, below path: String) {
            guard let properties = (part as? [String: Any])?["properties"] as? [String: Any] else { return }
            for (name, value) in properties {
                keys.insert(path + name)
                add(value, below: "\(path)\(name).")
            }
        }
        add(schema, below: "")
        let ofPlugins = keys.filter { $0.hasPrefix("plugins.") && $0.count(where: { $0 == "." }) > 1 }
        let short = Set(ofPlugins.map { $0.dropFirst(8) })
        #expect(short.contains("market.cost_basis") && short.count > 30)
        for page in try SourceTree.files(in: ["docs/"], suffix: ".md") + ["README.md"] {
            for quoted in DocsTests.quoted(in: try SourceTree.text(of: page)) {
                let name = quoted.prefix { $0.isLetter || $0 == "_" || $0 == "." }
                #expect(!short.contains(name), "\(name) in \(page): plugins.\(name)")
                if name.hasPrefix("plugins."), name.contains("_") {
                    #expect(keys.contains(String(name)), "\(name) in \(page)")
                }
            }
        }
        // Messages, too.
        for file in try SourceTree.files(in: ["Plugins/"]) {
            for text in try SourceTree.text(of: file).matches(of: #/(?:set|into|setting) ([a-z]+\.[a-z_.]+[a-z])/#) {
                #expect(!short.contains(text.1), "\(text.1) in \(file)")
            }
        }
    }

    @Test func `every file named in the requirements of Dictofun exists`() throws {
        let rows = try SourceTree.text(of: "docs/dictofun-requirements.md").split(separator: "\n")
            .filter { $0.hasPrefix("| ") }.dropFirst()
        for row in rows {
            let columns = row.split(separator: "|")
            let files = DocsTests.quoted(in: columns[columns.count - 2])
            #expect(!files.isEmpty)
            for file in files {
                let path = SourceTree.root.appending(path: "Plugins/Dictofun/" + file).path
                #expect(FileManager.default.fileExists(atPath: path), "\(file)")
            }
        }
    }

    @Test(arguments: [
        "README.md", "CONTRIBUTING.md", "docs/contacts.md", "docs/market.md", "docs/mintee.md", "docs/notes.md",
        "docs/plugin-guide.md", "docs/decisions/0031-new-plugin.md", "docs/store.md", "docs/performance.md",
        "docs/architecture.md", "docs/data-flow.md", "docs/devices.md", "docs/service.md", "docs/security.md",
        "docs/glossary.md", "docs/administration.md", "docs/tutorial.md", "docs/cli-checklist.md", "docs/api.md",
        "docs/assistants.md",
        "docs/dictofun-requirements.md", "docs/market-faults.md", "docs/market-imports.md", "docs/kit/README.md",
        "docs/kit/store.md",
        "docs/kit/events.md", "docs/kit/blobs.md", "docs/kit/commands.md", "docs/kit/settings.md",
        "docs/kit/plugin.md", "docs/kit/web.md", "docs/kit/system.md", "docs/kit/entities.md", "docs/kit/accounts.md",
    ])
    func `every link has a target`(page: String) throws {
        let folder = SourceTree.root.appending(path: page).deletingLastPathComponent()
        for link in DocsTests.links(in: try SourceTree.text(of: page)) where !link.contains("://") {
            #expect(FileManager.default.fileExists(atPath: folder.appending(path: link).path), "\(link) in \(page)")
        }
    }

    @Test func `the code of the plugin guide is that of the toy plugin, which has under 520 lines`() throws {
        let files = try SourceTree.read().filter { $0.path.hasPrefix("Tests/ToyPlugins/Tea/") }
        #expect(files.map { $0.lineCount - 1 }.reduce(0, +) < 520)
        let sources = try files.map { try SourceTree.text(of: $0.path) }
        let blocks = try SourceTree.text(of: "docs/plugin-guide.md").split(separator: "\n```swift\n").dropFirst()
            .compactMap { $0.split(separator: "```").first }
        #expect(blocks.count >= 8)
        for block in blocks {
            #expect(sources.contains { $0.contains(block) }, "the guide shows other code:\n\(block)")
        }
    }

    /// The text between backquotes.
    private static func quoted(in text: some StringProtocol) -> [String] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    /// The targets of Markdown links, without their anchors.
    private static func links(in text: String) -> [String] {
        // Examples in code lead nowhere.
        let prose = text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 0 }.map(\.element).joined()
        return prose.components(separatedBy: "](").dropFirst().compactMap { part in
            let target = part.split(separator: ")", maxSplits: 1).first
            let page = target.flatMap { $0.split(separator: "#", omittingEmptySubsequences: false).first }
            return page.flatMap { $0.isEmpty ? nil : String($0) }
        }
    }
}
