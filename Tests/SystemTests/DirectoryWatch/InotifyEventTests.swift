import Glibc
import TestSupport
import Testing

@testable import System

struct InotifyEventTests {
    /// The bytes of an event as the kernel writes them.
    private func bytes(_ watch: Int32, _ bits: Int32, _ name: String = "", padding: Int = 0) -> [UInt8] {
        var bytes: [UInt8] = []
        let text = Array(name.utf8) + [UInt8](repeating: 0, count: padding)
        for number in [UInt32(bitPattern: watch), UInt32(bits), 7, UInt32(text.count)] {
            withUnsafeBytes(of: number) { bytes += $0 }
        }
        return bytes + text
    }

    private func events(_ bytes: [UInt8]) -> [InotifyEvent] { bytes.withUnsafeBytes { InotifyEvent.events(in: $0) } }

    @Test func `events are read in their order, without what means nothing`() {
        let all =
            bytes(1, IN_CREATE | IN_ISDIR, "family", padding: 10) + bytes(2, IN_CLOSE_WRITE, "ada.vcf", padding: 9)
            + bytes(2, IN_OPEN, "x", padding: 15) + bytes(2, IN_MOVED_FROM, "a", padding: 3)
            + bytes(2, IN_MOVED_TO, "b", padding: 3) + bytes(1, IN_DELETE_SELF) + bytes(1, IN_IGNORED)
            + bytes(-1, IN_Q_OVERFLOW)
        #expect(
            events(all) == [
                InotifyEvent(watch: 1, kind: .created, name: "family", isFolder: true),
                InotifyEvent(watch: 2, kind: .written, name: "ada.vcf"),
                InotifyEvent(watch: 2, kind: .removed, name: "a"),
                InotifyEvent(watch: 2, kind: .written, name: "b"), InotifyEvent(watch: 1, kind: .lost),
                InotifyEvent(watch: 1, kind: .ended), InotifyEvent(watch: -1, kind: .overflow),
            ])
    }

    @Test func `bytes that end early, or any others, are no more than events that are there`() {
        let whole = bytes(1, IN_CREATE, "ada.vcf", padding: 1)
        for length in 0..<whole.count { #expect(events(Array(whole[..<length])).isEmpty) }
        #expect(events(whole + whole.dropLast()).count == 1)
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<1000 {
            let noise = (0..<Int.random(in: 0..<200, using: &generator)).map { _ in UInt8(generator.next() & 255) }
            #expect(events(noise).count <= noise.count / 16)
        }
    }
}
