import ContentLines
import TextDecoding

extension ContentParameter {
    /// The values, split at commas, without quotes. A quoted list (`"work,voice"`) is split as well.
    var values: [String] {
        written.unicodeScalars.split { $0 == "," || $0 == "\"" }.map { Substring($0).trimmed }.filter { !$0.isEmpty }
    }
}

extension Card {
    /// The parameters of a property in order, without empty ones.
    func parameters(_ property: Property) -> [ContentParameter] {
        if property.parameters.isEmpty { return [] }
        let text = TextDecoding.decode(unfolded(property.parameters, property))
        return ContentParameter.list(text).compactMap { parameter in
            if !parameter.name.isEmpty { return ContentParameter(parameter.name.trimmed, written: parameter.written) }
            let word = parameter.written.trimmed
            return word.isEmpty ? nil : ContentParameter("", written: word)
        }
    }

    /// The value of the first parameter named `name`, which is in upper case; without quotes, its escapes decoded.
    func parameter(_ name: String, of property: Property) -> String? {
        if property.parameters.isEmpty { return nil }
        return parameters(property).first { $0.name.uppercased() == name }?.value
    }
}
