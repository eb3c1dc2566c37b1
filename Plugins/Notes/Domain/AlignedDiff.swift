/// Moves the hunks of a comparison to where someone has most likely typed or removed them: of all ways to change one sequence into another
/// the one that keeps what weighs most, in as few pieces as possible (Gotoh 1982, with two states).
///
/// A shortest script tears equal lines apart where words of one are in another: to keep `- ` and `milk` of two lines costs it as little
/// as to keep one line.
struct AlignedDiff {
    typealias Hunk = SequenceDiff.Hunk

    /// The pairs of elements that one comparison may look at.
    static let maximumCells = 1_000_000
    /// The number of equal elements between hunks from which on they are looked at apart.
    private static let farCount = 32

    /// The elements, by numbers that are the same for equal ones.
    let old: ContiguousArray<Int>
    let new: ContiguousArray<Int>
    /// The weight of each element of `old` that is kept.
    let weights: ContiguousArray<Int32>
    /// What each hunk costs that begins before an element of `old`, and one at the end.
    let costs: ContiguousArray<Int32>

    /// Returns hunks that lead from `old` to `new` as `hunks` do; those of a region that is too large stay as they are.
    func align(_ hunks: [Hunk]) -> [Hunk] {
        var aligned: [Hunk] = []
        var cells = Self.maximumCells
        for region in regions(hunks) {
            let (n, m) = (region.range.old.count + 1, region.range.new.count + 1)
            guard region.hunks.count > 1, n <= cells, m <= cells / n else {
                aligned += region.hunks
                continue
            }
            cells -= n * m
            aligned += best(region.range)
        }
        return aligned
    }

    private struct Region {
        var range: Hunk
        var hunks: [Hunk]
    }

    /// The hunks by what is near each other, with some equal elements around.
    private func regions(_ hunks: [Hunk]) -> [Region] {
        var regions: [Region] = []
        for hunk in hunks {
            if let last = regions.last, hunk.old.lowerBound - last.range.old.upperBound < Self.farCount {
                regions[regions.count - 1].range.old = last.range.old.lowerBound..<hunk.old.upperBound
                regions[regions.count - 1].range.new = last.range.new.lowerBound..<hunk.new.upperBound
                regions[regions.count - 1].hunks.append(hunk)
            } else {
                regions.append(Region(range: hunk, hunks: [hunk]))
            }
        }
        for index in regions.indices {
            let range = regions[index].range
            let start = index > 0 ? regions[index - 1].range.old.upperBound : 0
            let end = index + 1 < regions.count ? regions[index + 1].range.old.lowerBound : old.count
            let before = min(range.old.lowerBound - start, Self.farCount / 2)
            let after = min(end - range.old.upperBound, Self.farCount / 2)
            regions[index].range = Hunk(
                old: range.old.lowerBound - before..<range.old.upperBound + after,
                new: range.new.lowerBound - before..<range.new.upperBound + after)
        }
        return regions
    }

    /// The steps by which a cell is reached.
    private enum Step {
        /// An element of both, after an equal one or after a hunk.
        static let keepsAfterKept: UInt8 = 1
        static let keepsAfterHunk: UInt8 = 2
        /// A removed or added element, which begins a hunk or goes on with it.
        static let removesFirst: UInt8 = 4
        static let removes: UInt8 = 8
        static let addsFirst: UInt8 = 16
        static let adds: UInt8 = 32
    }

    private func best(_ range: Hunk) -> [Hunk] {
        let (n, m) = (range.old.count, range.new.count)
        let (a, b) = (range.old.lowerBound, range.new.lowerBound)
        let impossible = Int32.min / 2
        let width = m + 1
        var endsWithHunk = false
        let steps = [UInt8](unsafeUninitializedCapacity: (n + 1) * width) { steps, count in
            // The best weights that end with an element of both, and with a hunk; of the row above and of this one.
            let rows = UnsafeMutableBufferPointer<(kept: Int32, changed: Int32)>.allocate(capacity: width)
            defer { rows.deallocate() }
            rows.initialize(repeating: (impossible, impossible))
            let nothing = (kept: impossible, changed: impossible)
            for i in 0...n {
                var (diagonal, left) = (nothing, nothing)
                let word = i > 0 ? old[a + i - 1] : -1
                let weight = i > 0 ? weights[a + i - 1] : 0
                let (removal, addition) = (i > 0 ? costs[a + i - 1] : 0, costs[a + i])
                for j in 0...m {
                    let above = i > 0 ? rows[j] : nothing
                    var best = (kept: i == 0 && j == 0 ? 0 : impossible, changed: above.changed)
                    var step: UInt8 = 0
                    if i > 0, j > 0, new[b + j - 1] == word {
                        // Of equal places, a hunk is at the last one.
                        if diagonal.kept > diagonal.changed {
                            (best.kept, step) = (diagonal.kept + weight, Step.keepsAfterKept)
                        } else {
                            (best.kept, step) = (diagonal.changed + weight, Step.keepsAfterHunk)
                        }
                    }
                    var last = Step.removes
                    if above.kept - removal > best.changed {
                        (best.changed, last) = (above.kept - removal, Step.removesFirst)
                    }
                    if left.changed > best.changed { (best.changed, last) = (left.changed, Step.adds) }
                    if left.kept - addition > best.changed {
                        (best.changed, last) = (left.kept - addition, Step.addsFirst)
                    }
                    steps[i * width + j] = step | last
                    (diagonal, left) = (above, best)
                    rows[j] = best
                }
            }
            endsWithHunk = rows[m].changed >= rows[m].kept
            count = (n + 1) * width
        }
        var hunks: [Hunk] = []
        var (i, j, isHunk) = (n, m, endsWithHunk)
        var end: (i: Int, j: Int)? = isHunk ? (n, m) : nil
        func close() {
            guard let last = end else { return }
            hunks.append(Hunk(old: a + i..<a + last.i, new: b + j..<b + last.j))
            end = nil
        }
        while i > 0 || j > 0 {
            let step = steps[i * width + j]
            if isHunk {
                if step & (Step.removes | Step.removesFirst) != 0 { i -= 1 } else { j -= 1 }
                if step & (Step.removesFirst | Step.addsFirst) != 0 {
                    close()
                    isHunk = false
                }
            } else {
                (i, j) = (i - 1, j - 1)
                if step & Step.keepsAfterHunk != 0 {
                    isHunk = true
                    end = (i, j)
                }
            }
        }
        close()
        return hunks.reversed()
    }
}
