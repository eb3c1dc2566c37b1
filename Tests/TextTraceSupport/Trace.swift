import Glibc
package import TextCRDT

/// A recorded editing history, as `TextCRDTTests/Traces/README.md` describes them.
package struct Trace: Sendable {
    /// The edits of one author, and the commits that they follow.
    package struct Commit: Sendable {
        package let agent: String
        package let parents: [Int]
        package var edits: [TextEdit] = []
    }

    /// The text in the end.
    package let end: String
    package var commits: [Commit] = []

    /// The histories in the file `name`; most hold one.
    package static func read(_ name: String) throws -> [Trace] {
        let tests = #filePath.split(separator: "/").dropLast(2).map { "/\($0)" }.joined()
        let path = tests + "/TextCRDTTests/Traces/\(name).tsv.gz"
        guard let pipe = popen("gzip -dc '\(path)'", "r") else { throw Failure.unreadable(name) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&chunk, 1, chunk.count, pipe), count > 0 { bytes += chunk[..<count] }
        guard pclose(pipe) == 0 else { throw Failure.unreadable(name) }
        var traces: [Trace] = []
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let parts = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
            switch String(decoding: parts[0], as: UTF8.self) {
            case "end": traces.append(Trace(end: text(parts[1])))
            case "commit":
                let parents = parts[2].split(separator: UInt8(ascii: ",")).map { number($0) }
                traces[traces.count - 1].commits.append(
                    Commit(agent: String(decoding: parts[1], as: UTF8.self), parents: parents))
            default:
                let edit = TextEdit(
                    position: number(parts[1]), deletedCount: number(parts[2]), inserted: text(parts[3]))
                if traces[traces.count - 1].commits.isEmpty {
                    traces[traces.count - 1].commits.append(Commit(agent: "one", parents: []))
                }
                traces[traces.count - 1].commits[traces[traces.count - 1].commits.count - 1].edits.append(edit)
            }
        }
        return traces
    }

    package enum Failure: Error {
        case unreadable(String)
    }

    private init(end: String) { self.end = end }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int {
        digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private static func text(_ escaped: ArraySlice<UInt8>) -> String {
        guard escaped.contains(UInt8(ascii: "\\")) else { return String(decoding: escaped, as: UTF8.self) }
        var bytes: [UInt8] = []
        var next = escaped.startIndex
        while next < escaped.endIndex {
            guard escaped[next] == UInt8(ascii: "\\") else {
                bytes.append(escaped[next])
                next += 1
                continue
            }
            switch escaped[next + 1] {
            case UInt8(ascii: "n"): bytes.append(10)
            case UInt8(ascii: "t"): bytes.append(9)
            case UInt8(ascii: "r"): bytes.append(13)
            case UInt8(ascii: "u"):
                let digits = String(decoding: escaped[next + 2..<next + 6], as: UTF8.self)
                bytes += String(UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init).map(Character.init) ?? "?").utf8
                next += 4
            case let other: bytes.append(other)
            }
            next += 2
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text that the history makes, and the last event of each commit.
    ///
    /// `areEvents`: parents are numbers of events, not of commits.
    package func replay(areEvents: Bool = false) throws -> (text: ReplicatedText, ends: [EventID]) {
        var text = ReplicatedText()
        var ends: [EventID] = []
        var events: [EventID] = []
        var sequences: [String: Int] = [:]
        for commit in commits {
            try text.apply(
                commit.edits, by: commit.agent, at: Version(commit.parents.map { areEvents ? events[$0] : ends[$0] }))
            let count = commit.edits.reduce(0) { $0 + $1.deletedCount + $1.inserted.unicodeScalars.count }
            let first = sequences[commit.agent, default: 0]
            sequences[commit.agent] = first + count
            if areEvents {
                for sequence in first..<first + count {
                    events.append(EventID(agent: commit.agent, sequence: sequence))
                }
            }
            ends.append(EventID(agent: commit.agent, sequence: first + count - 1))
        }
        return (text, ends)
    }
}
