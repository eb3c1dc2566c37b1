import HTTPTypes
import XML

extension DAVService {
    /// The reports that look for principals (RFC 3744 §9.3 to §9.5), of which there is one: the person. Nil for any other report.
    func searchPrincipals(
        _ request: DAVRequest, _ root: XMLElement, at resource: DAVResource
    ) async throws -> DAVResponse? {
        switch resource {
        case .root, .principals, .principal: break
        case .home, .collection, .item: return nil
        }
        switch root.name {
        case DAVName.dav("principal-search-property-set"):
            let name =
                "<d:principal-search-property><d:prop><d:displayname/></d:prop><d:description>Name</d:description>"
                + "</d:principal-search-property>"
            return DAVResponse(
                200, headers: ["Content-Type": DAVMarkup.mediaType],
                body: .bytes(DAVMarkup.document("principal-search-property-set", name)))
        case DAVName.dav("principal-property-search"):
            let searches = root.children(DAVName.dav("property-search"))
            return try await principals(request, root, isFound: searches.allSatisfy(Self.isMe))
        case DAVName.dav("principal-match"):
            return try await principals(request, root, isFound: root.child(DAVName.dav("self")) != nil)
        default: return nil
        }
    }

    /// Whether the person has a property with a text; only the name can be searched.
    private static func isMe(_ search: XMLElement) -> Bool {
        guard let text = search.child(DAVName.dav("match"))?.trimmedText.lowercased(),
            let name = PropertyWriter.title(of: .principal)?.lowercased()
        else { return false }
        let properties = search.child(DAVName.dav("prop"))?.children ?? []
        return !properties.isEmpty && properties.allSatisfy { $0.name == DAVName.dav("displayname") }
            && (text.isEmpty || name.contains(text))
    }

    private func principals(_ request: DAVRequest, _ root: XMLElement, isFound: Bool) async throws -> DAVResponse {
        var properties = PropertyRequest(in: root)
        if case .named(let names) = properties, names.isEmpty {
            // One client writes the names beside an empty `prop`.
            let own = ["prop", "property-search", "apply-to-principal-collection-set", "self"].map { DAVName.dav($0) }
            let names = root.children.filter { !own.contains($0.name) }
            properties = .named(names.map(RequestedProperty.init))
        }
        let text = isFound ? try await head(of: .principal, writer(properties, request)) : ""
        return multistatus(request) { try await $0(text) }
    }
}
