import ICalendar
import TestSupport
import Testing

struct ScalingTests {
    @Test(arguments: [
        "X-A:b\n", "X-A;P=1;Q=\"a\":b\n", " folded\n", "\n", " \n", "BEGIN:VTODO\nEND:VTODO\n", "no property\n",
        "DESCRIPTION:a\\nb\\,c\n", "X:é\n",
    ])
    func `a calendar of many lines`(line: String) {
        Scaling.expectLinear(line, size: 333) {
            repeated(line, $0, after: "BEGIN:VCALENDAR\nX:y\n", before: "END:VCALENDAR\n")
        } _: {
            for component in (try? ICalReader.read($0)) ?? [] {
                _ = ICalWriter.write(component)
                _ = component.unreadable
                for property in component.properties { _ = (property.texts, property.times, property["TZID"]) }
            }
        }
    }

    @Test(arguments: [";P=1", ";P=\"a;b\"", ":", "a,", "\\,", "20260101,", "é", "\\"])
    func `a property of many parts`(part: String) {
        Scaling.expectLinear(part, size: 1000) {
            repeated(part, $0, after: "BEGIN:VCALENDAR\nX", before: ":\nEND:VCALENDAR\n")
                + repeated(part, $0, after: "BEGIN:VCALENDAR\nX:", before: "\nEND:VCALENDAR\n")
        } _: {
            for component in (try? ICalReader.read($0)) ?? [] {
                _ = ICalWriter.write(component)
                for property in component.properties { _ = (property.text, property.texts, property.times) }
            }
        }
    }
}
