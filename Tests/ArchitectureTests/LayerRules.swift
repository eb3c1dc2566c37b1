/// The dependency rules: which layer may import which module, and inside a plugin which layer may name the types of which.
enum LayerRules {
    /// Pure modules (values in, values out), which Domain and Formats may use.
    static let pureModules: Set<String> = [
        "CivilDate", "Text", "Time", "JSON", "Hashing", "BigInteger", "Collation", "TextCRDT", "WebSocket", "ICalendar",
        "Audio", "QRCode", "Certificates", "WebPush",
        "Markdown", "Queries",
        "TOML", "Archive", "Compression", "Sync", "TextDecoding", "CSV", "ContentLines", "HTTPTypes",
    ]
    /// Modules that wait or hold state.
    static let waitingModules: Set<String> = [
        "SQLite", "HTTPClient", "WebServer", "DBus", "XML", "DNS", "SyncHTTP", "WebDAV", "SoundFile", "DAVServer",
        "PostgreSQL",
    ]
    /// Modules that are built of other waiting modules, and of no C module.
    static let compounds: [String: Set<String>] = [
        "SyncHTTP": ["HTTPClient"], "WebDAV": ["HTTPClient", "SyncHTTP", "XML", "DNS"],
        "DAVServer": ["XML"],
    ]
    /// The C modules of modules that are not named after their library.
    static let libraries = [
        "WebServer": "CMicroHTTPD", "HTTPClient": "CCurl", "ICalendar": "CICal", "Hashing": "CCrypto",
        "Certificates": "CCrypto", "BigInteger": "CGMP", "Markdown": "CMarkGFM", "SoundFile": "CSndfile",
        "Compression": "CZlib", "WebPush": "CCrypto",
    ]
    /// The modules of the language and the system, which every layer may import. Foundation is none of them: it adds 4 MB to
    /// the program and relocations to each start.
    static let language: Set<String> = ["Glibc", "Dispatch", "Synchronization"]

    /// The targets that plugins are built on.
    static let kit = Layer.KitTarget.allCases.map(\.rawValue)

    /// The modules of the program that files in `layer` may import.
    static func allowedImports(in layer: Layer) -> Set<String> {
        switch layer {
        case .main: return Set(["HubRuntime", "HubKit"] + ((try? SourceTree.folders(in: "Plugins")) ?? []))
        case .runtime:
            return pureModules.union(waitingModules).union(kit).union(["CSystem", "Threading"])
        case .kit(let target):
            let own: Set<String> =
                switch target {
                case .system: ["CSystem", "Threading"]
                case .storage: ["System", "SQLite", "CSystem", "Threading"]
                case .commands: ["System"]
                // SQLite's `Value`, of which the rows of history are made.
                case .hubKit: ["System", "Storage", "Commands", "SQLite", "Threading"]
                }
            return pureModules.union(own)
        case .module(let name):
            if let parts = compounds[name] { return pureModules.union(parts) }
            return pureModules.subtracting([name]).union([
                libraries[name] ?? "C" + name, "CICU", "CSystem", "Threading",
            ])
        case .plugin(let plugin, let layer):
            // Which outer services there are is known to all layers but the domain.
            let domain: Set<String> = layer == .domain ? [] : [plugin + "Domain", plugin + "KnownProviders"]
            // Formats that only the gateway speaks are a module of their own, which neither the store nor the views see.
            let wire: Set<String> = [plugin + "Formats"]
            switch layer {
            case .domain: return pureModules
            case .formats: return pureModules.union(domain)
            case .store: return pureModules.union(domain).union(["Storage", "System", "SQLite", "PostgreSQL"])
            case .gateway:
                return pureModules.union(domain).union(wire).union(kit).union([
                    "HTTPClient", "DBus", "XML", "DNS", "SyncHTTP", "WebDAV", "SoundFile", "Threading",
                ])
            case .application, .root: return pureModules.union(domain).union(wire).union(kit)
            case .ui: return pureModules.union(domain).union(kit)
            }
        }
    }

    /// The layers of the same plugin whose types files in `layer` may name.
    static func visibleLayers(from layer: Layer.PluginLayer) -> Set<Layer.PluginLayer> {
        switch layer {
        case .domain: [.domain]
        case .formats: [.formats, .domain]
        case .store: [.store, .domain, .formats]
        case .gateway: [.gateway, .domain, .formats]
        case .application: [.application, .store, .gateway, .domain, .formats, .root]
        case .ui: [.ui, .application, .domain, .formats, .root]
        case .root: Set(Layer.PluginLayer.allCases)
        }
    }

    /// The folders of the runtime whose types files in `layer` may name: its own and those below it.
    static func visibleLayers(from layer: Layer.RuntimeLayer) -> Set<Layer.RuntimeLayer> {
        let all = Layer.RuntimeLayer.allCases
        return Set(all[...(all.firstIndex(of: layer) ?? 0)])
    }

    /// The forbidden dependencies among `files`, one sentence each.
    static func violations(in files: [SourceFile]) -> [String] {
        importViolations(in: files) + typeViolations(in: files)
    }

    private static func importViolations(in files: [SourceFile]) -> [String] {
        files.flatMap { file in
            file.imports.subtracting(language).subtracting(allowedImports(in: file.layer)).sorted().map {
                "\(file.path) imports \($0)"
            }
        }
    }

    private static func typeViolations(in files: [SourceFile]) -> [String] {
        var homes: [String: [Layer: String]] = [:]
        for file in files {
            for name in file.declaredTypes { homes[name, default: [:]][file.layer] = file.path }
        }
        return files.flatMap { file -> [String] in
            guard let part = file.layer.part else { return [] }
            return file.namedWords.sorted().compactMap { word in
                let declaredIn = (homes[word] ?? [:]).filter { home, _ in home.part == part }
                guard let home = declaredIn.values.first, !declaredIn.keys.contains(where: file.layer.sees) else {
                    return nil
                }
                return "\(file.path) names \(word) of \(home)"
            }
        }
    }
}

extension Layer {
    /// The target or the plugin whose folders are layers; nil for a target without layers.
    fileprivate var part: String? {
        switch self {
        case .runtime: "HubRuntime"
        case .plugin(let plugin, _): plugin
        case .main, .kit, .module: nil
        }
    }

    /// Whether files in this layer may name types of `other`, a layer of the same part.
    fileprivate func sees(_ other: Layer) -> Bool {
        switch (self, other) {
        case (.plugin(_, let own), .plugin(_, let other)): LayerRules.visibleLayers(from: own).contains(other)
        case (.runtime(let own), .runtime(let other)): LayerRules.visibleLayers(from: own).contains(other)
        default: true
        }
    }
}
