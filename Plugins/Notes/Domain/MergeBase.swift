/// The version against which a whole text from a client that names none is merged (a PUT of NoteApp).
package enum MergeBase: Hashable, Sendable {
    /// What this client last read, or wrote itself.
    case known(NoteVersion)
    /// The recent version that is most like its text, since it is not known what the client read.
    case similar(NoteVersion)
    /// None: the text replaces the current one, which stays in the history.
    case current

    /// A version that may be the base, with its texts.
    package struct Candidate: Sendable {
        /// The version.
        package let version: NoteVersion
        /// The title at this version.
        package let title: String
        /// The content at this version.
        package let content: String

        package init(version: NoteVersion, title: String, content: String) {
            self.version = version
            self.title = title
            self.content = content
        }
    }

    /// The most recent versions that are compared.
    package static let candidateCount = 32
    /// The least share of a text that makes it similar.
    package static let leastSimilarity = 0.3

    /// Returns the base for a text.
    ///
    /// `lastRead` is the version that the client last read or wrote, by its address; nil when it is not known. `recent` has
    /// the newest version first.
    package static func choose(lastRead: NoteVersion?, recent: [Candidate], title: String, content: String) -> MergeBase
    {
        if let lastRead { return .known(lastRead) }
        var best: (similarity: Double, version: NoteVersion)?
        for candidate in recent.prefix(candidateCount) {
            let similarity = similarity(candidate.title + "\n" + candidate.content, title + "\n" + content)
            // Of equal ones the newest counts.
            if similarity >= leastSimilarity, similarity > best?.similarity ?? 0 {
                best = (similarity, candidate.version)
            }
        }
        return best.map { .similar($0.version) } ?? .current
    }

    /// Returns the share of the longer text that both have: at their beginning, at their end, and lines between; 1 for
    /// equal texts.
    static func similarity(_ a: String, _ b: String) -> Double {
        let (a, b) = (Array(a.utf8), Array(b.utf8))
        let longest = max(a.count, b.count)
        guard longest > 0 else { return 1 }
        let shortest = min(a.count, b.count)
        var head = 0
        while head < shortest, a[head] == b[head] { head += 1 }
        var tail = 0
        while tail < shortest - head, a[a.count - 1 - tail] == b[b.count - 1 - tail] { tail += 1 }
        var lines: [ArraySlice<UInt8>: Int] = [:]
        for line in a[head..<a.count - tail].split(separator: 10) { lines[line, default: 0] += 1 }
        var shared = head + tail
        for line in b[head..<b.count - tail].split(separator: 10) {
            if let count = lines[line], count > 0 {
                lines[line] = count - 1
                shared += line.count + 1
            }
        }
        return Double(min(shared, longest)) / Double(longest)
    }
}
