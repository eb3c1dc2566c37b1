/// Notes are concatenated, lists are joined, and the larger of two pictures is kept.
extension CardUnionBuilder {
    mutating func mergeNotes() {
        let mine = card.all(.note).map { card.text(card.properties[$0]).trimmed }
        var known = Set(mine.flatMap(\.blocks))
        var news: [String] = []
        for place in other.all(.note) {
            let text = other.text(other.properties[place]).trimmed
            let blocks = text.blocks
            guard !known.isSuperset(of: blocks) else { continue }
            known.formUnion(blocks)
            news.append(text)
        }
        guard !news.isEmpty else { return }
        hasChanged = true
        guard let place = card.first(.note), !mine[0].isEmpty else {
            let text = news.joined(separator: "\n\n")
            return patch.apply(
                card.first(.note).map { .replace($0, .text(text)) } ?? .add(.note, .text(text), label: ""))
        }
        let text = ([card.text(card.properties[place])] + news).joined(separator: "\n\n")
        patch.apply(.replace(place, .text(text)))
    }

    mutating func mergePictures() {
        guard let theirs = other.first(.photo), hasContent(theirs, in: other) else { return }
        let line = PropertyLine(other.properties[theirs], of: other)
        guard let mine = card.first(.photo), hasContent(mine, in: card) else {
            if let empty = card.first(.photo) {
                patch.replace(empty, by: line)
            } else {
                add(line, behind: patch.lastPlace)
            }
            hasChanged = true
            return
        }
        guard let area = other.pictureArea(other.properties[theirs]),
            let present = card.pictureArea(card.properties[mine]), area > present
        else { return }
        patch.replace(mine, by: line)
        hasChanged = true
    }

    mutating func mergeList(_ kind: PropertyKind) {
        var known = Set(card.all(kind).flatMap { card.list(card.properties[$0]) }.map { $0.lowercased() })
        let news = other.all(kind).flatMap { other.list(other.properties[$0]) }
            .filter { known.insert($0.lowercased()).inserted }
        guard !news.isEmpty else { return }
        hasChanged = true
        if let place = card.all(kind).last {
            patch.apply(.replace(place, .list(card.list(card.properties[place]) + news)))
        } else {
            patch.apply(.add(kind, .list(news), label: ""))
        }
    }
}

extension String {
    /// The paragraphs between empty lines.
    fileprivate var blocks: [String] {
        split(separator: "\n", omittingEmptySubsequences: false).split(whereSeparator: \.isEmpty)
            .map { $0.joined(separator: "\n") }
    }
}

extension Card {
    /// Width times height of an embedded picture; nil for a URL and for unknown types.
    fileprivate func pictureArea(_ property: Property) -> Int? {
        let data = content(property)
        if data.span.hasWord("DATA:", at: 0) {
            return data.firstIndex(of: ASCII.comma).flatMap { PictureSize.area(ofBase64: data[($0 + 1)...]) }
        }
        return PictureSize.area(ofBase64: data[...])
    }
}
