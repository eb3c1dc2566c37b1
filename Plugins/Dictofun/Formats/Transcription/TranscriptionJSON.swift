import JSON

/// Reads the JSON of an engine, in which texts may be cut inside a character.
enum TranscriptionJSON {
    static func read(_ bytes: [UInt8]) throws(TranscriptionError) -> JSONValue {
        guard bytes.count <= TranscriptionError.maximumSize else { throw .tooLong }
        // The decoder puts U+FFFD where bytes are not UTF-8.
        let repaired = Array(String(decoding: bytes, as: UTF8.self).utf8)
        do throws(JSONReader.Problem) {
            return try JSONReader.read(
                repaired, limits: .init(bytes: 3 * TranscriptionError.maximumSize, depth: 32, isLenient: true))
        } catch {
            throw .malformed("\(error.kind.reason) at byte \(error.offset)")
        }
    }

    /// The place that two numbers of seconds give; nil unless both are usable.
    static func seconds(_ start: JSONValue?, _ end: JSONValue?) -> Range<Int>? {
        guard let start = milliseconds(start), let end = milliseconds(end) else { return nil }
        return Range(from: start, to: end)
    }

    private static func milliseconds(_ value: JSONValue?) -> Int? {
        guard case .number(let text)? = value, let seconds = Double(text), seconds >= 0, seconds < 1e8 else {
            return nil
        }
        return Int((seconds * 1000).rounded())
    }
}

/// Words in the order of an engine, some of which gives them as tokens: one without a blank before it belongs to the word before.
struct TranscribedWords {
    private(set) var words: [MachineTranscript.Word] = []

    /// Adds a word or a part of one; `joins` for a part of the word before, if there is one.
    mutating func add(_ text: String, _ time: Range<Int>, confidence: JSONValue?, joins: Bool) {
        let confidence = confidence.flatMap { value -> Double? in
            if case .number(let number) = value { Double(number) } else { nil }
        }
        guard joins, let last = words.popLast() else {
            return words.append(MachineTranscript.Word(text, time, confidence: confidence))
        }
        words.append(
            MachineTranscript.Word(
                last.text + text, Range(from: last.time.lowerBound, to: max(last.time.upperBound, time.upperBound)),
                confidence: confidence.map { min($0, last.confidence ?? 1) } ?? last.confidence))
    }
}

extension StringProtocol {
    /// The text without blanks at both ends, and with single spaces between its words.
    var singleSpaced: String { split { $0.isWhitespace }.joined(separator: " ") }
}
