import JSON

/// A message on NoteApp's WebSocket (`WSObject`): one text frame, three strings.
package struct NoteAppEvent: Hashable, Sendable {
    /// What a message is about. Clients ignore others, which leaves room for extensions.
    package enum Method: String, CaseIterable, Sendable {
        case insertOne, update, delete, accessRequest
    }

    /// The largest frame that the original's client survives, in bytes.
    package static let maximumSize = 1 << 20

    /// What happened.
    package let method: Method
    /// The id of the note; for a change by REST exactly as in its URL.
    package let id: String
    /// The owner of the note for `insertOne` and `update`, the requester for `accessRequest`, empty for `delete`.
    package let deviceId: String
    /// The reason of an access request, which the original does not have; nil without one.
    package let reason: String?

    package init(_ method: Method, id: String, deviceId: String, reason: String? = nil) {
        self.method = method
        self.id = id
        self.deviceId = deviceId
        self.reason = reason
    }

    /// The message about a new note.
    package static func inserted(_ id: NoteAppID, owner: String) -> NoteAppEvent {
        NoteAppEvent(.insertOne, id: id.text, deviceId: owner)
    }

    /// The message about a changed note; `id` as in the URL.
    package static func updated(_ id: String, owner: String) -> NoteAppEvent {
        NoteAppEvent(.update, id: id, deviceId: owner)
    }

    /// The message about a deleted note; `id` as in the URL.
    package static func deleted(_ id: String) -> NoteAppEvent { NoteAppEvent(.delete, id: id, deviceId: "") }

    /// The text of the frame, with the keys in the original's order.
    package var text: String {
        var json = JSONWriter()
        json.object { json in
            json.name("method")
            json.value(method.rawValue)
            json.name("id")
            json.value(id)
            json.name("deviceId")
            json.value(deviceId)
            if let reason {
                json.name("reason")
                json.value(reason)
            }
        }
        return json.string
    }

    /// The answer to a frame that is dropped: a message of a method that clients of NoteApp ignore.
    package static func refusal(_ reason: String) -> String {
        var json = JSONWriter()
        json.object { json in
            for (name, value) in [("method", "error"), ("id", ""), ("deviceId", ""), ("message", reason)] {
                json.name(name)
                json.value(value)
            }
        }
        return json.string
    }

    /// The reason in an answer that ``refusal(_:)`` made; nil for any other message.
    package static func refusal(in frame: [UInt8]) -> String? {
        guard let json = try? NoteAppJSON.read(frame, limit: maximumSize), json["method"]?.string == "error" else {
            return nil
        }
        return json["message"]?.string
    }

    /// Why a frame of a client is dropped. Its sender is told; no other client sees anything.
    package enum Rejection: Error, Hashable, Sendable {
        /// Not JSON. The original ends its process here.
        case invalidJSON
        /// Not an object with the three strings. The original's clients crash on it.
        case invalidObject
        /// Events that the server alone sends, so that clients cannot forge them.
        case serverOnly(Method)
        /// A method that this server does not know.
        case unknownMethod
        /// A note id that cannot be one, or a name or reason that is too long.
        case invalidValue

        /// The reason in one sentence.
        package var message: String {
            switch self {
            case .invalidJSON: "The frame is not JSON."
            case .invalidObject: "The frame must be an object with the strings method, id and deviceId."
            case .serverOnly(let method): "Only the server sends \(method.rawValue)."
            case .unknownMethod: "Unknown method."
            case .invalidValue: "Invalid id, deviceId or reason."
            }
        }
    }

    /// Reads a message of a server; nil for what a client ignores.
    package init?(fromServer frame: some Sequence<UInt8>) {
        guard case .success(let event) = NoteAppEvent.read(Array(frame)) else { return nil }
        self = event
    }

    /// Reads a frame of a client, text or binary: only an access request is accepted. The last of equal keys counts.
    package init(fromClient frame: some Sequence<UInt8>) throws(Rejection) {
        let event = try NoteAppEvent.read(Array(frame)).get()
        guard event.method == .accessRequest else { throw .serverOnly(event.method) }
        guard NoteAppID(event.id) != nil, !event.deviceId.isEmpty, event.deviceId.utf8.count <= NoteLimits.name,
            event.reason?.utf8.count ?? 0 <= NoteLimits.reason
        else { throw .invalidValue }
        self = event
    }

    private static func read(_ frame: [UInt8]) -> Result<NoteAppEvent, Rejection> {
        guard let json = try? NoteAppJSON.read(frame, limit: maximumSize) else { return .failure(.invalidJSON) }
        guard let method = json["method"]?.string, let id = json["id"]?.string,
            let deviceId = json["deviceId"]?.string
        else { return .failure(.invalidObject) }
        guard let method = Method(rawValue: method) else { return .failure(.unknownMethod) }
        return .success(NoteAppEvent(method, id: id, deviceId: deviceId, reason: json["reason"]?.string))
    }
}
