import TextCRDT

/// Where the scalars of the text with the edits in flight are in the text of a server that has stored these edits.
///
/// A server may put what was inserted to the other side of what others inserted at the same position. To the text alone this is
/// a deletion and an insertion, and a deletion that is not sent yet would be lost with it. So each inserted scalar is found again.
struct ConfirmedPlaces {
    private static let gone = -1
    /// For each scalar of the text with the edits in flight.
    private var places: [Int] = []

    /// `sent` are the edits in flight and `stored` all edits of the server, both of a known text with `length` scalars.
    init(sent: TextChange, stored: TextChange, length: Int) {
        var known = [Int](repeating: Self.gone, count: length)
        var inserted = ContiguousArray<UInt32>()
        var insertedPlaces: [Int] = []
        var (old, new) = (0, 0)
        for step in stored.steps + [.keep(length)] {
            switch step {
            case .keep(let count):
                for _ in 0..<min(count, length - old) {
                    known[old] = new
                    (old, new) = (old + 1, new + 1)
                }
            case .delete(let count): old += count
            case .insert(let text):
                for scalar in text.unicodeScalars {
                    inserted.append(scalar.value)
                    insertedPlaces.append(new)
                    new += 1
                }
            }
        }
        var matches = Self.matches(sent.inserted, inserted).makeIterator()
        old = 0
        for step in sent.steps + [.keep(length)] {
            switch step {
            case .keep(let count):
                let end = min(old + count, length)
                places += known[old..<end]
                old = end
            case .delete(let count): old += count
            case .insert(let text):
                for _ in text.unicodeScalars {
                    places.append((matches.next() ?? nil).map { insertedPlaces[$0] } ?? Self.gone)
                }
            }
        }
    }

    /// Returns the indices in `all` of the scalars `own`, which are a part of it in the same order, unless others deleted some.
    private static func matches(_ own: ContiguousArray<UInt32>, _ all: ContiguousArray<UInt32>) -> [Int?] {
        var budget = TextDiff.steps
        let hunks = SequenceDiff.hunks(own, own.indices, all, all.indices, budget: &budget)
        var matches = [Int?](repeating: nil, count: own.count)
        var (index, other) = (0, 0)
        let end = SequenceDiff.Hunk(old: own.count..<own.count, new: all.count..<all.count)
        for hunk in (hunks ?? [SequenceDiff.Hunk(old: own.indices, new: all.indices)]) + [end] {
            while index < hunk.old.lowerBound {
                matches[index] = other
                (index, other) = (index + 1, other + 1)
            }
            (index, other) = (hunk.old.upperBound, hunk.new.upperBound)
        }
        return matches
    }

    /// Returns a change of the text with the edits in flight as one of the server's text. What it inserts follows the same scalar.
    func carried(_ change: TextChange) -> TextChange {
        var deleted: [Int] = []
        var inserted: [(place: Int, text: String)] = []
        var position = 0
        for step in change.steps {
            switch step {
            case .keep(let count): position += count
            case .delete(let count):
                deleted += places[min(position, places.count)..<min(position + count, places.count)]
                position += count
            case .insert(let text):
                let before = places[..<min(position, places.count)].last { $0 != Self.gone }
                inserted.append((before.map { $0 + 1 } ?? 0, text))
            }
        }
        deleted = deleted.filter { $0 != Self.gone }.sorted()
        var result = TextChange()
        var (next, done) = (deleted.startIndex, 0)
        func deletions(before place: Int) {
            while next < deleted.count, deleted[next] < place {
                result.keep(deleted[next] - done)
                result.delete(1)
                (done, next) = (deleted[next] + 1, next + 1)
            }
        }
        for (_, insertion) in inserted.enumerated().sorted(by: { ($0.1.place, $0.0) < ($1.1.place, $1.0) }) {
            deletions(before: insertion.place)
            result.keep(insertion.place - done)
            done = insertion.place
            result.insert(insertion.text)
        }
        deletions(before: .max)
        return result
    }
}

extension TextChange {
    /// All inserted scalars in their order.
    fileprivate var inserted: ContiguousArray<UInt32> {
        var scalars = ContiguousArray<UInt32>()
        for case .insert(let text) in steps { scalars.append(contentsOf: text.unicodeScalars.lazy.map(\.value)) }
        return scalars
    }
}
