/// Cases that the scripts of pages are tested with too, in `Tests/PageTests/Vectors`: both sides must agree on them.
package enum PageVectors {
    /// The text of the JSON file `name`; empty if there is none.
    package static func read(_ name: String) -> String {
        let tests = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        return Golden.read("/\(tests)/PageTests/Vectors/\(name).json")
    }
}
