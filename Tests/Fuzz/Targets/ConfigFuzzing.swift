import Commands
import HubRuntime
import TOML

/// The config file and its editor.
enum ConfigFuzzing {
    /// The first bytes choose what is set; the rest is the file.
    static func config(_ input: [UInt8]) -> String? {
        guard let choice = input.first, let editor = try? ConfigEditor(ConfigText(Array(input.dropFirst()), path: "c"))
        else { return nil }
        let names = ["a", "b", "c-1", "x y"]
        let parts = (0..<(2 + Int(choice & 1))).map { part -> String in
            let bits = choice >> (1 + 2 * part)
            return names[Int(bits & 3)]
        }
        let path = ConfigPath(parts)
        if let text = try? editor.setting(path, to: .text("fuzz")) {
            guard let table = try? TOML.parse(text), table.node(at: parts)?.value == .string("fuzz") else {
                return "a setting has its new value"
            }
            guard let edited = try? ConfigEditor(ConfigText(text, path: "c")), let cut = try? edited.removing(path)
            else { return "a setting that was written can be removed" }
            guard let table = try? TOML.parse(cut), table.node(at: parts) == nil else {
                return "a setting that was removed is gone"
            }
        }
        _ = try? editor.removing(ConfigPath([parts[0]]))
        return nil
    }
}
