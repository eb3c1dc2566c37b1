import XML

/// The bodies of requests.
enum DAVBody {
    private static let writer = XMLWriter(
        prefixes: [DAVName.dav: "D", DAVName.card: "C", DAVName.server: "CS"])

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

    /// Asks for the cards at `hrefs` (RFC 6352 §8.7).
    static func multiget(_ hrefs: [String]) -> [UInt8] {
        writer.write(
            XMLElement(
                DAVName.c("addressbook-multiget"),
                [prop([DAVName.getetag, DAVName.addressData])] + hrefs.map { XMLElement(DAVName.href, text: $0) }))
    }

    /// Asks for all cards: a filter without conditions fits each (RFC 6352 §8.6 and §10.5).
    static let query = writer.write(
        XMLElement(
            DAVName.c("addressbook-query"),
            [prop([DAVName.getetag, DAVName.addressData]), XMLElement(DAVName.c("filter"))]))

    /// Makes an address book called `name` (RFC 5689 §5.1, RFC 6352 §6.3.1).
    static func makeBook(_ name: String) -> [UInt8] {
        let type = XMLElement(
            DAVName.resourcetype, [XMLElement(DAVName.d("collection")), XMLElement(DAVName.addressbook)])
        let properties = XMLElement(DAVName.prop, [type, XMLElement(DAVName.d("displayname"), text: name)])
        return writer.write(XMLElement(DAVName.d("mkcol"), [XMLElement(DAVName.d("set"), [properties])]))
    }

    private static func prop(_ names: [XMLName]) -> XMLElement {
        XMLElement(DAVName.prop, names.map { XMLElement($0) })
    }
}
