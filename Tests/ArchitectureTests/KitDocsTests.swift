import FoundationEssentials
import Testing

/// The pages in docs/kit show code that is compiled and run: that between `// example` and `// end` in Tests/KitExampleTests, or
/// that of toy plugins.
struct KitDocsTests {
    private static let pages = [
        "store": "Store", "events": "Event", "blobs": "Blob", "commands": "Command", "settings": "Setting",
        "plugin": "Plugin", "web": "Web", "system": "System",
    ]

    @Test(arguments: pages)
    func `a page shows the examples of its tests, all of them and no other`(page: String, tests: String) throws {
        let shown = Self.blocks(in: try SourceTree.text(of: "docs/kit/\(page).md"))
        let tested = Self.examples(in: try SourceTree.text(of: "Tests/KitExampleTests/\(tests)Examples.swift"))
        #expect(!tested.isEmpty)
        for block in shown where !tested.contains(block) { Issue.record("no test has this code:\n\(block)") }
        for example in tested where !shown.contains(example) { Issue.record("the page lacks:\n\(example)") }
        #expect(shown == tested, "the order differs")
    }

    /// Pages that show a toy plugin, and examples of what it does not use.
    private static let toys = ["entities": "Entity", "accounts": "Account"]

    @Test(arguments: toys)
    func `a page about a component that has a toy plugin shows its code`(page: String, tests: String) throws {
        let folders = ["Tests/ToyPlugins/", "Tests/HubKitTests/Accounts/"]
        let toys = try SourceTree.files(in: folders).map { try SourceTree.text(of: $0) }
        let shown = Self.blocks(in: try SourceTree.text(of: "docs/kit/\(page).md"))
        let tested = Self.examples(in: try SourceTree.text(of: "Tests/KitExampleTests/\(tests)Examples.swift"))
        #expect(
            !tested.isEmpty && shown.filter(tested.contains) == tested,
            "the page lacks an example, or the order differs")
        for block in shown where !tested.contains(block) {
            #expect(toys.contains { $0.contains(block) }, "no toy plugin has this code:\n\(block)")
        }
    }

    @Test func `each file of examples has a page`() throws {
        let files = try SourceTree.files(in: ["Tests/KitExampleTests/"]).filter { $0.hasSuffix("Examples.swift") }
        #expect(
            Set(files)
                == Set(
                    (Array(Self.pages.values) + Self.toys.values).map { "Tests/KitExampleTests/\($0)Examples.swift" }))
    }

    @Test func `each type of the kit that a plugin uses is in an example`() throws {
        let pages = try SourceTree.files(in: ["docs/kit/"], suffix: ".md") + ["docs/plugin-guide.md"]
        let examples = try pages.flatMap { Self.blocks(in: try SourceTree.text(of: $0)) }
        let shown = examples.reduce(into: Set<String>()) { $0.formUnion(CodeText.capitalisedWords(of: $1)) }
        let files = try SourceTree.read()
        let used = files.filter { if case .plugin = $0.layer { true } else { false } }
            .reduce(into: Set<String>()) { $0.formUnion($1.namedWords) }
        let kit = try files.filter { if case .kit = $0.layer { true } else { false } }
            .flatMap { Self.packageTypes(in: try SourceTree.text(of: $0.path)) }
        #expect(kit.count > 150)
        let missing = Set(kit).intersection(used).subtracting(shown)
        #expect(missing.isEmpty, "show \(missing.sorted()) in an example")
    }

    /// The Swift code of a page, as it is in files.
    private static func blocks(in page: String) -> [String] {
        page.components(separatedBy: "\n```swift\n").dropFirst().compactMap { $0.components(separatedBy: "```").first }
    }

    /// The marked parts of a file, without the indentation of their first lines.
    private static func examples(in text: String) -> [String] {
        var examples: [String] = []
        var indentation: Int?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            switch line.drop(while: { $0 == " " }) {
            case "// example":
                indentation = line.prefix { $0 == " " }.count
                examples.append("")
            case "// end": indentation = nil
            default:
                if let indentation { examples[examples.count - 1] += line.dropFirst(indentation) + "\n" }
            }
        }
        return examples
    }

    /// The names of the types that other targets see, but those inside of others.
    private static func packageTypes(in text: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard line.hasPrefix("package "),
                let kind = words.firstIndex(where: { ["struct", "class", "enum", "actor", "protocol"].contains($0) }),
                kind + 1 < words.count
            else { return nil }
            return String(words[kind + 1].prefix { $0.isLetter || $0.isNumber })
        }
    }
}
