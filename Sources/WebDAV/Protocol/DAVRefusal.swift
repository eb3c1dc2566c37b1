import HTTPClient
import Sync
import XML

/// The refusal of a request: its status, the preconditions that it names (RFC 4918 §16), and its message.
struct DAVRefusal {
    let status: Int
    private let conditions: [XMLElement]
    /// The message for the user.
    let reason: String

    init(_ response: HTTPResponse) {
        status = response.status
        let root = try? XMLReader.read(response.body, limits: XMLLimits(bytes: 1 << 16, depth: 16, elements: 200))
        conditions = root?.name == DAVName.d("error") ? root?.children ?? [] : []
        var words = ["status \(response.status)"]
        if root == nil, response.headers["Content-Type"]?.hasPrefix("text/plain") == true {
            words.append(DAVRefusal.firstLine(response.body))
        }
        words += conditions.map(\.name.local)
        for condition in conditions where !condition.trimmedText.isEmpty {
            words.append(DAVRefusal.firstLine(Array(condition.text.utf8)))
        }
        reason = words.filter { !$0.isEmpty }.joined(separator: ": ")
    }

    /// The named precondition, if the server names it.
    func condition(_ name: XMLName) -> XMLElement? { conditions.first { $0.name == name } }

    /// Whether the server no longer knows a token it was asked with. Servers say it in every one of these ways.
    var meansExpiredToken: Bool {
        condition(DAVName.d("valid-sync-token")) != nil || [400, 403, 409, 410, 412].contains(status)
    }

    /// The reason why an item is refused, if the response says so.
    var itemRefusal: ItemRefusal? {
        func names(_ local: String...) -> Bool {
            conditions.contains { condition in
                [DAVName.card, DAVName.calendar].contains(condition.name.namespace)
                    && local.contains(condition.name.local)
            }
        }
        if names(
            "supported-address-data", "supported-address-data-conversion", "supported-calendar-data",
            "supported-calendar-component")
        {
            return .version(reason: reason)
        }
        if names("valid-address-data", "valid-calendar-data", "valid-calendar-object-resource") {
            return .invalid(reason: reason)
        }
        if names("max-resource-size") { return .tooLarge(reason: reason) }
        return switch status {
        case 413: .tooLarge(reason: reason)
        case 507: .noSpace(reason: reason)
        case 415: .version(reason: reason)
        case 400, 422: .invalid(reason: reason)
        case 403, 405: .notAllowed(reason: reason)
        case 500...599: .serverError(reason: reason)
        default: nil
        }
    }

    /// The precondition that no other item has the same `UID`, if the server names it.
    var uidConflict: XMLElement? {
        conditions.first {
            $0.name.local == "no-uid-conflict" && [DAVName.card, DAVName.calendar].contains($0.name.namespace)
        }
    }

    /// Whether the name for a new collection is taken: with MKCOL servers answer 405, with MKCALENDAR they name it.
    var meansNameTaken: Bool { status == 405 || condition(DAVName.d("resource-must-be-null")) != nil }

    /// Returns the first line of the server's message, shortened and without control characters.
    private static func firstLine(_ bytes: [UInt8]) -> String {
        let line = String(decoding: bytes.prefix(1000), as: UTF8.self).split(whereSeparator: \.isNewline).first ?? ""
        return String(
            String.UnicodeScalarView(line.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }).prefix(160))
    }
}

extension RemoteError {
    /// Creates the error for an unexpected response.
    init(_ refusal: DAVRefusal) {
        switch refusal.status {
        case 404, 410: self = .notFound(reason: refusal.reason)
        case 200..<300: self = .malformed(reason: "this is not a WebDAV resource (\(refusal.reason))")
        default: self = .refused(reason: refusal.reason)
        }
    }
}
