import HTTPClient
import XML

/// The differences between collections of cards (CardDAV, RFC 6352) and of calendar items (CalDAV, RFC 4791) in
/// requests and responses.
package struct DAVResourceType: Sendable {
    /// The name of the service in addresses: `carddav` in well-known paths, `_carddavs` in DNS (RFC 6764).
    let service: String
    /// The common noun for a collection.
    let noun: String
    let mediaType: String
    /// A word in the media type of an item, which is also the file extension of items.
    let typeWord: String
    let suffix: String
    /// The property that leads from a user to the places of their collections.
    let homeSet: XMLName
    /// The type that a collection has.
    let collectionType: XMLName
    /// The property with an item's text.
    let data: XMLName
    let multiget: XMLName
    let query: XMLName
    let filter: XMLElement
    /// The property with the supported content: versions of cards, or components of calendars.
    let supported: XMLName
    /// The attribute of the children of `supported` that names one.
    let supportedAttribute: XMLName
    let maximumSize: XMLName
    /// The method and the body element for creating a collection.
    let making: (method: HTTPMethod, element: XMLName)
    let newProperties: [XMLElement]

    /// Cards in address books.
    package static let cards: DAVResourceType = {
        func name(_ local: String) -> XMLName { XMLName(DAVName.card, local) }
        let type = XMLElement(
            DAVName.resourcetype, [XMLElement(DAVName.d("collection")), XMLElement(name("addressbook"))])
        return DAVResourceType(
            service: "carddav", noun: "address book", mediaType: "text/vcard", typeWord: "vcard", suffix: ".vcf",
            homeSet: name("addressbook-home-set"), collectionType: name("addressbook"), data: name("address-data"),
            multiget: name("addressbook-multiget"), query: name("addressbook-query"),
            // A filter without conditions fits each card (RFC 6352 §10.5).
            filter: XMLElement(name("filter")), supported: name("supported-address-data"),
            supportedAttribute: XMLName("", "version"), maximumSize: name("max-resource-size"),
            making: (DAVMethod.makeCollection, DAVName.d("mkcol")), newProperties: [type])
    }()

    /// Things to do (`VTODO`) in calendars.
    package static let todos: DAVResourceType = {
        func name(_ local: String) -> XMLName { XMLName(DAVName.calendar, local) }
        func named(_ local: String, _ value: String, _ children: [XMLElement] = []) -> XMLElement {
            XMLElement(name(local), attributes: [XMLName("", "name"): value], children)
        }
        return DAVResourceType(
            service: "caldav", noun: "calendar", mediaType: "text/calendar", typeWord: "calendar", suffix: ".ics",
            homeSet: name("calendar-home-set"), collectionType: name("calendar"), data: name("calendar-data"),
            multiget: name("calendar-multiget"), query: name("calendar-query"),
            filter: XMLElement(
                name("filter"), [named("comp-filter", "VCALENDAR", [named("comp-filter", "VTODO")])]),
            supported: name("supported-calendar-component-set"), supportedAttribute: XMLName("", "name"),
            maximumSize: name("max-resource-size"),
            making: (DAVMethod.makeCalendar, name("mkcalendar")),
            newProperties: [XMLElement(name("supported-calendar-component-set"), [named("comp", "VTODO")])])
    }()
}
