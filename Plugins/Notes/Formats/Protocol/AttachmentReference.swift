package import JSON
package import Text

/// An attachment of a note as the two ends of the protocol name it: its content travels apart, by its hash.
package struct AttachmentReference: Hashable, Sendable {
    /// The path from the top folder of all notes.
    package var path: ByteString
    /// The SHA-256 of the content in 64 hexadecimal digits.
    package var hash: String
    /// The size in bytes.
    package var size: Int
    /// The target in the note's text that leads to it, where its path does not say so; otherwise nil.
    package var link: String?

    package init(path: ByteString, hash: String, size: Int, link: String? = nil) {
        self.path = path
        self.hash = hash
        self.size = size
        self.link = link
    }

    /// Whether a text is a hash as this protocol writes it.
    package static func isHash(_ text: String) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            }
    }

    /// Reads an array of attachments; nil when there is none.
    package static func list(_ json: JSONValue?) throws(ProtocolError) -> [AttachmentReference]? {
        guard let json else { return nil }
        guard let array = json.array, array.count <= NoteLimits.attachments else { throw .malformed("attachments") }
        var list: [AttachmentReference] = []
        for json in array {
            guard let hash = json["sha256"]?.string, isHash(hash), let path = json["path"]?.string else {
                throw .malformed("attachments")
            }
            list.append(
                AttachmentReference(
                    path: Self.path(path), hash: hash, size: try json.count("size"), link: json["link"]?.string))
        }
        return list
    }

    /// Reads a path with percent escapes, as a safe one.
    package static func path(_ text: String) -> ByteString { Attachment.safePath(MarkdownTargets.decoded(text)) }

    /// The path with percent escapes, since it need not be UTF-8.
    package var escapedPath: String { MarkdownTargets.target(path) }

    /// Writes an array of attachments.
    package static func write(_ list: [AttachmentReference], to json: inout JSONWriter) {
        json.array { json in
            for attachment in list {
                json.object { json in
                    json.text("path", attachment.escapedPath)
                    json.text("sha256", attachment.hash)
                    json.number("size", attachment.size)
                    if let link = attachment.link { json.text("link", link) }
                }
            }
        }
    }
}
