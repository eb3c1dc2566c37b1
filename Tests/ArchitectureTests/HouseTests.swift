import FoundationEssentials
import Testing

struct HouseTests {
    @Test func `no arrow of the house points the wrong way`() throws {
        let files = try SourceTree.read()
        #expect(files.count > 50)
        #expect(FloorPlan.breaches(in: files) == [])
    }

    @Test func `files are short`() throws {
        let counts = try SourceTree.read().map(\.lineCount).sorted()
        #expect(try #require(counts.last) <= 600)
        #expect(counts[counts.count / 2] <= 150)
    }

    /// Every request is checked against its scope by the client that sends it; with credentials only a session makes one.
    @Test func `requests with credentials are made in one place`() throws {
        let users = try SourceTree.read().filter { file in
            file.namedWords.contains("HTTPRequest") && file.imports.contains("HTTPClient")
        }
        #expect(users.map(\.path) == ["Sources/WebDAV/Talk/DAVSession.swift"])
        let transports = try SourceTree.read().filter { $0.imports.contains("CCurl") }.map(\.path)
        #expect(transports.allSatisfy { $0.hasPrefix("Sources/HTTPClient/") })
        let client = try SourceTree.text(of: "Sources/HTTPClient/HTTPClient.swift")
        let sending = try #require(client.firstRange(of: "func exchange(")).upperBound
        let check = try #require(client[sending...].firstRange(of: "try check(request)")).lowerBound
        let post = try #require(client[sending...].firstRange(of: ".send(request,")).lowerBound
        #expect(check < post && client.contains("guard request.scope.contains(request.url)"))
    }

    @Test func `every plugin is listed by one line in the main program`() throws {
        let main = try SourceTree.text(of: "Sources/hub/main.swift")
        for plugin in try SourceTree.folders(in: "Plugins") {
            #expect(
                main.split(separator: "\n").filter { $0.contains("\(plugin)Plugin") || $0.contains("\(plugin).self") }
                    .count == 1)
        }
    }
}

/// Each forbidden arrow, drawn once in a small house of its own, must be seen.
struct ForbiddenArrowTests {
    @Test(arguments: [
        ("Plugins/Contacts/Domain/A.swift", "import HubKit"),
        ("Plugins/Contacts/Domain/A.swift", "import SQLite"),
        ("Plugins/Contacts/Domain/A.swift", "import Foundation"),
        ("Plugins/Contacts/Formats/A.swift", "package import HubKit"),
        ("Plugins/Contacts/Application/A.swift", "import SQLite"),
        ("Plugins/Contacts/Application/A.swift", "import HTTPClient"),
        ("Plugins/Contacts/UI/A.swift", "import SQLite"),
        ("Plugins/Contacts/UI/A.swift", "import DBus"),
        ("Plugins/Contacts/Gateway/A.swift", "import SQLite"),
        ("Plugins/Contacts/Store/A.swift", "import HTTPClient"),
        ("Plugins/Contacts/UI/A.swift", "import WebServer"),
        ("Plugins/Contacts/UI/A.swift", "import HubRuntime"),
        ("Plugins/Contacts/UI/A.swift", "import Notes"),
        ("Sources/HubKit/A.swift", "import HubRuntime"),
        ("Sources/HubKit/A.swift", "import Contacts"),
        ("Sources/HubRuntime/A.swift", "import Contacts"),
        ("Sources/SQLite/A.swift", "import HubKit"),
        ("Sources/SQLite/A.swift", "import DBus"),
        ("Sources/hub/A.swift", "import SQLite"),
    ])
    func `a forbidden import is seen`(path: String, line: String) throws {
        let file = try #require(SourceFile(path: path, text: line + "\nstruct Some {}\n"))
        #expect(FloorPlan.breaches(in: [file]).count == 1)
    }

    @Test(arguments: Room.PluginRoom.allCases, Room.PluginRoom.allCases)
    func `a type may be named from the rooms above it and from no other`(user: Room.PluginRoom, owner: Room.PluginRoom)
        throws
    {
        func path(_ room: Room.PluginRoom, _ name: String) -> String {
            "Plugins/Contacts/" + (room == .root ? "" : room.rawValue + "/") + name + ".swift"
        }
        let owned = try #require(SourceFile(path: path(owner, "Owned"), text: "package struct Owned: Sendable {}\n"))
        let using = try #require(SourceFile(path: path(user, "User"), text: "struct User { let it: Owned }\n"))
        let allowed = FloorPlan.visibleRooms(from: user).contains(owner)
        #expect(FloorPlan.breaches(in: [owned, using]).isEmpty == allowed)
    }

    @Test func `a name in a comment, in a string or after a dot is no use`() throws {
        let owned = try #require(SourceFile(path: "Plugins/Contacts/UI/Owned.swift", text: "package struct Owned {}\n"))
        let text = "// Owned\n/* Owned */\nlet a = \"Owned\"\nlet b = Other.Owned\nlet c = \"\"\"\n  Owned\n  \"\"\"\n"
        let using = try #require(SourceFile(path: "Plugins/Contacts/Domain/User.swift", text: text))
        #expect(FloorPlan.breaches(in: [owned, using]) == [])
    }
}
