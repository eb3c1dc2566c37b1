extension ContactForm {
    /// A value of a form.
    package struct Entry: Hashable, Sendable {
        /// The field.
        package var field: ContactField
        /// The label, such as `mobile`; may be empty.
        package var label: String
        /// The value; empty ones are ignored.
        package var value: String

        package init(_ field: ContactField, label: String = "", _ value: String) {
            self.field = field
            self.label = label
            self.value = value
        }
    }

    /// The error of a rejected value.
    package struct Refusal: Hashable, Sendable {
        /// A stable error code.
        package var code: String
        /// The field.
        package var field: ContactField
        /// The index of the value in the entries; nil if the field has none.
        package var index: Int?
        /// The reason, in one sentence without a full stop.
        package var message: String
        /// The suggested input, in the syntax of a form.
        package var hint: String?
    }

    /// Sets the valid values of `entries` in `details` and returns the errors of the others.
    ///
    /// A field without an entry is cleared, except that an invalid value keeps the old ones of its field. Values that a
    /// form does not show are not changed.
    package static func apply(_ entries: [Entry], to details: inout ContactDetails) -> [Refusal] {
        var refusals: [Refusal] = []
        for field in ContactField.allCases {
            let filled = entries.enumerated().filter { $0.element.field == field && !$0.element.value.isEmpty }
            // The form is generated again to check whether the user changed this field.
            let isChanged = !field.formValues(details).elementsEqual(filled) { before, after in
                before.label == after.element.label && shown(before.value) == shown(after.element.value)
            }
            if !isChanged { continue }
            var good: [(label: String, value: String)] = []
            var isSpoiled = false
            for (index, entry) in filled {
                do throws(ContactField.Rejection) {
                    // A value that is there already stays, even if it could not be typed.
                    let isKept = field.formValues(details).contains { $0.value == entry.value }
                    good.append(
                        (entry.label, isKept ? entry.value : try field.checked(entry.value, label: entry.label)))
                } catch {
                    refusals.append(Refusal(field, index, error))
                    isSpoiled = true
                }
            }
            if isSpoiled, !field.isList { continue }
            do throws(ContactField.Rejection) {
                try field.assign(good, to: &details)
            } catch {
                if let first = filled.first { refusals.append(Refusal(field, first.offset, error)) }
            }
        }
        let isNamed = entries.contains { $0.field == .name && !$0.value.isEmpty }
        if !isNamed, details.organization.isEmpty {
            refusals.append(
                Refusal(
                    code: "form-name-missing", field: .name, index: entries.firstIndex { $0.field == .name },
                    message: "a contact needs a name", hint: "write name:  Ada Lovelace"))
        }
        return refusals
    }

    /// The visible part of a value: editors remove trailing spaces and empty lines.
    private static func shown(_ value: String) -> String {
        var lines = value.split(separator: "\n", omittingEmptySubsequences: false).map {
            String($0).withoutTrailingBlanks
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.joined(separator: "\n")
    }
}

extension ContactForm.Refusal {
    fileprivate init(_ field: ContactField, _ index: Int, _ rejection: ContactField.Rejection) {
        self.init(
            code: "form-value", field: field, index: index, message: rejection.message, hint: rejection.hint)
    }
}
