import XML

/// The names of WebDAV, CardDAV and their extensions that are spoken here.
enum DAVName {
    static let dav = "DAV:"
    static let card = "urn:ietf:params:xml:ns:carddav"
    static let server = "http://calendarserver.org/ns/"

    static func d(_ local: String) -> XMLName { XMLName(dav, local) }
    static func c(_ local: String) -> XMLName { XMLName(card, local) }

    static let href = d("href")
    static let prop = d("prop")
    static let getetag = d("getetag")
    static let resourcetype = d("resourcetype")
    static let syncToken = d("sync-token")
    static let getctag = XMLName(server, "getctag")
    static let addressbook = c("addressbook")
    static let addressData = c("address-data")
    static let homeSet = c("addressbook-home-set")
    static let principal = d("current-user-principal")
}
