extension CardItem {
    /// The name of the field for output.
    var fieldName: String {
        switch kind {
        case .formattedName, .name: "name"
        case .phone: "phone"
        case .email: "email"
        case .address, .addressLabel: "address"
        case .organization: "org"
        case .title: "title"
        case .role: "role"
        case .birthday: "birthday"
        case .anniversary, .extendedAnniversary, .evolutionAnniversary, .appleDate: "anniversary"
        case .url: "url"
        case .messenger, .socialProfile, .serviceMessenger: "im"
        case .note: "note"
        case .nickname: "nickname"
        case .categories: "tag"
        default: content.slot.lowercased()
        }
    }
}

extension Card {
    /// The value of an item for output; of a picture its size.
    func shown(_ item: CardItem) -> String {
        let property = properties[item.place]
        switch property.kind {
        case .name: return structuredName(property).formatted
        case .address: return address(property).formatted
        case .organization: return item.content.value.joined(separator: ", ")
        case .birthday, .anniversary, .extendedAnniversary, .evolutionAnniversary:
            return date(property)?.description ?? trimmedText(property)
        case _ where property.kind.isBinary || property.flags.contains(.base64):
            return "\(dataLength(property)) bytes"
        default: return plainValue(property)
        }
    }

    /// The lines of an item for another card: the property, then the others of its group.
    func lines(of item: CardItem) -> [PropertyLine] {
        ([item.place] + item.companions).map { PropertyLine(properties[$0], of: self) }
    }
}
