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

    /// Returns a `prop` document, which the answer to `LOCK` is.
    static func prop(_ content: String) -> [UInt8] {
        document("prop", content)
    }

    /// Returns a document of WebDAV with the root element `name`.
    static func document(_ name: String, _ content: String) -> [UInt8] {
        Array("\(declaration)<d:\(name) xmlns:d=\"DAV:\">\(content)</d:\(name)>".utf8)
    }

    /// Returns an `error` document with the element of a precondition, which may use the prefixes of CardDAV and CalDAV.
    static func error(_ element: String) -> [UInt8] {
        let names = DAVName.prefixes.filter { $0.0 == "d" || element.contains("<\($0.0):") }
            .map { " xmlns:\($0.0)=\"\($0.1)\"" }.joined()
        return Array("\(declaration)<d:error\(names)>\(element)</d:error>".utf8)
    }

    /// Returns the element `name` around `content`, which is XML.
    static func element(_ name: XMLName, _ content: String = "") -> String { Tag(name).around(content) }

    /// An element as it is written.
    struct Tag {
        private let opening, closing, empty: String

        init(_ name: XMLName) {
            let (tag, declaration): (String, String)
            if let prefix = DAVName.prefixes.first(where: { $0.1 == name.namespace })?.0 {
                (tag, declaration) = ("\(prefix):\(name.local)", "")
            } else if name.namespace.isEmpty {
                (tag, declaration) = (name.local, "")
            } else {
                (tag, declaration) = ("x:\(name.local)", " xmlns:x=\"\(escaped(name.namespace, inAttribute: true))\"")
            }
            (opening, closing, empty) = ("<\(tag)\(declaration)>", "</\(tag)>", "<\(tag)\(declaration)/>")
        }

        /// Returns the element around `content`, which is XML.
        func around(_ content: String) -> String { content.isEmpty ? empty : opening + content + closing }
    }

    /// Returns the element `href` with a path.
    static func href(_ path: String) -> String { "<d:href>\(escaped(path))</d:href>" }

    /// Returns the element `status`. Clients compare the line to the letter.
    static func status(_ code: Int) -> String {
        let reason =
            switch code {
            case 200: "OK"
            case 201: "Created"
            case 403: "Forbidden"
            case 404: "Not Found"
            case 409: "Conflict"
            case 412: "Precondition Failed"
            case 423: "Locked"
            case 424: "Failed Dependency"
            case 507: "Insufficient Storage"
            default: ""
            }
        return "<d:status>HTTP/1.1 \(code) \(reason)</d:status>"
    }

    /// Returns the text with the characters of markup escaped. Control characters that XML cannot hold are left out.
    static func escaped(_ text: String, inAttribute: Bool = false) -> String {
        guard
            text.utf8.contains(where: {
                $0 < 0x20 || $0 == 0x26 || $0 == 0x3C || $0 == 0x3E || $0 == 0x22 || $0 == 0xEF
            })
        else { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 9 / 8)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): bytes += "&amp;".utf8
            case UInt8(ascii: "<"): bytes += "&lt;".utf8
            case UInt8(ascii: ">"): bytes += "&gt;".utf8
            case UInt8(ascii: "\"") where inAttribute: bytes += "&quot;".utf8
            // A reader turns a bare CR into LF.
            case UInt8(ascii: "\r"): bytes += "&#13;".utf8
            case UInt8(ascii: "\t"), UInt8(ascii: "\n"): bytes.append(byte)
            case ..<0x20: continue
            // U+FFFE and U+FFFF end so.
            case 0xBE where Self.endsNonCharacter(bytes), 0xBF where Self.endsNonCharacter(bytes): bytes.removeLast(2)
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func endsNonCharacter(_ bytes: [UInt8]) -> Bool { bytes.suffix(2).elementsEqual([0xEF, 0xBF]) }
}
