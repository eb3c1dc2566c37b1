import CivilDate
import ContentLines
import ICalendar
import Testing

struct ICalReaderTests {
    private func read(_ text: String, limits: ICalLimits = ICalLimits()) throws(ICalError) -> [ICalComponent] {
        try ICalReader.read(Array(text.utf8), limits: limits)
    }

    @Test func `components, properties and parameters are read as they stand`() throws {
        let calendar = try #require(
            try read(
                "\u{FEFF}BEGIN:VCALENDAR\r\nVERSION:2.0\r\nbegin:vtodo\r\n"
                    + "summary;LANGUAGE=de;X-A=\"b;c:d\",e:Ka\\, Kb\\nc\\;\\\\\r\nX-EMPTY:\r\nend:vtodo\r\nEND:VCALENDAR\r\n"
            ).first)
        #expect(calendar.name == "VCALENDAR")
        #expect(calendar["version"]?.value == "2.0")
        let todo = try #require(calendar.components.first)
        #expect(todo.name == "VTODO")
        #expect(todo.line == 3)
        let summary = try #require(todo["SUMMARY"])
        #expect(summary["language"] == "de")
        #expect(summary.parameters.map(\.written) == ["de", "\"b;c:d\",e"])
        #expect(summary.text == "Ka, Kb\nc;\\")
        #expect(todo["X-EMPTY"]?.value == "")
        #expect(todo["DESCRIPTION"] == nil)
    }

    @Test func `folded lines are put together, wherever they are cut`() throws {
        let forms = [
            "BEGIN:VTODO\r\nSUMMARY:a b\r\nEND:VTODO\r\n", "BEGIN:VTO\r\n DO\nSUM\r\n MARY:a\r\n  b\r\nEND:VTODO",
            "\r\n\r\nBEGIN:VTODO\n\nSUMMARY:a\n\t b\n\nEND:VTODO\n\n",
        ]
        for form in forms { #expect(try read(form).first?["SUMMARY"]?.text == "a b") }
        // A character cut in the middle, as some programs do.
        var bytes = Array("BEGIN:VTODO\r\nSUMMARY:".utf8) + [0xC5] + Array("\r\n ".utf8) + [0x82]
        bytes += Array("\r\nEND:VTODO\r\n".utf8)
        #expect(try ICalReader.read(bytes).first?["SUMMARY"]?.text == "ł")
    }

    @Test(arguments: ["", "\u{FEFF}", "\n\u{FEFF}", " "])
    func `joined calendars are read one after the other`(joint: String) throws {
        let parts = (1...3).map { "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:\($0)\nEND:VTODO\nEND:VCALENDAR" }
        let calendars = try read(parts.joined(separator: joint) + "\n")
        #expect(calendars.flatMap(\.components).map { $0["UID"]?.value } == ["1", "2", "3"])
        #expect(throws: ICalError.self) { try read("BEGIN:VCALENDAR\nEND:VCALENDARS\n") }
    }

    @Test func `what is read is written as it was`() throws {
        let text = """
            BEGIN:VCALENDAR\r
            VERSION:2.0\r
            BEGIN:VTODO\r
            IANA-THING;X=1,2:foo\r
            X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE="a;b":geo:1,2\r
            X-SEVERAL:a\\,b;c,d\\nq\\\r
            DESCRIPTION:\r
            CATEGORIES:one\\,two,three\r
            no property at all\r
            X-BARE;ENCODED;A=1:x\r
            X-EMPTY;:y\r
            X-MARK;A=́b;́C=d:́e\r
            BEGIN:X-INNER\r
            GEO:1.5;2.5\r
            END:X-INNER\r
            BEGIN:VALARM\r
            TRIGGER:-PT15M\r
            END:VALARM\r
            END:VTODO\r
            END:VCALENDAR\r

            """
        let roots = try read(text)
        #expect(String(decoding: roots.flatMap(ICalWriter.write), as: UTF8.self) == text)
        #expect(roots.first?.components.first?.unreadable == ["no property at all"])
    }

    @Test(arguments: [
        ("\n  z\n", " z"), ("\n \tz\n", "\tz"), ("  \n z\n", nil),
        ("BEGIN:\(String(repeating: "ß", count: 60))\nEND:\(String(repeating: "ß", count: 60))\n", nil),
    ])
    func `what is written is written alike when it is read again`(lines: String, value: String?) throws {
        let component = try #require(try read("BEGIN:VCALENDAR\nX:y\n\(lines)END:VCALENDAR\n").first)
        let written = ICalWriter.write(component)
        #expect(try ICalReader.read(written).flatMap(ICalWriter.write) == written)
        #expect(value == nil || component.properties.last?.value == value)
    }

    @Test func `texts of lists are parted by commas that are not escaped`() {
        let property = ICalProperty("CATEGORIES", texts: ["a,b", "c;d", "e\\", "", "f\r\ng\u{7}"])
        #expect(property.value == #"a\,b,c\;d,e\\,,f\ng"# + "\u{FFFD}")
        #expect(property.texts == ["a,b", "c;d", "e\\", "", "f\ng\u{FFFD}"])
        #expect(ICalProperty("CATEGORIES", value: "").texts == [])
        #expect(ICalProperty("X", value: #"a\b\"#).text == #"a\b\"#)
    }

    @Test func `parameters are quoted where they must be`() {
        #expect(ContentParameter("CN", "Ada").written == "Ada")
        #expect(ContentParameter("CN", "Lovelace, Ada").written == "\"Lovelace, Ada\"")
        #expect(ContentParameter("CN", "a\"b\r\nc:").written == "\"a'b  c:\"")
        #expect(ContentParameter("CN", "a:b").value == "a:b")
    }

    @Test func `times are read and written`() throws {
        let property = ICalProperty(
            "RDATE", [ContentParameter("TZID", "Europe/Warsaw")], value: "20261120T093000,20261121")
        let times = try #require(property.times)
        #expect(times.map(\.zone) == ["Europe/Warsaw", nil])
        #expect(times.map(\.description) == ["20261120T093000", "20261121"])
        #expect(times[0].second == 34_200)
        #expect(times[0].milliseconds == nil)
        let utc = try #require(ICalTime("20261120T093005Z"))
        #expect(utc.milliseconds == 1_795_167_005_000)
        #expect(ICalTime(milliseconds: 1_795_167_005_999) == utc)
        #expect(ICalTime(milliseconds: -1).description == "19691231T235959Z")
        for text in ["", "2026112", "20261131", "20261120T", "20261120T240000", "20261120X093000", "20261120T093000X"] {
            #expect(ICalTime(text) == nil)
        }
        #expect(ICalProperty("RDATE", value: "20261120,garbage").times == nil)
        #expect(ICalProperty("RDATE", value: "20261120T090000Z/PT1H").times?.first?.description == "20261120T090000Z")
    }

    @Test func `lines are folded at 75 bytes, between characters`() throws {
        let text = String(repeating: "żółw 🐢, ", count: 200)
        let bytes = ICalWriter.write(ICalComponent("VTODO", [ICalProperty("SUMMARY", text: text)]))
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(lines.allSatisfy { $0.utf8.count <= 75 })
        #expect(lines.last == "")
        #expect(String(validating: bytes, as: UTF8.self) != nil)
        #expect(try ICalReader.read(bytes).first?["SUMMARY"]?.text == text)
    }

    @Test func `setting a property leaves its place and one of it`() {
        var component = ICalComponent(
            "vtodo",
            ["A:1", "B:2", "a:3", "C:4"].map { ICalProperty(String($0.prefix(1)), value: String($0.suffix(1))) })
        component.set(ICalProperty("A", value: "5"))
        #expect(component.properties.map { $0.name + $0.value } == ["A5", "B2", "C4"])
        component.set(ICalProperty("D", value: "6"))
        component.remove("b")
        #expect(component.properties.map { $0.name + $0.value } == ["A5", "C4", "D6"])
    }
}
