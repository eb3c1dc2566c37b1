/// What a request asks NoteApp's REST interface for, by its method and path.
package enum NoteAppRoute: Hashable, Sendable {
    case list
    case create
    /// The id is as in the URL, decoded; ``NoteAppID/lookUp(_:)`` says what it names.
    case read(id: String)
    case replace(id: String)
    case delete(id: String)
    /// `OPTIONS`: 200 with the methods as text, and as `Allow`.
    case options(allow: String)
    /// Nothing of this interface (404).
    case notFound
    /// A bad percent escape in the path (400).
    case badRequest

    /// Reads a request line's method and target. As in the original, paths have no case, a slash at the end makes no
    /// difference, and `HEAD` is a `GET` whose body is not sent.
    package init(method: String, target: String) {
        let path = Array(target.utf8).prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        var parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        if parts.last?.isEmpty == true { parts.removeLast() }
        guard parts.count == 3 || parts.count == 4, parts[0].isEmpty, Self.isCalled("api", parts[1]),
            Self.isCalled("notes", parts[2])
        else {
            self = .notFound
            return
        }
        guard parts.count == 4 else {
            switch method {
            case "GET", "HEAD": self = .list
            case "POST": self = .create
            case "OPTIONS": self = .options(allow: "GET,HEAD,POST")
            default: self = .notFound
            }
            return
        }
        guard let id = NoteAppRoute.decoded(parts[3]) else {
            self = .badRequest
            return
        }
        switch method {
        case "GET", "HEAD": self = .read(id: id)
        case "PUT": self = .replace(id: id)
        case "DELETE": self = .delete(id: id)
        case "OPTIONS": self = .options(allow: "GET,HEAD,PUT,DELETE")
        default: self = .notFound
        }
    }

    /// Whether a part of a path is a name of small letters, in either case.
    private static func isCalled(_ name: String, _ part: ArraySlice<UInt8>) -> Bool {
        part.elementsEqual(name.utf8) { $0 | 0x20 == $1 }
    }

    /// Decodes percent escapes (RFC 3986 §2.1); nil for a broken one, and for bytes that are not UTF-8.
    private static func decoded(_ part: ArraySlice<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var rest = part
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
