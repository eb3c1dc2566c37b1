import CivilDate
import Commands
import HubKit
package import MinteeDomain
package import System

/// Forms use the JSON of exports, with the app's key names.
extension MinteePlugin {
    /// Returns the form of a task, or of a new task that is due every day.
    package func form(of draft: TaskDraft?) throws -> JSONValue {
        let draft = draft ?? TaskDraft.daily("", today: day.today)
        var json = JSONWriter()
        TaskDocument(draft: draft).write(to: &json, dates: [])
        var members = try MinteePlugin.members(json).filter {
            !["instances", "periodTarget", "taskSummaryAnalysis"].contains($0.name)
        }
        var dates: [CivilDate] = []
        if case .specific(let chosen) = draft.schedule { dates = chosen }
        members.append(JSONValue.Member(name: "dates", value: .array(dates.map { .string($0.description) })))
        members.append(JSONValue.Member(name: "period", value: .string(draft.period?.description ?? "")))
        return .object(members)
    }

    /// Returns the form of a target set.
    package func form(of set: TargetSet) throws -> JSONValue {
        let draft = TaskDraft(name: "", schedule: .recurring(from: day.today, to: day.today, [set]))
        let sets = try form(of: draft)["targetSets"]?.array ?? []
        return sets.first ?? .null
    }

    /// Returns the form of an analysis.
    package func form(of record: AnalysisRecord) throws -> JSONValue {
        var json = JSONWriter()
        AnalysisDocument.write(record, to: &json)
        return .object(try MinteePlugin.members(json))
    }

    /// Returns the task of a form. Throws `invalid` with all violated rules, each at its field.
    ///
    /// A form has the target over several days as text, an export as an object.
    package func draft(from json: JSONValue) throws(HubError) -> TaskDraft {
        let (document, violations) = TaskDocument.read(json, today: day.today)
        try violations.enforce()
        var draft = document.draft
        if let text = json["period"]?.string, case .recurring = draft.schedule {
            draft.period = try periodTarget(text)
            try draft.violations.map { RuleViolation($0.rule, $0.subject, $0.detail, field: "period") }.enforce()
        }
        return draft
    }

    /// Returns the target over several days of a form's text; nil for an empty one.
    private func periodTarget(_ text: String) throws(HubError) -> PeriodTarget? {
        if text.isBlank { return nil }
        do throws(TextProblem) {
            let days = try DueDays(text, config.decimalMark)
            if let period = days.period, days.sets == [TargetSet(.daily)] { return period }
        } catch {
            throw HubError(field: "period", error.message + (error.hint.map { ": \($0)" } ?? ""))
        }
        throw HubError(field: "period", "write 3 times a week, 150 a month or at most 12 a week")
    }

    /// Returns the analysis of a form. Throws `invalid` with all rules that it violates by itself.
    package func analysis(from json: JSONValue) throws(HubError) -> Analysis {
        let (analysis, violations) = AnalysisDocument.read(json)
        try violations.enforce()
        return analysis
    }

    /// Returns the target set of a pattern, as JSON with the app's key names, and of the fields of a target.
    ///
    /// Throws `invalid` with a problem for each field: `days`, `lower` and `upper`.
    package func targetSet(_ pattern: JSONValue?, _ fields: TargetFields) throws(HubError) -> TargetSet {
        let (pattern, violations) = TaskDocument.readPattern(pattern)
        var problems = violations.map { violation in
            violation.rule == "DP-5"
                ? RuleViolation(violation.rule, "", "", field: "every")
                : RuleViolation(violation.rule.isOfChoice ? "I-6" : violation.rule, "", "no days chosen", field: "days")
        }
        let target = fields.target
        if case .failure(let problem) = target { problems.append(problem.violation) }
        if problems.isEmpty, let pattern, case .success(let target) = target { return TargetSet(pattern, target) }
        throw HubError(breaking: problems)
    }

    /// Returns the target of the fields alone. Throws `invalid` with a problem for `lower` or `upper`.
    package func target(_ fields: TargetFields) throws(HubError) -> Target {
        switch fields.target {
        case .success(let target): return target
        case .failure(let problem): throw HubError(breaking: [problem.violation])
        }
    }

    private static func members(_ json: JSONWriter) throws -> [JSONValue.Member] {
        guard case .object(let members) = try JSONReader.read(json.bytes) else { return [] }
        return members
    }
}

extension TargetFields.Problem {
    /// The violation; target rules are described by their own text.
    fileprivate var violation: RuleViolation {
        RuleViolation(rule, "", rule.description.hasPrefix("TTS") ? "" : message, field: field)
    }
}

extension RuleCode {
    /// Whether the rule requires a pattern to have days.
    fileprivate var isOfChoice: Bool { ["DP-2", "DP-3", "DP-4"].contains(description) }
}
