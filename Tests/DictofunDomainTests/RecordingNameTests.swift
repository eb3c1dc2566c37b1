import CivilDate
import DictofunDomain
import Testing
import Time

struct RecordingNameTests {
    /// The time in a name; `Z` marks a moment.
    private static func time(_ name: String) -> String? {
        switch RecordingName.time(in: name) {
        case .local(let time)?: time.description
        case .moment(let moment)?: TimeZoneRules.utc.localTime(at: moment).description + "Z"
        case .day(let day)?: day.description
        case nil: nil
        }
    }

    @Test(arguments: [
        ("20261120_094100", "2026-11-20 09:41:00"), ("Recording 2026-11-20 09.41.05", "2026-11-20 09:41:05"),
        ("20261120094100", "2026-11-20 09:41:00"), ("20261120094100-0001", "2026-11-20 09:41:00"),
        ("202611200941", "2026-11-20 09:41:00"),
        ("PTT 2026-11-20 at 09.41.05", "2026-11-20 09:41:05"),
        ("WhatsApp Ptt 2026-03-07 at 12.05.09 AM", "2026-03-07 00:05:09"),
        ("WhatsApp Audio 2026-03-07 at 04.15.30 PM", "2026-03-07 16:15:30"),
        ("WhatsApp Audio 2026-03-07 at 12.15.30\u{202f}p.m.", "2026-03-07 12:15:30"),
        ("recording_2026-03-07_8-26", "2026-03-07 08:26:00"),
        ("Voice_260307_082653", "2026-03-07 08:26:53"), ("260307_0826", "2026-03-07 08:26:00"),
        ("260307-082653", "2026-03-07 08:26:53"), ("Call recording Ann 5_260307_082653", "2026-03-07 08:26:53"),
        ("audio_1@07-03-2026_08-26-53", "2026-03-07 08:26:53"), ("Memo 07.03.2026 08.26", "2026-03-07 08:26:00"),
        ("Memo 03-17-2026 08-26", "2026-03-17 08:26:00"),
        ("bildschirm 2026-03-07 um 08.26.53", "2026-03-07 08:26:53"), ("2026-03-07 08h26m53s", "2026-03-07 08:26:53"),
        ("2026-03-07T08:26:53", "2026-03-07 08:26:53"), ("2026-03-07 08.26.53 Mark 2", "2026-03-07 08:26:53"),
        ("2026-03-07 notes of 260307_0826", "2026-03-07 08:26:00"),
    ])
    func `a name has the local time of a recording`(name: String, expected: String) {
        #expect(Self.time(name) == expected)
    }

    @Test(arguments: [
        ("20260307T082653Z", "2026-03-07 08:26:53Z"), ("20260307T082653+0200", "2026-03-07 06:26:53Z"),
        ("2026-03-07T08:26:53+02:00", "2026-03-07 06:26:53Z"), ("20260307T082653-0530", "2026-03-07 13:56:53Z"),
        ("2026-03-07T08:26:53.000000Z", "2026-03-07 08:26:53Z"), ("20260307T002653+02:00", "2026-03-06 22:26:53Z"),
        ("1772872013", "2026-03-07 08:26:53Z"), ("1772872013123", "2026-03-07 08:26:53Z"),
        ("audio_1772872013123", "2026-03-07 08:26:53Z"),
    ])
    func `a name has the moment of a recording`(name: String, expected: String) {
        #expect(Self.time(name) == expected)
    }

    @Test(arguments: [
        ("PTT-20260307-WA0012", "2026-03-07"), ("AUD-20261120-WA0001", "2026-11-20"), ("Memo 2026-03-07", "2026-03-07"),
        ("2026-03-07 Meeting 12 of 30", "2026-03-07"), ("2026-03-07_99-99", "2026-03-07"),
        ("2026-03-07 99999999999999999999999999", "2026-03-07"),
    ])
    func `a name has only a day`(name: String, expected: String) {
        #expect(Self.time(name) == expected)
    }

    @Test(arguments: [
        "Memo 7 of 12", "99999999_999999", "20261340_094100", "Call 1772872013", "260307", "261340_0826", "123456_7890",
        "0123456789", "99999999999999999999999999", "2026", "Track 01", "",
    ])
    func `other numbers are no times`(name: String) { #expect(RecordingName.time(in: name) == nil) }
}
