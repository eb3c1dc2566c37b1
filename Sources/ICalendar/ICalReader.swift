import ContentLines

/// Reads calendars: folded lines, properties with parameters, and components one inside the other (RFC 5545 §3.1, §3.4).
///
/// Nothing is left out or changed: unknown properties, empty values and escapes stay as they are.
package enum ICalReader {
    /// The components of `text` that are in no other: as a rule one `VCALENDAR`.
    package static func read(
        _ text: [UInt8], limits: ICalLimits = ICalLimits()
    ) throws(ICalError) -> [ICalComponent] {
        guard text.count <= limits.bytes else { throw .tooLarge(limit: limits.bytes) }
        var lines = FoldedLines(text, longest: limits.lineBytes)
        var tree = ComponentTree(limits: limits)
        while let line = try lines.next() { try tree.add(line, number: lines.number) }
        return try tree.finish(line: lines.number)
    }
}

/// The lines of a text, each put together from its folded parts.
private struct FoldedLines {
    private let text: [UInt8]
    private let longest: Int
    private var position: Int
    private var nextNumber = 1
    /// The number of the line that was read last.
    private(set) var number = 0

    init(_ text: [UInt8], longest: Int) {
        self.text = text
        self.longest = longest
        position = 0
    }

    /// The next line that is not empty.
    mutating func next() throws(ICalError) -> String? {
        while position < text.count {
            number = nextNumber
            let start = position
            let (end, next, folds) = text.span.endOfFoldedLine(from: start)
            (position, nextNumber) = (next, nextNumber + folds + 1)
            if start == end { continue }
            var line = folds == 0 ? Array(text[start..<end]) : text.span.unfolded(start..<end)
            // Joined files have a byte order mark before each of them.
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
            guard line.count <= longest else { throw .lineTooLong(line: number, limit: longest) }
            if line.isEmpty { continue }
            guard !line.contains(0), let string = String(validating: line, as: UTF8.self) else {
                throw .notText(line: number)
            }
            return string
        }
        return nil
    }
}

/// The components that are read, as far as they are.
private struct ComponentTree {
    private let limits: ICalLimits
    private var open: [ICalComponent] = []
    private var roots: [ICalComponent] = []
    private var (components, properties) = (0, 0)

    init(limits: ICalLimits) { self.limits = limits }

    mutating func add(_ line: String, number: Int) throws(ICalError) {
        let property = ICalProperty(line: line)
        switch property.name.uppercased() {
        case "BEGIN": try begin(property.value, number)
        case "END": try end(property.value, number)
        default:
            guard !open.isEmpty else { throw .outside(line: number) }
            properties += 1
            guard properties <= limits.properties else { throw .tooMany(line: number, limit: limits.properties) }
            open[open.count - 1].properties.append(property)
        }
    }

    private mutating func begin(_ name: String, _ number: Int) throws(ICalError) {
        components += 1
        guard components <= limits.components else { throw .tooMany(line: number, limit: limits.components) }
        guard open.count < limits.depth else { throw .tooDeep(line: number, limit: limits.depth) }
        open.append(ICalComponent(ComponentTree.trimmed(name), line: number))
    }

    private mutating func end(_ name: String, _ number: Int) throws(ICalError) {
        guard let component = open.popLast() else { throw .outside(line: number) }
        let next = ComponentTree.gluedName(after: component.name, in: name)
        guard next != nil || component.name == ComponentTree.trimmed(name) else {
            throw .unbalanced(line: component.line, name: component.name)
        }
        if open.isEmpty { roots.append(component) } else { open[open.count - 1].components.append(component) }
        if let next { try begin(next, number) }
    }

    func finish(line: Int) throws(ICalError) -> [ICalComponent] {
        if let component = open.last { throw .unbalanced(line: component.line, name: component.name) }
        guard !roots.isEmpty else { throw .empty }
        return roots
    }

    /// The name of the component that begins in the line in which `name` ends: files that are joined where the first one
    /// lacks its last line end have `END:VCALENDARBEGIN:VCALENDAR`.
    private static func gluedName(after name: String, in value: String) -> String? {
        guard value.utf8.count > name.utf8.count, value.uppercased().hasPrefix(name) else { return nil }
        let rest = value.unicodeScalars.dropFirst(name.unicodeScalars.count)
            .drop { $0 == "\u{FEFF}" || $0.properties.isWhitespace }
        let text = String(String.UnicodeScalarView(rest))
        return text.uppercased().hasPrefix("BEGIN:") ? String(text.dropFirst(6)) : nil
    }

    private static func trimmed(_ name: String) -> String {
        // In capitals first, which may be more characters.
        String(name.uppercased().prefix(60).reversed().drop { $0.isWhitespace }.reversed())
    }
}
