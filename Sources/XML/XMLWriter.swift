/// Writes an element and all below it as a document in UTF-8.
///
/// Characters that XML 1.0 cannot carry, not even escaped (most control characters, U+FFFE and U+FFFF), are replaced by
/// U+FFFD. Text comes before children. What is written is read back equal.
package struct XMLWriter: Sendable {
    /// The prefix for each namespace; others get `ns1`, `ns2` and so on.
    private let prefixes: [String: String]

    /// `prefixes` gives namespaces the prefixes that people know, by namespace. Each prefix must be a name of XML.
    package init(prefixes: [String: String] = [:]) { self.prefixes = prefixes }

    /// The document with the root `element`.
    package func write(_ element: XMLElement) -> [UInt8] {
        var spaces: [String] = []
        collect(element, &spaces)
        var taken = Set(prefixes.values)
        var names: [String: String] = [:]
        for space in spaces {
            var number = names.count + 1
            while prefixes[space] == nil, taken.contains("ns\(number)") { number += 1 }
            let prefix = prefixes[space] ?? "ns\(number)"
            taken.insert(prefix)
            names[space] = prefix
        }
        var output = Array(#"<?xml version="1.0" encoding="utf-8"?>"#.utf8) + [0x0A]
        append(element, names, declaring: spaces, to: &output)
        output.append(0x0A)
        return output
    }

    private static let xmlNamespace = "http://www.w3.org/XML/1998/namespace"

    /// The namespaces below `element`, in the order in which they are met.
    private func collect(_ element: XMLElement, _ spaces: inout [String]) {
        for name in [element.name] + XMLWriter.sorted(element.attributes).map(\.key) {
            let space = name.namespace
            if !space.isEmpty, space != XMLWriter.xmlNamespace, !spaces.contains(space) { spaces.append(space) }
        }
        for child in element.children { collect(child, &spaces) }
    }

    private static func sorted(_ attributes: [XMLName: String]) -> [(key: XMLName, value: String)] {
        attributes.sorted { ($0.key.namespace, $0.key.local) < ($1.key.namespace, $1.key.local) }
    }

    private func append(
        _ element: XMLElement, _ prefixes: [String: String], declaring spaces: [String], to output: inout [UInt8]
    ) {
        let name = qualified(element.name, prefixes)
        output += Array("<\(name)".utf8)
        for space in spaces {
            output += Array(" xmlns:\(prefixes[space] ?? "")=\"".utf8)
            XMLWriter.escape(space, inAttribute: true, to: &output)
            output.append(UInt8(ascii: "\""))
        }
        for (key, value) in XMLWriter.sorted(element.attributes) {
            output += Array(" \(qualified(key, prefixes))=\"".utf8)
            XMLWriter.escape(value, inAttribute: true, to: &output)
            output.append(UInt8(ascii: "\""))
        }
        if element.text.isEmpty, element.children.isEmpty {
            output += Array("/>".utf8)
            return
        }
        output.append(UInt8(ascii: ">"))
        XMLWriter.escape(element.text, inAttribute: false, to: &output)
        for child in element.children { append(child, prefixes, declaring: [], to: &output) }
        output += Array("</\(name)>".utf8)
    }

    private func qualified(_ name: XMLName, _ prefixes: [String: String]) -> String {
        if name.namespace == XMLWriter.xmlNamespace { return "xml:\(name.local)" }
        return prefixes[name.namespace].map { "\($0):\(name.local)" } ?? name.local
    }

    private static func escape(_ text: String, inAttribute: Bool, to output: inout [UInt8]) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": output += Array("&amp;".utf8)
            case "<": output += Array("&lt;".utf8)
            case ">": output += Array("&gt;".utf8)
            case "\"" where inAttribute: output += Array("&quot;".utf8)
            // A reader turns a bare CR into LF, and any white space of an attribute into a space.
            case "\r": output += Array("&#13;".utf8)
            case "\n" where inAttribute: output += Array("&#10;".utf8)
            case "\t" where inAttribute: output += Array("&#9;".utf8)
            default: output += Array((isLegal(scalar) ? scalar : "\u{FFFD}").utf8)
            }
        }
    }

    /// The characters of XML 1.0 §2.2.
    private static func isLegal(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}
