import CivilDate
package import HubKit
package import MinteeDomain

/// Turns what is kept into what a form is filled with, and what a form says into what can be kept. Forms speak the JSON of
/// exports, with the app's own names of keys.
package struct FillForm: Sendable {
    let day: MinteeDay

    package init(day: MinteeDay) { self.day = day }

    /// A task, or a new one that is due every day.
    package func form(_ draft: TaskDraft?) throws -> JSONValue {
        let draft = draft ?? TaskDraft.daily("", today: day.today)
        var json = JSONWriter()
        TaskDocument(draft: draft).write(to: &json, dates: [])
        var members = try FillForm.members(json).filter { !["instances", "taskSummaryAnalysis"].contains($0.name) }
        var dates: [CivilDate] = []
        if case .specific(let chosen) = draft.schedule { dates = chosen }
        members.append(JSONValue.Member(name: "dates", value: .array(dates.map { .string($0.description) })))
        return .object(members)
    }

    /// A target set.
    package func form(_ set: TargetSet) throws -> JSONValue {
        let draft = TaskDraft(name: "", schedule: .recurring(from: day.today, to: day.today, [set]))
        let sets = try form(draft)["targetSets"]?.array ?? []
        return sets.first ?? .null
    }

    /// An analysis.
    package func form(_ record: AnalysisRecord) throws -> JSONValue {
        var json = JSONWriter()
        AnalysisDocument.write(record, to: &json)
        return .object(try FillForm.members(json))
    }

    /// The task that a form says. Throws `invalid` with all rules that it breaks, each at its field.
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
