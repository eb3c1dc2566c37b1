import Foundation
import Testing

/// The files of the Debian package, beside what the sources say.
struct PackagingTests {
    private func text(_ path: String) throws -> String {
        let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
    }

    @Test func `every script of the pages is served`() throws {
        var lists = [
            "Sources/HubRuntime/Web/Assets/components": "Sources/HubRuntime/Web/Shell/WebAssets+Components.swift"
        ]
        for plugin in try SourceTree.folders(in: "Plugins") where !plugin.hasPrefix(".") {
            lists["Plugins/\(plugin)/UI/Web"] = "Plugins/\(plugin)/UI/\(plugin)WebPage.swift"
        }
        #expect(lists.count > 5)
        for (folder, list) in lists {
            let scripts = try SourceTree.files(in: [folder + "/"], suffix: ".js").map {
                $0.dropFirst(folder.count + 1).dropLast(3)
            }
            let served = try text(list).matches(of: #/\("([a-z]+)", PackageResources\.[a-z]+_js\)/#).map(\.1)
            #expect(Set(scripts) == Set(served) && scripts.count == served.count, "\(list)")
        }
    }

    @Test func `the Debian package names every library that hub declares`() throws {
        let control = try text("debian/control")
        let fields = control.split(separator: "\n").filter { !$0.hasPrefix("#") }
        func list(_ field: String) -> Set<String> {
            let below = fields.drop { $0 != "\(field):" }.dropFirst().prefix { $0.hasPrefix(" ") }
            return Set(below.map { $0.trimmingCharacters(in: [" ", ","]) })
        }
        let libraries = try text("Sources/HubRuntime/Libraries/libraries.tsv").split(separator: "\n")
            .filter { !$0.hasPrefix("#") }.map { $0.split(separator: "\t").map(String.init) }
        #expect(libraries.count > 5)
        for library in libraries {
            #expect(list("Build-Depends").contains(library[3]), "\(library[0])")
            // What is linked is found by dpkg-shlibdeps.
            if library[4] == "on first use" { #expect(list("Recommends").contains(library[2]), "\(library[0])") }
        }
        #expect(list("Conflicts") == ["hub"])
        #expect(!control.contains("Provides"))
    }

    @Test func `an installed hub has its unit, and taking it away takes all of it`() throws {
        let makefile = try text("Makefile")
        let install = makefile.drop { $0 != "\n" }
        for path in ["/bin/hub", "/lib/systemd/user/hub.service", "/share/doc/hub-personal/copyright"] {
            #expect(install.components(separatedBy: path).count >= 3, "\(path)")
        }
        let rules = try text("debian/rules")
        #expect(rules.contains("$(MAKE) install DESTDIR=") && rules.contains("--no-enable"))
    }
}
