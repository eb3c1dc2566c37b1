import CivilDate
import DictofunDomain
import Testing
import Time

struct RecordTests {
    private static func record(_ digits: String, _ length: Duration = .seconds(3), text: String = "") throws -> Record {
        let day = try #require(CivilDate(year: 2026, month: 11, day: 22))
        var record = Record(
            file: FileID(Array(digits.utf8)), of: "C0:DE:00:00:00:01", length: length, fetchTime: LocalTime(day: day))
        record.transcript.edit(text)
        return record
    }

    @Test func `newest records come first`() throws {
        let ids = ["0000240521225745", "0000240521225746", "0000231231000000"]
        let records = try ids.map { try RecordTests.record($0) }.sorted { $0.precedes($1) }
        #expect(
            records.map(\.startTime.description) == [
                "2024-05-21 22:57:46", "2024-05-21 22:57:45", "2023-12-31 00:00:00",
            ])
    }

    @Test func `without a clock the time of fetching counts, and is marked`() throws {
        let record = try RecordTests.record("0000000000000000")
        #expect(record.isTimeUnknown)
        #expect(record.startTime.description == "2026-11-22 00:00:00")
        #expect(try !RecordTests.record("0000240521225745").isTimeUnknown)
    }

    @Test func `a press of the button by mistake is not transcribed, nor a record twice`() throws {
        #expect(try !RecordTests.record("0000240521225745", .milliseconds(99)).needsTranscription)
        var record = try RecordTests.record("0000240521225745", .milliseconds(100))
        #expect(record.needsTranscription)
        record.transcript.transcribe(MachineTranscript(segments: []), engine: "whisper-cli base")
        #expect(!record.needsTranscription)
    }

    @Test func `an excerpt ends between words`() throws {
        let record = try RecordTests.record("0000240521225745", text: "Call the\nplumber  now")
        #expect(record.excerpt(100) == "Call the plumber now")
        #expect(record.excerpt(17) == "Call the plumber…")
        #expect(record.excerpt(3) == "Ca…")
    }

    @Test func `recorders are told apart by address and alias`() {
        let desk = Device(address: "C0:DE:00:00:00:01", advertisedName: "dictofun_v1.4", alias: "desk", isPaired: true)
        let other = Device(address: "C0:DE:00:00:00:02", advertisedName: "dict", signal: -50)
        let third = Device(address: "C0:DE:00:00:00:03", advertisedName: "dict", signal: -40)
        #expect(DeviceChoice(among: [other, desk, third]) == .one(desk))
        #expect(DeviceChoice(among: [other]) == .one(other))
        #expect(DeviceChoice(among: [other, third]) == .ambiguous([third, other]))
        #expect(DeviceChoice(among: [other, third], mustBePaired: true) == .none)
        #expect(DeviceChoice(among: [other, desk, third], named: "00:02") == .one(other))
        #expect(DeviceChoice(among: [other, desk, third], named: "Desk") == .one(desk))
        #expect(DeviceChoice(among: [other, desk], named: "phone") == .none)
        #expect(desk.boardRevision?.description == "1.4")
        #expect(other.boardRevision == nil)
    }

    @Test(arguments: ["1", "v1.4.2", "1.5-rc1", "0.0.0.1"])
    func `versions are read`(text: String) throws {
        #expect(try #require(FirmwareVersion(text)).description == text.replacing("v", with: ""))
    }

    @Test(arguments: ["", "v", "1.", ".1", "1.x", "1.2.3.4.5", "1-", "-1", "9999999999"])
    func `other text is no version`(text: String) { #expect(FirmwareVersion(text) == nil) }

    @Test func `versions are compared by their numbers`() throws {
        let versions = try ["1.5-rc2", "1.10", "1.5", "1.5-rc1", "1.5.1"].map { try #require(FirmwareVersion($0)) }
        #expect(versions.sorted().map(\.description) == ["1.5-rc1", "1.5-rc2", "1.5", "1.5.1", "1.10"])
        #expect(FirmwareVersion("1.5") == FirmwareVersion("v1.5.0"))
        #expect(Set([FirmwareVersion("1.5"), FirmwareVersion("1.5.0")]).count == 1)
        let stable = try #require(FirmwareVersion("1.4"))
        #expect(
            FirmwareCheck(installed: stable, releases: versions)
                == .updateAvailable(installed: stable, newest: versions[1]))
        #expect(FirmwareCheck(installed: versions[1], releases: versions) == .upToDate(versions[1]))
        #expect(FirmwareCheck(installed: nil, releases: versions) == .installedUnknown(newest: versions[1]))
        #expect(FirmwareCheck(installed: stable, releases: [versions[0]]) == .upToDate(stable))
        #expect(
            FirmwareCheck(installed: versions[3], releases: [versions[0]])
                == .updateAvailable(installed: versions[3], newest: versions[0]))
        #expect(FirmwareCheck(installed: nil, releases: []) == .noRelease)
    }
}
