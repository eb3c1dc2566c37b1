import XML

/// The names of elements that the server reads or writes.
package enum DAVName {
    /// RFC 4918.
    package static let dav = "DAV:"
    /// RFC 6352.
    package static let card = "urn:ietf:params:xml:ns:carddav"
    /// RFC 4791.
    package static let calendar = "urn:ietf:params:xml:ns:caldav"
    /// Apple's extensions.
    package static let server = "http://calendarserver.org/ns/"
    /// Apple's properties of calendars.
    static let apple = "http://apple.com/ns/ical/"

    /// The prefixes that are declared on the root of each answer, in this order.
    static let prefixes = [("d", dav), ("card", card), ("cal", calendar), ("cs", server)]

    static func dav(_ local: String) -> XMLName { XMLName(dav, local) }
    static func card(_ local: String) -> XMLName { XMLName(card, local) }
    static func calendar(_ local: String) -> XMLName { XMLName(calendar, local) }
    static func server(_ local: String) -> XMLName { XMLName(server, local) }
}
