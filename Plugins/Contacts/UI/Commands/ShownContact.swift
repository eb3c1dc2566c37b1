import ContactsDomain
import HubKit

/// A contact with all its fields, as `show` and the page show it.
struct ShownContact: Sendable {
    let contact: Contact
    /// The beginning of the id that names only it.
    let shortID: String
    /// Whom the links on the card mean: the members of a group, relatives.
    let linked: [String: ListedContact]

    /// One labelled line.
    struct Line: Sendable {
        /// The field, such as `phone`.
        let field: String
        /// The kind, such as `mobile`; may be empty.
        let kind: String
        /// The value.
        let value: String
    }

    /// Every value that a form shows.
    var form: [Line] {
        ContactField.allCases.flatMap { field in
            field.formValues(contact.details).map { Line(field: field.rawValue, kind: $0.label, value: $0.value) }
        }
    }

    /// Every field that has a value, in the order of the form, then what hub keeps without understanding it.
    var fields: [Line] {
        let known = form.filter { $0.field != ContactField.name.rawValue }
        let relations = contact.details.relations.map { relation in
            Line(field: "relation", kind: relation.label, value: name(of: relation.value))
        }
        let members = contact.details.members.map { Line(field: "member", kind: "", value: name(of: $0)) }
        return known + relations + members
            + contact.details.others.map { Line(field: $0.name.lowercased(), kind: $0.label, value: $0.value) }
    }

    /// Whom a link means, as people name contacts; the link itself when nobody here is meant.
    private func name(of link: String) -> String {
        linked[link].map { "\($0.summary.shownName) (\($0.shortID))" } ?? link
    }

    /// What the contact is, when it is no person.
    private var kindNote: String {
        switch contact.details.kind {
        case .individual: ""
        case .group: ", a group"
        case .organization: ", an organization"
        case .other(let kind): ", \(kind)"
        }
    }

    /// The lines for a person.
    var lines: [String] {
        let rows = fields
        let fieldWidth = rows.map { DisplayWidth.of($0.field) }.max() ?? 0
        let kindWidth = rows.map { DisplayWidth.of($0.kind) }.max() ?? 0
        func padded(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
        }
        let merged = contact.mergedInto.map { ", merged into \($0.prefix(max(3, shortID.count)))" } ?? ""
        let trash = contact.deletedAt == nil ? "" : ", in the trash" + merged
        return ["\(contact.summary.shownName) (\(shortID)\(kindNote)\(trash))"]
            + rows.flatMap { row -> [String] in
                let head =
                    "  \(padded(row.field, fieldWidth))  " + (kindWidth > 0 ? padded(row.kind, kindWidth) + "  " : "")
                let indent = String(repeating: " ", count: DisplayWidth.of(head))
                let parts = row.value.split(separator: "\n", omittingEmptySubsequences: false)
                return parts.enumerated().map { ($0.offset == 0 ? head : indent) + $0.element }
            }
    }

    /// What a program gets.
    static let fields = [
        Field<ShownContact>("id", "ID", help: "the contact's id") { .id($0.contact.id, shown: $0.shortID.count) },
        Field<ShownContact>("name", "NAME", help: "the name") { .text($0.contact.details.displayName) },
        Field<ShownContact>("uid", "UID", help: "the id on the card") { FieldValue($0.contact.details.uid) },
        Field<ShownContact>("revision", "REVISION", help: "grows with every change") { .integer($0.contact.revision) },
        Field<ShownContact>("phones", "PHONES", help: "phone numbers, each with kind and value") {
            labeled($0.contact.details.phones)
        },
        Field<ShownContact>("emails", "EMAILS", help: "e-mail addresses, each with kind and value") {
            labeled($0.contact.details.emails)
        },
        Field<ShownContact>("birthday", "BIRTHDAY", help: "the birthday, with or without a year") {
            FieldValue($0.contact.details.birthday?.description)
        },
        Field<ShownContact>("organization", "ORG", help: "the organization and its units") {
            FieldValue($0.contact.details.organization)
        },
        Field<ShownContact>("title", "TITLE", help: "position") { .text($0.contact.details.title) },
        Field<ShownContact>("kind", "KIND", help: "individual, group, org, or what the card says") {
            .text($0.contact.details.kind.name)
        },
        Field<ShownContact>("relations", "RELATIONS", help: "relatives and colleagues, each with kind and value") {
            shown in
            labeled(shown.contact.details.relations.map { LabeledValue(shown.name(of: $0.value), label: $0.label) })
        },
        Field<ShownContact>("members", "MEMBERS", help: "the members of a group") { shown in
            FieldValue(shown.contact.details.members.map(shown.name))
        },
        Field<ShownContact>("tags", "TAGS", help: "the tags") { FieldValue($0.contact.details.tags) },
        Field<ShownContact>("note", "NOTE", help: "free text") { .text($0.contact.details.note) },
        Field<ShownContact>("lines", "LINES", help: "every field with label and value, as show prints them") { shown in
            .list(
                shown.fields.map { line in
                    .object([
                        .init("label", .text([line.field, line.kind].filter { !$0.isEmpty }.joined(separator: " "))),
                        .init("value", .text(line.value)),
                    ])
                })
        },
        Field<ShownContact>("form", "FORM", help: "what can be edited, each with field, kind and value") { shown in
            .list(
                shown.form.map { line in
                    .object([
                        .init("field", .text(line.field)), .init("kind", .text(line.kind)),
                        .init("value", .text(line.value)),
                    ])
                })
        },
        Field<ShownContact>("merged_into", "MERGED INTO", help: "the contact that took it over, in the trash") {
            FieldValue($0.contact.mergedInto)
        },
        Field<ShownContact>("deleted_at", "DELETED", help: "since when it is in the trash") {
            FieldValue($0.contact.deletedAt)
        },
        Field<ShownContact>("created_at", "CREATED", help: "when it was made here") { .instant($0.contact.createdAt) },
        Field<ShownContact>("changed_at", "CHANGED", help: "when it was changed last") {
            .instant($0.contact.changedAt)
        },
    ]

    private static func labeled(_ values: [LabeledValue]) -> FieldValue {
        .list(values.map { .object([.init("kind", .text($0.label)), .init("value", .text($0.value))]) })
    }
}

extension ContactsPlugin {
    /// The contact as it is shown, with the names of those that its card links to.
    func shown(_ contact: Contact, shortID: String) async throws -> ShownContact {
        let links = contact.details.members + contact.details.relations.map(\.value)
        let found = try await nameLinks(links)
        let listed = try await listed(Array(found.values))
        let byID = Dictionary(listed.map { ($0.summary.id, $0) }) { first, _ in first }
        return ShownContact(contact: contact, shortID: shortID, linked: found.compactMapValues { byID[$0.id] })
    }
}
