package import Commands

/// A setting that had another name. The old name is read with a warning until a version that is named, and `hub config migrate` writes the
/// new one; without wildcards.
package struct RenamedSetting: Sendable {
    /// The old path.
    package let old: ConfigPath
    /// The path now.
    package let new: ConfigPath
    /// The version from which on the old name is unknown.
    package let until: String

    /// Creates it from both paths with dots.
    package init(_ old: String, _ new: String, until: String) {
        self.old = ConfigPath(old.split(separator: ".").map(String.init))
        self.new = ConfigPath(new.split(separator: ".").map(String.init))
        self.until = until
    }

    /// All of them: none was renamed yet.
    package static let all: [RenamedSetting] = []
}
