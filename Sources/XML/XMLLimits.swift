/// The limits for a document.
package struct XMLLimits: Hashable, Sendable {
    /// The largest document, in bytes.
    package var bytes: Int
    /// The deepest nesting; the root has depth 1. libxml2 itself ends at 256.
    package var depth: Int
    /// The most elements; each takes some 150 bytes of memory.
    package var elements: Int
    /// The most attributes of all elements together; each takes some 200 bytes of memory.
    package var attributes: Int

    package init(
        bytes: Int = 64 << 20, depth: Int = 64, elements: Int = 2_000_000, attributes: Int = 500_000
    ) {
        self.bytes = bytes
        self.depth = depth
        self.elements = elements
        self.attributes = attributes
    }
}
