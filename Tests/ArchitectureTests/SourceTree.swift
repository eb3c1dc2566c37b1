import FoundationEssentials

/// The repository that these tests stand in.
enum SourceTree {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Every Swift file that stands in a layer.
    static func read() throws -> [SourceFile] { try files.get() }

    // Read once: it takes as long as hundreds of tests.
    private static let files = Result {
        try files(in: ["Sources/", "Plugins/", "Tests/ToyPlugins/"]).compactMap {
            SourceFile(path: $0, text: try text(of: $0))
        }
    }

    /// The files below some folders whose names end in `suffix`.
    static func files(in folders: [String], suffix: String = ".swift") throws -> [String] {
        try folders.flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
                .filter { $0.hasSuffix(suffix) }.map { folder + $0 }
        }
    }

    /// The text of one file.
    static func text(of path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The names of the folders in `path`.
    static func folders(in path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appending(path: path).path).sorted()
    }
}
