/// The limits for reading a calendar.
package struct ICalLimits: Hashable, Sendable {
    /// The largest text, in bytes.
    package var bytes: Int
    /// The longest line, put together from its folded parts, in bytes: pictures are attached in one line.
    package var lineBytes: Int
    /// The deepest nesting; the calendar itself has depth 1.
    package var depth: Int
    /// The most components.
    package var components: Int
    /// The most properties of all components together.
    package var properties: Int

    /// The limits for one item of a calendar, far above what any program writes.
    package static let item = ICalLimits(components: 10_000, properties: 10_000)

    package init(
        bytes: Int = 64 << 20, lineBytes: Int = 8 << 20, depth: Int = 16, components: Int = 500_000,
        properties: Int = 4_000_000
    ) {
        self.bytes = bytes
        self.lineBytes = lineBytes
        self.depth = depth
        self.components = components
        self.properties = properties
    }
}
