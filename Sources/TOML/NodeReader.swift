import CTOML

/// Makes the tree from the parser's nodes, which lie in preorder.
struct NodeReader {
    let nodes: UnsafeBufferPointer<ctoml_node>
    private var index = 0

    init(nodes: UnsafeBufferPointer<ctoml_node>) { self.nodes = nodes }

    /// Returns the node at the cursor with everything below it; moves the cursor past them.
    mutating func next() -> TOMLNode {
        let node = nodes[index]
        index += 1
        return TOMLNode(value(of: node), range: TOMLRange(node.range))
    }

    private mutating func value(of node: ctoml_node) -> TOMLValue {
        switch node.kind {
        case CTOML_TABLE, CTOML_INLINE_TABLE:
            return .table(table(count: node.count, isInline: node.kind == CTOML_INLINE_TABLE))
        case CTOML_ARRAY:
            var elements: [TOMLNode] = []
            for _ in 0..<node.count { elements.append(next()) }
            return .array(elements)
        case CTOML_STRING: return .string(Self.text(node.text, node.text_length))
        case CTOML_INTEGER: return .integer(node.integer)
        case CTOML_FLOAT: return .float(node.real)
        case CTOML_BOOLEAN: return .boolean(node.boolean)
        default: return .dateTime(TOMLDateTime(node.date_time))
        }
    }

    /// The parser sorts a table by key; this gives back the order of the text.
    private mutating func table(count: Int, isInline: Bool) -> TOMLTable {
        var entries: [TOMLTable.Entry] = []
        entries.reserveCapacity(count)
        for _ in 0..<count {
            let node = nodes[index]
            entries.append(
                TOMLTable.Entry(
                    key: Self.text(node.key, node.key_length), keyRange: TOMLRange(node.key_range), node: next()))
        }
        entries.sort { $0.keyRange.start < $1.keyRange.start }
        return TOMLTable(entries: entries, isInline: isInline)
    }

    private static func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
        String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }
}

extension TOMLPosition {
    init(_ position: ctoml_position) { self.init(line: Int(position.line), column: Int(position.column)) }
}

extension TOMLRange {
    fileprivate init(_ range: ctoml_range) { self.init(TOMLPosition(range.begin), TOMLPosition(range.end)) }
}

extension TOMLDateTime {
    fileprivate init(_ value: ctoml_date_time) {
        date = value.has_date ? Day(year: Int(value.year), month: Int(value.month), day: Int(value.day)) : nil
        time =
            value.has_time
            ? Time(
                hour: Int(value.hour), minute: Int(value.minute), second: Int(value.second),
                nanosecond: Int(value.nanosecond)) : nil
        offset = value.has_offset ? Int(value.offset) : nil
    }
}
