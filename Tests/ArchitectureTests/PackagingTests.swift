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

    @Test func `the recipes for other systems name this version and every library`() throws {
        let version = try #require(
            try text("Sources/HubRuntime/Process/HubVersion.swift").firstMatch(of: #/number = "([0-9.]+)"/#)?.1)
        let (arch, nix) = (try text("packaging/recipes/PKGBUILD"), try text("packaging/recipes/flake.nix"))
        let image = try text("packaging/recipes/Containerfile")
        #expect(arch.contains("\npkgver=\(version)\n"))
        #expect(nix.contains("version = \"\(version)\";") && nix.contains("/hub-\(version)-linux-x86_64.tar.zst"))
        #expect(try text("debian/changelog").hasPrefix("hub-personal (\(version)) "))
        // The names of other systems, where they differ from those in libraries.tsv.
        let names = [
            "libdbus": "dbus", "libqrencode": "qrencode", "cmark-gfm extensions": "cmark-gfm", "libcurl": "curl",
            "libcrypto": "openssl",
            "ICU": "icu",
        ]
        let archNames = ["libpq": "postgresql-libs", "zlib": ""]
        for line in try text("Sources/HubRuntime/Libraries/libraries.tsv").split(separator: "\n")
        where !line.hasPrefix("#") {
            let library = line.split(separator: "\t").map(String.init)
            guard library[4] == "on first use" else { continue }
            let name = names[library[0]] ?? library[0]
            #expect(nix.contains(" \(name) ") || nix.contains(" \(name)\n"), "\(library[0])")
            let archName = archNames[name] ?? name
            #expect(archName.isEmpty || arch.contains("'\(archName): "), "\(library[0])")
            // Messages and the keyring of a session are not in a container.
            #expect(library[0] == "libdbus" || image.contains(" \(library[2]) "), "\(library[0])")
        }
    }

    @Test func `one id and one maintainer are in every file that names them`() throws {
        let id = try #require(
            try text("Sources/HubRuntime/Desktop/DesktopIdentity.swift").firstMatch(of: #/id = "([A-Za-z0-9_.]+)"/#).map
            { String($0.1) })
        for file in try SourceTree.files(in: ["packaging/desktop/"], suffix: "") {
            #expect(file.split(separator: "/").last?.hasPrefix(id) == true, "\(file)")
            for found in try text(file).matches(of: #/\b(?:io|org|com|net)\.[A-Za-z0-9_]+\.[A-Za-z0-9_.]*Hub\b/#) {
                #expect(found.0 == id, "\(file)")
            }
        }
        #expect(try text(".ci/install-desktop").contains("id=\(id) "))
        let maintainer = try #require(
            try text("debian/control").firstMatch(of: #/Maintainer: (.+)/#).map { String($0.1) })
        #expect(try text("debian/changelog").contains(" -- \(maintainer)  "))
        let name = maintainer.prefix { $0 != "<" }.trimmingCharacters(in: [" "])
        #expect(try text("packaging/desktop/\(id).metainfo.xml").contains("<developer_name>\(name)</developer_name>"))
    }

    @Test func `completions are put where the shells of Debian look, and taken away again`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hub-docs-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // What hub says of itself, in the words of a script.
        let program = folder.appending(path: "hub")
        let words = """
            #!/bin/sh
            if [ "$1" = __manual ]; then : >"$2/hub.1"; : >"$2/hub-config.5"; else echo "# $2"; fi

            """
        try words.write(to: program, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        let places = try run(["zsh", "-fc", "print -l $fpath"]).split(separator: "\n").map(String.init)
        #expect(places.count > 3)
        for prefix in ["/usr", "/usr/local"] {
            let share = folder.path + prefix + "/share"
            _ = try run([".ci/install-docs", program.path, share])
            let zsh = try FileManager.default.subpathsOfDirectory(atPath: share).filter { $0.hasSuffix("/_hub") }
            #expect(zsh.count == 1 && places.contains("\(prefix)/share/\(zsh[0].dropLast(5))"), "\(zsh)")
            for file in ["bash-completion/completions/hub", "fish/vendor_completions.d/hub.fish", "man/man1/hub.1"] {
                #expect(FileManager.default.fileExists(atPath: "\(share)/\(file)"), "\(file)")
            }
            _ = try run([".ci/install-docs", "--remove", share])
            let left = try FileManager.default.subpathsOfDirectory(atPath: share).filter { $0.contains("hub") }
            #expect(left.isEmpty, "\(left)")
        }
    }

    /// Runs a program in the folder of the sources and returns what it prints.
    private func run(_ words: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.currentDirectoryURL = SourceTree.root
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(words)")
        return String(decoding: output, as: UTF8.self)
    }

    @Test func `README begins with commands that end, and names where the program is`() throws {
        let readme = try text("README.md")
        let first = try #require(readme.firstMatch(of: #/```sh\n([^`]+)```/#)?.1).split(separator: "\n").map {
            $0.prefix { $0 != "#" }.trimmingCharacters(in: [" "])
        }
        #expect(first == ["make build", "sudo make install", "hub demo", "hub"])
        let sentence = try #require(readme.firstRange(of: "Without installing it, the program is `.build/release/hub`"))
        #expect(sentence.lowerBound < readme.firstRange(of: "## Install")?.lowerBound ?? readme.startIndex)
        #expect(readme.contains("hub today") && !readme.contains("<this repository>"))
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
