import XML

/// The names of WebDAV, CardDAV, CalDAV and their extensions that are spoken here.
enum DAVName {
    static let dav = "DAV:"
    static let card = "urn:ietf:params:xml:ns:carddav"
    static let calendar = "urn:ietf:params:xml:ns:caldav"
    static let server = "http://calendarserver.org/ns/"

    static func d(_ local: String) -> XMLName { XMLName(dav, local) }

    static let href = d("href")
    static let prop = d("prop")
    static let getetag = d("getetag")
    static let resourcetype = d("resourcetype")
    static let syncToken = d("sync-token")
    static let getctag = XMLName(server, "getctag")
    static let principal = d("current-user-principal")
}
