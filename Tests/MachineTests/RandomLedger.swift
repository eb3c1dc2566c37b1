/// What was made and set on the machines of a random test, and has to be found at the end.
struct RandomLedger {
    /// A word that stands for one thing that was made, or one value that was set.
    private struct Entry {
        let word: String
        let machine: Int
        let step: Int
        /// Whether the machine that has it may have lost it before it told another one.
        var isSure: Bool
    }

    /// The things that were made.
    private var made: [Entry] = []
    /// The values that were set, by their places, in the order of the steps.
    private var values: [String: [Entry]] = [:]
    /// The words that were in something that was moved to the trash somewhere.
    private var trashed: Set<String> = []
    /// The words that may be gone with what they were set in: then what was set there before is gone as well.
    private var emptied: Set<String> = []
    /// The words that may be gone.
    private var gone: Set<String> = []
    /// The step up to which each machine has exchanged everything.
    private var exchanged: [Int: Int] = [:]

    /// Notes that something was made; not sure if the process was killed meanwhile.
    mutating func make(_ word: String, on machine: Int, at step: Int, isSure: Bool) {
        made.append(Entry(word: word, machine: machine, step: step, isSure: isSure))
    }

    /// Notes that a value was set in the place of another one.
    mutating func set(_ place: String, to word: String, on machine: Int, at step: Int, isSure: Bool) {
        values[place, default: []].append(Entry(word: word, machine: machine, step: step, isSure: isSure))
    }

    /// Notes that the home has all of a machine.
    mutating func exchange(_ machine: Int, at step: Int) { exchanged[machine] = step }

    /// Notes what disappeared with something that was moved to the trash: it may be emptied.
    mutating func trash(_ words: Set<String>) { trashed.formUnion(words) }

    /// Notes what disappeared by an undo.
    mutating func lose(_ words: Set<String>) { gone.formUnion(words) }

    /// Notes what disappeared with something that was removed for good.
    mutating func remove(_ words: Set<String>) {
        emptied.formUnion(words)
        gone.formUnion(words)
    }

    /// Notes that the trash of a machine was emptied. What others had moved there too goes with it.
    mutating func emptyTrash() {
        emptied.formUnion(trashed)
        gone.formUnion(trashed)
    }

    /// Notes that a machine was set back to a step: it has lost what it had not exchanged.
    mutating func setBack(_ machine: Int, to step: Int) {
        func doubt(_ entry: Entry) -> Entry {
            var entry = entry
            if entry.machine == machine, entry.step >= step, entry.step > exchanged[machine] ?? 0 {
                entry.isSure = false
            }
            return entry
        }
        made = made.map(doubt)
        values = values.mapValues { $0.map(doubt) }
    }

    /// Returns what is wrong with the things at the end, of which one machine has `things`, a word for each, and the texts `values`; `replaced` is what
    /// machines have told that they replaced.
    func problems(things: String, values texts: String, replaced: String) -> [String] {
        var problems: [String] = []
        let counts = Self.counts(things)
        for entry in made {
            let count = counts[entry.word] ?? 0
            if count > 1 || count == 0 && entry.isSure && !gone.contains(entry.word) {
                problems.append("\(entry.word), made in step \(entry.step), is there \(count) times")
            }
        }
        let (found, told) = (Set(Self.counts(texts).keys), Set(Self.counts(replaced).keys))
        for (place, entries) in values.sorted(by: { $0.key < $1.key }) {
            let entries = entries[((entries.lastIndex { emptied.contains($0.word) } ?? -1) + 1)...]
            // The last value is there, or a machine says that another one took its place.
            guard let last = entries.lastIndex(where: { $0.isSure && !gone.contains($0.word) }) else { continue }
            let isThere = entries[last...].contains { found.contains($0.word) }
            if !isThere, !told.contains(entries[last].word) {
                problems.append("\(entries[last].word), set in step \(entries[last].step) as \(place), is lost")
            }
        }
        return problems
    }

    /// The words in a text, with the number of times that each is there.
    static func counts(_ text: String) -> [String: Int] {
        text.matches(of: /w[0-9]+x[0-9]+z/).reduce(into: [:]) { $0[String($1.output), default: 0] += 1 }
    }
}
