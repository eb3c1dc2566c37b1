import ContentLines

/// Fields with several values: the union by main value, with the labels of both.
extension CardUnionBuilder {
    mutating func mergeValues() {
        let kinds: [PropertyKind] = [.phone, .email, .url, .messenger, .socialProfile, .serviceMessenger, .address]
        var known: [String: Int] = [:]
        for (place, property) in card.properties.enumerated() where kinds.contains(property.kind) {
            if let key = key(property, in: card), known[key] == nil { known[key] = place }
        }
        // The new parameters of values that both cards have, by index.
        var added: Set<String> = []
        for (place, property) in other.properties.enumerated() where kinds.contains(property.kind) {
            guard let key = key(property, in: other), hasContent(place, in: other) else { continue }
            if let place = known[key] {
                joinKinds(of: place, with: property)
            } else if added.insert(key).inserted {
                addValue(property)
            }
        }
    }

    private func key(_ property: Card.Property, in card: Card) -> String? {
        MainValue.of(property, in: card, region: region).map { "\(property.kind.rawValue)\n\($0)" }
    }

    private mutating func addValue(_ property: Card.Property) {
        var line = renamed(PropertyLine(property, of: other), property)
        if isPreferred(property.kind) { line.dropPreference() }
        let place = patch.place(for: property.kind)
        add(line, behind: place)
        addLabel(of: property, to: line.group, behind: place)
    }

    /// Whether the card has a preferred value of this kind.
    private mutating func isPreferred(_ kind: PropertyKind) -> Bool {
        let isPreferred =
            preferred[kind]
            ?? card.properties.contains { $0.kind == kind && card.typeWords($0).preference != nil }
        preferred[kind] = isPreferred
        return isPreferred
    }

    /// Adds missing `TYPE` values, and a custom label if there is none.
    private mutating func joinKinds(of place: Int, with property: Card.Property) {
        let mine = card.properties[place]
        if let label = other.customLabel(property) {
            if card.typeWords(mine).label.isEmpty {
                patch.apply(.relabel(place, label))
                hasChanged = true
            }
            return
        }
        var line = patch.line(place)
        guard line.addTypes(PropertyLine(property, of: other).types, version: card.version) else { return }
        patch.replace(place, by: line)
        hasChanged = true
    }
}

extension PropertyLine {
    /// The values of `TYPE` and the bare words of 2.1, in lower case, without the preference.
    fileprivate var types: [String] {
        parameters.filter { $0.name.isEmpty || $0.name.uppercased() == "TYPE" }.flatMap(\.values)
            .map { $0.lowercased() }.filter { !["pref", "quoted-printable", "base64", "8bit", "7bit"].contains($0) }
    }

    /// Adds the missing words; returns false if there are none.
    fileprivate mutating func addTypes(_ words: [String], version: VCardVersion) -> Bool {
        var known = Set(types)
        let news = words.filter { known.insert($0).inserted }
        guard !news.isEmpty else { return false }
        let spelled = version == .v4 ? news : news.map { $0.uppercased() }
        if version != .v2, let place = parameters.firstIndex(where: { $0.name.uppercased() == "TYPE" }) {
            let values = parameters[place].values + spelled
            parameters[place] = ContentParameter(parameters[place].name, written: values.joined(separator: ","))
        } else {
            parameters += PropertyLine.typeParameters(spelled, version: version)
        }
        return true
    }

    /// Removes the preference, since the card already has a preferred value.
    fileprivate mutating func dropPreference() {
        parameters = parameters.compactMap { parameter in
            if parameter.name.uppercased() == "PREF" { return nil }
            guard parameter.name.isEmpty || parameter.name.uppercased() == "TYPE" else { return parameter }
            let values = parameter.values.filter { $0.uppercased() != "PREF" }
            if values.count == parameter.values.count { return parameter }
            return values.isEmpty ? nil : ContentParameter(parameter.name, written: values.joined(separator: ","))
        }
    }
}
