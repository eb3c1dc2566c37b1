import JSON

/// Writes a transcript as a file for other programs.
package enum TranscriptWriter {
    /// Returns the text as paragraphs: a pause of two seconds or more starts another one, and so does another speaker, who is named.
    package static func plain(_ segments: [MachineTranscript.Segment]) -> String {
        paragraphs(segments).map { paragraph in
            let speaker = paragraph.first?.speaker.map { $0 + ": " } ?? ""
            return speaker + paragraph.map(\.text).joined(separator: " ") + "\n"
        }.joined(separator: "\n")
    }

    /// Returns the text as Markdown below a heading, each paragraph with the time of its beginning.
    package static func markdown(_ segments: [MachineTranscript.Segment], title: String) -> String {
        let body = paragraphs(segments).map { paragraph in
            let time = paragraph.first?.time.map { "**\(clock($0.lowerBound))** " } ?? ""
            let speaker = paragraph.first?.speaker.map { "**\(escaped($0)):** " } ?? ""
            return time + speaker + paragraph.map { escaped($0.text) }.joined(separator: " ") + "\n"
        }
        return (["# \(escaped(title.singleSpaced))\n"] + body).joined(separator: "\n")
    }

    /// Returns the text as SubRip subtitles; phrases without a place are left out. A phrase ends at the latest where the next
    /// one begins.
    package static func subtitles(_ segments: [MachineTranscript.Segment]) -> String {
        cues(segments).enumerated().map { index, cue in
            let speaker = cue.segment.speaker.map { "\($0.singleSpaced): " } ?? ""
            return "\(index + 1)\n\(stamp(cue.time.lowerBound)) --> \(stamp(cue.time.upperBound))\n"
                + "\(speaker)\(cue.segment.text.singleSpaced)\n"
        }.joined(separator: "\n")
    }

    /// Returns the text as WebVTT, as ``subtitles(_:)``; speakers are voices.
    package static func webVTT(_ segments: [MachineTranscript.Segment]) -> String {
        (["WEBVTT\n"]
            + cues(segments).map { cue in
                let speaker = cue.segment.speaker.map { "<v \(entities($0.singleSpaced))>" } ?? ""
                return "\(stamp(cue.time.lowerBound, ".")) --> \(stamp(cue.time.upperBound, "."))\n"
                    + "\(speaker)\(entities(cue.segment.text.singleSpaced))\n"
            }).joined(separator: "\n")
    }

    /// Returns the text as JSON in the form of OpenAI's services (`verbose_json`), with times in seconds.
    package static func json(_ segments: [MachineTranscript.Segment], language: String?) -> String {
        func seconds(_ milliseconds: Int) -> JSONValue {
            .number("\(milliseconds / 1000)." + padded(milliseconds % 1000, 3))
        }
        func times(_ time: Range<Int>?) -> [(String, JSONValue)] {
            time.map { [("start", seconds($0.lowerBound)), ("end", seconds($0.upperBound))] } ?? []
        }
        var json = JSONWriter()
        json.object { json in
            if let language {
                json.name("language")
                json.value(language)
            }
            json.name("text")
            json.value(segments.map(\.text).joined(separator: " "))
            json.name("segments")
            json.array { json in
                for segment in segments {
                    json.object { json in
                        for (name, value) in times(segment.time) + [("text", .string(segment.text))] {
                            json.name(name)
                            json.value(value)
                        }
                        if let speaker = segment.speaker {
                            json.name("speaker")
                            json.value(speaker)
                        }
                        json.name("words")
                        json.array { json in
                            for word in segment.words {
                                json.object { json in
                                    for (name, value) in [("word", .string(word.text))] + times(word.time) {
                                        json.name(name)
                                        json.value(value)
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
        return json.string + "\n"
    }

    private static func cues(
        _ segments: [MachineTranscript.Segment]
    ) -> [(segment: MachineTranscript.Segment, time: Range<Int>)] {
        let placed = segments.compactMap { segment in segment.time.map { (segment, $0) } }
        return placed.enumerated().map { index, entry in
            let next = index + 1 < placed.count ? placed[index + 1].1.lowerBound : Int.max
            return (entry.0, Range(from: entry.1.lowerBound, to: min(entry.1.upperBound, next)))
        }
    }

    /// The text with the characters escaped that WebVTT takes for its own.
    private static func entities(_ text: String) -> String {
        text.map { $0 == "&" ? "&amp;" : $0 == "<" ? "&lt;" : $0 == ">" ? "&gt;" : String($0) }.joined()
    }

    private static func paragraphs(_ segments: [MachineTranscript.Segment]) -> [[MachineTranscript.Segment]] {
        var paragraphs: [[MachineTranscript.Segment]] = []
        var end: Int?
        for segment in segments {
            if let end, let start = segment.time?.lowerBound, start - end < 2000,
                let before = paragraphs.last?.last, before.speaker == segment.speaker
            {
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

    /// A length as `1:05` or `1:02:03`, to the nearest second.
    package static func length(_ length: Duration) -> String {
        clock(Int((length / .milliseconds(1000)).rounded()) * 1000)
    }

    /// A place as `1:05` or `1:02:03`.
    package static func clock(_ milliseconds: Int) -> String {
        let seconds = milliseconds / 1000
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        return (hours > 0 ? "\(hours):" + padded(minutes, 2) : "\(minutes)") + ":" + padded(seconds % 60, 2)
    }

    private static func stamp(_ milliseconds: Int, _ point: String = ",") -> String {
        let seconds = milliseconds / 1000
        return padded(seconds / 3600, 2) + ":" + padded(seconds / 60 % 60, 2) + ":" + padded(seconds % 60, 2) + point
            + padded(milliseconds % 1000, 3)
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
