import CivilDate
import Glibc
import TestSupport
import Testing

@testable import HubKit

struct NamedZoneTests {
    @Test(arguments: [
        ("Europe/Warsaw", 1_700_000_000, 3600), ("Europe/Warsaw", 1_690_000_000, 7200),
        ("America/St_Johns", 1_700_000_000, -12_600), ("Asia/Kathmandu", 1_700_000_000, 20_700),
        ("Pacific/Kiritimati", 1_700_000_000, 50_400), ("UTC", 1_700_000_000, 0),
        // Past the last change in the file, by its last line; the southern hemisphere's summer spans New Year.
        ("Europe/Warsaw", 4_100_000_000, 3600), ("Europe/Warsaw", 4_087_000_000, 7200),
        ("Australia/Sydney", 4_100_000_000, 39_600), ("America/Asuncion", 4_100_000_000, -10_800),
        // Before standard time.
        ("Europe/Warsaw", -5_000_000_000, 5040),
    ])
    func `a zone's clocks are as far ahead as the database says`(name: String, seconds: Int64, offset: Int) throws {
        let zone = try #require(LocalZone.named(TimeZoneID(name)))
        #expect(zone.offset(Instant(milliseconds: seconds * 1000)) == offset)
    }

    @Test func `every zone of the database agrees with the C library`() async throws {
        let script = "cd /usr/share/zoneinfo && find [A-Z]* -type f ! -name '*.*' ! -name Factory | sort"
        let listing = try await Subprocess.shell(script).run(outputLimit: 1 << 20, timeout: .seconds(30))
        let names = String(decoding: listing.output, as: UTF8.self).split(separator: "\n").map(String.init)
        try #require(names.count > 300)
        let moments = (0..<24).map { 1_600_000_000 + Int64($0) * 130_000_000 }
        let arguments = moments.map { "@\($0)" }.joined(separator: " ")
        let command =
            "for z in \(names.joined(separator: " ")); do for m in \(arguments); do echo $m; done"
            + " | TZ=$z date -f - +%z; done"
        let dates = try await Subprocess.shell(command).run(outputLimit: 1 << 20, timeout: .seconds(50))
        let expected = String(decoding: dates.output, as: UTF8.self).split(separator: "\n")
        try #require(expected.count == names.count * moments.count)
        for (index, name) in names.enumerated() {
            let zone = try #require(LocalZone.named(TimeZoneID(name)), "\(name)")
            for (place, moment) in moments.enumerated() {
                let offset = zone.offset(Instant(milliseconds: moment * 1000))
                let minutes = abs(offset) / 60
                let number = minutes / 60 * 100 + minutes % 60
                let text = (offset < 0 ? "-" : "+") + String(repeating: "0", count: 4 - "\(number)".count) + "\(number)"
                #expect(text == expected[index * moments.count + place], "\(name) at \(moment)")
            }
        }
    }

    @Test(arguments: [
        "", "Europe", "Europe/Nowhere", "../../../etc/passwd", "/etc/localtime", "a\0b", "Europe//Warsaw", "tzdata.zi",
    ])
    func `what names no zone has no rules`(name: String) {
        #expect((LocalZone.named(TimeZoneID(name)) == nil) == !name.isEmpty)
    }

    @Test func `a damaged file is refused or read, and never does harm`() throws {
        let bytes = try SmallFile.read("/usr/share/zoneinfo/Europe/Warsaw", limit: 1 << 16)
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<5000 {
            var damaged = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &generator)))
            for _ in 0..<Int.random(in: 0...4, using: &generator) where !damaged.isEmpty {
                damaged[Int.random(in: 0..<damaged.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            guard let rules = ZoneRules(damaged) else { continue }
            for seconds in [Int64(-1) << 40, 0, 1 << 31, 1 << 40] {
                #expect(abs(rules.offset(at: seconds)) < 86_400 * 8, "seed 7")
            }
        }
    }
}
