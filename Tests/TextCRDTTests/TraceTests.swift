import TestSupport
import Testing
import TextCRDT
import TextTraceSupport

/// Recorded and random histories of others give the texts that they must give.
@Suite(.timeLimit(.minutes(20)))
struct TraceTests {
    @Test func `each conformance case gives its text, ties included`() throws {
        let cases = try Trace.read("conformance")
        #expect(cases.count == 500)
        for (index, trace) in cases.enumerated() {
            let replayed = try trace.replay(areEvents: true).text
            try #require(replayed.text == trace.end, "case \(index)")
            try #require(try ReplicatedText(decoding: replayed.encoded()).text == trace.end, "case \(index), as bytes")
        }
    }

    /// Each replica gets the commits of one case in another order, as soon as their parents are there.
    @Test func `the order of delivery makes no difference`() throws {
        var generator = SeededGenerator(seed: 11)
        for (index, trace) in try Trace.read("conformance").enumerated() where index.isMultiple(of: 10) {
            let (whole, ends) = try trace.replay(areEvents: true)
            var replica = ReplicatedText()
            for end in ends.shuffled(using: &generator) {
                // Everything that this commit depends on and the replica lacks is included.
                try replica.merge(whole.encoded(upTo: Version([end]), since: replica.version))
            }
            try #require(replica.text == trace.end, "case \(index)")
            try #require(Set(replica.version.heads) == Set(whole.version.heads))
        }
    }

    @Test(arguments: ["automerge-paper", "sveltecomponent"])
    func `a single author's keystrokes give the final text`(name: String) throws {
        let trace = try #require(try Trace.read(name).first)
        var text = ReplicatedText()
        for edit in trace.commits[0].edits { try text.apply(edit, by: "one") }
        #expect(text.text == trace.end)
        #expect(try ReplicatedText(decoding: text.encoded()).text == trace.end)
        #expect(text.authors().reduce(0) { $0 + $1.count } == trace.end.unicodeScalars.count)
    }

    @Test func `two authors at once give the final text, and each past one is at hand`() throws {
        let trace = try #require(try Trace.read("friendsforever").first)
        let (text, ends) = try trace.replay()
        #expect(text.text == trace.end)
        let loaded = try ReplicatedText(decoding: text.encoded())
        #expect(loaded.text == trace.end)
        #expect(loaded.version == text.version)
        for index in stride(from: 0, to: ends.count, by: 4000) {
            let past = try text.text(at: Version([ends[index]]))
            var replica = ReplicatedText()
            try replica.merge(text.encoded(upTo: Version([ends[index]])))
            #expect(replica.text == past)
        }
    }

    @Test func `a history takes less than twice the bytes of its keystrokes`() throws {
        let trace = try #require(try Trace.read("automerge-paper").first)
        var text = ReplicatedText()
        for edit in trace.commits[0].edits { try text.apply(edit, by: "one") }
        #expect(text.encoded().count < 252_654)
    }
}
