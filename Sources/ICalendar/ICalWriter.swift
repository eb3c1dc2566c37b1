import ContentLines

/// Writes components as text in UTF-8: lines end with CRLF and are folded at 75 bytes (RFC 5545 §3.1).
package enum ICalWriter {
    /// The text of `component`. What ``ICalReader`` read is written as it was, but for where lines are folded.
    package static func write(_ component: ICalComponent) -> [UInt8] {
        var output: [UInt8] = []
        append(component, to: &output)
        return output
    }

    private static func append(_ component: ICalComponent, to output: inout [UInt8]) {
        append(ICalProperty("BEGIN", value: component.name), to: &output)
        for property in component.properties { append(property, to: &output) }
        for inner in component.components { append(inner, to: &output) }
        append(ICalProperty("END", value: component.name), to: &output)
    }

    private static func append(_ property: ICalProperty, to output: inout [UInt8]) {
        let line = property.line
        let lineEnd: [UInt8] = [0x0D, 0x0A]
        // A line that begins with a blank would continue the one before it; as a fold of an empty line it does not.
        if line.utf8.first == 0x20 || line.utf8.first == 0x09 {
            output += lineEnd
            output += LineFolding.folded(Array(" \(line)".utf8), lineEnd)
        } else {
            output += LineFolding.folded(Array(line.utf8), lineEnd)
        }
    }
}
