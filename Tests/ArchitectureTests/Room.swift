/// A place in the house, as its folder says.
enum Room: Hashable {
    /// `Sources/hub`.
    case main
    /// `Sources/HubRuntime`.
    case runtime
    /// `Sources/HubKit`.
    case kit
    /// A face of a C library, or an engine, under `Sources/`.
    case face(String)
    /// A folder of a plugin; `root` is the plugin's own folder, where the descriptor stands.
    case plugin(String, PluginRoom)

    /// The rooms that every plugin has.
    enum PluginRoom: String, CaseIterable {
        case root = "", domain = "Domain", formats = "Formats", application = "Application", store = "Store"
        case gateway = "Gateway", ui = "UI"
    }

    /// The room of the file at `path`, or nil for a file that is in none (tests, the manifest).
    init?(path: String) {
        let parts = path.split(separator: "/").map(String.init)
        guard parts.count >= 3 else { return nil }
        switch (parts[0], parts[1]) {
        case ("Sources", "hub"): self = .main
        case ("Sources", "HubRuntime"): self = .runtime
        case ("Sources", "HubKit"): self = .kit
        case ("Sources", let name): self = .face(name)
        case ("Plugins", let name):
            let folder = parts.count > 3 ? parts[2] : ""
            guard let room = PluginRoom(rawValue: folder) else { return nil }
            self = .plugin(name, room)
        default: return nil
        }
    }
}
