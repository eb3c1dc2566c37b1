/// A path below a folder; empty for the folder itself.
package struct RelativePath: Hashable, Sendable {
    /// The names of the folders that lead there, and of the file or folder itself.
    package let names: [FileName]

    package init(_ names: [FileName] = []) { self.names = names }

    /// A path as it is written, such as `family/ada.vcf`.
    package init(_ text: String) { names = text.split(separator: "/").map { FileName(String($0)) } }

    /// Whether it is the folder itself.
    package var isEmpty: Bool { names.isEmpty }

    /// Returns the path of the entry `name` in this folder.
    package func appending(_ name: FileName) -> RelativePath { RelativePath(names + [name]) }
}

extension RelativePath: CustomStringConvertible {
    /// The path for messages; `.` for the folder itself, and invalid UTF-8 is replaced.
    package var description: String { names.isEmpty ? "." : names.map(\.description).joined(separator: "/") }
}
