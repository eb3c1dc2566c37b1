import JSON

/// The four fields of a POST or PUT of NoteApp, checked. All others, `_id` among them, are ignored as the original does.
package struct NoteAppDraft: Hashable, Sendable {
    /// The largest body, in bytes after decompression. The original takes 102,400, and its client never sees a refusal.
    package static let maximumBody = NoteLimits.content + (1 << 20)

    /// The title; may be empty.
    package var title: String
    /// The text; may be empty.
    package var content: String
    /// The members, without duplicates.
    package var access: [String]
    /// The owner.
    package var owner: String

    package init(title: String, content: String, access: [String], owner: String) {
        self.title = title
        self.content = content
        self.access = access
        self.owner = owner
    }

    /// Whether missing fields have a default.
    package enum Purpose: Sendable {
        /// A new note: title and text are required; the caller owns it unless the body names an owner, and the owner alone
        /// has access unless the body names others.
        case create(caller: String)
        /// A change of the whole note: all four are required, since a missing one would wipe what is stored.
        case replace
    }

    /// Reads a body. `contentType` is the header as sent; nil without one.
    package init(_ body: [UInt8], contentType: String?, _ purpose: Purpose) throws(NoteAppError) {
        guard body.count <= NoteAppDraft.maximumBody else {
            throw NoteAppError(413, "The body is larger than \(NoteAppDraft.maximumBody) bytes.")
        }
        try NoteAppDraft.check(contentType)
        guard !body.isEmpty else { throw NoteAppError(400, "The body is empty; send a JSON object.") }
        let json: JSONValue
        do {
            json = try NoteAppJSON.read(body, limit: NoteAppDraft.maximumBody)
        } catch {
            throw NoteAppError(400, "The body is not valid JSON: \(error.kind.reason) at byte \(error.offset).")
        }
        guard case .object = json else { throw NoteAppError(400, "The body must be a JSON object.") }
        var missing: [String] = []
        func text(_ name: String, _ fallback: String? = nil) throws(NoteAppError) -> String {
            switch json[name] {
            case .string(let text): return text
            case nil:
                if let fallback { return fallback }
                missing.append(name)
                return ""
            default: throw NoteAppError(400, "\"\(name)\" must be a string.")
            }
        }
        var caller: String?
        if case .create(let name) = purpose, !name.isEmpty { caller = name }
        title = try text("title")
        content = try text("content")
        owner = try text("owner", caller)
        switch json["access"] {
        case .array(let elements):
            let members = elements.compactMap(\.string)
            guard members.count == elements.count else {
                throw NoteAppError(400, "\"access\" must be an array of strings.")
            }
            access = NoteAccess(owner: "", members: members).members
        case nil:
            if case .create = purpose, missing.isEmpty {
                access = owner.isEmpty ? [] : [owner]
            } else {
                missing.append("access")
                access = []
            }
        default: throw NoteAppError(400, "\"access\" must be an array of strings.")
        }
        guard missing.isEmpty else {
            let names = missing.map { "\"\($0)\"" }.joined(separator: ", ")
            throw NoteAppError(400, "Missing: \(names).")
        }
        try checkLimits()
    }

    private func checkLimits() throws(NoteAppError) {
        guard title.utf8.count <= NoteLimits.title else {
            throw NoteAppError(413, "\"title\" is longer than \(NoteLimits.title) bytes.")
        }
        guard content.utf8.count <= NoteLimits.content else {
            throw NoteAppError(413, "\"content\" is longer than \(NoteLimits.content) bytes.")
        }
        guard access.count <= NoteLimits.members, (access + [owner]).allSatisfy({ $0.utf8.count <= NoteLimits.name })
        else {
            throw NoteAppError(
                400, "\"access\" and \"owner\" are limited to \(NoteLimits.members) names of \(NoteLimits.name) bytes.")
        }
    }

    /// A body counts only as `application/json`; in the original any other type silently stores an empty note.
    private static func check(_ contentType: String?) throws(NoteAppError) {
        // As nearly all write it.
        if contentType == "application/json" { return }
        let parts = (contentType ?? "").lowercased().split(separator: ";").map { part in
            part.filter { !$0.isWhitespace }
        }
        guard parts.first == "application/json" else {
            throw NoteAppError(415, "The Content-Type must be application/json.")
        }
        for parameter in parts.dropFirst() where parameter.hasPrefix("charset=") {
            let charset = parameter.dropFirst(8).filter { $0 != "\"" }
            guard charset == "utf-8" || charset == "utf8" else {
                throw NoteAppError(415, "The charset must be utf-8.")
            }
        }
    }

    /// The body of a POST or PUT, with the five fields that NoteApp itself sends.
    package func encoded(id: String) -> [UInt8] {
        var json = JSONWriter()
        write(id: id, to: &json)
        return json.bytes
    }

    /// Writes the fields as a JSON object with the keys in the original's order.
    func write(id: String, to json: inout JSONWriter) {
        json.object { json in
            json.name("_id")
            json.value(id)
            json.name("title")
            json.value(title)
            json.name("content")
            json.value(content)
            json.name("access")
            json.array { json in for member in access { json.value(member) } }
            json.name("owner")
            json.value(owner)
        }
    }
}
