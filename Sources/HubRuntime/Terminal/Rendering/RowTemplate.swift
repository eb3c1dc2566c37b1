import Commands

/// A line that `--format` describes: text with field names in braces, such as `{name}\t{email}`.
///
/// `\t`, `\n`, `\0` and `\\` are a tab, a line end, a NUL and a backslash; `{{` and `}}` are braces.
struct RowTemplate {
    private enum Piece: Equatable {
        case text(String)
        case field(Int)
    }

    private var pieces: [Piece] = []

    /// Reads a template for rows of these fields.
    init(_ template: String, fields: [FieldDescriptor]) throws(HubError) {
        var text = ""
        var rest = template[...]
        while let character = rest.popFirst() {
            switch character {
            case "\\":
                text += RowTemplate.escaped(rest.popFirst())
            case "{" where rest.first == "{", "}" where rest.first == "}":
                text.append(rest.removeFirst())
            case "{":
                guard let end = rest.firstIndex(of: "}") else { throw RowTemplate.unclosed(template) }
                if !text.isEmpty { pieces.append(.text(text)) }
                text = ""
                pieces.append(.field(try FieldSelection.position(String(rest[..<end]), in: fields)))
                rest = rest[rest.index(after: end)...]
            default: text.append(character)
            }
        }
        if !text.isEmpty { pieces.append(.text(text)) }
    }

    /// The text for one row.
    func line(_ rows: Rows, row: Int) -> String {
        pieces.reduce(into: "") { line, piece in
            switch piece {
            case .text(let text): line += text
            case .field(let field): line += rows.value(row, field).plainText
            }
        }
    }

    private static func escaped(_ character: Character?) -> String {
        switch character {
        case "t": "\t"
        case "n": "\n"
        case "0": "\0"
        case "\\", nil: "\\"
        case let other?: "\\" + String(other)
        }
    }

    private static func unclosed(_ template: String) -> HubError {
        HubError(
            .usage, code: "invalid-template", "the template \"\(template)\" has an unclosed brace",
            hint: "use --format '{name}\\t{email}', and {{ for a literal brace")
    }
}

/// The fields that `--json=a,b` and `--plain=a,b` ask for, by their positions.
enum FieldSelection {
    /// Positions of the named fields; nil when all are wanted.
    static func positions(_ names: String, in fields: [FieldDescriptor]) throws(HubError) -> [Int]? {
        guard !names.isEmpty else { return nil }
        var positions: [Int] = []
        for name in names.split(separator: ",", omittingEmptySubsequences: false) {
            let position = try position(String(name), in: fields)
            // Two members of one name would be no JSON that all readers take.
            if !positions.contains(position) { positions.append(position) }
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
            .usage, code: "unknown-field", "no field named \"\(name)\"",
            details: ["fields: " + names.joined(separator: ", ")],
            hint: Suggestion.nearest(to: name, in: names).map { "did you mean \($0)?" }
                ?? "--json=help lists all fields")
    }
}
