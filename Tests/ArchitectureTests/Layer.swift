/// A layer of the program, given by a folder.
enum Layer: Hashable {
    /// `Sources/hub`.
    case main
    /// A folder of `Sources/HubRuntime`.
    case runtime(RuntimeLayer)
    /// One of the targets that plugins are built on.
    case kit(KitTarget)
    /// A wrapper of a C library, or an engine, under `Sources/`.
    case module(String)
    /// A folder of a plugin; `root` is the plugin's own folder, with the descriptor.
    case plugin(String, PluginLayer)

    /// The targets that plugins are built on: `System`, above it `Storage` and `Commands`, which do not know each other, and
    /// above these `HubKit`.
    enum KitTarget: String, CaseIterable {
        case system = "System", storage = "Storage", commands = "Commands", hubKit = "HubKit"
    }

    /// The folders of the runtime, from the lowest to the highest.
    enum RuntimeLayer: String, CaseIterable {
        case libraries = "Libraries", process = "Process", configuration = "Configuration", desktop = "Desktop"
        case terminal = "Terminal", hub = "Hub", events = "Events", history = "History", services = "Services"
        case machines = "Machines", export = "Export"
        case web = "Web", daemon = "Daemon", doctor = "Doctor", assistant = "Assistant", commands = "Commands",
            program = "Program"
    }

    /// The layers of a plugin.
    enum PluginLayer: String, CaseIterable {
        case root = "", domain = "Domain", formats = "Formats", application = "Application", store = "Store"
        case gateway = "Gateway", ui = "UI"
    }

    /// The layer of the file at `path`, or nil for a file that is in none (tests, the manifest).
    init?(path: String) {
        let parts = path.split(separator: "/").map(String.init)
        guard parts.count >= 3 else { return nil }
        switch (parts[0], parts[1]) {
        case ("Sources", "hub"): self = .main
        case ("Sources", "HubRuntime"):
            guard parts.count > 3, let layer = RuntimeLayer(rawValue: parts[2]) else { return nil }
            self = .runtime(layer)
        // Runs while hub is built, and is not part of it.
        case ("Sources", "EmbedFiles"): return nil
        case ("Sources", let name): self = KitTarget(rawValue: name).map(Layer.kit) ?? .module(name)
        case ("Plugins", let name):
            let folder = parts.count > 3 ? parts[2] : ""
            guard let layer = PluginLayer(rawValue: folder) else { return nil }
            self = .plugin(name, layer)
        case ("Tests", "ToyPlugins"):
            // A toy plugin has the layers of any other.
            guard let layer = Layer(path: (["Plugins"] + parts.dropFirst(2)).joined(separator: "/")) else { return nil }
            self = layer
        default: return nil
        }
    }
}
