package import CivilDate
package import JSON

extension TaskDocument {
    /// Writes a task with the app's key names, sorted alphabetically: the same task gives the same bytes.
    ///
    /// `dates` are all rows of the task, including those without an entry.
    package func write(to json: inout JSONWriter, dates: [CivilDate]) {
        let said = Dictionary(entries.map { ($0.day, $0.entry) }) { first, _ in first }
        json.object { json in
            if case .recurring(_, let end, _) = draft.schedule {
                json.name("endDate")
                json.value(end.description)
            }
            json.name("instances")
            json.array { json in
                for date in dates { TaskDocument.write(date, said[date], to: &json) }
            }
            json.name("name")
            json.value(draft.name)
            json.name("notes")
            json.value(draft.notes)
            json.name("openEnd")
            json.value(draft.hasOpenEnd)
            if let position {
                json.name("order")
                json.value(position)
            }
            if let period = draft.period {
                json.name("periodTarget")
                period.write(to: &json)
            }
            if let minutes = draft.remindAt {
                json.name("remindAt")
                json.value(minutes)
            }
            if let section = draft.section {
                json.name("section")
                json.value(section)
            }
            if case .recurring(let start, _, _) = draft.schedule {
                json.name("startDate")
                json.value(start.description)
            }
            json.name("tags")
            json.array { json in for tag in draft.tags { json.value(tag) } }
            json.name("targetSets")
            json.array { json in
                for (priority, set) in draft.schedule.sets.enumerated() { set.write(priority, to: &json) }
            }
            json.name("taskSummaryAnalysis")
            json.object { json in summary.write(to: &json) }
            json.name("taskType")
            json.value(draft.schedule.kind.rawValue)
        }
    }

    private static func write(_ date: CivilDate, _ entry: Entry?, to json: inout JSONWriter) {
        json.object { json in
            json.name("completion")
            json.number(NumberText.text(entry?.completion ?? 0))
            json.name("date")
            json.value(date.description)
            json.name("entered")
            json.value(entry != nil)
            if let note = entry?.note {
                json.name("note")
                json.value(note)
            }
            if let reason = entry?.skipReason {
                json.name("skip")
                json.value(reason)
            }
        }
    }
}

extension PeriodTarget {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            if case .days(let count) = period {
                json.name("days")
                json.value(count)
            }
            json.name("max")
            json.number(NumberText.text(target.max))
            json.name("maxOperator")
            json.value(target.maxOperator.rawValue)
            json.name("measure")
            json.value(measure == .days ? "days" : "sum")
            json.name("min")
            json.number(NumberText.text(target.min))
            json.name("minOperator")
            json.value(target.minOperator.rawValue)
            json.name("period")
            switch period {
            case .week: json.value("week")
            case .month: json.value("month")
            case .days: json.value("days")
            }
        }
    }
}

extension TargetSet {
    fileprivate func write(_ priority: Int, to json: inout JSONWriter) {
        json.object { json in
            json.name("max")
            json.number(NumberText.text(target.max))
            json.name("maxOperator")
            json.value(target.maxOperator.rawValue)
            json.name("min")
            json.number(NumberText.text(target.min))
            json.name("minOperator")
            json.value(target.minOperator.rawValue)
            json.name("pattern")
            json.object { json in
                json.name("DaysOfMonth")
                json.array { json in for day in (0...31).filter(pattern.monthDays.holds) { json.value(day) } }
                json.name("DaysOfWeek")
                json.array { json in
                    for day in pattern.weekdays.days.map(\.sundayFirstNumber).sorted() { json.value(day) }
                }
                if let exception = pattern.exception {
                    json.name("Except")
                    json.value(exception.calendar)
                }
                if let interval = pattern.interval {
                    json.name("Interval")
                    json.object { json in
                        json.name("Count")
                        json.value(interval.count)
                        json.name("Start")
                        json.value(interval.start.description)
                        json.name("Unit")
                        json.value(interval.unit.rawValue)
                    }
                }
                json.name("Type")
                json.value(pattern.kind.rawValue)
                json.name("WeeksOfMonth")
                json.array { json in for week in pattern.weeks.weeks { json.value(week.rawValue) } }
            }
            json.name("priority")
            json.value(priority)
        }
    }
}

extension MonthDaySet {
    /// Whether a stored number is in the set: 0 is the last day.
    fileprivate func holds(_ number: Int) -> Bool { number == 0 ? contains(.last) : contains(day: number) }
}

extension TaskSummary {
    /// Writes the members common to charts of tasks and of tags.
    fileprivate func write(to json: inout JSONWriter) {
        json.name("analysisType")
        json.value(kind.rawValue)
        json.name("dateRange")
        if case .last(let days) = range { json.value(days) } else { json.value(0) }
        if case .dates(_, let end) = range {
            json.name("endDate")
            json.value(end.description)
        }
        json.name("legend")
        json.value((try? JSONReader.read(Array(LegendDocument.text(legend).utf8))) ?? .null)
        if case .dates(let start, _) = range {
            json.name("startDate")
            json.value(start.description)
        }
    }
}

extension AnalysisDocument {
    /// Writes an analysis with the app's key names.
    package static func write(_ record: AnalysisRecord, to json: inout JSONWriter) {
        let analysis = record.analysis
        json.object { json in
            TaskSummary(kind: analysis.kind, range: analysis.range, legend: analysis.legend).write(to: &json)
            json.name("name")
            json.value(analysis.name)
            json.name("order")
            json.value(record.order)
            json.name("rangeType")
            if case .dates = analysis.range { json.value(0) } else { json.value(1) }
            json.name("tags")
            json.array { json in for tag in analysis.tags { json.value(tag) } }
        }
    }
}
