import FoundationEssentials
import Testing

struct LayerTests {
    @Test func `no dependency points the wrong way`() throws {
        let files = try SourceTree.read()
        #expect(files.count > 50)
        #expect(LayerRules.violations(in: files) == [])
    }

    /// The storage target has the SQL of all that plugins share, and the layer Store of a plugin that of the plugin.
    @Test func `SQL is written in the layers of storage alone`() throws {
        let files = try SourceTree.read().filter { file in
            switch file.layer {
            case .kit(.storage), .plugin(_, .store), .module: false
            default: true
            }
        }
        #expect(files.count > 50)
        for file in files {
            let text = try SourceTree.text(of: file.path)
            for words in ["SELECT ", "INSERT INTO ", "DELETE FROM ", "CREATE TABLE "] {
                #expect(!text.contains("\"" + words) && !text.contains("\n            " + words), "SQL in \(file.path)")
            }
        }
    }

    @Test func `files are short`() throws {
        let counts = try SourceTree.read().map(\.lineCount).sorted()
        #expect(try #require(counts.last) <= 600)
        #expect(counts[counts.count / 2] <= 150)
    }

    /// Every request is checked against its scope by the client that sends it; with credentials only a session makes one, and the
    /// clients of a transcription service, a notes server and push services, which have a single origin each. `SyncHTTP` sends what it is given.
    @Test func `requests with credentials are made in one place`() throws {
        let users = try SourceTree.read().filter { file in
            file.namedWords.contains("HTTPRequest") && file.imports.contains("HTTPClient")
                && !file.path.hasPrefix("Tests/")
        }
        let known = [
            "Sources/WebDAV/Protocol/DAVSession.swift", "Sources/WebDAV/OAuth/OAuthSignIn.swift",
            "Sources/SyncHTTP/RemoteError+HTTP.swift",
            "Sources/HubRuntime/Events/PushClient.swift", "Sources/HubRuntime/Machines/MachineAccess.swift",
            "Plugins/Dictofun/Gateway/Engines/HTTPEngine.swift",
            "Plugins/Notes/Gateway/Servers/NoteServerConnection.swift",
            "Plugins/Notes/Gateway/Servers/NoteServerConnection+Socket.swift",
        ]
        // Providers of prices get no credentials but a key in a header; the local backend, a list of firmware, a calendar
        // of holidays and a file of exchange rates get none at all.
        let gateways = [
            "Plugins/Market/Gateway/ProviderClient.swift", "Plugins/Market/Gateway/StatusGo/SignalSocket.swift",
            "Plugins/Market/Gateway/StatusGo/StatusGoSession.swift",
            "Plugins/Market/Gateway/ReferenceRatesClient.swift",
            "Plugins/Dictofun/Gateway/FirmwareReleaseList.swift", "Plugins/Mintee/Gateway/HolidaySource.swift",
        ]
        #expect(
            Set(users.map(\.path)) == Set(gateways + known),
            "add a new client to `known` if it sends a password or a token, otherwise to `gateways`")
        for path in gateways { #expect(!(try SourceTree.text(of: path)).contains("credentials: HTTP")) }
        let transports = try SourceTree.read().filter { $0.imports.contains("CCurl") }.map(\.path)
        #expect(transports.allSatisfy { $0.hasPrefix("Sources/HTTPClient/") })
        let client = try SourceTree.text(of: "Sources/HTTPClient/HTTPClient.swift")
        let sending = try #require(client.firstRange(of: "func exchange(")).upperBound
        let check = try #require(client[sending...].firstRange(of: "try check(request)")).lowerBound
        let post = try #require(client[sending...].firstRange(of: ".send(request,")).lowerBound
        #expect(check < post && client.contains("guard request.scope.contains(request.url)"))
    }

    @Test func `every plugin is listed by one line in the main program`() throws {
        let main = try SourceTree.text(of: "Sources/hub/BuiltInPlugins.swift")
        let paths = Set(try SourceTree.read().map(\.path))
        // A plugin without a descriptor has only its Domain and Formats so far.
        for plugin in try SourceTree.folders(in: "Plugins")
        where paths.contains("Plugins/\(plugin)/\(plugin)Plugin.swift") {
            #expect(
                main.split(separator: "\n").filter { $0.contains("\(plugin)Plugin") || $0.contains("\(plugin).self") }
                    .count == 1)
        }
    }
}

/// Each kind of forbidden dependency is detected.
struct ForbiddenDependencyTests {
    @Test(arguments: [
        ("Plugins/Contacts/Domain/A.swift", "import HubKit"),
        ("Plugins/Contacts/Domain/A.swift", "import SQLite"),
        ("Plugins/Contacts/Domain/A.swift", "import Foundation"),
        ("Plugins/Mintee/Formats/A.swift", "import FoundationEssentials"),
        ("Plugins/Contacts/Formats/A.swift", "package import HubKit"),
        ("Plugins/Contacts/Application/A.swift", "import SQLite"),
        ("Plugins/Contacts/Application/A.swift", "import HTTPClient"),
        ("Plugins/Contacts/UI/A.swift", "import SQLite"),
        ("Plugins/Contacts/UI/A.swift", "import DBus"),
        ("Plugins/Contacts/Gateway/A.swift", "import SQLite"),
        ("Plugins/Contacts/Store/A.swift", "import HTTPClient"),
        ("Plugins/Contacts/Store/A.swift", "import HubKit"),
        ("Plugins/Contacts/Store/A.swift", "import Commands"),
        ("Plugins/Contacts/UI/A.swift", "import WebServer"),
        ("Plugins/Contacts/UI/A.swift", "import HubRuntime"),
        ("Plugins/Contacts/UI/A.swift", "import Notes"),
        ("Sources/System/A.swift", "import Storage"),
        ("Sources/System/A.swift", "import SQLite"),
        ("Sources/Storage/A.swift", "import Commands"),
        ("Sources/Storage/A.swift", "import HubKit"),
        ("Sources/Commands/A.swift", "import HubKit"),
        ("Sources/Commands/A.swift", "import Storage"),
        ("Sources/Commands/A.swift", "import SQLite"),
        ("Sources/HubKit/A.swift", "import HubRuntime"),
        ("Sources/HubKit/A.swift", "import Contacts"),
        ("Sources/HubRuntime/Web/A.swift", "import Contacts"),
        ("Sources/SQLite/A.swift", "import HubKit"),
        ("Sources/SQLite/A.swift", "import System"),
        ("Sources/SQLite/A.swift", "import DBus"),
        ("Sources/hub/A.swift", "import SQLite"),
    ])
    func `a forbidden import is detected`(path: String, line: String) throws {
        let file = try #require(SourceFile(path: path, text: line + "\nstruct Some {}\n"))
        #expect(LayerRules.violations(in: [file]).count == 1)
    }

    @Test(arguments: Layer.PluginLayer.allCases, Layer.PluginLayer.allCases)
    func `a type may be named from the layers above it and from no other`(
        user: Layer.PluginLayer, owner: Layer.PluginLayer
    )
        throws
    {
        func path(_ layer: Layer.PluginLayer, _ name: String) -> String {
            "Plugins/Contacts/" + (layer == .root ? "" : layer.rawValue + "/") + name + ".swift"
        }
        let owned = try #require(SourceFile(path: path(owner, "Owned"), text: "package struct Owned: Sendable {}\n"))
        let using = try #require(SourceFile(path: path(user, "User"), text: "struct User { let it: Owned }\n"))
        let allowed = LayerRules.visibleLayers(from: user).contains(owner)
        #expect(LayerRules.violations(in: [owned, using]).isEmpty == allowed)
    }

    @Test(arguments: Layer.RuntimeLayer.allCases, Layer.RuntimeLayer.allCases)
    func `a type of the runtime may be named from the folders above it`(
        user: Layer.RuntimeLayer, owner: Layer.RuntimeLayer
    ) throws {
        let folder = "Sources/HubRuntime/"
        let owned = try #require(
            SourceFile(path: folder + owner.rawValue + "/Owned.swift", text: "struct Owned: Sendable {}\n"))
        let using = try #require(
            SourceFile(path: folder + user.rawValue + "/A/User.swift", text: "struct User { let it: Owned }\n"))
        let all = Layer.RuntimeLayer.allCases
        let allowed = try #require(all.firstIndex(of: owner)) <= #require(all.firstIndex(of: user))
        #expect(LayerRules.violations(in: [owned, using]).isEmpty == allowed)
    }

    @Test func `every file of the runtime is in a layer`() throws {
        let folder = SourceTree.root.appending(path: "Sources/HubRuntime").path
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) where name.hasSuffix(".swift") {
            #expect(Layer(path: "Sources/HubRuntime/" + name) != nil, "\(name)")
        }
    }

    @Test func `a name in a comment, in a string or after a dot is no use`() throws {
        let owned = try #require(SourceFile(path: "Plugins/Contacts/UI/Owned.swift", text: "package struct Owned {}\n"))
        let text = "// Owned\n/* Owned */\nlet a = \"Owned\"\nlet b = Other.Owned\nlet c = \"\"\"\n  Owned\n  \"\"\"\n"
        let using = try #require(SourceFile(path: "Plugins/Contacts/Domain/User.swift", text: text))
        #expect(LayerRules.violations(in: [owned, using]) == [])
    }
}
