/// One item of a Joplin export: a file with a title, a body, and lines of metadata at its end.
struct JoplinItem {
    /// The kinds that matter here, by Joplin's numbers.
    enum Kind: Int {
        case note = 1
        case folder = 2
        case resource = 4
        case tag = 5
        case noteTag = 6
    }

    var title = ""
    var body = ""
    /// The metadata in order.
    var metadata: [(key: String, value: String)] = []

    subscript(key: String) -> String? { metadata.first { $0.key == key }?.value }

    var id: String { self["id"] ?? "" }

    var kind: Kind? { self["type_"].flatMap { Int($0) }.flatMap(Kind.init) }

    init(kind: Kind, id: String, title: String = "", body: String = "", _ metadata: [(String, String)]) {
        self.title = title
        self.body = body
        self.metadata = [("id", id)] + metadata + [("type_", String(kind.rawValue))]
    }

    /// Reads an item; nil for text without metadata.
    init?(_ text: String) {
        var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)[...]
        while let last = lines.last, last.isEmpty { lines.removeLast() }
        // Metadata comes after the last empty line.
        while let line = lines.last, !line.isEmpty, let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            metadata.append((String(line[..<colon]), JoplinItem.unescaped(String(value))))
            lines.removeLast()
        }
        metadata.reverse()
        guard self["type_"] != nil, self["id"] != nil else { return nil }
        if lines.last?.isEmpty == true { lines.removeLast() }
        // An item without a title and a body is metadata alone.
        guard let first = lines.first else { return }
        title = String(first)
        lines = lines.dropFirst()
        if lines.first?.isEmpty == true { lines.removeFirst() }
        body = lines.map { String($0) }.joined(separator: "\n")
    }

    /// The text of the item.
    var text: String {
        let lines = metadata.map { "\($0.key): \(JoplinItem.escaped($0.value))" }.joined(separator: "\n")
        switch kind {
        case .note: return "\(title)\n\n\(body)\n\n\(lines)"
        case .noteTag: return lines
        default: return "\(title)\n\n\(lines)"
        }
    }

    private static func escaped(_ value: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\n": result.append(contentsOf: "\\n".unicodeScalars)
            case "\r": result.append(contentsOf: "\\r".unicodeScalars)
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    private static func unescaped(_ value: String) -> String {
        guard value.utf8.contains(UInt8(ascii: "\\")) else { return value }
        var result = String.UnicodeScalarView()
        var rest = value.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if scalar == "\\", rest.first == "n" || rest.first == "r" {
                result.append(rest.removeFirst() == "n" ? "\n" : "\r")
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }
}
