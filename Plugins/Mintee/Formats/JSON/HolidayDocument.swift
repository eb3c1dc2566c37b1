import CivilDate
package import JSON

/// A calendar of holidays as JSON, for exports.
package enum HolidayDocument {
    /// Writes a calendar: `{"days":[{"date":"2026-12-25","name":"Christmas Day"}],"name":"holidays","source":"…"}`.
    package static func write(_ calendar: HolidayCalendar, to json: inout JSONWriter) {
        json.object { json in
            json.name("days")
            json.array { json in
                for holiday in calendar.holidays {
                    json.object { json in
                        json.name("date")
                        json.value(holiday.day.description)
                        json.name("name")
                        json.value(holiday.name)
                    }
                }
            }
            json.name("name")
            json.value(calendar.name)
            json.name("source")
            json.value(calendar.source)
        }
    }

    /// Reads a calendar, with all violated rules.
    package static func read(_ json: JSONValue) -> (calendar: HolidayCalendar, violations: [RuleViolation]) {
        let name = json["name"]?.string ?? ""
        var violations: [RuleViolation] = []
        if !HolidayCalendar.isTypable(name) { violations.append(RuleViolation("DP-8", name)) }
        var holidays: [CivilDate: Holiday] = [:]
        for value in json["days"]?.array ?? [] {
            guard let day = value["date"]?.string.flatMap({ CivilDate($0) }), TaskDraft.isNear(day),
                holidays.count < HolidayCalendar.maximumHolidays
            else {
                violations.append(RuleViolation("DP-9", name, value["date"]?.string ?? ""))
                continue
            }
            holidays[day] = Holiday(day, String((value["name"]?.string ?? "").prefix(1000)))
        }
        let calendar = HolidayCalendar(
            name: name, source: json["source"]?.string ?? "", holidays: holidays.values.sorted { $0.day < $1.day })
        return (calendar, violations)
    }
}
