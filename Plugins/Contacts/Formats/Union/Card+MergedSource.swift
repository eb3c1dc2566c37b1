import ContentLines

extension Card {
    /// The parameter for the content hash of a merged card as last imported.
    private static let contentParameter = "X-HUB-CONTENT"

    /// The values of an `X-HUB-MERGED-UID` property.
    func mergedSource(_ property: Property) -> MergedSource {
        let content = parameter(Card.contentParameter, of: property).flatMap { UInt64($0, radix: 16) }
        return MergedSource(uid: trimmedText(property), content: content.map { Int(bitPattern: UInt($0)) })
    }

    /// The line that records a merged card.
    static func line(for source: MergedSource) -> PropertyLine {
        var line = PropertyLine(
            PropertyKind.mergedUID.rawValue, content: Array(source.uid.filter { !$0.isNewline }.utf8))
        if let content = source.content {
            line.parameters = [
                ContentParameter(contentParameter, written: String(UInt64(UInt(bitPattern: content)), radix: 16))
            ]
        }
        return line
    }
}
