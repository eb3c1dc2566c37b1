extension ContactForm {
    /// One value that a person filled in.
    package struct Entry: Hashable, Sendable {
        /// The field.
        package var field: ContactField
        /// The kind, such as `mobile`; may be empty.
        package var label: String
        /// The value; one that is empty does not count.
        package var value: String

        package init(_ field: ContactField, label: String = "", _ value: String) {
            self.field = field
            self.label = label
            self.value = value
        }
    }

    /// Why a value was not accepted.
    package struct Refusal: Hashable, Sendable {
        /// A stable word for programs.
        package var code: String
        /// The field.
        package var field: ContactField
        /// The place of the value among the entries; nil when the field has none.
        package var index: Int?
        /// What is wrong, in one sentence without a full stop.
        package var message: String
        /// What to write instead, as the text of a form has it.
        package var hint: String?
    }

    /// Gives `details` the values of `entries` that are right, and tells of the others.
    ///
    /// A field without an entry is cleared, except that a bad value keeps the old ones of its field. Values that a form
    /// does not show stay as they are.
    package static func apply(_ entries: [Entry], to details: inout ContactDetails) -> [Refusal] {
        var refusals: [Refusal] = []
        for field in ContactField.allCases {
            let filled = entries.enumerated().filter { $0.element.field == field && !$0.element.value.isEmpty }
            // The form is made again to see whether the person changed this field at all.
            let isChanged = !field.formValues(details).elementsEqual(filled) { before, after in
                before.label == after.element.label && shown(before.value) == shown(after.element.value)
            }
            if !isChanged { continue }
            var good: [(label: String, value: String)] = []
            var isSpoiled = false
            for (index, entry) in filled {
                do throws(ContactField.Rejection) {
                    good.append((entry.label, try field.checked(entry.value)))
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

    /// A value as it can be seen: editors take away blanks and empty lines at the end.
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
