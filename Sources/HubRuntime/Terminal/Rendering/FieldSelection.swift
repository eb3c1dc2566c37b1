import HubKit

/// The fields that `--json=a,b` and `--plain=a,b` ask for, by their positions.
enum FieldSelection {
    /// Positions of the named fields; nil when all are wanted.
    static func positions(_ names: String, in fields: [FieldDescriptor]) throws(HubError) -> [Int]? {
        guard !names.isEmpty else { return nil }
        var positions: [Int] = []
        for name in names.split(separator: ",", omittingEmptySubsequences: false) {
            positions.append(try position(String(name), in: fields))
        }
        return positions
    }

    /// The position of the field `name`; the error names the nearest field and all of them.
    static func position(_ name: String, in fields: [FieldDescriptor]) throws(HubError) -> Int {
        if let position = fields.firstIndex(where: { $0.name == name }) { return position }
        let names = fields.map(\.name)
        guard !names.isEmpty else {
            throw HubError(
                .usage, code: "no-fields", "this command has no fields to select",
                hint: "leave out the field names")
        }
        throw HubError(
            .usage, code: "unknown-field", "there is no field \"\(name)\"",
            details: ["fields: " + names.joined(separator: ", ")],
            hint: Suggestion.nearest(to: name, in: names).map { "did you mean \($0)?" }
                ?? "--json=help lists all fields")
    }
}
