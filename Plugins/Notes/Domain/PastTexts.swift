import TextCRDT

/// Texts of a note at earlier versions. What clients that look the same write is compared with the same few versions again and again.
package struct PastTexts: Sendable {
    /// The most versions, and the most scalars of one.
    private static let (maximumCount, maximumLength) = (4, 8192)

    private var known: [(version: NoteVersion, scalars: TextDiff.Scalars)] = []

    package init() {}

    /// About the bytes that it takes in memory.
    package var size: Int { known.reduce(0) { $0 + 128 + $1.scalars.count * MemoryLayout<UInt32>.size } }

    /// Returns the title of a version, a line break and its content.
    mutating func scalars(
        at version: NoteVersion, of document: NoteDocument
    ) throws(TextCRDTError) -> TextDiff.Scalars {
        if let known = known.first(where: { $0.version == version }) { return known.scalars }
        let scalars = TextDiff.scalars(
            ofTitle: try document.title.scalars(at: version.title), try document.content.scalars(at: version.content))
        // The newest version is at hand anyway, and mostly the next write makes another one.
        if scalars.count <= Self.maximumLength, version != document.version {
            if known.count == Self.maximumCount { known.removeFirst() }
            known.append((version, scalars))
        }
        return scalars
    }
}
