import ContentLines
import HTTPTypes
import ICalendar
import Sync
import Time
import XML

/// The times in a range that the events of a calendar take (RFC 4791 §7.10).
struct FreeBusy {
    /// How sure a time is taken.
    private enum Kind: String, CaseIterable {
        case busy = "BUSY"
        case tentative = "BUSY-TENTATIVE"
    }

    private let range: CalendarRange
    private let zone: TimeZoneRules
    private var taken: [Kind: [Range<Int64>]] = [:]

    /// The most occurrences of one event that are looked at.
    private static let most = 5000

    /// Reads the report. Throws 403 unless it has a range with two ends.
    init(_ root: XMLElement, zone: TimeZoneRules) throws(DAVFailure) {
        guard let element = root.child(DAVName.calendar("time-range")),
            ["start", "end"].allSatisfy({ element.attributes[XMLName("", $0)] != nil })
        else { throw CalendarFilter.invalid }
        range = try CalendarRange(element)
        self.zone = zone
    }

    /// Adds the events of an item. What cannot be read, and what says that it takes no time, is passed over.
    mutating func add(_ content: [UInt8]) {
        guard let calendar = try? ICalReader.read(content, limits: .item).first else { return }
        let zones = CalendarZones(of: calendar, zone)
        let events = calendar.components.filter { $0.name == "VEVENT" }
        let replaced = Set(events.compactMap { $0["RECURRENCE-ID"]?.times?.first.map { zones.instant(of: $0) } })
        for event in events {
            let status = event["STATUS"]?.text.uppercased()
            guard status != "CANCELLED", event["TRANSP"]?.text.uppercased() != "TRANSPARENT" else { continue }
            let isSeries = event["RECURRENCE-ID"] == nil && (event["RRULE"] != nil || event["RDATE"] != nil)
            for days in isSeries ? range.occurrences(of: event, zones).prefix(Self.most) : [0] {
                if isSeries, let start = event["DTSTART"]?.times?.first,
                    replaced.contains(zones.instant(of: start, later: days))
                {
                    continue
                }
                guard let part = range.part(of: event, later: days, zones) else { continue }
                taken[status == "TENTATIVE" ? .tentative : .busy, default: []].append(part)
            }
        }
    }

    /// The answer, made at `now`, in milliseconds since 1970 UTC.
    func calendar(now: Int64) -> [UInt8] {
        func time(_ milliseconds: Int64) -> String { "\(ICalTime(milliseconds: milliseconds))" }
        var properties = [
            ICalProperty("DTSTAMP", value: time(now)), ICalProperty("DTSTART", value: time(range.start)),
            ICalProperty("DTEND", value: time(range.end)),
        ]
        for kind in Kind.allCases {
            let periods = Self.joined(taken[kind] ?? []).map { "\(time($0.lowerBound))/\(time($0.upperBound))" }
            if periods.isEmpty { continue }
            properties.append(
                ICalProperty(
                    "FREEBUSY", [ContentParameter("FBTYPE", kind.rawValue)],
                    value: periods.joined(separator: ",")))
        }
        return ICalWriter.write(
            ICalComponent(
                "VCALENDAR",
                [ICalProperty("VERSION", value: "2.0"), ICalProperty("PRODID", value: "-//hub//hub//EN")],
                components: [ICalComponent("VFREEBUSY", properties)]))
    }

    /// The times in order; those that touch are one.
    private static func joined(_ times: [Range<Int64>]) -> [Range<Int64>] {
        times.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { joined, next in
            if let last = joined.last, next.lowerBound <= last.upperBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, next.upperBound)
            } else {
                joined.append(next)
            }
        }
    }
}

extension DAVService {
    /// `free-busy-query` on a calendar.
    func freeBusy(_ root: XMLElement, of collection: DAVCollection) async throws -> DAVResponse {
        var times = try FreeBusy(root, zone: zone)
        try await eachPage(of: collection) { entries in
            for item in try await collection.items.items(named: entries.map(\.name)) { times.add(item.content) }
        }
        return DAVResponse(
            200, headers: ["Content-Type": "text/calendar; charset=utf-8", "Cache-Control": "private, no-cache"],
            body: .bytes(times.calendar(now: now)))
    }
}
