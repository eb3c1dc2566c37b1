/// Writes components as text in UTF-8: lines end with CRLF and are folded at 75 bytes (RFC 5545 §3.1).
package enum ICalWriter {
    /// The text of `component`. What ``ICalReader`` read is written as it was, but for where lines are folded.
    package static func write(_ component: ICalComponent) -> [UInt8] {
        var output: [UInt8] = []
        append(component, to: &output)
        return output
    }

    private static func append(_ component: ICalComponent, to output: inout [UInt8]) {
        ContentLine.append(ICalProperty("BEGIN", value: component.name), to: &output)
        for property in component.properties { ContentLine.append(property, to: &output) }
        for inner in component.components { append(inner, to: &output) }
        ContentLine.append(ICalProperty("END", value: component.name), to: &output)
    }
}
