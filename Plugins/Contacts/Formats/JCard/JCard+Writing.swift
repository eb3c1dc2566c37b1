import ContentLines
import TextDecoding

extension JCard {
    /// Converts the card to jCard, on one line.
    static func text(_ card: Card) -> String {
        let card = card.exported(as: .v4)
        var properties = ["[\"version\",{},\"text\",\"4.0\"]"]
        for property in card.properties {
            switch property.kind {
            case .begin, .end, .version, .unreadable: continue
            // A line that starts with its colon has no name.
            case .unknown where property.name.isEmpty: continue
            default: properties.append(text(property, of: card))
            }
        }
        return "[\"vcard\",[\(properties.joined(separator: ","))]]"
    }

    private static func text(_ property: Card.Property, of card: Card) -> String {
        let line = PropertyLine(property, of: card)
        let name = line.name.uppercased()
        var type = card.parameter("VALUE", of: property)?.lowercased() ?? JCard.type(of: name)
        // An undeclared URI, such as a bare phone number with `VALUE=uri`, keeps the type of its property.
        if type.isEmpty { type = JCard.type(of: name) }
        var members: [String] = []
        if !line.group.isEmpty { members.append("\"group\":\(quoted(line.group.lowercased()))") }
        var seen: [(name: String, values: [String])] = []
        var places: [String: Int] = [:]
        for parameter in line.parameters where parameter.name.uppercased() != "VALUE" {
            let key = parameter.name.isEmpty ? "type" : parameter.name.lowercased()
            let values = parameterValues(parameter)
            if let place = places[key] {
                seen[place].values += values
            } else {
                places[key] = seen.count
                seen.append((key, values))
            }
        }
        for (key, values) in seen {
            let texts = values.map(quoted)
            members.append("\(quoted(key)):\(texts.count == 1 ? texts[0] : "[\(texts.joined(separator: ","))]")")
        }
        let values = values(property, of: card, name: name, type: type)
        return "[\(quoted(name.lowercased())),{\(members.joined(separator: ","))},\(quoted(type)),\(values)]"
    }

    /// The values of a property, separated by commas.
    private static func values(_ property: Card.Property, of card: Card, name: String, type: String) -> String {
        if isStructured(name) {
            let components = card.rawComponents(property).map { component -> String in
                let items = items(component).map(quoted)
                return items.count == 1 ? items[0] : "[\(items.joined(separator: ","))]"
            }
            return components.count == 1 ? components[0] : "[\(components.joined(separator: ","))]"
        }
        if isList(name) {
            let items = card.list(property).map(quoted)
            return items.isEmpty ? "\"\"" : items.joined(separator: ",")
        }
        if type == "unknown" { return quoted(TextDecoding.decode(card.content(property))) }
        let text = card.text(property)
        if type == "utc-offset" { return quoted(colons(zone: text)) }
        return quoted(isTime(type) ? extended(text) : text)
    }

    /// A component split at unescaped commas, without escapes.
    private static func items(_ component: String) -> [String] {
        var items = [""]
        var isEscaped = false
        for letter in component {
            if isEscaped {
                items[items.count - 1].append(letter == "n" || letter == "N" ? "\n" : letter)
                isEscaped = false
            } else if letter == "\\" {
                isEscaped = true
            } else if letter == "," {
                items.append("")
            } else {
                items[items.count - 1].append(letter)
            }
        }
        return items
    }

    /// The values of a parameter; commas inside quotes belong to the value, except in `TYPE`.
    private static func parameterValues(_ parameter: ContentParameter) -> [String] {
        if parameter.name.isEmpty || parameter.name.uppercased() == "TYPE" {
            return parameter.values.map(ContentParameter.unescaped)
        }
        var values = [""]
        var isQuoted = false
        for letter in parameter.written {
            switch letter {
            case "\"": isQuoted.toggle()
            case "," where !isQuoted: values.append("")
            default: values[values.count - 1].append(letter)
            }
        }
        return values.map(ContentParameter.unescaped)
    }

    /// Returns `text` as a JSON string.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
