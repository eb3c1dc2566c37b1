/// The largest parts of a note; what is larger is refused with the limit in the message.
package enum NoteLimits {
    /// UTF-8 bytes of a title.
    package static let title = 4 << 10
    /// UTF-8 bytes of a text.
    package static let content = 4 << 20
    /// How much larger than what may be typed a text can become when edits of several people are merged, which must not get lost.
    package static let mergeFactor = 4
    /// Members of a note.
    package static let members = 1000
    /// UTF-8 bytes of the name of an account or a device.
    package static let name = 200
    /// UTF-8 bytes of the reason of an access request.
    package static let reason = 1000
    /// Bytes of an attachment.
    package static let attachment = 100 << 20
    /// Attachments of a note.
    package static let attachments = 1000
    /// Tags of a note.
    package static let tags = 200
}
