import XML

/// Writes XML as the clients of this protocol have been seen with: no white space between elements, all prefixes on the root.
enum DAVMarkup {
    /// The first line of each document.
    static let declaration = #"<?xml version="1.0" encoding="utf-8"?>"# + "\n"
    /// The media type of each document.
    static let mediaType = "application/xml; charset=utf-8"

    /// The start of a multistatus document.
    static let multistatusStart = declaration + "<d:multistatus\(declarations)>"
    /// Its end.
    static let multistatusEnd = "</d:multistatus>"

    private static let declarations = DAVName.prefixes.map { " xmlns:\($0.0)=\"\($0.1)\"" }.joined()

    /// Returns an `error` document with the element of a precondition, which may use the prefixes of CardDAV and CalDAV.
    static func error(_ element: String) -> [UInt8] {
        let names = DAVName.prefixes.filter { $0.0 == "d" || element.contains("<\($0.0):") }
            .map { " xmlns:\($0.0)=\"\($0.1)\"" }.joined()
        return Array("\(declaration)<d:error\(names)>\(element)</d:error>".utf8)
    }

    /// Returns the element `name` around `content`, which is XML.
    static func element(_ name: XMLName, _ content: String = "") -> String {
        let (tag, declaration): (String, String)
        if let prefix = DAVName.prefixes.first(where: { $0.1 == name.namespace })?.0 {
            (tag, declaration) = ("\(prefix):\(name.local)", "")
        } else if name.namespace.isEmpty {
            (tag, declaration) = (name.local, "")
        } else {
            (tag, declaration) = ("x:\(name.local)", " xmlns:x=\"\(escaped(name.namespace, inAttribute: true))\"")
        }
        return content.isEmpty ? "<\(tag)\(declaration)/>" : "<\(tag)\(declaration)>\(content)</\(tag)>"
    }

    /// Returns the element `href` with a path.
    static func href(_ path: String) -> String { "<d:href>\(escaped(path))</d:href>" }

    /// Returns the element `status`. Clients compare the line to the letter.
    static func status(_ code: Int) -> String {
        let reasons = [
            200: "OK", 403: "Forbidden", 404: "Not Found", 424: "Failed Dependency", 507: "Insufficient Storage",
        ]
        return "<d:status>HTTP/1.1 \(code) \(reasons[code] ?? "")</d:status>"
    }

    /// Returns the text with the characters of markup escaped. Control characters that XML cannot hold are left out.
    static func escaped(_ text: String, inAttribute: Bool = false) -> String {
        guard
            text.utf8.contains(where: {
                $0 < 0x20 || $0 == 0x26 || $0 == 0x3C || $0 == 0x3E || $0 == 0x22 || $0 == 0xEF
            })
        else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.append(contentsOf: "&gt;".unicodeScalars)
            case "\"" where inAttribute: result.append(contentsOf: "&quot;".unicodeScalars)
            // A reader turns a bare CR into LF.
            case "\r": result.append(contentsOf: "&#13;".unicodeScalars)
            case "\t", "\n": result.append(scalar)
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: continue
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
