import XML

/// The bodies of requests.
enum DAVBody {
    private static let writer = XMLWriter(
        prefixes: [DAVName.dav: "D", DAVName.card: "C", DAVName.calendar: "C", DAVName.server: "CS"])

    /// Asks for properties (RFC 4918 §9.1).
    static func propfind(_ names: [XMLName]) -> [UInt8] {
        writer.write(XMLElement(DAVName.d("propfind"), [prop(names)]))
    }

    /// Asks what changed since `token`; nil for everything (RFC 6578 §3.2).
    static func syncCollection(since token: String?) -> [UInt8] {
        writer.write(
            XMLElement(
                DAVName.d("sync-collection"),
                [
                    XMLElement(DAVName.syncToken, text: token ?? ""), XMLElement(DAVName.d("sync-level"), text: "1"),
                    prop([DAVName.getetag]),
                ]))
    }

    /// Asks for the items at `hrefs` (RFC 6352 §8.7, RFC 4791 §7.9).
    static func multiget(_ hrefs: [String], _ kind: DAVResourceType) -> [UInt8] {
        writer.write(
            XMLElement(
                kind.multiget,
                [prop([DAVName.getetag, kind.data])] + hrefs.map { XMLElement(DAVName.href, text: $0) }))
    }

    /// Asks for all items of a kind (RFC 6352 §8.6, RFC 4791 §7.8).
    static func query(_ kind: DAVResourceType) -> [UInt8] {
        writer.write(XMLElement(kind.query, [prop([DAVName.getetag, kind.data]), kind.filter]))
    }

    /// Makes a collection called `name` (RFC 5689 §5.1, RFC 6352 §6.3.1, RFC 4791 §5.3.1).
    static func makeCollection(_ name: String, _ kind: DAVResourceType) -> [UInt8] {
        let properties = kind.newProperties + [XMLElement(DAVName.d("displayname"), text: name)]
        return writer.write(
            XMLElement(kind.making.element, [XMLElement(DAVName.d("set"), [XMLElement(DAVName.prop, properties)])]))
    }

    private static func prop(_ names: [XMLName]) -> XMLElement {
        XMLElement(DAVName.prop, names.map { XMLElement($0) })
    }
}

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
