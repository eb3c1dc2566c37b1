/// Writes a transcript as a file for other programs.
package enum TranscriptWriter {
    /// Returns the text as paragraphs: a pause of two seconds or more starts another one.
    package static func plain(_ segments: [MachineTranscript.Segment]) -> String {
        paragraphs(segments).map { $0.map(\.text).joined(separator: " ") + "\n" }.joined(separator: "\n")
    }

    /// Returns the text as Markdown below a heading, each paragraph with the time of its beginning.
    package static func markdown(_ segments: [MachineTranscript.Segment], title: String) -> String {
        let body = paragraphs(segments).map { paragraph in
            let time = paragraph.first?.time.map { "**\(clock($0.lowerBound))** " } ?? ""
            return time + paragraph.map { escaped($0.text) }.joined(separator: " ") + "\n"
        }
        return (["# \(escaped(title.singleSpaced))\n"] + body).joined(separator: "\n")
    }

    /// Returns the text as SubRip subtitles; phrases without a place are left out. A phrase ends at the latest where the next
    /// one begins.
    package static func subtitles(_ segments: [MachineTranscript.Segment]) -> String {
        let placed = segments.compactMap { segment in segment.time.map { (segment.text.singleSpaced, $0) } }
        return placed.enumerated().map { index, entry in
            let (text, time) = entry
            let next = index + 1 < placed.count ? placed[index + 1].1.lowerBound : Int.max
            let end = max(time.lowerBound, min(time.upperBound, next))
            return "\(index + 1)\n\(stamp(time.lowerBound)) --> \(stamp(end))\n\(text)\n"
        }.joined(separator: "\n")
    }

    private static func paragraphs(_ segments: [MachineTranscript.Segment]) -> [[MachineTranscript.Segment]] {
        var paragraphs: [[MachineTranscript.Segment]] = []
        var end: Int?
        for segment in segments {
            if let end, let start = segment.time?.lowerBound, start - end < 2000, !paragraphs.isEmpty {
                paragraphs[paragraphs.count - 1].append(segment)
            } else {
                paragraphs.append([segment])
            }
            end = segment.time?.upperBound
        }
        return paragraphs
    }

    /// The text with those characters escaped that Markdown could take for its own.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if "\\`*_[]<>#|".unicodeScalars.contains(scalar) { result.unicodeScalars.append("\\") }
            result.unicodeScalars.append(scalar)
        }
        return result
    }

    /// A place as `1:05` or `1:02:03`.
    package static func clock(_ milliseconds: Int) -> String {
        let seconds = milliseconds / 1000
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        return (hours > 0 ? "\(hours):" + padded(minutes, 2) : "\(minutes)") + ":" + padded(seconds % 60, 2)
    }

    private static func stamp(_ milliseconds: Int) -> String {
        let seconds = milliseconds / 1000
        return padded(seconds / 3600, 2) + ":" + padded(seconds / 60 % 60, 2) + ":" + padded(seconds % 60, 2) + ","
            + padded(milliseconds % 1000, 3)
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
