import Commands
import ContactsDomain
import HubKit

/// The HTTP routes that create and change contacts, with the use cases of `new` and `edit`.
///
/// The body of the first two is `{"form": [{"field": "phone", "kind": "mobile", "value": "+48 …"}, …]}`: every field of
/// the form, as `GET /api/contacts/{id}` returns it. Rejected values are listed in `problems` of the error.
enum EditRoutes {
    static let all = [
        Route(
            .post, "/api/contacts", summary: "add a contact", details: "from the fields of a form",
            body: #"{"form": [{"field": "name", "kind": "", "value": "Ada Lovelace"}]}"#, required: ["form"],
            fields: SavedContact.fields
        ) {
            (contacts: ContactsPlugin, request) in
            let form = try FormRequest(request)
            var details = ContactDetails()
            try form.fill(&details)
            let book = try await contacts.bookForNew(nil)
            let result = try await contacts.create(details, book: book?.id, operation: request.operation)
            let saved = SavedContact(contact: result.contact, lookalikes: result.lookalikes)
            return .created(
                .record(saved, SavedContact.fields), location: "/api/contacts/\(result.contact.id)")
        },
        Route(
            .put, "/api/contacts/{id}", summary: "edit a contact",
            details: "with all fields of the form; `If-Match` holds the revision",
            body: #"{"form": [{"field": "name", "kind": "", "value": "Ada Lovelace"}]}"#, required: ["form"],
            fields: SavedContact.fields
        ) {
            (contacts: ContactsPlugin, request) in
            let form = try FormRequest(request)
            let result = try await contacts.update(
                try request.id, expecting: try request.revision, operation: request.operation
            ) { try form.fill(&$0) }
            let saved = SavedContact(contact: result.contact, changes: result.changes)
            return .output(.record(saved, SavedContact.fields))
        },
    ]
}

/// The result of saving a form.
private struct SavedContact: Sendable {
    let contact: Contact
    var changes: [FieldChange] = []
    var lookalikes: [ContactSummary] = []

    static let fields = [
        Field<SavedContact>("id", "ID", help: "id of the contact") { .text($0.contact.id) },
        Field<SavedContact>("name", "NAME", help: "name of the contact") { .text($0.contact.details.displayName) },
        Field<SavedContact>("revision", "REVISION", help: "revision number, increased by every change") {
            .integer($0.contact.revision)
        },
        Field<SavedContact>("changes", "CHANGES", help: "changed fields; empty if nothing was written") {
            FieldValue($0.changes.map(\.description))
        },
        Field<SavedContact>("lookalikes", "DUPLICATES", help: "contacts with the same address or number") {
            FieldValue($0.lookalikes.map(\.name))
        },
    ]
}

/// The JSON body of a request with form fields.
private struct FormRequest: Sendable {
    private let entries: [ContactForm.Entry]

    /// The maximum number of values in one form.
    private static let maximumEntries = 1000

    init(_ request: RouteRequest) throws {
        let json = try request.json(limit: ContactForm.maximumLength, depth: 8, example: FormRequest.example)
        guard let values = json["form"]?.array,
            values.count <= FormRequest.maximumEntries
        else { throw FormRequest.unreadable("expected an array of at most \(FormRequest.maximumEntries) values") }
        entries = try values.map { value in
            guard let name = value["field"]?.string, let field = ContactField(rawValue: name),
                let text = value["value"]?.string
            else {
                let names = ContactField.allCases.map(\.rawValue).joined(separator: ", ")
                throw FormRequest.unreadable(
                    "each entry needs a value and a field, with an optional kind; fields: \(names)")
            }
            return ContactForm.Entry(field, label: (value["kind"]?.string ?? "").trimmed, text)
        }
    }

    /// Applies the form to `details`. Throws `invalid` with a problem for each rejected value.
    func fill(_ details: inout ContactDetails) throws {
        let entries = entries.map { entry in
            // Unchanged values stay as they are, including their spaces.
            let isKept = entry.field == .note || entry.field.formValues(details).contains { $0.value == entry.value }
            return isKept ? entry : ContactForm.Entry(entry.field, label: entry.label, entry.value.trimmed)
        }
        let refusals = ContactForm.apply(entries, to: &details)
        guard !refusals.isEmpty else { return }
        var error = HubError(
            .invalid, code: "form-invalid",
            NumberFormat.counted(refusals.count, "value is not valid", "values are not valid"),
            details: refusals.map { "\($0.field.rawValue): \($0.message)" })
        error.problems = refusals.map { refusal in
            // Other hints refer to lines in the editor.
            let isDate = refusal.field == .birthday || refusal.field == .anniversary
            return FieldProblem(
                field: refusal.field.rawValue, index: refusal.index, refusal.message,
                hint: isDate ? refusal.hint : nil)
        }
        throw error
    }

    private static func unreadable(_ why: String) -> HubError {
        HubError(
            .invalid, code: "form-unreadable", "the body needs \"form\"", details: [why],
            hint: "send \(example)")
    }

    private static let example = #"{"form": [{"field": "name", "value": "Ada Lovelace"}]}"#
}
