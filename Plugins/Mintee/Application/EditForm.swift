import CivilDate
package import HubKit
package import MinteeDomain

/// Converts stored values to form fields, and form fields to values. Forms use the JSON of exports, with the app's key
/// names.
package struct EditForm: Sendable {
    let day: DayBoundary

    package init(day: DayBoundary) { self.day = day }

    /// Returns the form of a task, or of a new task that is due every day.
    package func form(_ draft: TaskDraft?) throws -> JSONValue {
        let draft = draft ?? TaskDraft.daily("", today: day.today)
        var json = JSONWriter()
        TaskDocument(draft: draft).write(to: &json, dates: [])
        var members = try EditForm.members(json).filter { !["instances", "taskSummaryAnalysis"].contains($0.name) }
        var dates: [CivilDate] = []
        if case .specific(let chosen) = draft.schedule { dates = chosen }
        members.append(JSONValue.Member(name: "dates", value: .array(dates.map { .string($0.description) })))
        return .object(members)
    }

    /// Returns the form of a target set.
    package func form(_ set: TargetSet) throws -> JSONValue {
        let draft = TaskDraft(name: "", schedule: .recurring(from: day.today, to: day.today, [set]))
        let sets = try form(draft)["targetSets"]?.array ?? []
        return sets.first ?? .null
    }

    /// Returns the form of an analysis.
    package func form(_ record: AnalysisRecord) throws -> JSONValue {
        var json = JSONWriter()
        AnalysisDocument.write(record, to: &json)
        return .object(try EditForm.members(json))
    }

    /// Returns the task of a form. Throws `invalid` with all violated rules, each at its field.
    package func draft(_ json: JSONValue) throws(HubError) -> TaskDraft {
        let (document, breaches) = TaskDocument.read(json, today: day.today)
        try breaches.enforce()
        return document.draft
    }

    private static func members(_ json: JSONWriter) throws -> [JSONValue.Member] {
        guard case .object(let members) = try JSONReader.read(json.bytes) else { return [] }
        return members
    }
}
