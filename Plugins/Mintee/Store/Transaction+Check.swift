package import MinteeDomain
import SQLite
package import Storage

/// Checks stored data against the rules.
extension Transaction {
    /// Returns the rule violations, in the order of the rules; rules in `except` are not checked.
    package func ruleViolations(except ignored: Set<RuleCode> = []) throws -> [RuleViolation] {
        var found = try StoredRule.all.flatMap { rule in
            try rows(rule.sql) { RuleViolation(rule.code, $0.text(0)) }
        }
        found += try legendViolations() + tagViolations() + nameViolations()
        // A row that violates its own rules cannot be checked further.
        if found.isEmpty || found.allSatisfy({ StoredRule.leavesRowsReadable.contains($0.rule) }) {
            found += try instanceViolations()
        }
        let order = Dictionary(uniqueKeysWithValues: Rule.all.enumerated().map { ($0.element.code, $0.offset) })
        return found.filter { !ignored.contains($0.rule) }.sorted {
            (order[$0.rule] ?? 0, $0.subject) < (order[$1.rule] ?? 0, $1.subject)
        }
    }

    /// Invalid legends.
    private func legendViolations() throws -> [RuleViolation] {
        let analyses = try rows("SELECT name, legend FROM mintee_analysis WHERE legend IS NOT NULL") {
            (name: $0.text(0), legend: $0.text(1), family: "ANL")
        }
        let summaries = try rows("SELECT task, legend FROM mintee_summary WHERE legend IS NOT NULL") {
            (name: $0.text(0), legend: $0.text(1), family: "TSA")
        }
        return (analyses + summaries).flatMap { name, legend, family in
            LegendDocument.legend(stored: legend, family: family).violations.map { RuleViolation($0, name) }
        }
    }

    /// Tags whose key does not match their name, and analyses without tags.
    private func tagViolations() throws -> [RuleViolation] {
        try rows("SELECT folded, name FROM mintee_tag") { (folded: $0.text(0), name: $0.text(1)) }
            .filter { TagName.folded($0.name) != $0.folded }.map { RuleViolation("I-4", $0.name) }
    }

    /// Names without visible characters, such as a tab or U+200B: SQL only knows blanks.
    private func nameViolations() throws -> [RuleViolation] {
        try [
            ("I-1", "SELECT name, id FROM mintee_task"), ("I-2", "SELECT name, id FROM mintee_analysis"),
            ("I-3", "SELECT name, folded FROM mintee_tag"),
        ].flatMap { (code: RuleCode, sql: String) in
            try rows(sql) { (name: $0.text(0), id: $0.text(1)) }
                .filter { $0.name.isBlank && $0.name.contains { $0 != " " } }.map { RuleViolation(code, $0.id) }
        }
    }

    /// Instances without a matching target set, or with one although the task has specific dates.
    private func instanceViolations() throws -> [RuleViolation] {
        var found: [RuleViolation] = []
        for record in try tasks(.all) {
            let days = try instanceDays(of: record.id)
            switch record.draft.schedule {
            case .recurring:
                found += days.filter { !record.draft.isDue(on: $0) }.map {
                    RuleViolation("TI-2", record.draft.name, "\($0)")
                }
            case .specific:
                let sets = try targetSets(of: record.id)
                found += days.filter { day in sets.contains { $0.pattern.matches(day) } }
                    .map { RuleViolation("TI-3", record.draft.name, "\($0)") }
            }
        }
        return found
    }
}

extension StoredRule {
    /// Rules whose violation does not make tasks unreadable.
    fileprivate static let leavesRowsReadable: Set<RuleCode> = [
        "TASK-3", "TASK-4", "TASK-5", "TASK-7", "TASK-9", "TAG-1", "TAG-2", "ANL-5", "ANL-6", "I-1", "I-3", "I-4",
        "I-8",
        "I-10", "TI-1", "ALGND-1", "ALGND-2", "CATLE-1",
    ]
}
