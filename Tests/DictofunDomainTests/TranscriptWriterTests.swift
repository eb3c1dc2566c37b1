import DictofunDomain
import JSON
import TestSupport
import Testing

struct TranscriptWriterTests {
    private static let segments: [MachineTranscript.Segment] = [
        .init("Call the plumber.", 0..<1500), .init("He is late.", 1600..<5000),
        .init("A *new* idea #1", 3_723_004..<3_725_000),
    ]

    @Test func `subtitles have numbers and places and do not overlap`() {
        #expect(
            TranscriptWriter.subtitles(
                [.init("a", 0..<2000), .init("b\nc", 1500..<1600), .init("no place", nil)] + [
                    TranscriptWriterTests.segments[2]
                ])
                    == """
                    1
                    00:00:00,000 --> 00:00:01,500
                    a

                    2
                    00:00:01,500 --> 00:00:01,600
                    b c

                    3
                    01:02:03,004 --> 01:02:05,000
                    A *new* idea #1

                    """)
        #expect(TranscriptWriter.subtitles([]) == "")
    }

    @Test func `a long pause starts a paragraph`() {
        #expect(
            TranscriptWriter.plain(TranscriptWriterTests.segments)
                == "Call the plumber. He is late.\n\nA *new* idea #1\n")
        #expect(
            TranscriptWriter.plain([.init("a", nil), .init("b", nil)]) == "a\n\nb\n")
    }

    @Test func `Markdown has times and escapes its own characters`() {
        #expect(
            TranscriptWriter.markdown(TranscriptWriterTests.segments, title: "Record [1]\n")
                == "# Record \\[1\\]\n\n**0:00** Call the plumber. He is late.\n\n**1:02:03** A \\*new\\* idea \\#1\n")
    }

    @Test func `places are short, and as the page writes them`() throws {
        let cases = try #require(try JSONReader.read(Array(PageVectors.read("clocks").utf8)).array)
        #expect(!cases.isEmpty)
        for pair in cases {
            let milliseconds = try #require(pair.array?.first?.integer)
            #expect(TranscriptWriter.clock(milliseconds) == pair.array?.last?.string)
        }
    }
}
