import JSON
import Text
import TextCRDT

/// What the frames of the hub protocol share (docs/notes-protocol.md).
package enum NotesProtocol {
    /// The WebSocket subprotocol that both ends name in the handshake (RFC 6455 §1.9).
    package static let subprotocol = "hub.notes.v1"
    /// What a client offers in the handshake: the subprotocol between two names that no server knows. A server that confirms the
    /// first or the last one without knowing any, as the one of NoteApp does, does not confirm ``subprotocol``.
    package static let offered = ["hub.notes.first", subprotocol, "hub.notes.last"]
    /// The largest frame, in bytes.
    package static let maximumFrame = 16 << 20
    /// The most requests of one client that may wait for their answers.
    package static let maximumInFlight = 64
    /// The most edits of one frame.
    package static let maximumEdits = 10_000
}

/// Why a frame is not acceptable.
package enum ProtocolError: Error, Hashable, Sendable {
    /// Not a JSON object with a known form; the sender is faulty and the connection ends.
    case malformed(String)
}

extension Version {
    /// The version as `["agent", 12, "other", 3]`.
    func write(to json: inout JSONWriter) {
        json.array { json in
            for head in heads {
                json.value(head.agent)
                json.value(head.sequence)
            }
        }
    }

    /// Reads what ``write(to:)`` wrote.
    init(_ json: JSONValue) throws(ProtocolError) {
        guard let elements = json.array, elements.count.isMultiple(of: 2),
            elements.count <= 2 * Version.maximumHeads
        else { throw .malformed("version") }
        var heads: [EventID] = []
        for index in stride(from: 0, to: elements.count, by: 2) {
            guard let agent = elements[index].string, let sequence = elements[index + 1].integer,
                case let head = EventID(agent: agent, sequence: sequence), head.isAcceptable
            else { throw .malformed("version") }
            heads.append(head)
        }
        self.init(heads)
    }
}

extension TextEdit {
    /// Edits as `[[position, deleted, "inserted"], …]`.
    static func write(_ edits: [TextEdit], to json: inout JSONWriter) {
        json.array { json in
            for edit in edits {
                json.array { json in
                    json.value(edit.position)
                    json.value(edit.deletedCount)
                    json.value(edit.inserted)
                }
            }
        }
    }

    /// Reads what ``write(_:to:)`` wrote; positions are checked by the text that gets the edits.
    static func list(_ json: JSONValue?) throws(ProtocolError) -> [TextEdit] {
        guard let elements = json?.array, elements.count <= NotesProtocol.maximumEdits else {
            throw .malformed("edits")
        }
        var edits: [TextEdit] = []
        for element in elements {
            guard let parts = element.array, parts.count == 3, let position = parts[0].integer,
                let deleted = parts[1].integer, let inserted = parts[2].string,
                (0..<1 << 31).contains(position), (0..<1 << 31).contains(deleted)
            else { throw .malformed("edits") }
            edits.append(TextEdit(position: position, deletedCount: deleted, inserted: inserted))
        }
        return edits
    }
}

extension NoteVersion {
    func write(to json: inout JSONWriter) {
        for field in NoteField.allCases {
            json.name(field.rawValue)
            self[field].write(to: &json)
        }
    }

    /// The version in members of a frame; nil when neither member is there.
    init?(in json: JSONValue) throws(ProtocolError) {
        guard json["title"] != nil || json["content"] != nil else { return nil }
        self.init()
        for field in NoteField.allCases {
            if let value = json[field.rawValue] { self[field] = try Version(value) }
        }
    }
}

extension NotePatch {
    func write(to json: inout JSONWriter) {
        for field in NoteField.allCases {
            guard let bytes = self[field] else { continue }
            json.name(field.rawValue)
            json.value(Base64.encode(bytes))
        }
    }

    init(in json: JSONValue) throws(ProtocolError) {
        self.init()
        for field in NoteField.allCases {
            guard let value = json[field.rawValue] else { continue }
            guard let bytes = value.string.flatMap({ Base64.decode($0.utf8) }) else { throw .malformed(field.rawValue) }
            self[field] = bytes
        }
    }
}

extension JSONValue {
    /// A string of limited length.
    func text(_ name: String, limit: Int = NoteLimits.name) throws(ProtocolError) -> String {
        guard let text = self[name]?.string, text.utf8.count <= limit else { throw .malformed(name) }
        return text
    }

    /// A number that is not negative.
    func count(_ name: String) throws(ProtocolError) -> Int {
        guard let number = self[name]?.integer, number >= 0 else { throw .malformed(name) }
        return number
    }

    /// Strings; none when the member is missing.
    func names(_ name: String, limit: Int = NoteLimits.members) throws(ProtocolError) -> [String] {
        guard let value = self[name] else { return [] }
        guard let elements = value.array, elements.count <= limit else { throw .malformed(name) }
        let names = elements.compactMap(\.string)
        guard names.count == elements.count, names.allSatisfy({ $0.utf8.count <= NoteLimits.name }) else {
            throw .malformed(name)
        }
        return names
    }
}

extension JSONWriter {
    /// A member with a list of strings.
    mutating func names(_ name: String, _ names: [String]) {
        self.name(name)
        array { json in for name in names { json.value(name) } }
    }

    /// A member with a string.
    mutating func text(_ name: String, _ text: String) {
        self.name(name)
        value(text)
    }

    /// A member with a number.
    mutating func number(_ name: String, _ number: Int) {
        self.name(name)
        value(number)
    }
}
