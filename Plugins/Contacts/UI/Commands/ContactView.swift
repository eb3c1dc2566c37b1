import Commands
import ContactsDomain
import HubKit

/// A contact with all its fields, as output of `show` and of the web page.
struct ContactView: Sendable {
    let contact: Contact
    /// The shortest unique prefix of the id.
    let shortID: String
    /// The contacts that the card links to, such as group members and relatives, by link.
    let linked: [String: ContactListItem]
    /// Texts that change with the pictures of the linked contacts, by the ids of those that have one.
    let photos: [String: String]

    /// One labelled line.
    struct Line: Sendable {
        /// The field, such as `phone`.
        let field: String
        /// The kind, such as `mobile`; may be empty.
        let kind: String
        /// The value.
        let value: String
    }

    /// The values of all form fields.
    var form: [Line] {
        ContactField.allCases.flatMap { field in
            field.formValues(contact.details).map { Line(field: field.rawValue, kind: $0.label, value: $0.value) }
        }
    }

    /// All fields with a value in the order of the form, then relations and members.
    var fields: [Line] {
        // Relations are shown by name, and fields of one's own among the others.
        let hidden: Set<String> = [
            ContactField.name.rawValue, ContactField.relation.rawValue, ContactField.custom.rawValue,
        ]
        let known = form.filter { !hidden.contains($0.field) }
        let relations = contact.details.relations.map { relation in
            Line(field: "relation", kind: relation.label, value: name(of: relation.value))
        }
        let members = contact.details.members.map { Line(field: "member", kind: "", value: name(of: $0)) }
        return known + relations + members
            + contact.details.others.map { Line(field: $0.name.lowercased(), kind: $0.label, value: $0.value) }
    }

    /// Returns the name of the linked contact; the link itself if no contact matches.
    private func name(of link: String) -> String {
        linked[link].map { "\($0.summary.shownName) (\($0.shortID))" } ?? link
    }

    /// The kind of the contact, if it is not a person.
    private var kindNote: String {
        switch contact.details.kind {
        case .individual: ""
        case .group: ", a group"
        case .organization: ", an organization"
        case .other(let kind): ", \(kind)"
        }
    }

    /// The lines of the human-readable output.
    var lines: [String] {
        let rows = fields
        let fieldWidth = rows.map { DisplayWidth.of($0.field) }.max() ?? 0
        let kindWidth = rows.map { DisplayWidth.of($0.kind) }.max() ?? 0
        let merged = contact.mergedInto.map { ", merged into \($0.prefix(max(3, shortID.count)))" } ?? ""
        let trash = contact.deletedAt == nil ? "" : ", in the trash" + merged
        return ["\(contact.summary.shownName) (\(shortID)\(kindNote)\(trash))"]
            + rows.flatMap { row -> [String] in
                let head =
                    "  \(row.field.padded(to: fieldWidth))  "
                    + (kindWidth > 0 ? row.kind.padded(to: kindWidth + 2) : "")
                let indent = String(repeating: " ", count: DisplayWidth.of(head))
                let parts = row.value.split(separator: "\n", omittingEmptySubsequences: false)
                return parts.enumerated().map { ($0.offset == 0 ? head : indent) + $0.element }
            }
    }

    /// The output fields.
    static let fields = [
        Field<ContactView>("id", "ID", help: "id of the contact") { .id($0.contact.id, shown: $0.shortID.count) },
        Field<ContactView>("name", "NAME", help: "name of the contact") { .text($0.contact.details.displayName) },
        Field<ContactView>("uid", "UID", help: "UID of the card") { FieldValue($0.contact.details.uid?.repairedText) },
        Field<ContactView>("revision", "REVISION", help: "revision number, increased by every change") {
            .integer($0.contact.revision)
        },
        Field<ContactView>("phones", "PHONES", help: "phone numbers, each with kind and value") {
            labeled($0.contact.details.phones)
        },
        Field<ContactView>("emails", "EMAILS", help: "e-mail addresses, each with kind and value") {
            labeled($0.contact.details.emails)
        },
        Field<ContactView>("birthday", "BIRTHDAY", help: "birthday, with or without a year") {
            FieldValue($0.contact.details.birthday?.description)
        },
        Field<ContactView>("organization", "ORG", help: "organization and its units") {
            FieldValue($0.contact.details.organization)
        },
        Field<ContactView>("title", "TITLE", help: "job title") { .text($0.contact.details.title) },
        Field<ContactView>("kind", "KIND", help: "kind: individual, group, org, or the value in the card") {
            .text($0.contact.details.kind.name)
        },
        Field<ContactView>("relations", "RELATIONS", help: "relatives and colleagues, each with kind and value") {
            shown in
            labeled(shown.contact.details.relations.map { LabeledValue(shown.name(of: $0.value), label: $0.label) })
        },
        Field<ContactView>("members", "MEMBERS", help: "members of a group") { shown in
            FieldValue(shown.contact.details.members.map(shown.name))
        },
        Field<ContactView>("tags", "TAGS", help: "tags of the contact") { FieldValue($0.contact.details.tags) },
        Field<ContactView>("note", "NOTE", help: "free text") { .text($0.contact.details.note) },
        Field<ContactView>("lines", "LINES", help: "all fields with label and value") { shown in
            .list(
                shown.fields.map { line in
                    .object([
                        .init("label", .text([line.field, line.kind].filter { !$0.isEmpty }.joined(separator: " "))),
                        .init("value", .text(line.value)),
                    ])
                })
        },
        Field<ContactView>("form", "FORM", help: "editable values, each with field, kind and value") { shown in
            .list(
                shown.form.map { line in
                    .object([
                        .init("field", .text(line.field)), .init("kind", .text(line.kind)),
                        .init("value", .text(line.value)),
                    ])
                })
        },
        Field<ContactView>("merged_into", "MERGED INTO", help: "contact that it was merged into") {
            FieldValue($0.contact.mergedInto)
        },
        Field<ContactView>("deleted_at", "DELETED", help: "time when it was moved to the trash") {
            FieldValue($0.contact.deletedAt)
        },
        Field<ContactView>("created_at", "CREATED", help: "time of creation") { .instant($0.contact.createdAt) },
        Field<ContactView>("changed_at", "CHANGED", help: "time of the last change") {
            .instant($0.contact.changedAt)
        },
    ]

    /// The further fields of the web page.
    static let pageFields = [
        Field<ContactView>("photo", "PHOTO", help: "a text that changes with the picture; null for no picture") {
            FieldValue($0.contact.card.hasPicture ? "\($0.contact.revision)" : nil)
        },
        Field<ContactView>("linked", "LINKED", help: "members and relations: role, kind, name, id, e-mail, photo") {
            shown in
            let details = shown.contact.details
            let links =
                details.members.map { ("member", "", $0) }
                + details.relations.map { ("relation", $0.label, $0.value) }
            return .list(
                links.map { role, kind, link in
                    let found = shown.linked[link]
                    return .object([
                        .init("role", .text(role)), .init("kind", .text(kind)),
                        .init("name", .text(found?.summary.shownName ?? link)),
                        .init("id", FieldValue(found?.summary.id)), .init("email", FieldValue(found?.summary.email)),
                        .init("photo", FieldValue(found.flatMap { shown.photos[$0.summary.id] })),
                    ])
                })
        },
        Field<ContactView>("others", "OTHERS", help: "properties that cannot be edited here: name, kind, value") {
            shown in
            .list(
                shown.contact.details.others.filter { !$0.isCustom }.map { other in
                    .object([
                        .init("name", .text(other.name)), .init("kind", .text(other.label)),
                        .init("value", .text(other.value)),
                    ])
                })
        },
    ]

    private static func labeled(_ values: [LabeledValue]) -> FieldValue {
        .list(values.map { .object([.init("kind", .text($0.label)), .init("value", .text($0.value))]) })
    }
}

extension ContactsPlugin {
    /// Returns the contact for output, with the names of the contacts that its card links to.
    func shown(_ contact: Contact, shortID: String) async throws -> ContactView {
        let links = contact.details.members + contact.details.relations.map(\.value)
        let found = try await resolveRelations(links)
        let listed = try await entities.listed(Array(found.values))
        let byID = Dictionary(listed.map { ($0.summary.id, $0) }) { first, _ in first }
        let photos = try await contacts.read { transaction in
            try byID.keys.reduce(into: [:]) { $0[$1] = try transaction.contact($1)?.photo }
        }
        return ContactView(
            contact: contact, shortID: shortID, linked: found.compactMapValues { byID[$0.id] }, photos: photos)
    }
}
