/// hub's own JSON, as `export --as json` writes it: `{"analyses":[…],"holidays":[…],"tasks":[…]}`. Its elements are read
/// by Store.
package enum OwnExport {
    /// One element of it.
    package struct Part: Sendable {
        /// The JSON text.
        package let text: [UInt8]
        /// The position.
        package let place: ImportPlace
    }

    /// How an export begins.
    static let start = Array("{\"analyses\":".utf8)

    static func recognizes(_ bundle: ImportBundle) -> Bool {
        guard let file = bundle.single else { return false }
        let pieces = JSONPieces(file.bytes)
        return pieces.member("tasks", of: pieces.root).map { pieces.elements(of: $0) != nil } ?? false
    }

    /// The parts of files by their kind.
    package struct Parts: Sendable {
        /// The tasks.
        package var tasks: [Part] = []
        /// The analyses.
        package var analyses: [Part] = []
        /// The calendars of holidays.
        package var holidays: [Part] = []
    }

    /// The tasks, analyses and calendars of holidays of the files, each as its JSON text.
    package static func parts(_ bundle: ImportBundle) -> Parts {
        var parts = Parts()
        for file in bundle.files {
            let pieces = JSONPieces(file.bytes)
            // Each look through the members reads the whole file.
            let members = pieces.members(of: pieces.root)
            func list(_ name: String) -> [Part] {
                let list = members[name].flatMap(pieces.elements) ?? []
                return list.map { piece in
                    Part(
                        text: pieces.text(piece),
                        place: ImportPlace(
                            file: bundle.files.count > 1 ? file.path : nil, line: pieces.line(of: piece),
                            excerpt: pieces.excerpt(of: piece)))
                }
            }
            parts.tasks += list("tasks")
            parts.analyses += list("analyses")
            parts.holidays += list("holidays")
        }
        return parts
    }
}
