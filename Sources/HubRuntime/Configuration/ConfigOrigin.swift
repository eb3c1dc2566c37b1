/// The origin of a value; a later case overrides an earlier one.
package enum ConfigOrigin: Hashable, Sendable {
    /// Built in.
    case `default`
    /// The config file, at this line counted from 1.
    case file(path: String, line: Int)
    /// An environment variable.
    case environment(String)
    /// An option of the command line, such as `--set`.
    case option(String)
}

extension ConfigOrigin {
    /// Whether it is the config file.
    package var isFile: Bool { if case .file = self { true } else { false } }
}

extension ConfigOrigin: CustomStringConvertible {
    /// The origin as `config list --origin` shows it.
    package var description: String {
        switch self {
        case .default: "default"
        case .file(let path, let line): "\(path):\(line)"
        case .environment(let name): name
        case .option(let name): name
        }
    }
}
