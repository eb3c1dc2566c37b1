/// The arrows of the house: who may import which module, and inside a plugin who may name whose types.
enum FloorPlan {
    /// Faces that are values in, values out: pure, so that Domain and Formats may use them.
    static let pureFaces: Set<String> = [
        "CivilDate", "Text", "Time", "JSON", "Hashing", "BigInteger", "Collation", "TextCRDT", "WebSocket", "ICalendar",
        "Audio", "QRCode",
        "Markdown",
        "TOML", "Archive", "Links", "PlainText", "CSV",
    ]
    /// Faces that wait or hold state.
    static let waitingFaces: Set<String> = ["SQLite", "HTTPClient", "WebServer", "DBus", "XML", "DNS", "WebDAV"]
    /// Faces that are built of other waiting faces, and of no C module.
    static let compounds: [String: Set<String>] = ["WebDAV": ["HTTPClient", "XML", "DNS"]]
    /// The C modules of faces that are not named after their library.
    static let libraries = [
        "WebServer": "CMicroHTTPD", "HTTPClient": "CCurl", "ICalendar": "CICal", "Hashing": "CCrypto",
    ]
    /// What every room may import: the language and the system.
    static let language: Set<String> = ["FoundationEssentials", "Glibc", "Dispatch", "Synchronization"]

    /// The modules of the house that files in `room` may import.
    static func allowedImports(in room: Room) -> Set<String> {
        switch room {
        case .main: return ["HubRuntime", "HubKit", "Contacts", "Mintee"]
        case .runtime: return pureFaces.union(waitingFaces).union(["HubKit", "CSystem"])
        case .kit: return pureFaces.union(["SQLite", "CSystem"])
        case .face(let name):
            if let parts = compounds[name] { return pureFaces.union(parts) }
            return pureFaces.subtracting([name]).union([libraries[name] ?? "C" + name, "CICU", "CSystem"])
        case .plugin(let plugin, let room):
            let domain: Set<String> = [plugin + "Domain"]
            switch room {
            case .domain, .formats: return pureFaces
            case .store: return pureFaces.union(domain).union(["HubKit", "SQLite"])
            case .gateway:
                return pureFaces.union(domain).union(["HubKit", "HTTPClient", "DBus", "XML", "DNS", "WebDAV"])
            case .application, .ui, .root: return pureFaces.union(domain).union(["HubKit"])
            }
        }
    }

    /// The rooms of the same plugin whose types files in `room` may name.
    static func visibleRooms(from room: Room.PluginRoom) -> Set<Room.PluginRoom> {
        switch room {
        case .domain: [.domain]
        case .formats: [.formats, .domain]
        case .store: [.store, .domain, .formats]
        case .gateway: [.gateway, .domain, .formats]
        case .application: [.application, .store, .gateway, .domain, .formats]
        case .ui: [.ui, .application, .domain, .formats, .root]
        case .root: Set(Room.PluginRoom.allCases)
        }
    }

    /// Every arrow among `files` that the plan forbids, one sentence each.
    static func breaches(in files: [SourceFile]) -> [String] {
        importBreaches(in: files) + typeBreaches(in: files)
    }

    private static func importBreaches(in files: [SourceFile]) -> [String] {
        files.flatMap { file in
            file.imports.subtracting(language).subtracting(allowedImports(in: file.room)).sorted().map {
                "\(file.path) imports \($0)"
            }
        }
    }

    private static func typeBreaches(in files: [SourceFile]) -> [String] {
        var homes: [String: [Room: String]] = [:]
        for file in files {
            for name in file.declaredTypes { homes[name, default: [:]][file.room] = file.path }
        }
        return files.flatMap { file -> [String] in
            guard case .plugin(let plugin, let room) = file.room else { return [] }
            let visible = visibleRooms(from: room)
            return file.namedWords.sorted().compactMap { word in
                let declaredIn = (homes[word] ?? [:]).filter { home, _ in
                    guard case .plugin(plugin, _) = home else { return false }
                    return true
                }
                let isVisible = declaredIn.keys.contains { home in
                    guard case .plugin(_, let room) = home else { return false }
                    return visible.contains(room)
                }
                guard let home = declaredIn.values.first, !isVisible else { return nil }
                return "\(file.path) names \(word) of \(home)"
            }
        }
    }
}
