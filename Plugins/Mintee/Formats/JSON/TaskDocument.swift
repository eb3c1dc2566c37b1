package import CivilDate
package import JSON

/// A task as JSON with the app's key names, for exports and requests.
package struct TaskDocument: Sendable {
    /// The task.
    package var draft: TaskDraft
    /// The entries by day; nil if the document has none.
    package var entries: [(day: CivilDate, entry: Entry)]
    /// The chart settings for the progress of the task.
    package var summary: TaskSummary
    /// The number in the manual order; nil for none.
    package var position: Int?

    package init(
        draft: TaskDraft, entries: [(day: CivilDate, entry: Entry)] = [], summary: TaskSummary = TaskSummary(),
        position: Int? = nil
    ) {
        self.position = position
        self.draft = draft
        self.entries = entries
        self.summary = summary
    }

    /// Reads a document, with all violated rules.
    package static func read(_ json: JSONValue, today: CivilDate) -> (
        document: TaskDocument, violations: [RuleViolation]
    ) {
        var reading = DocumentReading(json["name"]?.string ?? "")
        let document = reading.task(json, today: today)
        return (document, reading.violations + document.draft.violations.filter { !reading.codes.contains($0.rule) })
    }

    /// Reads the pattern of a target set, with all violated rules; nil if it is not a pattern at all.
    package static func readPattern(_ json: JSONValue?) -> (pattern: DayPattern?, violations: [RuleViolation]) {
        var reading = DocumentReading("")
        let pattern = reading.pattern(json)
        return (pattern, reading.violations + (pattern?.violations ?? []).map { RuleViolation($0, "") })
    }
}

/// An analysis as JSON with the app's key names.
package enum AnalysisDocument {
    /// Reads a document, with all rules that it violates by itself.
    package static func read(_ json: JSONValue) -> (analysis: Analysis, violations: [RuleViolation]) {
        var reading = DocumentReading(json["name"]?.string ?? "")
        let chart = reading.chart(json, family: "ANL")
        let analysis = Analysis(
            name: reading.text(json, "name"), kind: chart.kind, range: chart.range, legend: chart.legend,
            tags: reading.list(json, "tags", "a string") { $0.string })
        let own = analysis.violations.filter { !reading.codes.contains($0.rule) }
        return (analysis, reading.violations + own)
    }
}

/// Reads values of unchecked types, and collects the rules that they violate.
///
/// An invalid value is refused, never left out or cut: with the code `field-invalid`, or `day-invalid` for a single
/// day.
private struct DocumentReading {
    /// The maximum length of notes, a note and a reason, in characters.
    private static let maximumText = 10_000

    private let name: String
    private(set) var violations: [RuleViolation] = []

    init(_ name: String) { self.name = name }

    var codes: Set<RuleCode> { Set(violations.map(\.rule)) }

    private mutating func refuse(_ rule: RuleCode, _ detail: String = "") {
        violations.append(RuleViolation(rule, name, detail))
    }

    private mutating func refuse(field: String, _ detail: String, code: RuleCode = "field-invalid") {
        violations.append(RuleViolation(code, name, detail, field: field))
    }

    /// Returns the value of a member; nil if it is missing or null. Refuses one that `read` cannot convert.
    private mutating func value<T>(
        _ json: JSONValue, _ key: String, _ expected: String, _ read: (JSONValue) -> T?
    ) -> T? {
        guard let member = json[key], member != .null else { return nil }
        if let value = read(member) { return value }
        refuse(field: key, "needs \(expected) as \"\(key)\", not \(member.excerpt)")
        return nil
    }

    /// Returns a text; empty if it is missing.
    mutating func text(_ json: JSONValue, _ key: String, isLong: Bool = false) -> String {
        let text = value(json, key, "a string") { $0.string } ?? ""
        if isLong, text.count > DocumentReading.maximumText {
            refuse(field: key, "has a \"\(key)\" of \(text.count) characters; at most \(DocumentReading.maximumText)")
        }
        return text
    }

    /// Returns the elements of an array; empty if it is missing. Refuses each that `read` cannot convert.
    mutating func list<T>(
        _ json: JSONValue, _ key: String, _ expected: String, _ read: (JSONValue) -> T?
    ) -> [T] {
        let elements = value(json, key, "an array") { $0.array } ?? []
        return elements.compactMap { element in
            if let value = read(element) { return value }
            refuse(field: key, "needs \(expected) in \"\(key)\", not \(element.excerpt)")
            return nil
        }
    }

    private mutating func date(_ json: JSONValue, _ key: String) -> CivilDate? {
        value(json, key, "a date such as 2026-11-20") { Self.day($0) }
    }

    /// Returns the section; nil for an empty one.
    private mutating func section(_ json: JSONValue) -> String? {
        let name = TaskOrder.section(text(json, "section"))
        return name.isEmpty ? nil : name
    }

    mutating func task(_ json: JSONValue, today: CivilDate) -> TaskDocument {
        _ = text(json, "name")
        let kind = json["taskType"].map { $0.integer.flatMap(TaskKind.init(rawValue:)) } ?? .recurring
        if kind == nil { refuse("TASK-1") }
        let (start, end) = (date(json, "startDate"), date(json, "endDate"))
        let sets = value(json, "targetSets", "an array") { $0.array } ?? []
        let isOpen = value(json, "openEnd", "true or false") { $0.bool } ?? false
        var draft = TaskDraft(
            name: name, tags: list(json, "tags", "a string") { $0.string }, schedule: .specific([]),
            hasOpenEnd: isOpen,
            remindAt: value(json, "remindAt", "minutes after midnight, 0 to 1439,") {
                $0.integer.flatMap { (0..<1440).contains($0) ? $0 : nil }
            }, notes: text(json, "notes", isLong: true), section: section(json))
        var entries: [(day: CivilDate, entry: Entry)] = []
        var dates = list(json, "dates", "a date such as 2026-11-20") { Self.day($0) }
        let rows = value(json, "instances", "an array") { $0.array } ?? []
        for (date, entry) in instances(rows, of: kind ?? .recurring) {
            dates.append(date)
            if let entry { entries.append((date, entry)) }
        }
        draft.period = periodTarget(json)
        if kind == .specific {
            if start != nil || end != nil { refuse("TASK-8") }
            if !sets.isEmpty { refuse("TASK-9") }
            draft.schedule = .dates(dates)
        } else {
            if start == nil || end == nil, !isOpen { refuse("TASK-2") }
            let first = start ?? today
            draft.schedule = .recurring(
                from: first, to: end ?? first.adding(days: TaskRecord.openDays), targetSets(sets))
        }
        var summary = TaskSummary()
        if let chart = json["taskSummaryAnalysis"] {
            if case .object = chart { summary = self.chart(chart, family: "TSA") } else { refuse("TASK-7") }
        }
        return TaskDocument(draft: draft, entries: entries.sorted { $0.day < $1.day }, summary: summary)
    }

    private static func day(_ json: JSONValue?) -> CivilDate? { json?.string.flatMap { CivilDate($0) } }

    private mutating func instances(_ values: [JSONValue], of kind: TaskKind) -> [(CivilDate, Entry?)] {
        var seen: Set<CivilDate> = []
        return values.compactMap { value in
            guard let date = Self.day(value["date"]) else {
                refuse("TI-5")
                return nil
            }
            if !seen.insert(date).inserted { refuse("TI-4", date.description) }
            if kind == .specific, value["targetSet"] != nil { refuse("TI-3", date.description) }
            let completion = value["completion"].map { $0.double } ?? 0
            guard let completion, abs(completion) < 1e308 else {
                refuse("I-9", date.description)
                return nil
            }
            let entered = value["entered"].map { $0 == .null ? true : $0.bool } ?? true
            guard let entered, isText(value["skip"]), isText(value["note"]) else {
                refuse(
                    field: "instances", "has a day whose skip, note or entered is invalid: \(date)",
                    code: "day-invalid")
                return nil
            }
            let entry = Entry(completion: completion, skipReason: value["skip"]?.string, note: value["note"]?.string)
            return (date, entered ? entry : nil)
        }
    }

    /// Whether a member is missing, or a text that is not too long.
    private func isText(_ json: JSONValue?) -> Bool {
        guard let json, json != .null else { return true }
        return json.string.map { $0.count <= DocumentReading.maximumText } ?? false
    }

    private mutating func targetSets(_ values: [JSONValue]) -> [TargetSet] {
        let priorities = values.enumerated().map { index, set in
            value(set, "priority", "a whole number") { $0.integer } ?? index
        }
        if Set(priorities).count < priorities.count { refuse("TTS-9") }
        if priorities.sorted() != Array(priorities.indices) { refuse("I-8") }
        return zip(priorities, values).sorted { $0.0 < $1.0 }.compactMap { _, value in
            if value["task"] != nil { refuse("TTS-8", "a nested target set must not have a task field") }
            guard let pattern = pattern(value["pattern"]), let target = target(value, family: "TTS") else { return nil }
            return TargetSet(pattern, target)
        }
    }

    private mutating func periodTarget(_ json: JSONValue) -> PeriodTarget? {
        guard let member = json["periodTarget"], member != .null else { return nil }
        if case .array(let several) = member {
            // A list of one is one.
            guard several.count == 1 else {
                refuse("PT-11")
                return nil
            }
            return periodTarget(.object([JSONValue.Member(name: "periodTarget", value: several[0])]))
        }
        guard case .object = member else {
            refuse(field: "periodTarget", "needs an object as \"periodTarget\"")
            return nil
        }
        let period: PeriodTarget.Period? = value(member, "period", "week, month or days") { json in
            switch json.string {
            case "week": .week
            case "month": .month
            case "days": .days(member["days"]?.integer ?? 0)
            default: nil
            }
        }
        let measure: PeriodTarget.Measure? = value(member, "measure", "days or sum") { json in
            ["days": PeriodTarget.Measure.days, "sum": .sum][json.string ?? ""]
        }
        for key in ["period", "measure"] where member[key] == nil {
            refuse(field: "periodTarget", "has no \"\(key)\" in \"periodTarget\"")
        }
        guard let period, let measure, let target = target(member, family: "PT") else { return nil }
        return PeriodTarget(target, measure, in: period)
    }

    /// Returns the interval of a pattern; nil for none.
    private mutating func interval(_ json: JSONValue) -> DayInterval? {
        guard let member = json["Interval"], member != .null else { return nil }
        guard let unit = member["Unit"]?.integer.flatMap(DayInterval.Unit.init(rawValue:)),
            let count = member["Count"]?.integer
        else {
            refuse("DP-5")
            return nil
        }
        guard let start = member["Start"].flatMap({ Self.day($0) }) else {
            refuse("DP-6")
            return nil
        }
        return DayInterval(every: count, unit, from: start)
    }

    /// Returns the exception of a pattern, the name of a calendar of holidays; nil for none.
    private mutating func exception(_ json: JSONValue) -> HolidayException? {
        guard let member = json["Except"], member != .null else { return nil }
        guard let name = member.string else {
            refuse("DP-7")
            return nil
        }
        return HolidayException(name)
    }

    mutating func pattern(_ json: JSONValue?) -> DayPattern? {
        guard let json, case .object = json else {
            refuse("TTS-10")
            return nil
        }
        guard let kind = json["Type"]?.integer.flatMap(DayPattern.Kind.init(rawValue:)) else {
            refuse("DP-1")
            return nil
        }
        let weekdays = list(json, "DaysOfWeek", "a number from 1 to 7") {
            $0.integer.flatMap { Weekday(sundayFirstNumber: $0) }
        }
        let weeks = list(json, "WeeksOfMonth", "a number from 1 to 5") { $0.integer.flatMap(MonthWeek.init(rawValue:)) }
        let days = list(json, "DaysOfMonth", "a number from 0 to 31") { json in
            json.integer.flatMap { (0...31).contains($0) ? $0 == 0 ? MonthDay.last : .day($0) : nil }
        }
        return DayPattern(
            kind: kind, weekdays: WeekdaySet(weekdays), weeks: MonthWeekSet(weeks), monthDays: MonthDaySet(days),
            interval: interval(json), exception: exception(json))
    }

    private mutating func target(_ json: JSONValue, family: String) -> Target? {
        let lower = json["minOperator"]?.integer.flatMap(TargetOperator.init(rawValue:))
        let upper = json["maxOperator"]?.integer.flatMap(TargetOperator.init(rawValue:))
        if lower == nil { refuse(RuleCode("\(family)-1")) }
        if upper == nil { refuse(RuleCode("\(family)-2")) }
        guard let min = (json["min"] ?? .number("0")).double, let max = (json["max"] ?? .number("0")).double,
            abs(min) < 1e308, abs(max) < 1e308
        else {
            refuse("I-7")
            return nil
        }
        return lower.flatMap { lower in upper.map { Target(unchecked: lower, $0, min, max) } }
    }

    mutating func chart(_ json: JSONValue, family: String) -> TaskSummary {
        let kind = json["analysisType"]?.integer.flatMap(AnalysisKind.init(rawValue:))
        if kind == nil { refuse(RuleCode("\(family)-1")) }
        let (start, end) = (date(json, "startDate"), date(json, "endDate"))
        let days = value(json, "dateRange", "a whole number") { $0.integer } ?? 0
        if (start == nil) != (end == nil) { refuse(RuleCode("\(family)-2")) }
        var range = AnalysisRange.last(days: days)
        if let start, let end {
            range = .dates(from: start, to: end)
            if days != 0 { refuse(RuleCode("\(family)-3")) }
        }
        if family == "ANL" { refuseRangeType(json["rangeType"]?.integer, range) }
        for code in range.violations(of: family) { refuse(code) }
        let legend = json["legend"].map { LegendDocument.legend($0, family: family) }
        for code in legend?.violations ?? [RuleCode("\(family)-7")] { refuse(code) }
        return TaskSummary(kind: kind ?? .box, range: range, legend: legend?.legend ?? .standard)
    }

    private mutating func refuseRangeType(_ type: Int?, _ range: AnalysisRange) {
        switch (type, range) {
        case (0?, .last): refuse("ANL-12")
        case (1?, .dates): refuse("ANL-11")
        case (0?, _), (1?, _): break
        default: refuse("ANL-9")
        }
    }
}

extension JSONValue {
    /// The value in a few words, for a message.
    fileprivate var excerpt: String {
        switch self {
        case .null: "null"
        case .bool(let truth): "\(truth)"
        case .number(let text): String(text.prefix(40))
        case .string(let text): "\"\(text.count > 40 ? text.prefix(40) + "…" : text)\""
        case .array: "an array"
        case .object: "an object"
        }
    }
}
