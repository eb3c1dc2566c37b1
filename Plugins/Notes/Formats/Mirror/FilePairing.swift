import Text

/// A file of the folder that is not known, as it was read.
struct NewFile {
    let path: ByteString
    let hash: String
    let content: MarkdownFile

    /// The id of a note in the file.
    var id: String? { content.frontMatter?[.id] }
}

/// Finds out which new files are those that are gone: by the id in them, by their bytes, by their path, or by a text that is
/// nearly the same.
struct FilePairing {
    /// A file that is gone.
    struct Candidate {
        /// Since when it is gone.
        enum State: Equatable {
            /// Since the last look.
            case gone
            /// Its note was moved to the trash lately.
            case trashedLately
            /// Its note is in the trash.
            case trashed
        }

        let entry: MirroredFile
        let state: State

        init(_ entry: MirroredFile, _ state: State) { (self.entry, self.state) = (entry, state) }
    }

    /// The shortest text, in bytes, by which a file in another place is taken for one whose note is in the trash: many files
    /// begin empty, or with the same few words.
    private static let minimumText = 32
    /// The most pairs of texts that are compared.
    private static let maximumComparisons = 250_000

    private let candidates: [Candidate]
    private let texts: [String: String]
    private var used: Set<Int> = []
    private var notes: Set<String> = []
    /// The candidate for each file, in their order.
    private(set) var matches: [Candidate?] = []

    init(_ candidates: [Candidate], texts: [String: String]) {
        self.candidates = candidates
        self.texts = texts
    }

    /// Whether a note has got a file.
    func isPaired(_ note: String) -> Bool { notes.contains(note) }

    /// Finds the candidates of files: first those that are certain.
    mutating func pair(_ files: [NewFile]) {
        matches = Array(repeating: nil, count: files.count)
        guard !candidates.isEmpty else { return }
        var ids: [String: [Int]] = [:]
        var hashes: [String: [Int]] = [:]
        var paths: [ByteString: [Int]] = [:]
        for (index, candidate) in candidates.enumerated() {
            ids[candidate.entry.note, default: []].append(index)
            hashes[candidate.entry.hash, default: []].append(index)
            paths[candidate.entry.path, default: []].append(index)
        }
        each(files) { _, file in file.id.flatMap { ids[$0] } ?? [] }
        each(files) { pairing, file in (hashes[file.hash] ?? []).filter { pairing.mayBe(file, $0) } }
        pairSimilar(files)
        each(files) { pairing, file in
            (paths[file.path] ?? []).filter { pairing.candidates[$0].state == .trashedLately }
        }
    }

    /// Takes the first free candidate for each file that has none yet.
    private mutating func each(_ files: [NewFile], _ found: (FilePairing, NewFile) -> [Int]) {
        for (index, file) in files.enumerated() where matches[index] == nil {
            if let match = found(self, file).first(where: isFree) { take(match, for: index) }
        }
    }

    private func isFree(_ candidate: Int) -> Bool {
        !used.contains(candidate) && !notes.contains(candidates[candidate].entry.note)
    }

    private mutating func take(_ candidate: Int, for file: Int) {
        used.insert(candidate)
        notes.insert(candidates[candidate].entry.note)
        matches[file] = candidates[candidate]
    }

    /// Whether a file with the same or nearly the same text may be a candidate.
    private func mayBe(_ file: NewFile, _ index: Int) -> Bool {
        let candidate = candidates[index]
        switch candidate.state {
        case .gone: return true
        case .trashed: return candidate.entry.path == file.path
        case .trashedLately:
            return candidate.entry.path == file.path || file.content.content.utf8.count >= FilePairing.minimumText
        }
    }

    /// Pairs the files whose texts are nearly those of candidates, the most similar first.
    private mutating func pairSimilar(_ files: [NewFile]) {
        // A file with the id of another note is a copy of its file.
        let open = files.indices.filter { matches[$0] == nil && files[$0].id == nil }
        let free = candidates.indices.filter { isFree($0) && texts[candidates[$0].entry.note] != nil }
        guard !open.isEmpty, !free.isEmpty, open.count * free.count <= FilePairing.maximumComparisons else { return }
        let sketches = free.map { TextSketch(texts[candidates[$0].entry.note] ?? "") }
        var pairs: [(file: Int, candidate: Int, score: Double)] = []
        for file in open {
            let sketch = TextSketch(files[file].content.content)
            for (candidate, other) in zip(free, sketches) where mayBe(files[file], candidate) {
                let score = sketch.similarity(to: other)
                if score >= TextSketch.nearlySame { pairs.append((file, candidate, score)) }
            }
        }
        // Of equal scores, the first file and candidate: the order of `sorted` is not stable.
        pairs.sort { ($1.score, $0.file, $0.candidate) < ($0.score, $1.file, $1.candidate) }
        for pair in pairs where matches[pair.file] == nil && isFree(pair.candidate) {
            take(pair.candidate, for: pair.file)
        }
    }
}
