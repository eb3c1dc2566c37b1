import ContactsDomain
import HubKit

/// New, changed and removed contacts over HTTP, by the use cases of `new`, `edit` and `rm`.
///
/// The body of the first two is `{"form": [{"field": "phone", "kind": "mobile", "value": "+48 …"}, …]}`: all that a form
/// shows, as `GET /api/contacts/{id}` gives it. A value that is refused is told in `problems` of the error.
enum EditRoutes {
    static let all = [
        Route(.post, "/api/contacts", summary: "make a contact of what a form says") {
            (contacts: ContactsPlugin, request) in
            let form = try FormRequest(request.body)
            var details = ContactDetails()
            try form.fill(&details)
            let book = try await contacts.bookForNew(nil)
            let result = try await contacts.create(details, book: book?.id, operation: request.operation)
            let saved = SavedContact(contact: result.contact, lookalikes: result.lookalikes)
            return .created(
                .record(saved, SavedContact.fields), location: "/api/contacts/\(result.contact.id)")
        },
        Route(.put, "/api/contacts/{id}", summary: "give a contact the values of a form; If-Match is its revision") {
            (contacts: ContactsPlugin, request) in
            let form = try FormRequest(request.body)
            guard let revision = request.ifMatch.flatMap(Int.init) else {
                throw HubError(
                    .usage, code: "revision-missing", "the request does not say which revision was changed",
                    hint: "send If-Match: \"3\" with the revision that was read")
            }
            let result = try await contacts.update(
                try request.contactID, expecting: revision, operation: request.operation
            ) { try form.fill(&$0) }
            let saved = SavedContact(contact: result.contact, changes: result.changes)
            return .output(.record(saved, SavedContact.fields))
        },
        Route(.delete, "/api/contacts/{id}", summary: "move a contact to the trash") {
            (contacts: ContactsPlugin, request) in
            try await contacts.delete(
                [try request.contactID], expecting: request.ifMatch.flatMap(Int.init), operation: request.operation)
            return .output(.done("in the trash for \(contacts.config[HubKeys.trashDays]) days"))
        },
    ]
}

/// What a save did.
private struct SavedContact: Sendable {
    let contact: Contact
    var changes: [FieldChange] = []
    var lookalikes: [ContactSummary] = []

    static let fields = [
        Field<SavedContact>("id", "ID", help: "the contact's id") { .text($0.contact.id) },
        Field<SavedContact>("name", "NAME", help: "the name") { .text($0.contact.details.displayName) },
        Field<SavedContact>("revision", "REVISION", help: "grows with every change") { .integer($0.contact.revision) },
        Field<SavedContact>("changes", "CHANGES", help: "what an update changed; when nothing, nothing was written") {
            FieldValue($0.changes.map(\.description))
        },
        Field<SavedContact>("lookalikes", "ALIKE", help: "others with the same address or number") {
            FieldValue($0.lookalikes.map(\.name))
        },
    ]
}

/// The JSON body of a request with a filled form.
private struct FormRequest: Sendable {
    private let entries: [ContactForm.Entry]

    /// The most values that one form may have.
    private static let maximumEntries = 1000

    init(_ body: [UInt8]) throws {
        let limits = JSONReader.Limits(bytes: ContactForm.maximumLength, depth: 8)
        guard let values = (try? JSONReader.read(body, limits: limits))?["form"]?.array,
            values.count <= FormRequest.maximumEntries
        else { throw FormRequest.unreadable("it is an array of at most \(FormRequest.maximumEntries) values") }
        entries = try values.map { value in
            guard let name = value["field"]?.string, let field = ContactField(rawValue: name),
                let text = value["value"]?.string
            else {
                let names = ContactField.allCases.map(\.rawValue).joined(separator: ", ")
                throw FormRequest.unreadable("each value has value, perhaps kind, and field: \(names)")
            }
            return ContactForm.Entry(field, label: (value["kind"]?.string ?? "").trimmed, text)
        }
    }

    /// Gives `details` what the form says; throws `invalid` with a problem for each value that is refused.
    func fill(_ details: inout ContactDetails) throws {
        let entries = entries.map { entry in
            // What nobody touched stays as it is, blanks and all.
            let isKept = entry.field == .note || entry.field.formValues(details).contains { $0.value == entry.value }
            return isKept ? entry : ContactForm.Entry(entry.field, label: entry.label, entry.value.trimmed)
        }
        let refusals = ContactForm.apply(entries, to: &details)
        guard !refusals.isEmpty else { return }
        var error = HubError(
            .invalid, code: "form-invalid",
            refusals.count == 1 ? "one value needs a look" : "\(refusals.count) values need a look",
            details: refusals.map { "\($0.field.rawValue): \($0.message)" })
        error.problems = refusals.map { refusal in
            // Other hints speak of the lines that an editor shows.
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
            hint: #"send {"form": [{"field": "name", "value": "Ada Lovelace"}]}"#)
    }
}
