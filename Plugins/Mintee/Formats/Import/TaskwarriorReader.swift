import CivilDate
import JSON

/// Reads taskwarrior: the array of `task export`, or its objects, one per line.
enum TaskwarriorReader: TaskReader {
    static func recognizes(_ bundle: ImportBundle) -> Bool {
        guard let file = bundle.single else { return false }
        let pieces = JSONPieces(file.bytes)
        guard let first = items(pieces).first else { return false }
        let names = pieces.members(of: first)
        return names["uuid"] != nil && names["description"] != nil
    }

    static func read(_ bundle: ImportBundle, _ setting: ImportSetting) -> ImportedTasks {
        var found = ImportedTasks()
        for file in bundle.files where bundle.files.count == 1 || file.name.hasSuffix(".json") {
            let pieces = JSONPieces(file.bytes)
            var groups = TaskwarriorGroups(setting)
            for piece in items(pieces) {
                let place = ImportPlace(
                    file: bundle.files.count > 1 ? file.path : nil, line: pieces.line(of: piece),
                    excerpt: pieces.excerpt(of: piece))
                do throws(JSONFields.Problem) {
                    try groups.add(TaskwarriorItem(pieces.fields(piece)), place)
                } catch {
                    found.problems.append(ImportProblem(place, "this task cannot be read: \(error.reason)"))
                }
            }
            found.tasks += groups.tasks()
            found.problems += groups.problems
            found.notes += groups.notes
        }
        return found
    }

    private static func items(_ pieces: JSONPieces) -> [JSONPieces.Piece] {
        pieces.elements(of: pieces.root) ?? pieces.values()
    }
}

/// A task in the format of taskwarrior.
struct TaskwarriorItem {
    let uuid: String
    let description: String
    let status: String
    let entry, due, scheduled, end, until, recur, parent, project: String?
    let tags: [String]?
    /// The annotations of the task, in one line.
    let note: String

    var isTemplate: Bool { parent == nil && (status == "recurring" || recur != nil) }

    init(_ fields: JSONFields) throws(JSONFields.Problem) {
        uuid = try fields.required("uuid")
        description = try fields.required("description")
        status = try fields.required("status")
        entry = try fields.optional("entry")
        due = try fields.optional("due")
        scheduled = try fields.optional("scheduled")
        end = try fields.optional("end")
        until = try fields.optional("until")
        recur = try fields.optional("recur")
        parent = try fields.optional("parent")
        project = try fields.optional("project")
        tags = try fields.optional("tags")
        note = try fields.readable("annotations") { annotation throws(JSONFields.Problem) -> String in
            try annotation.required("description")
        }.joined(separator: "; ")
    }
}
