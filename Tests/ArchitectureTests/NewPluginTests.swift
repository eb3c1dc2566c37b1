import FoundationEssentials
import System
import TestSupport
import Testing

/// `make new-plugin`, in a folder with the files that it reads and changes. Its texts are those of the toy plugin `Cellar`, which is
/// compiled and tested with all others.
struct NewPluginTests {
    private let folder: TemporaryFolder

    private static let lists = [
        "Package.swift", "Sources/hub/BuiltInPlugins.swift", "tsconfig.json",
        "Tests/EndToEndTests/Faults/FaultReading.swift",
    ]

    init() throws {
        folder = try TemporaryFolder()
        for path in Self.lists + [
            ".ci/new-plugin", ".swift-format", "Tests/ToyPlugins/Cellar", "Tests/ToyPlugins/Events",
            "Tests/CellarTests", "Tests/CellarDomainTests",
        ] {
            let copy = URL(filePath: folder.path).appending(path: path)
            try FileManager.default.createDirectory(
                at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.copyItem(at: SourceTree.root.appending(path: path), to: copy)
        }
    }

    private func make(_ words: String..., environment: [String: String] = [:]) async throws -> Subprocess.Finished {
        try await Subprocess(
            folder.path + "/.ci/new-plugin", words,
            environment: environment.merging(ProcessInfo.processInfo.environment) { own, _ in own }
        ).run(outputLimit: 1 << 16, timeout: .seconds(120))
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOf: URL(filePath: folder.path).appending(path: path), encoding: .utf8)
    }

    private func files(_ path: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path + "/" + path)
            .filter { name in [".swift", ".js", ".html", ".json"].contains { name.hasSuffix($0) } }.sorted()
    }

    @Test func `under its own name the copy of the toy plugin is the toy plugin`() async throws {
        let run = try await make("Cellar", "Bottle", environment: ["TOY": "Cellar"])
        #expect(run.status == .exited(0), "\(String(decoding: run.errorOutput, as: UTF8.self))")
        for (toy, made) in [
            ("Tests/ToyPlugins/Cellar", "Plugins/Cellar"), ("Tests/ToyPlugins/Events", "docs/events"),
            ("Tests/CellarTests", "Tests/CellarTests"),
        ] {
            #expect(try files(made) == files(toy))
            for file in try files(toy) {
                #expect(try text("\(made)/\(file)") == SourceTree.text(of: "\(toy)/\(file)"), "\(file)")
            }
        }
    }

    @Test func `a plugin has its own names everywhere, and is in each list`() async throws {
        let run = try await make("Diary", "Entry", "entries")
        #expect(run.status == .exited(0), "\(String(decoding: run.errorOutput, as: UTF8.self))")
        for folder in ["Plugins/Diary", "Tests/DiaryTests", "Tests/DiaryDomainTests", "docs/events"] {
            let made = try files(folder)
            #expect(!made.isEmpty)
            for file in made {
                let text = try text("\(folder)/\(file)")
                for word in ["cellar", "bottle"] {
                    #expect(!(file + text).lowercased().contains(word), "\(word) in \(folder)/\(file)")
                }
            }
        }
        #expect(try files("Plugins/Diary").contains("Application/ManageEntries.swift"))
        #expect(try text("Package.swift").contains("\n    plugin(\"Diary\", "))
        #expect(try text("Package.swift").contains("\n    tests(\"DiaryDomain\", "))
        let program = try text("Sources/hub/BuiltInPlugins.swift")
        #expect(program.contains("\nimport Diary\n") && program.contains("\n    DiaryPlugin.self,\n"))
        #expect(try text("tsconfig.json").contains("\"/diary/*\": [\"Plugins/Diary/UI/Web/*\"],"))
        #expect(try text("Tests/EndToEndTests/Faults/FaultReading.swift").contains("\"diary list\""))
    }

    @Test(arguments: ["", "diary", "Di ary", "Cellar"])
    func `a name that is no type or is taken is refused, and nothing is written`(name: String) async throws {
        let run = try await make(name)
        #expect(run.status == .exited(64))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/Plugins"))
        #expect(try text("Package.swift") == SourceTree.text(of: "Package.swift"))
    }
}
