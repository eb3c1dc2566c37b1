import ContentLines
import TextDecoding

/// Related people and profiles in social networks, which vCard 4.0 has properties for and 3.0 has not: there Apple's are used,
/// which phones show.
extension CardConverter {
    /// Whether the relation of a related person is one of vCard 4.0, and its label is alone in its group.
    func isTyped(_ property: Card.Property) -> Bool {
        guard let label = card.customLabel(property), let types = RelatedPerson.types(of: label), !types.isEmpty else {
            return false
        }
        return card.members(ofGroupOf: property).count == 2
    }

    /// The line of a related person as `RELATED`.
    func standardRelation(_ line: PropertyLine, _ property: Card.Property) -> PropertyLine {
        var line = line
        line.name = "RELATED"
        let text = card.trimmedText(property)
        line.setValue(RelatedPerson.isLink(text) ? .uri(text) : .text(text), .related, version: target)
        if isTyped(property), let types = RelatedPerson.types(of: card.customLabel(property) ?? "") {
            line.group = ""
            line.setLabel(types, version: target)
        }
        return line
    }

    /// The line of a related person who is named by text as that of Apple's programs.
    func appleRelation(_ line: PropertyLine, _ property: Card.Property) -> PropertyLine {
        var line = line
        line.name = "X-ABRELATEDNAMES"
        line.setValue(.text(card.trimmedText(property)), .appleRelated, version: target)
        if card.customLabel(property) == nil, !card.typeWords(property).label.isEmpty {
            line.setLabel([], version: target)
            if line.group.isEmpty { line.group = freeGroup(for: property) }
        }
        return line
    }

    /// The line with the label of a related person, which was a `TYPE`; nil if there is none, or a label already.
    func relationLabel(_ property: Card.Property, _ group: String) -> PropertyLine? {
        let label = card.typeWords(property).label
        guard card.customLabel(property) == nil, !label.isEmpty else { return nil }
        var line = PropertyLine("X-ABLabel", group: group)
        line.setValue(.text(RelatedPerson.appleLabel(label)), .appleLabel, version: target)
        return line
    }

    /// A group that no other property of the card has.
    private func freeGroup(for property: Card.Property) -> String {
        let used = Set(card.properties.map { TextDecoding.decode(card.unfolded($0.group, $0)).lowercased() })
        let place = card.properties.firstIndex { $0.line == property.line } ?? 0
        return (0...).lazy.map { "related\(place + $0 * card.properties.count)" }.first { !used.contains($0) }
            ?? "related"
    }

    /// Makes a profile of Apple's programs one of RFC 9554: the service is not a `TYPE`, and the name of the user has another name.
    func standardProfile(_ line: inout PropertyLine, _ property: Card.Property) {
        line.name = "SOCIALPROFILE"
        var isFound = false
        line.parameters = line.parameters.flatMap { parameter -> [ContentParameter] in
            switch parameter.name.uppercased() {
            case "", "TYPE":
                var rest: [String] = []
                var service: String?
                for word in parameter.typeValues {
                    let isKnown = LabelWord.byType.value(of: Array(word.utf8).span) != nil
                    if isKnown || isFound || service != nil { rest.append(word) } else { service = word }
                }
                guard let service else { return [parameter] }
                isFound = true
                return (rest.isEmpty ? [] : PropertyLine.typeParameters(rest, version: target))
                    + [ContentParameter("SERVICE-TYPE", written: ContentParameter.quoted(service))]
            case "X-USER": return [ContentParameter("USERNAME", written: parameter.written)]
            default: return [parameter]
            }
        }
        let text = card.trimmedText(property)
        guard !WebAddress.hasScheme(text) else { return }
        line.setValue(.text(text), .socialProfile, version: target)
        line.parameters.append(ContentParameter("VALUE", written: "text"))
    }

    /// Makes a profile of RFC 9554 one of Apple's programs.
    func appleProfile(_ line: inout PropertyLine) {
        line.name = "X-SOCIALPROFILE"
        var types: [String] = []
        line.parameters = line.parameters.compactMap { parameter in
            switch parameter.name.uppercased() {
            case "SERVICE-TYPE":
                types.append(parameter.value)
                return nil
            case "USERNAME": return ContentParameter("X-USER", written: parameter.written)
            case "VALUE" where parameter.written.lowercased() == "text": return nil
            default: return parameter
            }
        }
        line.parameters = PropertyLine.typeParameters(types, version: target) + line.parameters
    }
}
