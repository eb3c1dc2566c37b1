package import HubKit
package import MinteeDomain

/// The files that are imported together, with their location.
package struct TaskImportSource: Sendable {
    /// The files.
    package let bundle: ImportBundle
    /// The path of the only file, for a database; nil for stdin and for folders.
    let path: String?

    /// Creates a source that is not on disk, such as stdin.
    package init(_ bundle: ImportBundle) {
        self.bundle = bundle
        path = nil
    }

    /// Reads the file or folder at `path`; throws if that fails.
    package init(path: String) throws(HubError) {
        bundle = try ImportFiles.read(path)
        self.path = path
    }

    /// Returns `paths` without files that are read along with another one: of `habits` and `log` in one folder, one is
    /// enough.
    package static func leaders(among paths: [String]) -> [String] {
        var taken: Set<String> = []
        return paths.filter { path in
            guard let partner = ImportFiles.partner(of: path) else { return taken.insert(path).inserted }
            let name = path.split(separator: "/").last ?? ""
            taken.insert(String(path.dropLast(name.count)) + partner)
            return taken.insert(path).inserted
        }
    }
}

/// An import file that is opened when it is read.
package struct TaskImportFile: Sendable {
    /// The display name.
    package let name: String
    /// Opens the source; throws if it cannot be read.
    package let open: @Sendable () async throws -> TaskImportSource

    package init(_ name: String, open: @escaping @Sendable () async throws -> TaskImportSource) {
        self.name = name
        self.open = open
    }
}
