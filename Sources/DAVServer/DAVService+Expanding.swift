import XML

extension DAVService {
    /// Levels of properties in each other that are followed.
    private static let deepest = 4

    /// `expand-property` (RFC 3253 §3.8): what stands at the addresses in a property, in their place.
    func expandProperty(
        _ request: DAVRequest, _ root: XMLElement, at resource: DAVResource
    ) async throws -> DAVResponse {
        let text = try await expanded(root, request, at: resource, depth: 0)
        return multistatus(request) { try await $0(text) }
    }

    private func expanded(
        _ element: XMLElement, _ request: DAVRequest, at resource: DAVResource, depth: Int
    ) async throws -> String {
        guard depth < Self.deepest else { throw DAVFailure(403, "<d:supported-report/>") }
        let asked = try element.children(DAVName.dav("property")).map { property throws(DAVFailure) in
            guard let local = property.attributes[XMLName("", "name")], Self.isName(local) else {
                throw DAVFailure(400)
            }
            let name = XMLName(property.attributes[XMLName("", "namespace")] ?? DAVName.dav, local)
            return (element: property, property: RequestedProperty(XMLElement(name)))
        }
        let properties = PropertyRequest.named(asked.map(\.property))
        let writer = writer(properties, request)
        var expansions: [XMLName: String] = [:]
        for (element, property) in asked where !element.children(DAVName.dav("property")).isEmpty {
            guard let hrefs = writer.hrefs(in: property, of: resource) else { continue }
            var text = ""
            for href in hrefs {
                guard let path = DAVPath(href), let target = try? self.resource(path), target.isCollection else {
                    continue
                }
                text += try await expanded(element, request, at: target, depth: depth + 1)
            }
            expansions[property.name] = text
        }
        return try await head(of: resource, writer, expansions: expansions)
    }

    /// Whether a text can be the name of an element, which is written back.
    private static func isName(_ text: String) -> Bool {
        (1...256).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || "-_.".utf8.contains($0)
            }
            && !"0123456789-.".utf8.contains(text.utf8.first ?? 0)
    }
}
